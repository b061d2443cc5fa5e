// Folders: they group a team's snippets, may be nested, and leave their snippets behind when they go (interface, Folder).

import { paginate } from "../contract/envelope.ts";
import type { Folder, FolderChanges, FolderInput } from "../contract/folders.ts";
import { accessible, accessibleOf, deletedCounts, teamOf } from "./access.ts";
import { batchOfOne, createdCounts, only, updatedCounts } from "./batch.ts";
import { fieldsUpdated, type Handler } from "./call.ts";
import { folderRows } from "./folders.store.ts";
import { changeGroups, createGroups, type Kind } from "./groups.ts";
import { listSnippetsOfFolders, removeSnippetsFromFolders } from "./snippets.store.ts";
import { readSnippets } from "./snippets.ts";

const folders: Kind<Folder, FolderInput, FolderChanges> = {
  noun: "Folder",
  rows: folderRows,
  parentField: "parentFolderId",
  parentOf: (body) => body.parentFolderId,
  toRow: (group, input) => ({
    ...group,
    folder_name: input.folderName,
    folder_color: input.folderColor,
    parent_folder_id: input.parentFolderId ?? null,
  }),
  toColumns: ({ folderName, folderColor, parentFolderId }) => ({
    ...(folderName !== undefined && { folder_name: folderName }),
    ...(folderColor !== undefined && { folder_color: folderColor }),
    ...(parentFolderId !== undefined && { parent_folder_id: parentFolderId }),
  }),
};

export const getFolder: Handler<"getFolder"> = async ({ transaction, caller }, { query }) => {
  const { folderId, limit, offset } = query;
  const [row] = await folderRows.find(transaction, caller.workspaceId, [folderId]);
  const folder = accessible(caller, "Folder", row);
  const pages = await listSnippetsOfFolders(transaction, caller.workspaceId, [folderId], limit, offset);
  const { ids, total } = pages.get(folderId) ?? { ids: [], total: 0 };
  const snippets = await readSnippets(transaction, caller.workspaceId, ids);
  return {
    data: { folder, snippets },
    pagination: paginate(limit, offset, total),
    items: snippets.length,
    teamId: folder.team_id,
  };
};

export const getFolders: Handler<"getFolders"> = async ({ transaction, caller }, { query }) => {
  const { folderIds, limit, offset } = query;
  const found = await folderRows.find(transaction, caller.workspaceId, folderIds);
  const { rows, counts } = accessibleOf(caller, folderIds, found);
  const folderIdsWithin = rows.map((folder) => folder.id);
  const pages = await listSnippetsOfFolders(transaction, caller.workspaceId, folderIdsWithin, limit, offset);
  const snippets = await readSnippets(
    transaction,
    caller.workspaceId,
    [...pages.values()].flatMap((page) => page.ids),
  );
  const snippetsOf = Map.groupBy(snippets, (snippet) => snippet.folder_id);
  const folders = rows.map((folder) => ({
    ...folder,
    snippets: snippetsOf.get(folder.id) ?? [],
    total_snippets: pages.get(folder.id)?.total ?? 0,
  }));
  const totals = folders.map((folder) => folder.total_snippets);
  return {
    data: { folders },
    metadata: counts,
    // Pages run over each folder by itself, so the longest folder says how many there are; only the total is a sum.
    pagination: {
      ...paginate(limit, offset, Math.max(0, ...totals)),
      totalSnippets: totals.reduce((sum, total) => sum + total, 0),
    },
    items: folders.length + folders.reduce((sum, folder) => sum + folder.snippets.length, 0),
    teamId: teamOf(rows),
  };
};

export const postFolder: Handler<"postFolder"> = async (call, { body }) => {
  const folder = only(await createGroups(call, folders, batchOfOne(body)));
  return {
    data: { folder },
    metadata: { folderId: folder.id, folderName: folder.folder_name, createdAt: folder.created_at },
    teamId: folder.team_id,
  };
};

export const postFolders: Handler<"postFolders"> = async (call, { body }) => {
  const outcome = await createGroups(call, folders, body);
  return {
    data: { createdFolders: outcome.done, errors: outcome.errors },
    metadata: createdCounts(outcome),
    items: outcome.done.length,
    teamId: teamOf(outcome.done),
  };
};

export const putFolder: Handler<"putFolder"> = async (call, { query, body }) => {
  const folder = only(await changeGroups(call, folders, batchOfOne({ ...body, id: query.folderId })));
  return { data: { folder }, metadata: { fieldsUpdated: fieldsUpdated(body) }, teamId: folder.team_id };
};

export const putFolders: Handler<"putFolders"> = async (call, { body }) => {
  const outcome = await changeGroups(call, folders, body);
  return {
    data: { updatedFolders: outcome.done, errors: outcome.errors },
    metadata: updatedCounts(outcome),
    items: outcome.done.length,
    teamId: teamOf(outcome.done),
  };
};

export const deleteFolder: Handler<"deleteFolder"> = async ({ transaction, caller }, { query }) => {
  folderRows.holdForRemoval(transaction, caller.workspaceId, [query.folderId]);
  const [row] = await folderRows.find(transaction, caller.workspaceId, [query.folderId]);
  const folder = accessible(caller, "Folder", row);
  const snippetsOrphaned = await removeSnippetsFromFolders(transaction, caller.workspaceId, [folder.id]);
  folderRows.remove(transaction, caller.workspaceId, [folder.id]);
  return {
    data: { message: "Folder deleted" },
    metadata: { deletedFolderId: folder.id, snippetsOrphaned },
    teamId: folder.team_id,
  };
};

export const deleteFolders: Handler<"deleteFolders"> = async ({ transaction, caller }, { query }) => {
  folderRows.holdForRemoval(transaction, caller.workspaceId, query.folderIds);
  const found = await folderRows.find(transaction, caller.workspaceId, query.folderIds);
  const { rows } = accessibleOf(caller, query.folderIds, found);
  const ids = rows.map((folder) => folder.id);
  if (ids.length > 0) {
    await removeSnippetsFromFolders(transaction, caller.workspaceId, ids);
    folderRows.remove(transaction, caller.workspaceId, ids);
  }
  return {
    data: { message: `${ids.length} of ${query.folderIds.length} folders deleted` },
    metadata: deletedCounts(query.folderIds.length, ids.length),
    items: ids.length,
    teamId: teamOf(rows),
  };
};
