// The statements on teams and what they have.
import type { Transaction } from "../platform/database/database.ts";
import { list, name, type Sql, sql } from "../platform/database/sql.ts";

/** Limits rows to these teams, which a column names; undefined stands for every team of the workspace. */
export function inTeams(column: string, teamIds: readonly string[] | undefined): Sql {
  if (teamIds === undefined) return sql`1 = 1`;
  return teamIds.length === 0 ? sql`1 = 0` : sql`${name(column)} in ${list(teamIds)}`;
}

/** The names of these teams, by ID. */
export const listTeamNames = (
  transaction: Transaction,
  workspaceId: string,
  teamIds: readonly string[] | undefined,
): Promise<{ id: string; name: string }[]> =>
  transaction.all(
    sql`select id, name from teams where workspace_id = ${workspaceId} and ${inTeams("id", teamIds)} order by id`,
  );

interface CountedTeam {
  readonly id: string;
  readonly name: string;
  readonly snippet_count: number;
  readonly folder_count: number;
  readonly tag_count: number;
}

const countOf = (table: string): Sql =>
  sql`(select count(*) from ${name(table)} r where r.workspace_id = t.workspace_id and r.team_id = t.id)`;

/** These teams with what they have, by ID. Each count walks along an index. */
export const listCountedTeams = (
  transaction: Transaction,
  workspaceId: string,
  teamIds: readonly string[] | undefined,
): Promise<CountedTeam[]> =>
  transaction.all(
    sql`select t.id, t.name, ${countOf("snippets")} as snippet_count, ${countOf("folders")} as folder_count,
          ${countOf("tags")} as tag_count
        from teams t where t.workspace_id = ${workspaceId} and ${inTeams("t.id", teamIds)} order by t.id`,
  );
