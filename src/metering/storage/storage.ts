// The storage of a workspace: how many bytes its library has, and how many it may have (decisions, Storage).
// Always true: the bytes in its row are the sum over its snippets, variations, versions, folders, and tags, the trash included.
import { consoleErrors } from "../../contract/console/errors.ts";
import { errors } from "../../contract/errors.ts";
import { bytesPerMebibyte } from "../../contract/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import * as store from "./storage.store.ts";

export interface Storage {
  readonly bytes: number;
  readonly bytesMax: number;
  /** False where the instance's limit applies. */
  readonly isOwnLimit: boolean;
  /** The newest number of its change feed. */
  readonly changes: number;
}

/** @param bytesMaxDefault for a workspace without a limit of its own. @throws Refusal `not_found` where there is no such workspace */
export async function readStorage(
  transaction: Transaction,
  workspaceId: string,
  bytesMaxDefault: number,
): Promise<Storage> {
  const row = await store.findStorage(transaction, workspaceId);
  if (!row) throw consoleErrors.notFound("workspace", workspaceId);
  const { bytes, bytes_max, changes } = row;
  return { bytes, bytesMax: bytes_max ?? bytesMaxDefault, isOwnLimit: bytes_max !== null, changes };
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

/** Gives a workspace a limit of its own, or, with null, the instance's. @returns the storage before and after */
export async function changeStorageLimit(
  transaction: Transaction,
  workspaceId: string,
  bytesMax: number | null,
  bytesMaxDefault: number,
): Promise<{ before: Storage; after: Storage }> {
  const before = await readLockedStorage(transaction, workspaceId, bytesMaxDefault);
  store.updateBytesMax(transaction, workspaceId, bytesMax);
  return { before, after: { ...before, bytesMax: bytesMax ?? bytesMaxDefault, isOwnLimit: bytesMax !== null } };
}

/** The limit as the audit log has it. */
export const mebibytesOf = ({ bytesMax, isOwnLimit }: Storage): number | "default" =>
  isOwnLimit ? bytesMax / bytesPerMebibyte : "default";

/** As the console and the commands show it. */
export const toStorageRecord = ({ bytes, bytesMax, isOwnLimit }: Storage) => ({
  bytes,
  bytes_max: bytesMax,
  is_own_limit: isOwnLimit,
});

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
    store.addBytes(transaction, { workspaceId, bytes, bytesMaxDefault });
  };

/** What a workspace must have left. Units are counted for keys only. */
export interface Needs {
  readonly units: number;
  readonly bytes: number;
}

/** Checks that a workspace has so much left, and takes nothing of it. @throws Refusal `quota_exceeded` or `storage_exceeded` */
export type RequireLeft = (needs: Needs) => Promise<void>;

/** For a caller who needs no units. */
export const requireBytesIn =
  (transaction: Transaction, workspaceId: string, bytesMaxDefault: number): RequireLeft =>
  async ({ bytes }) =>
    requireRoom(await readStorage(transaction, workspaceId, bytesMaxDefault), bytes);

/** Gives back the bytes of what was deleted for good. */
export const freeBytes = (transaction: Transaction, workspaceId: string, bytes: number): void => {
  if (bytes > 0) store.addBytes(transaction, { workspaceId, bytes: -bytes });
};
