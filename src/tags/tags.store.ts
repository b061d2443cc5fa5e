// The rows of tags.
import type { Tag } from "../contract/tag.ts";
import type { Transaction } from "../database/database.ts";
import { assignments, list, sql, type Value } from "../database/sql.ts";

const columns = sql`id, tag_name, tag_color, parent_tag_id, team_id, workspace_id, created_at, updated_at`;

/** The tags of these ids, in no order. */
export async function findTags(transaction: Transaction, workspaceId: string, ids: readonly string[]): Promise<Tag[]> {
  if (ids.length === 0) return [];
  return transaction.all<Tag>(
    sql`select ${columns} from tags where workspace_id = ${workspaceId} and id in ${list(ids)}`,
  );
}

export const insertTags = (transaction: Transaction, tags: readonly Tag[]): Promise<void> =>
  transaction.insert(
    "tags",
    tags.map((tag) => ({ ...tag })),
  );

/** Sets these columns and returns the tag as it is then. */
export const updateTag = (
  transaction: Transaction,
  workspaceId: string,
  id: string,
  changes: Readonly<Record<string, Value>>,
): Promise<Tag | undefined> =>
  transaction.first<Tag>(
    sql`update tags set ${assignments({ ...changes, updated_at: transaction.now })}
        where workspace_id = ${workspaceId} and id = ${id} returning ${columns}`,
  );

/** True when `ancestorId` is the tag itself or stands above it. */
export async function isWithinTag(
  transaction: Transaction,
  workspaceId: string,
  id: string,
  ancestorId: string,
): Promise<boolean> {
  const row = await transaction.first<{ id: string }>(
    sql`with recursive above (id, parent_tag_id) as (
          select id, parent_tag_id from tags where workspace_id = ${workspaceId} and id = ${id}
          union
          select f.id, f.parent_tag_id from tags f
          join above a on f.workspace_id = ${workspaceId} and f.id = a.parent_tag_id)
        select id from above where id = ${ancestorId}`,
  );
  return row !== undefined;
}

/** Deletes them; their child tags stay, without a parent. */
export async function removeTags(transaction: Transaction, workspaceId: string, ids: readonly string[]): Promise<void> {
  await transaction.run(
    sql`update tags set parent_tag_id = null
        where workspace_id = ${workspaceId} and parent_tag_id in ${list(ids)}`,
  );
  await transaction.run(sql`delete from tags where workspace_id = ${workspaceId} and id in ${list(ids)}`);
}
