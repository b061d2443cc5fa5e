// The rows of one team, whatever their table.
import type { Transaction } from "../../platform/database/database.ts";
import type { Table } from "../../platform/database/schema.ts";
import { list, name, type Sql, sql } from "../../platform/database/sql.ts";
import { bytesOnDisk } from "../stored-bytes.store.ts";

/** Tables with a `team_id` that say what was requested and charged. They are the workspace's, and stay. */
const accounting: ReadonlySet<string> = new Set(["ledger", "usage_totals"]);

/** Which rows of a table belong to a team; undefined for a table without any. */
export function ofTeam({ name: table, columns }: Table, teamId: string): Sql | undefined {
  const has = (column: string): boolean => columns.some((each) => each.name === column);
  if (table === "teams") return sql`id = ${teamId}`;
  if (accounting.has(table)) return undefined;
  if (has("team_id")) return sql`team_id = ${teamId}`;
  if (!has("snippet_id")) return undefined;
  const snippets = name(table.startsWith("trashed_") ? "trashed_snippets" : "snippets");
  return sql`exists (select 1 from ${snippets} s
    where s.workspace_id = ${name(table)}.workspace_id and s.id = ${name(table)}.snippet_id and s.team_id = ${teamId})`;
}

const counted = {
  snippets: "snippets",
  folders: "folders",
  tags: "tags",
  trashed_snippets: "trashed_snippets",
  members: "team_memberships",
} as const;
export type TeamCounts = Readonly<Record<keyof typeof counted, number>>;

/** Counts what a team has, each kind up to `most`. */
export async function countContents(
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  most: number,
): Promise<TeamCounts> {
  const count = (kind: keyof typeof counted): Sql =>
    sql`(select count(*) from (select 1 from ${name(counted[kind])}
         where workspace_id = ${workspaceId} and team_id = ${teamId} limit ${most}) c) as ${name(kind)}`;
  const row = await transaction.first<TeamCounts>(
    sql`select ${count("snippets")}, ${count("folders")}, ${count("tags")}, ${count("trashed_snippets")}, ${count("members")}`,
  );
  return row ?? { snippets: 0, folders: 0, tags: 0, trashed_snippets: 0, members: 0 };
}

/** The first snippets of a team, with about the bytes of each. */
export const listMeasuredSnippets = (
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
  limit: number,
): Promise<{ id: string; bytes: number }[]> =>
  transaction.all(
    sql`select s.id, ${bytesOnDisk("library")} as bytes from snippets s
        where s.workspace_id = ${workspaceId} and s.team_id = ${teamId} limit ${limit}`,
  );

export const deleteExamplesOf = (transaction: Transaction, workspaceId: string, teamId: string): void =>
  transaction.send(sql`delete from library_examples where workspace_id = ${workspaceId} and team_id = ${teamId}`);

/** What people did in a workspace after an act, by ID. */
export const listActsAfter = (
  transaction: Transaction,
  workspaceId: string,
  afterId: string,
  limit: number,
): Promise<{ id: string; team_id: string }[]> =>
  transaction.all(
    sql`select id, team_id from library_activity where workspace_id = ${workspaceId} and id > ${afterId} order by id limit ${limit}`,
  );

export const deleteActs = (transaction: Transaction, workspaceId: string, ids: readonly string[]): void =>
  transaction.send(sql`delete from library_activity where workspace_id = ${workspaceId} and id in ${list(ids)}`);

/** The members of a team, for those who read its export without this instance. */
export const listMembersOfTeam = (
  transaction: Transaction,
  workspaceId: string,
  teamId: string,
): Promise<Readonly<Record<string, unknown>>[]> =>
  transaction.all(
    sql`select p.id, p.name, p.email, m.role from team_memberships m join people p on p.id = m.person_id
        where m.workspace_id = ${workspaceId} and m.team_id = ${teamId} order by p.id`,
  );
