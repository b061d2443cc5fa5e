// The rows of folders.
import type { Folder } from "../contract/folder.ts";
import type { Transaction } from "../database/database.ts";
import { assignments, list, sql, type Value } from "../database/sql.ts";

const columns = sql`id, folder_name, folder_color, parent_folder_id, team_id, workspace_id, created_at, updated_at`;

/** The folders of these ids, in no order. */
export async function findFolders(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<Folder[]> {
  if (ids.length === 0) return [];
  return transaction.all<Folder>(
    sql`select ${columns} from folders where workspace_id = ${workspaceId} and id in ${list(ids)}`,
  );
}

export const insertFolders = (transaction: Transaction, folders: readonly Folder[]): Promise<void> =>
  transaction.insert(
    "folders",
    folders.map((folder) => ({ ...folder })),
  );

/** Sets these columns and returns the folder as it is then. */
export const updateFolder = (
  transaction: Transaction,
  workspaceId: string,
  id: string,
  changes: Readonly<Record<string, Value>>,
): Promise<Folder | undefined> =>
  transaction.first<Folder>(
    sql`update folders set ${assignments({ ...changes, updated_at: transaction.now })}
        where workspace_id = ${workspaceId} and id = ${id} returning ${columns}`,
  );

/** True when `ancestorId` is the folder itself or stands above it. */
export async function isWithinFolder(
  transaction: Transaction,
  workspaceId: string,
  id: string,
  ancestorId: string,
): Promise<boolean> {
  const row = await transaction.first<{ id: string }>(
    sql`with recursive above (id, parent_folder_id) as (
          select id, parent_folder_id from folders where workspace_id = ${workspaceId} and id = ${id}
          union
          select f.id, f.parent_folder_id from folders f
          join above a on f.workspace_id = ${workspaceId} and f.id = a.parent_folder_id)
        select id from above where id = ${ancestorId}`,
  );
  return row !== undefined;
}

/** Deletes them; their child folders stay, without a parent. */
export async function removeFolders(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  await transaction.run(
    sql`update folders set parent_folder_id = null
        where workspace_id = ${workspaceId} and parent_folder_id in ${list(ids)}`,
  );
  await transaction.run(sql`delete from folders where workspace_id = ${workspaceId} and id in ${list(ids)}`);
}
