// Finding one of many teams by name.
import { SearchField } from "../../components/index.ts";
import type { Team } from "./team.ts";

/** Beyond so many teams there is a field to search them. */
export const unsearchedTeamsMax = 8;

/** Those whose name holds what was typed. */
export function filterTeams(teams: readonly Team[], search: string): readonly Team[] {
  const term = search.trim().toLowerCase();
  return teams.filter(({ name }) => name.toLowerCase().includes(term));
}

interface TeamSearchProps {
  readonly teams: readonly Team[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The field in a form that lists teams; nothing where they are few. */
export const TeamSearch = ({ teams, ...field }: TeamSearchProps) =>
  teams.length > unsearchedTeamsMax && (
    <SearchField {...field} label="Search teams" isLabelHidden placeholder="Search teams" />
  );
