// Which teams a key reaches: told in a row, and chosen in a form.
import { useState } from "react";
import { Checkbox, Choices, plural } from "../../components/index.ts";
import { TeamSearch, teamsNamed } from "../teams/search.tsx";
import type { Team } from "../teams/team.ts";
import type { ApiKey, KeyTeams } from "./key.ts";

const namedInRow = 2;

export function TeamsOfKey({ about, teams }: { about: ApiKey; teams: readonly Team[] | undefined }) {
  if (about.is_all_teams) return "All teams";
  const { team_permissions: ids } = about;
  if (ids.length === 0) return "None";
  const names = ids.flatMap((id) => teams?.find((team) => team.id === id)?.name ?? []).sort();
  const shown = names.slice(0, namedInRow);
  const rest = ids.length - shown.length;
  return (
    <span className="block break-words" title={names.join(", ")}>
      {shown.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two teams may have the same name
        <bdi key={index} className="line-clamp-1 break-all">
          {name}
        </bdi>
      ))}
      {rest > 0 && <span className="text-quiet">{shown.length > 0 ? `and ${rest} more` : plural(rest, "team")}</span>}
    </span>
  );
}

interface TeamsFieldProps {
  readonly value: KeyTeams;
  readonly onChange: (value: KeyTeams) => void;
  /** Those that may be chosen. */
  readonly teams: readonly Team[];
  /** Whether it may reach all of them, later ones too. */
  readonly mayAll: boolean;
}

export function TeamsField({ value, onChange, teams, mayAll }: TeamsFieldProps) {
  const [typed, setTyped] = useState("");
  const chosen = value === "all" ? [] : value;
  const found = teamsNamed(teams, typed);
  const toggle = (id: string, isChosen: boolean) =>
    onChange(isChosen ? [...chosen, id] : chosen.filter((other) => other !== id));
  return (
    <div className="grid min-w-0 gap-2">
      {mayAll && (
        <Choices
          legend="Reach"
          name="reach"
          value={value === "all" ? "all" : "chosen"}
          onChange={(reach) => onChange(reach === "all" ? "all" : [])}
          options={[
            { value: "all", label: "All teams", hint: "Teams that are made later, too." },
            { value: "chosen", label: "Chosen teams", hint: "Calls about other teams are refused." },
          ]}
        />
      )}
      {value !== "all" && (
        <fieldset className="border-line grid min-w-0 gap-1 rounded-md border px-3 pt-1 pb-2">
          <legend className="px-1 font-medium">Teams</legend>
          <TeamSearch teams={teams} value={typed} onChange={setTyped} />
          <div className="max-h-56 overflow-y-auto">
            {found.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={<bdi className="break-all">{name}</bdi>}
                checked={chosen.includes(id)}
                onChange={(event) => toggle(id, event.target.checked)}
              />
            ))}
            {found.length === 0 && <p className="text-quiet py-2">No team matches.</p>}
          </div>
          <p role="status" className="text-quiet text-[0.8125rem]">
            {plural(chosen.length, "team")} chosen
          </p>
        </fieldset>
      )}
    </div>
  );
}
