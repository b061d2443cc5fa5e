// Tags: they categorize a team's snippets and can be nested. Deleting a tag removes it from its snippets.
import { paginate } from "../contract/envelope.ts";
import { commonTeam, deletedCounts, requireAccess, selectAccessible } from "./access.ts";
import { batchOfOne, createdCounts, onlyItem, updatedCounts } from "./batch.ts";
import { fieldsUpdated, type Handler } from "./call.ts";
import { tagKind } from "./group-kinds.ts";
import { actsOnGroups, createGroups, removeGroups, updateGroups } from "./groups.ts";
import { listedTextBytesMax, readTexts } from "./read-snippets.ts";
import { countSnippetsOfTag, listSnippetIdsOfTag } from "./snippet-tags.store.ts";
import { findSnippets } from "./snippets.store.ts";
import { tagStore } from "./tags.store.ts";

export const getTag: Handler<"getTag"> = async (call, { query: { tagId, limit, offset } }) => {
  const { transaction, caller } = call;
  const [row] = await tagStore.find(transaction, caller.workspaceId, [tagId]);
  const tag = requireAccess(caller, "Tag", row);
  const [total, snippetIds] = await Promise.all([
    countSnippetsOfTag(transaction, caller.workspaceId, tagId),
    listSnippetIdsOfTag(transaction, caller.workspaceId, tagId, limit, offset),
  ]);
  const found = await findSnippets(transaction, caller.workspaceId, snippetIds, listedTextBytesMax(limit));
  const byId = new Map(found.map((snippet) => [snippet.id, snippet]));
  const snippets = await readTexts(
    call,
    snippetIds.flatMap((id) => byId.get(id) ?? []),
  );
  return {
    data: { tag, snippets },
    pagination: paginate(limit, offset, total),
    items: snippets.length,
    teamId: tag.team_id,
  };
};

export const getTags: Handler<"getTags"> = async ({ transaction, caller }, { query }) => {
  const found = await tagStore.find(transaction, caller.workspaceId, query.tagIds);
  const { rows, counts } = selectAccessible(caller, query.tagIds, found);
  return { data: { tags: rows }, metadata: counts, items: rows.length, teamId: commonTeam(rows) };
};

export const postTag: Handler<"postTag"> = async (call, { body }) => {
  const tag = onlyItem(await createGroups(call, tagKind, batchOfOne(body)));
  call.recordActs(actsOnGroups(tagKind, "create", [tag]));
  return { data: { tag }, teamId: tag.team_id };
};

export const postTags: Handler<"postTags"> = async (call, { body }) => {
  const outcome = await createGroups(call, tagKind, body);
  call.recordActs(actsOnGroups(tagKind, "create", outcome.done));
  return {
    data: { createdTags: outcome.done, errors: outcome.errors },
    metadata: createdCounts(outcome),
    items: outcome.done.length,
    teamId: commonTeam(outcome.done),
  };
};

export const putTag: Handler<"putTag"> = async (call, { query, body }) => {
  const tag = onlyItem(await updateGroups(call, tagKind, batchOfOne({ ...body, id: query.tagId })));
  return { data: { tag }, metadata: { fieldsUpdated: fieldsUpdated(body) }, teamId: tag.team_id };
};

export const putTags: Handler<"putTags"> = async (call, { body }) => {
  const outcome = await updateGroups(call, tagKind, body);
  return {
    data: { updatedTags: outcome.done, errors: outcome.errors },
    metadata: updatedCounts(outcome),
    items: outcome.done.length,
    teamId: commonTeam(outcome.done),
  };
};

export const deleteTag: Handler<"deleteTag"> = async (call, { query }) => {
  const { transaction, caller } = call;
  tagStore.lockForDeletion(transaction, caller.workspaceId, [query.tagId]);
  const [row] = await tagStore.find(transaction, caller.workspaceId, [query.tagId]);
  const tag = requireAccess(caller, "Tag", row);
  await removeGroups(call, tagKind, [tag]);
  call.recordActs(actsOnGroups(tagKind, "delete", [tag]));
  return { data: { message: "Tag deleted" }, metadata: {}, teamId: tag.team_id };
};

export const deleteTags: Handler<"deleteTags"> = async (call, { query }) => {
  const { transaction, caller } = call;
  tagStore.lockForDeletion(transaction, caller.workspaceId, query.tagIds);
  const found = await tagStore.find(transaction, caller.workspaceId, query.tagIds);
  const { rows } = selectAccessible(caller, query.tagIds, found);
  if (rows.length > 0) await removeGroups(call, tagKind, rows);
  call.recordActs(actsOnGroups(tagKind, "delete", rows));
  return {
    data: { message: `${rows.length} of ${query.tagIds.length} tags deleted` },
    metadata: deletedCounts(query.tagIds.length, rows.length),
    items: rows.length,
    teamId: commonTeam(rows),
  };
};
