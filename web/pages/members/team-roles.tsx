// The field that selects teams and the role in each.
import { useState } from "react";
import { Select } from "../../components/index.ts";
import { filterTeams, TeamSearch } from "../teams/search.tsx";
import type { Team } from "../teams/team.ts";
import { type TeamRole, teamRoleNames } from "./member.ts";

interface TeamRolesProps {
  readonly teams: readonly Team[];
  readonly value: ReadonlyMap<string, TeamRole>;
  readonly onChange: (value: ReadonlyMap<string, TeamRole>) => void;
}

export function TeamRolesField({ teams, value, onChange }: TeamRolesProps) {
  const [search, setSearch] = useState("");
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
      <TeamSearch teams={teams} value={search} onChange={setSearch} />
      <ul className="border-line divide-line max-h-56 divide-y overflow-y-auto rounded-md border">
        {matches.map((team) => (
          <li key={team.id} className="flex items-center justify-between gap-3 px-3 py-1.5">
            <bdi id={`team-${team.id}`} className="min-w-0 flex-1 truncate" title={team.name}>
              {team.name}
            </bdi>
            <Select
              className="w-36 shrink-0"
              aria-labelledby={`team-${team.id}`}
              value={value.get(team.id) ?? ""}
              onChange={(event) => choose(team.id, event.target.value)}
            >
              <option value="">Not in it</option>
              <TeamRoleOptions />
            </Select>
          </li>
        ))}
        {matches.length === 0 && <li className="text-quiet px-3 py-2">No team matches.</li>}
      </ul>
    </fieldset>
  );
}

export const isTeamRole = (text: string): text is TeamRole => Object.hasOwn(teamRoleNames, text);

export const TeamRoleOptions = () => (
  <>
    <option value="viewer">{teamRoleNames.viewer}</option>
    <option value="editor">{teamRoleNames.editor}</option>
    <option value="admin">{teamRoleNames.admin}</option>
  </>
);
