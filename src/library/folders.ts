// Folders: they group a team's snippets and can be nested. Deleting a folder keeps its snippets.
import { paginate } from "../contract/envelope.ts";
import { errors } from "../contract/errors.ts";
import type { Folder } from "../contract/folders.ts";
import { limits } from "../contract/limits.ts";
import { commonTeam, deletedCounts, requireAccess, selectAccessible } from "./access.ts";
import { batchOfOne, createdCounts, onlyItem, updatedCounts } from "./batch.ts";
import { type Call, fieldsUpdated, type Handler } from "./call.ts";
import { folderStore } from "./folders.store.ts";
import { folderKind } from "./group-kinds.ts";
import { actsOnGroups, createGroups, removeGroups, updateGroups } from "./groups.ts";
import { listedTextBytesMax, readTexts, sumTextBytes } from "./read-snippets.ts";
import {
  countSnippetsByFolder,
  type ListedSnippet,
  listSnippetsByFolder,
  lockSnippetsInFolders,
  removeSnippetsFromFolders,
} from "./snippets.store.ts";

export const getFolder: Handler<"getFolder"> = async (call, { query: { folderId, limit, offset } }) => {
  const { transaction, caller } = call;
  const [row] = await folderStore.find(transaction, caller.workspaceId, [folderId]);
  const folder = requireAccess(caller, "Folder", row);
  const [totals, listed] = await findPages(call, [folderId], limit, offset);
  const snippets = await readTexts(call, listed);
  return {
    data: { folder, snippets },
    pagination: paginate(limit, offset, totals.get(folderId) ?? 0),
    items: snippets.length,
    teamId: folder.team_id,
  };
};

export const getFolders: Handler<"getFolders"> = async (call, { query: { folderIds, limit, offset } }) => {
  const { transaction, caller } = call;
  const found = await folderStore.find(transaction, caller.workspaceId, folderIds);
  const { rows, counts } = selectAccessible(caller, folderIds, found);
  const accessibleIds = rows.map((folder) => folder.id);
  const [totals, listed] = await findPages(call, accessibleIds, limit, offset);
  const snippets = await readTexts(call, listed);
  const snippetsByFolder = Map.groupBy(snippets, (snippet) => snippet.folder_id);
  const folders = rows.map((folder) => ({
    ...folder,
    snippets: snippetsByFolder.get(folder.id) ?? [],
    total_snippets: totals.get(folder.id) ?? 0,
  }));
  return {
    data: { folders },
    metadata: counts,
    // Each folder has its own pages, so the largest folder decides how many there are. Only the total is a sum.
    pagination: {
      ...paginate(limit, offset, Math.max(0, ...totals.values())),
      totalSnippets: folders.reduce((sum, folder) => sum + folder.total_snippets, 0),
    },
    items: folders.length + snippets.length,
    teamId: commonTeam(rows),
  };
};

/** How many snippets each folder has, and those on one page of each. */
const findPages = (call: Call, folderIds: readonly string[], limit: number, offset: number) =>
  Promise.all([
    countSnippetsByFolder(call.transaction, call.caller.workspaceId, folderIds),
    listPages(call, folderIds, limit, offset),
  ]);

/** Snippets that are read at once. */
const portionItemsMax = 1_000;

/**
 * The snippets on one page of each folder. They are read in portions, so that a response that would be too large is refused before all are read.
 * @throws Refusal 400
 */
async function listPages(
  { transaction, caller }: Call,
  folderIds: readonly string[],
  limit: number,
  offset: number,
): Promise<ListedSnippet[]> {
  const textBytesMax = listedTextBytesMax(folderIds.length * limit);
  const portionFolders = Math.max(1, Math.floor(portionItemsMax / limit));
  const listed: ListedSnippet[] = [];
  let bytes = 0;
  for (let at = 0; at < folderIds.length; at += portionFolders) {
    const portion = folderIds.slice(at, at + portionFolders);
    const snippets = await listSnippetsByFolder(transaction, caller.workspaceId, portion, limit, offset, textBytesMax);
    bytes += sumTextBytes(snippets);
    if (bytes > limits.responseTextBytesMax) throw errors.responseTextTooLarge(limits.responseTextBytesMax);
    listed.push(...snippets);
  }
  return listed;
}

export const postFolder: Handler<"postFolder"> = async (call, { body }) => {
  const folder = onlyItem(await createGroups(call, folderKind, batchOfOne(body)));
  call.recordActs(actsOnGroups(folderKind, "create", [folder]));
  return {
    data: { folder },
    metadata: { folderId: folder.id, folderName: folder.folder_name, createdAt: folder.created_at },
    teamId: folder.team_id,
  };
};

export const postFolders: Handler<"postFolders"> = async (call, { body }) => {
  const outcome = await createGroups(call, folderKind, body);
  call.recordActs(actsOnGroups(folderKind, "create", outcome.done));
  return {
    data: { createdFolders: outcome.done, errors: outcome.errors },
    metadata: createdCounts(outcome),
    items: outcome.done.length,
    teamId: commonTeam(outcome.done),
  };
};

export const putFolder: Handler<"putFolder"> = async (call, { query, body }) => {
  const folder = onlyItem(await updateGroups(call, folderKind, batchOfOne({ ...body, id: query.folderId })));
  return { data: { folder }, metadata: { fieldsUpdated: fieldsUpdated(body) }, teamId: folder.team_id };
};

export const putFolders: Handler<"putFolders"> = async (call, { body }) => {
  const outcome = await updateGroups(call, folderKind, body);
  return {
    data: { updatedFolders: outcome.done, errors: outcome.errors },
    metadata: updatedCounts(outcome),
    items: outcome.done.length,
    teamId: commonTeam(outcome.done),
  };
};

export const deleteFolder: Handler<"deleteFolder"> = async (call, { query }) => {
  const { transaction, caller } = call;
  folderStore.lockForDeletion(transaction, caller.workspaceId, [query.folderId]);
  const [row] = await folderStore.find(transaction, caller.workspaceId, [query.folderId]);
  const folder = requireAccess(caller, "Folder", row);
  const snippetsOrphaned = await removeFolders(call, [folder]);
  return {
    data: { message: "Folder deleted" },
    metadata: { deletedFolderId: folder.id, snippetsOrphaned },
    teamId: folder.team_id,
  };
};

export const deleteFolders: Handler<"deleteFolders"> = async (call, { query }) => {
  const { transaction, caller } = call;
  folderStore.lockForDeletion(transaction, caller.workspaceId, query.folderIds);
  const found = await folderStore.find(transaction, caller.workspaceId, query.folderIds);
  const { rows } = selectAccessible(caller, query.folderIds, found);
  if (rows.length > 0) await removeFolders(call, rows);
  return {
    data: { message: `${rows.length} of ${query.folderIds.length} folders deleted` },
    metadata: deletedCounts(query.folderIds.length, rows.length),
    items: rows.length,
    teamId: commonTeam(rows),
  };
};

/** Deletes folders and takes their snippets out of them. Returns how many snippets that were. */
async function removeFolders(call: Call, rows: readonly Folder[]): Promise<number> {
  const { transaction, caller } = call;
  const ids = rows.map(({ id }) => id);
  lockSnippetsInFolders(transaction, caller.workspaceId, ids);
  const snippetsOrphaned = await removeSnippetsFromFolders(transaction, caller.workspaceId, ids);
  await removeGroups(call, folderKind, rows);
  call.recordActs(actsOnGroups(folderKind, "delete", rows));
  return snippetsOrphaned;
}
