// The teams that a key can access: as text in a row, and as a field in a form.
import { useState } from "react";
import { Checkbox, pluralize, RadioGroup } from "../../components/index.ts";
import { filterTeams, TeamSearch } from "../teams/search.tsx";
import type { Team } from "../teams/team.ts";
import type { ApiKey, KeyTeams } from "./key.ts";

const namesMax = 2;

export function TeamsOfKey({ apiKey, teams }: { apiKey: ApiKey; teams: readonly Team[] | undefined }) {
  if (apiKey.is_all_teams) return "All teams";
  const { team_permissions: ids } = apiKey;
  if (ids.length === 0) return "None";
  const names = ids.flatMap((id) => teams?.find((team) => team.id === id)?.name ?? []).sort();
  const visibleNames = names.slice(0, namesMax);
  const rest = ids.length - visibleNames.length;
  return (
    <span className="block break-words" title={names.join(", ")}>
      {visibleNames.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two teams may have the same name
        <bdi key={index} className="line-clamp-1 break-all">
          {name}
        </bdi>
      ))}
      {rest > 0 && (
        <span className="text-quiet">{visibleNames.length > 0 ? `and ${rest} more` : pluralize(rest, "team")}</span>
      )}
    </span>
  );
}

interface TeamsFieldProps {
  readonly value: KeyTeams;
  readonly onChange: (value: KeyTeams) => void;
  /** The teams to choose from. */
  readonly teams: readonly Team[];
  /** True if the key may access all teams, including later ones. */
  readonly mayUseAllTeams: boolean;
}

export function TeamsField({ value, onChange, teams, mayUseAllTeams }: TeamsFieldProps) {
  const [search, setSearch] = useState("");
  const selected = value === "all" ? [] : value;
  const matches = filterTeams(teams, search);
  const toggle = (id: string, isSelected: boolean) =>
    onChange(isSelected ? [...selected, id] : selected.filter((other) => other !== id));
  return (
    <div className="grid min-w-0 gap-2">
      {mayUseAllTeams && (
        <RadioGroup
          legend="Access"
          name="access"
          value={value === "all" ? "all" : "selected"}
          onChange={(access) => onChange(access === "all" ? "all" : [])}
          options={[
            { value: "all", label: "All teams", hint: "Including teams created later." },
            { value: "selected", label: "Selected teams", hint: "The key can’t access other teams." },
          ]}
        />
      )}
      {value !== "all" && (
        <fieldset className="border-line grid min-w-0 gap-1 rounded-md border px-3 pt-1 pb-2">
          <legend className="px-1 font-medium">Teams</legend>
          <TeamSearch teams={teams} value={search} onChange={setSearch} />
          <div className="max-h-56 overflow-y-auto">
            {matches.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={<bdi className="break-all">{name}</bdi>}
                checked={selected.includes(id)}
                onChange={(event) => toggle(id, event.target.checked)}
              />
            ))}
            {matches.length === 0 && <p className="text-quiet py-2">No matching teams.</p>}
          </div>
          <p role="status" className="text-quiet text-[0.8125rem]">
            {pluralize(selected.length, "team")} selected
          </p>
        </fieldset>
      )}
    </div>
  );
}
