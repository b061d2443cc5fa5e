// Undoes an import as a whole: what it made goes to the trash, and texts that it replaced come back. What somebody has changed since stays.
import { limits } from "../../contract/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { recordsNothing } from "../acts.ts";
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
  readonly folders: number;
  readonly tags: number;
}

export interface UndonePart extends Undone {
  /** What another part has to look at; 0 once the import is undone. */
  readonly remaining: number;
}

const nothingUndone: Undone = { deleted: 0, restored: 0, kept: 0, folders: 0, tags: 0 };

const add = (left: Undone, right: Undone): Undone => ({
  deleted: left.deleted + right.deleted,
  restored: left.restored + right.restored,
  kept: left.kept + right.kept,
  folders: left.folders + right.folders,
  tags: left.tags + right.tags,
});

/** Can be called again where it was interrupted. */
export async function undoImport(
  { database, callOf, onProgress, goOn }: ImportRun,
  workspaceId: string,
  importId: string,
): Promise<Undone & { readonly isFinished: boolean }> {
  const total = await database.read((transaction) => store.countMade(transaction, workspaceId, importId));
  let [sum, remaining] = [nothingUndone, Math.max(total, 1)];
  while (remaining > 0 && (await goOn())) {
    const part = await database.transaction(async (transaction) =>
      undoPart(await callOf(transaction), workspaceId, importId),
    );
    sum = add(sum, part);
    remaining = part.remaining;
    onProgress(total - remaining, total);
  }
  return { ...sum, isFinished: remaining === 0 };
}

/** Undoes up to 100 things that the import made, in one transaction. From the first part on, the import does not go on. */
export async function undoPart(given: Call, workspaceId: string, importId: string): Promise<UndonePart> {
  const { transaction, recordActs } = given;
  // However many parts it takes, and whatever they change, it is one act.
  const call: Call = { ...given, recordActs: recordsNothing };
  const row = await store.lockImport(transaction, workspaceId, importId);
  if (row && row.undone_at === null) {
    store.markUndone(transaction, workspaceId, importId);
    recordActs([{ action: "import.undo", teamId: row.team_id, name: row.source_name }]);
  }
  let [undone, left] = [nothingUndone, limits.batchItemsMax];
  // Folders and tags are empty only once the snippets are gone, and those around them once they are gone.
  for (const undoSome of [undoSnippets, undoVersions, undoGroups("folder"), undoGroups("tag")])
    while (left > 0) {
      const { rows, ...some } = await undoSome(call, workspaceId, importId, left);
      if (rows === 0) break;
      undone = add(undone, some);
      left -= rows;
    }
  // What is left now are folders and tags that are in use, and stay.
  if (left > 0) store.forgetAll(transaction, workspaceId, importId);
  return { ...undone, remaining: left > 0 ? 0 : await store.countMade(transaction, workspaceId, importId) };
}

/** @param most how many rows of the import it deals with. @returns how many it dealt with; none where there are no more */
type UndoSome = (
  call: Call,
  workspaceId: string,
  importId: string,
  most: number,
) => Promise<Undone & { readonly rows: number }>;

const undoSnippets: UndoSome = async (call, workspaceId, importId, most) => {
  const { transaction } = call;
  const made = await store.listMade(transaction, workspaceId, importId, ["snippet"], most);
  const ids = await store.findUnchangedSnippets(
    transaction,
    workspaceId,
    importId,
    made.map(({ id }) => id),
  );
  if (ids.length > 0) await deleteSnippets(call, { query: { ids }, body: undefined });
  forget(transaction, workspaceId, importId, "snippet", made);
  return { ...nothingUndone, deleted: ids.length, kept: made.length - ids.length, rows: made.length };
};

const undoVersions: UndoSome = async (call, workspaceId, importId, most) => {
  const versions = await store.listMade(call.transaction, workspaceId, importId, ["version"], most);
  let restored = 0;
  for (const version of versions) if (await bringBack(call, workspaceId, version)) restored += 1;
  forget(call.transaction, workspaceId, importId, "version", versions);
  return { ...nothingUndone, restored, kept: versions.length - restored, rows: versions.length };
};

const undoGroups =
  (kind: "folder" | "tag"): UndoSome =>
  async (call, workspaceId, importId, most) => {
    const { transaction } = call;
    const find = kind === "folder" ? store.findEmptyFolders : store.findUnusedTags;
    const groups = await find(transaction, workspaceId, importId, most);
    const ids = groups.map(({ id }) => id);
    if (ids.length > 0 && kind === "folder") await deleteFolders(call, { query: { folderIds: ids }, body: undefined });
    else if (ids.length > 0) await deleteTags(call, { query: { tagIds: ids }, body: undefined });
    forget(transaction, workspaceId, importId, kind, groups);
    return { ...nothingUndone, [kind === "folder" ? "folders" : "tags"]: ids.length, rows: ids.length };
  };

const forget = (
  transaction: Transaction,
  workspaceId: string,
  importId: string,
  kind: store.MadeKind,
  rows: readonly { readonly place: number }[],
): void =>
  store.forgetMade(
    transaction,
    workspaceId,
    importId,
    kind,
    rows.map(({ place }) => place),
  );

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
