// The statements on what a workspace stores: one row for each, with the bytes of its library and its limit.
import type { Transaction } from "../../platform/database/database.ts";
import { type Sql, sql } from "../../platform/database/sql.ts";

export interface StorageRow {
  readonly bytes: number;
  /** Null where the instance's limit applies. */
  readonly bytes_max: number | null;
  /** The newest number of its change feed. */
  readonly changes: number;
}

export const findStorage = (transaction: Transaction, workspaceId: string): Promise<StorageRow | undefined> =>
  transaction.first<StorageRow>(
    sql`select bytes, bytes_max, changes from workspace_storage where workspace_id = ${workspaceId}`,
  );

/** What a workspace stores changes, and its limit is read, by one transaction at a time. */
export const lockForStorageChange = (transaction: Transaction, workspaceId: string): void =>
  transaction.lock("change", sql`select workspace_id from workspace_storage where workspace_id = ${workspaceId}`);

/** Adds bytes, or takes them away. The statement fails, and the transaction with it, where a workspace would store more than it may. */
export const addBytes = (transaction: Transaction, added: AddedToStorage): void =>
  transaction.send(addingToStorage(added));

export interface AddedToStorage {
  readonly workspaceId: string;
  readonly bytes: number;
  /** For a workspace without a limit of its own. Not needed where bytes are taken away. */
  readonly bytesMaxDefault?: number;
  /** So many numbers of the change feed are taken, because one statement costs less than two. */
  readonly changes?: number;
}

/** The statement of `addBytes`. It is always the same one, so that it is prepared once. */
export const addingToStorage = ({ workspaceId, bytes, bytesMaxDefault = 0, changes = 0 }: AddedToStorage): Sql =>
  sql`update workspace_storage
      set bytes = case when ${bytes <= 0} or bytes + ${bytes} <= coalesce(bytes_max, ${bytesMaxDefault}) then bytes + ${bytes} end,
        changes = changes + ${changes}
      where workspace_id = ${workspaceId}`;

export const updateBytesMax = (transaction: Transaction, workspaceId: string, bytesMax: number | null): void =>
  transaction.send(sql`update workspace_storage set bytes_max = ${bytesMax} where workspace_id = ${workspaceId}`);

const nearlyFullPercent = 90;

/** What all workspaces store together, and how many store nearly all that they may. */
export async function sumStorage(
  transaction: Transaction,
  bytesMaxDefault: number,
): Promise<{ bytes: number; nearlyFull: number }> {
  const row = await transaction.first<{ bytes: number | null; nearly_full: number | null }>(
    sql`select sum(bytes) as bytes,
          sum(case when bytes * 100 >= coalesce(bytes_max, ${bytesMaxDefault}) * ${nearlyFullPercent} then 1 else 0 end) as nearly_full
        from workspace_storage`,
  );
  return { bytes: row?.bytes ?? 0, nearlyFull: row?.nearly_full ?? 0 };
}
