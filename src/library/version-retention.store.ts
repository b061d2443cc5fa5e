// The statements on former versions whose time is over.
import type { Transaction } from "../platform/database/database.ts";
import { list, type Sql, sql } from "../platform/database/sql.ts";
import { versionBytes } from "./stored-bytes.store.ts";
import { sum } from "./stored-bytes.ts";

/** Which former versions end: those beyond the newest of their variation, and those written before a time. */
export interface EndedVersions {
  readonly beyond: number;
  readonly before: string;
}

const ended = (workspaceId: string, ids: readonly string[], { beyond, before }: EndedVersions): Sql => sql`
  select workspace_id, snippet_id, variation_number, changed_at, id from (
    select workspace_id, snippet_id, variation_number, changed_at, id,
      row_number() over (partition by snippet_id, variation_number order by changed_at desc, id desc) as place
    from former_versions where workspace_id = ${workspaceId} and snippet_id in ${list(ids)}) placed
  where place > ${beyond} or changed_at < ${before}`;

/** The next snippets of a workspace with former versions, by ID. */
export const listVersioned = async (
  transaction: Transaction,
  workspaceId: string,
  afterId: string,
  limit: number,
): Promise<string[]> =>
  (
    await transaction.all<{ snippet_id: string }>(
      sql`select distinct snippet_id from former_versions where workspace_id = ${workspaceId} and snippet_id > ${afterId}
          order by snippet_id limit ${limit}`,
    )
  ).map((row) => row.snippet_id);

/** Those of the snippets that have versions to delete. */
export const findWithEnded = async (
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
  which: EndedVersions,
): Promise<string[]> =>
  (
    await transaction.all<{ snippet_id: string }>(
      sql`select distinct snippet_id from (${ended(workspaceId, ids, which)}) ended order by snippet_id`,
    )
  ).map((row) => row.snippet_id);

/** Deletes some of these versions. @returns how many, and the bytes that they took */
export async function deleteEnded(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
  which: EndedVersions,
  limit: number,
): Promise<{ versions: number; bytes: number }> {
  const deleted = await transaction.all<{ bytes: number }>(
    sql`delete from former_versions where (workspace_id, snippet_id, variation_number, changed_at, id) in (
          ${ended(workspaceId, ids, which)} limit ${limit}) returning ${versionBytes} as bytes`,
  );
  return { versions: deleted.length, bytes: sum(deleted.map(({ bytes }) => bytes)) };
}
