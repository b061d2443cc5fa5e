// Undoes an import as a whole: what it made goes to the trash, and texts that it replaced come back. What somebody has changed since stays.
import { limits } from "../../contract/limits.ts";
import type { Call } from "../call.ts";
import { deleteFolders } from "../folders.ts";
import { deleteSnippets, putSnippet } from "../snippets.ts";
import { deleteTags } from "../tags.ts";
import { findFirstVariation } from "../variations.store.ts";
import * as store from "./imports.store.ts";
import type { ImportRun } from "./run.ts";

export interface Undone {
  readonly deleted: number;
  readonly restored: number;
  /** Changed since, or deleted by somebody already. */
  readonly kept: number;
}

/** Can be called again where it was interrupted. */
export async function undoImport(
  { database, callOf, onProgress, goOn }: ImportRun,
  workspaceId: string,
  importId: string,
): Promise<Undone & { readonly isFinished: boolean }> {
  const total = await database.transaction(async (transaction) => {
    await store.lockImport(transaction, workspaceId, importId);
    store.markUndone(transaction, workspaceId, importId);
    return store.countMade(transaction, workspaceId, importId);
  });
  let sum: Undone = { deleted: 0, restored: 0, kept: 0 };
  let [left, isFinished] = [total, total === 0];
  while (!isFinished && goOn()) {
    const portion = await database.transaction(async (transaction) =>
      undoPortion(await callOf(transaction), workspaceId, importId),
    );
    sum = {
      deleted: sum.deleted + portion.deleted,
      restored: sum.restored + portion.restored,
      kept: sum.kept + portion.kept,
    };
    left -= portion.rows;
    isFinished = portion.rows === 0;
    onProgress(isFinished ? total : total - left, total);
  }
  return { ...sum, isFinished };
}

/** Undoes a part, in one transaction. */
export async function undoPart(
  call: Call,
  workspaceId: string,
  importId: string,
): Promise<Undone & { readonly isFinished: boolean }> {
  store.markUndone(call.transaction, workspaceId, importId);
  const { rows, ...undone } = await undoPortion(call, workspaceId, importId);
  return { ...undone, isFinished: rows === 0 };
}

/** @returns how many rows of the import were dealt with; none once all were */
async function undoPortion(
  call: Call,
  workspaceId: string,
  importId: string,
): Promise<Undone & { readonly rows: number }> {
  const { transaction } = call;
  await store.lockImport(transaction, workspaceId, importId);
  const snippets = await store.listMade(transaction, workspaceId, importId, ["snippet"], limits.batchItemsMax);
  if (snippets.length > 0) {
    const ids = await store.findUnchangedSnippets(
      transaction,
      workspaceId,
      importId,
      snippets.map(({ id }) => id),
    );
    if (ids.length > 0) await deleteSnippets(call, { query: { ids }, body: undefined });
    store.forgetMade(
      transaction,
      workspaceId,
      importId,
      "snippet",
      snippets.map(({ place }) => place),
    );
    return { deleted: ids.length, restored: 0, kept: snippets.length - ids.length, rows: snippets.length };
  }
  const versions = await store.listMade(transaction, workspaceId, importId, ["version"], limits.batchItemsMax);
  if (versions.length > 0) {
    let restored = 0;
    for (const version of versions) if (await bringBack(call, workspaceId, version)) restored += 1;
    store.forgetMade(
      transaction,
      workspaceId,
      importId,
      "version",
      versions.map(({ place }) => place),
    );
    return { deleted: 0, restored, kept: versions.length - restored, rows: versions.length };
  }
  const folderIds = await store.findEmptyFolders(transaction, workspaceId, importId, limits.batchItemsMax);
  if (folderIds.length > 0) await deleteFolders(call, { query: { folderIds }, body: undefined });
  const tagIds = await store.findUnusedTags(transaction, workspaceId, importId, limits.batchItemsMax);
  if (tagIds.length > 0) await deleteTags(call, { query: { tagIds }, body: undefined });
  const rows = folderIds.length + tagIds.length;
  // Folders and tags that are in use stay.
  if (rows === 0) store.forgetAll(transaction, workspaceId, importId);
  return { deleted: 0, restored: 0, kept: 0, rows };
}

/** The text that a snippet had before the import is its text again, unless somebody has written another one. */
async function bringBack(
  call: Call,
  workspaceId: string,
  { id, version_id, former_version_id }: store.MadeRow,
): Promise<boolean> {
  const { transaction } = call;
  const current = await findFirstVariation(transaction, workspaceId, id);
  if (!current || current.currentVersion.id !== version_id || former_version_id === null) return false;
  const former = await store.findFormerVersion(transaction, workspaceId, id, former_version_id);
  if (!former) return false;
  const content = { type: former.content_type, content: former.content };
  await putSnippet(call, { query: { id }, body: { content } });
  return true;
}
