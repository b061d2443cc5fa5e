// The field that selects teams and the role in each.
import { useId, useState } from "react";
import { Select } from "../../components/index.ts";
import { filterTeams, TeamSearch } from "../teams/search.tsx";
import type { Team } from "../teams/team.ts";
import { type TeamRole, teamRoleNames, teamRoleOptions } from "./member.ts";

interface TeamRolesProps {
  readonly teams: readonly Team[];
  readonly value: ReadonlyMap<string, TeamRole>;
  readonly onChange: (value: ReadonlyMap<string, TeamRole>) => void;
}

export function TeamRolesField({ teams, value, onChange }: TeamRolesProps) {
  const [search, setSearch] = useState("");
  const hintsId = useId();
  const matches = filterTeams(teams, search);
  const choose = (id: string, role: string) => {
    const next = new Map(value);
    if (isTeamRole(role)) next.set(id, role);
    else next.delete(id);
    onChange(next);
  };
  if (teams.length === 0) return null;
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1 font-medium">Teams (optional)</legend>
      <TeamRoleHints id={hintsId} />
      <TeamSearch teams={teams} value={search} onChange={setSearch} />
      <ul className="border-line divide-line max-h-56 divide-y overflow-y-auto rounded-md border">
        {matches.map((team) => (
          <li key={team.id} className="flex items-center justify-between gap-3 px-3 py-1.5">
            <bdi className="min-w-0 flex-1 truncate" title={team.name}>
              {team.name}
            </bdi>
            <Select
              className="w-36 shrink-0"
              aria-label={team.name}
              aria-describedby={hintsId}
              value={value.get(team.id) ?? ""}
              onChange={(event) => choose(team.id, event.target.value)}
            >
              <option value="">No access</option>
              <TeamRoleOptions />
            </Select>
          </li>
        ))}
        {matches.length === 0 && <li className="text-quiet px-3 py-2">No matching teams.</li>}
      </ul>
    </fieldset>
  );
}

export const isTeamRole = (text: string): text is TeamRole => Object.hasOwn(teamRoleNames, text);

export const TeamRoleOptions = () =>
  teamRoleOptions.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

/** What each team role allows. A list of roles refers to it by `id`. */
export const TeamRoleHints = ({ id }: { id: string }) => (
  <ul id={id} className="text-quiet grid gap-0.5 text-[0.8125rem]">
    {teamRoleOptions.map(({ value, label, hint }) => (
      <li key={value}>
        <span className="text-text font-medium">{label}:</span> {hint}
      </li>
    ))}
  </ul>
);
