// Finding one of many teams by name.
import { SearchField } from "../../components/index.ts";
import type { Team } from "./team.ts";

/** Beyond so many teams there is a field to search them. */
export const searchedFrom = 8;

/** Those whose name holds what was typed. */
export function teamsNamed(teams: readonly Team[], typed: string): readonly Team[] {
  const wanted = typed.trim().toLowerCase();
  return teams.filter(({ name }) => name.toLowerCase().includes(wanted));
}

interface TeamSearchProps {
  readonly teams: readonly Team[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The field in a form that lists teams; nothing where they are few. */
export const TeamSearch = ({ teams, ...field }: TeamSearchProps) =>
  teams.length > searchedFrom && (
    <SearchField {...field} label="Search teams" isLabelHidden placeholder="Search teams" />
  );
