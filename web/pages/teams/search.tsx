// Searches teams by name.
import { SearchField } from "../../components/index.ts";
import type { Team } from "./team.ts";

/** A longer list gets a search field. */
export const unsearchedTeamsMax = 8;

/** The teams whose name contains the search term. */
export function filterTeams(teams: readonly Team[], search: string): readonly Team[] {
  const term = search.trim().toLowerCase();
  return teams.filter(({ name }) => name.toLowerCase().includes(term));
}

interface TeamSearchProps {
  readonly teams: readonly Team[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The search field of a form that lists teams; nothing for a short list. */
export const TeamSearch = ({ teams, ...field }: TeamSearchProps) =>
  teams.length > unsearchedTeamsMax && (
    <SearchField {...field} label="Search teams" isLabelHidden placeholder="Search teams" />
  );
