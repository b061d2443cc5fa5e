// The storage of a workspace: how many bytes its library has, and how many it may have (decisions, Storage).
// Always true: the bytes in its row are the sum over its snippets, variations, versions, folders, and tags, the trash included.
import { errors } from "../../contract/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import * as store from "./storage.store.ts";

export interface Storage {
  readonly bytes: number;
  readonly bytesMax: number;
  /** False where the instance's limit applies. */
  readonly isOwnLimit: boolean;
}

/** @param bytesMaxDefault for a workspace without a limit of its own */
export async function readStorage(
  transaction: Transaction,
  workspaceId: string,
  bytesMaxDefault: number,
): Promise<Storage> {
  // Every workspace has this row from its beginning.
  const row = await store.findStorage(transaction, workspaceId);
  if (!row) throw errors.internal();
  return { bytes: row.bytes, bytesMax: row.bytes_max ?? bytesMaxDefault, isOwnLimit: row.bytes_max !== null };
}

/** Reads the storage and keeps it as it is until the end of the transaction. */
export function readLockedStorage(
  transaction: Transaction,
  workspaceId: string,
  bytesMaxDefault: number,
): Promise<Storage> {
  store.lockForStorageChange(transaction, workspaceId);
  return readStorage(transaction, workspaceId, bytesMaxDefault);
}

/** What is smaller afterwards always fits, also where the limit was lowered. @throws Refusal `storage_exceeded` */
export function requireRoom({ bytes: stored, bytesMax }: Pick<Storage, "bytes" | "bytesMax">, bytes: number): void {
  if (bytes > 0 && stored + bytes > bytesMax) throw errors.storageExceeded(bytes, Math.max(0, bytesMax - stored));
}

/** Counts bytes that a call adds or takes away. @throws Refusal `storage_exceeded` */
export type StoreBytes = (bytes: number) => Promise<void>;

/** Counts them at once, for a call that has a transaction of its own. */
export const storeBytesIn =
  (transaction: Transaction, workspaceId: string, bytesMaxDefault: number): StoreBytes =>
  async (bytes) => {
    if (bytes === 0) return;
    if (bytes > 0) requireRoom(await readLockedStorage(transaction, workspaceId, bytesMaxDefault), bytes);
    store.addBytes(transaction, workspaceId, bytes, bytesMaxDefault);
  };

/** Gives back the bytes of what was deleted for good. */
export const freeBytes = (transaction: Transaction, workspaceId: string, bytes: number): void => {
  if (bytes > 0) store.addBytes(transaction, workspaceId, -bytes);
};
