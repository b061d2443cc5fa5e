// Snippets: texts and code, with variations, in folders, with tags (decisions, Records).
import { commonTeam, deletedCounts, requireAccess, selectAccessible } from "./access.ts";
import { actOn, actsOfUpdate } from "./acts.ts";
import { batchOfOne, createdCounts, onlyItem } from "./batch.ts";
import { fieldsUpdated, type Handler } from "./call.ts";
import { discardSnippets } from "./discard-snippets.ts";
import { folderStore } from "./folders.store.ts";
import { onlyLockedSnippets } from "./locked.ts";
import { listedTextBytesMax, readTexts } from "./read-snippets.ts";
import { indexSnippets } from "./search/index-snippets.ts";
import { countTagsOfSnippet, insertTagsOnSnippets, removeTagsOfSnippet } from "./snippet-tags.store.ts";
import {
  findSnippetDetail,
  findSnippetForUpdate,
  findSnippetOwners,
  findSnippets,
  lockSnippets,
  updateSnippet,
} from "./snippets.store.ts";
import { requireSnippetState } from "./state.ts";
import { findFirstVariation } from "./variations.store.ts";
import { addedBytes, changedColumns, createSnippets, lockReferences, prepareReferenceCheck } from "./write-snippets.ts";
import { bytesOfChange, changeFirstVariation } from "./write-variations.ts";

export const getSnippet: Handler<"getSnippet"> = async ({ transaction, caller }, { query }) => {
  const found = await findSnippetDetail(transaction, caller.workspaceId, query.id);
  const snippet = requireAccess(caller, "Snippet", found);
  return { data: snippet, teamId: snippet.team_id };
};

export const getSnippets: Handler<"getSnippets"> = async (call, { query }) => {
  const { transaction, caller } = call;
  const { ids } = query;
  const found = await findSnippets(transaction, caller.workspaceId, ids, listedTextBytesMax(ids.length));
  const { rows, counts } = selectAccessible(caller, ids, found);
  const snippets = await readTexts(call, rows);
  return { data: snippets, metadata: counts, items: snippets.length, teamId: commonTeam(rows) };
};

export const postSnippet: Handler<"postSnippet"> = async (call, { body }) => {
  const created = onlyItem(await createSnippets(call, batchOfOne(body)));
  call.recordActs([actOn("snippet.create", created.row)]);
  return {
    data: { snippetId: created.id },
    metadata: { totalVariations: created.row.variation_count, tagsAttached: created.tagIds.length },
    teamId: created.row.team_id,
  };
};

export const postSnippets: Handler<"postSnippets"> = async (call, { body }) => {
  const outcome = await createSnippets(call, body);
  const { done, errors } = outcome;
  call.recordActs(done.map(({ row }) => actOn("snippet.create", row)));
  return {
    data: {
      message: `${done.length} of ${body.length} snippets created`,
      createdSnippets: done.map((created) => ({ snippetId: created.id })),
      errors,
    },
    metadata: createdCounts(outcome),
    items: done.length,
    teamId: commonTeam(done.map((created) => created.row)),
  };
};

export const putSnippet: Handler<"putSnippet"> = async (call, { query, body }) => {
  const { transaction, caller } = call;
  const { workspaceId } = caller;
  lockReferences(call, [body]);
  const locked = lockSnippets(transaction, "change", workspaceId, [query.id]);
  const [[row], first] = await Promise.all([
    onlyLockedSnippets(locked, findSnippetForUpdate(transaction, workspaceId, query.id)),
    body.content && findFirstVariation(transaction, workspaceId, query.id),
  ]);
  const snippet = requireAccess(caller, "Snippet", row);
  await requireSnippetState(call, snippet.id);
  const [checkReferences, [folder]] = await Promise.all([
    prepareReferenceCheck(call, [body]),
    folderStore.find(transaction, workspaceId, body.folderId ? [body.folderId] : []),
  ]);
  const refusal = checkReferences({ ...body, teamId: snippet.team_id });
  if (refusal) throw refusal;

  updateSnippet(transaction, workspaceId, caller.id, snippet.id, {
    ...changedColumns(body),
    ...(body.content && first && changeFirstVariation(call, first, { content: body.content })),
  });
  if (body.tagIds) {
    removeTagsOfSnippet(transaction, workspaceId, snippet.id);
    insertTagsOnSnippets(
      transaction,
      workspaceId,
      body.tagIds.map((tag_id) => ({ snippet_id: snippet.id, tag_id, snippet_created_at: snippet.created_at })),
    );
  }
  await call.storeBytes(addedBytes(body, snippet) + (first ? bytesOfChange(first, { content: body.content }) : 0));
  const action = body.folderId !== undefined && Object.keys(body).length === 1 ? "moved" : "changed";
  call.noteChanges([{ kind: "snippet", action, id: snippet.id, teamId: snippet.team_id }]);
  const isMove = body.folderId !== undefined && body.folderId !== snippet.folder_id;
  const folders = isMove ? { from: snippet.folder_name, to: folder?.folder_name ?? null } : undefined;
  call.recordActs(actsOfUpdate(snippet, body, folders));
  await indexSnippets(transaction, workspaceId, [snippet.id]);
  return {
    data: { snippetId: snippet.id },
    metadata: {
      fieldsUpdated: fieldsUpdated(body),
      tagsAttached: body.tagIds?.length ?? (await countTagsOfSnippet(transaction, workspaceId, snippet.id)),
    },
    teamId: snippet.team_id,
  };
};

export const deleteSnippet: Handler<"deleteSnippet"> = async (call, { query }) => {
  const { transaction, caller } = call;
  const locked = lockSnippets(transaction, "delete", caller.workspaceId, [query.id]);
  const owners = findSnippetOwners(transaction, caller.workspaceId, [query.id]);
  const [row] = await onlyLockedSnippets(locked, owners);
  const snippet = requireAccess(caller, "Snippet", row);
  await discardSnippets(call, [snippet]);
  call.recordActs([actOn("snippet.delete", snippet)]);
  return { data: { message: "Snippet deleted" }, metadata: {}, teamId: snippet.team_id };
};

export const deleteSnippets: Handler<"deleteSnippets"> = async (call, { query }) => {
  const { transaction, caller } = call;
  const locked = lockSnippets(transaction, "delete", caller.workspaceId, query.ids);
  const owners = findSnippetOwners(transaction, caller.workspaceId, query.ids);
  const { rows } = selectAccessible(caller, query.ids, await onlyLockedSnippets(locked, owners));
  const ids = rows.map((snippet) => snippet.id);
  if (ids.length > 0) await discardSnippets(call, rows);
  call.recordActs(rows.map((snippet) => actOn("snippet.delete", snippet)));
  return {
    data: { message: `${ids.length} of ${query.ids.length} snippets deleted` },
    metadata: deletedCounts(query.ids.length, ids.length),
    items: ids.length,
    teamId: commonTeam(rows),
  };
};
