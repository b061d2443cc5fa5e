// Folders: they group a team's snippets, may be nested, and leave their snippets behind when they go (interface, Folder).
import { accessible, accessibleOf, deletedCounts, teamRefusals } from "../access.ts";
import { batchOfOne, decideEach, fieldsUpdated, wellFormed } from "../batch.ts";
import type { Call, Handler } from "../call.ts";
import { paginate } from "../contract/envelope.ts";
import { errors } from "../contract/errors.ts";
import type { Folder, FolderChanges, FolderInput } from "../contract/folder.ts";
import type { BatchItem } from "../contract/operation.ts";
import { listSnippetsOfFolders, removeSnippetsFromFolders } from "../snippets/snippets.store.ts";
import { readSnippets } from "../snippets/snippets.ts";
import { findFolders, insertFolders, isWithinFolder, removeFolders, updateFolder } from "./folders.store.ts";

export const getFolder: Handler<"getFolder"> = async ({ transaction, caller }, { query }) => {
  const { folderId, limit, offset } = query;
  const [row] = await findFolders(transaction, caller.workspaceId, [folderId]);
  const folder = accessible(caller, "Folder", row);
  const pages = await listSnippetsOfFolders(transaction, caller.workspaceId, [folderId], limit, offset);
  const { ids, total } = pages.get(folderId) ?? { ids: [], total: 0 };
  const snippets = await readSnippets(transaction, caller.workspaceId, ids);
  return { data: { folder, snippets }, pagination: paginate(limit, offset, total), items: snippets.length };
};

export const getFolders: Handler<"getFolders"> = async ({ transaction, caller }, { query }) => {
  const { folderIds, limit, offset } = query;
  const found = await findFolders(transaction, caller.workspaceId, folderIds);
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
  };
};

export const postFolder: Handler<"postFolder"> = async (call, { body }) => {
  const [folder] = (await createFolders(call, batchOfOne(body))).done;
  if (!folder) throw errors.internal();
  return {
    data: { folder },
    metadata: { folderId: folder.id, folderName: folder.folder_name, createdAt: folder.created_at },
  };
};

export const postFolders: Handler<"postFolders"> = async (call, { body }) => {
  const { done, errors } = await createFolders(call, body);
  return {
    data: { createdFolders: done, errors },
    metadata: { requestedCount: body.length, createdCount: done.length, failedCount: errors.length },
    items: done.length,
  };
};

export const putFolder: Handler<"putFolder"> = async (call, { query, body }) => {
  const [folder] = (await changeFolders(call, batchOfOne({ ...body, id: query.folderId }))).done;
  if (!folder) throw errors.internal();
  return { data: { folder }, metadata: { fieldsUpdated: fieldsUpdated(body) } };
};

export const putFolders: Handler<"putFolders"> = async (call, { body }) => {
  const { done, errors } = await changeFolders(call, body);
  return {
    data: { updatedFolders: done, errors },
    metadata: { requestedCount: body.length, updatedCount: done.length, failedCount: errors.length },
    items: done.length,
  };
};

export const deleteFolder: Handler<"deleteFolder"> = async ({ transaction, caller }, { query }) => {
  const [row] = await findFolders(transaction, caller.workspaceId, [query.folderId]);
  const folder = accessible(caller, "Folder", row);
  const snippetsOrphaned = await removeSnippetsFromFolders(transaction, caller.workspaceId, [folder.id]);
  await removeFolders(transaction, caller.workspaceId, [folder.id]);
  return { data: { message: "Folder deleted" }, metadata: { deletedFolderId: folder.id, snippetsOrphaned } };
};

export const deleteFolders: Handler<"deleteFolders"> = async ({ transaction, caller }, { query }) => {
  const found = await findFolders(transaction, caller.workspaceId, query.folderIds);
  const ids = accessibleOf(caller, query.folderIds, found).rows.map((folder) => folder.id);
  if (ids.length > 0) {
    await removeSnippetsFromFolders(transaction, caller.workspaceId, ids);
    await removeFolders(transaction, caller.workspaceId, ids);
  }
  return {
    data: { message: `${ids.length} of ${query.folderIds.length} folders deleted` },
    metadata: deletedCounts(query.folderIds.length, ids.length),
    items: ids.length,
  };
};

async function createFolders(call: Call, items: readonly BatchItem<FolderInput>[]) {
  const { transaction, caller } = call;
  const inputs = wellFormed(items);
  const teamRefusal = await teamRefusals(
    call,
    inputs.map((input) => input.teamId),
  );
  const parents = await findFolders(
    transaction,
    caller.workspaceId,
    inputs.flatMap((input) => input.parentFolderId ?? []),
  );
  const outcome = await decideEach(
    items,
    (input): Folder | ReturnType<typeof errors.invalid> =>
      teamRefusal(input.teamId) ??
      parentRefusal(input.parentFolderId, input.teamId, parents) ?? {
        id: transaction.newId(),
        folder_name: input.folderName,
        folder_color: input.folderColor,
        parent_folder_id: input.parentFolderId ?? null,
        team_id: input.teamId,
        workspace_id: caller.workspaceId,
        created_at: transaction.now,
        updated_at: transaction.now,
      },
  );
  await insertFolders(transaction, outcome.done);
  return outcome;
}

async function changeFolders(call: Call, items: readonly BatchItem<FolderChanges & { id: string }>[]) {
  const { transaction, caller } = call;
  const { workspaceId } = caller;
  const inputs = wellFormed(items);
  const mentioned = inputs.flatMap((input) => [input.id, input.parentFolderId ?? []].flat());
  const folders = await findFolders(transaction, workspaceId, [...new Set(mentioned)]);
  // One after the other: whether a parent closes a cycle depends on the parents that earlier items have set.
  return decideEach(items, async ({ id, folderName, folderColor, parentFolderId }) => {
    const folder = accessible(
      caller,
      "Folder",
      folders.find((row) => row.id === id),
    );
    const refusal = parentRefusal(parentFolderId, folder.team_id, folders);
    if (refusal) return refusal;
    if (parentFolderId && (await isWithinFolder(transaction, workspaceId, parentFolderId, id)))
      return errors.invalid("parentFolderId must not be the folder itself or a folder inside it");
    const updated = await updateFolder(transaction, workspaceId, id, {
      ...(folderName !== undefined && { folder_name: folderName }),
      ...(folderColor !== undefined && { folder_color: folderColor }),
      ...(parentFolderId !== undefined && { parent_folder_id: parentFolderId }),
    });
    return updated ?? errors.notFound("Folder");
  });
}

/** A parent must be a folder of the same team; whether another exists is nobody's business (decisions, section 5). */
const parentRefusal = (parentId: string | null | undefined, teamId: string, folders: readonly Folder[]) =>
  !parentId || folders.some((folder) => folder.id === parentId && folder.team_id === teamId)
    ? undefined
    : errors.invalid("parentFolderId must be a folder of the same team");
