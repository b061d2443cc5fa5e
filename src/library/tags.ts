// Tags: they categorize a team's snippets, may be nested, and come off their snippets when they go (interface, Tag).

import { paginate } from "../contract/envelope.ts";
import type { Tag, TagChanges, TagInput } from "../contract/tags.ts";
import { accessible, accessibleOf, deletedCounts, teamOf } from "./access.ts";
import { batchOfOne, createdCounts, only, updatedCounts } from "./batch.ts";
import { fieldsUpdated, type Handler } from "./call.ts";
import { changeGroups, createGroups, type Kind } from "./groups.ts";
import { listSnippetsOfTag } from "./snippets.store.ts";
import { readSnippets } from "./snippets.ts";
import { tagRows } from "./tags.store.ts";

const tags: Kind<Tag, TagInput, TagChanges> = {
  noun: "Tag",
  rows: tagRows,
  parentField: "parentTagId",
  parentOf: (body) => body.parentTagId,
  toRow: (group, input) => ({
    ...group,
    tag_name: input.tagName,
    tag_color: input.tagColor,
    parent_tag_id: input.parentTagId ?? null,
  }),
  toColumns: ({ tagName, tagColor, parentTagId }) => ({
    ...(tagName !== undefined && { tag_name: tagName }),
    ...(tagColor !== undefined && { tag_color: tagColor }),
    ...(parentTagId !== undefined && { parent_tag_id: parentTagId }),
  }),
};

export const getTag: Handler<"getTag"> = async ({ transaction, caller }, { query }) => {
  const { tagId, limit, offset } = query;
  const [row] = await tagRows.find(transaction, caller.workspaceId, [tagId]);
  const tag = accessible(caller, "Tag", row);
  const { ids, total } = await listSnippetsOfTag(transaction, caller.workspaceId, tagId, limit, offset);
  const snippets = await readSnippets(transaction, caller.workspaceId, ids);
  return {
    data: { tag, snippets },
    pagination: paginate(limit, offset, total),
    items: snippets.length,
    teamId: tag.team_id,
  };
};

export const getTags: Handler<"getTags"> = async ({ transaction, caller }, { query }) => {
  const found = await tagRows.find(transaction, caller.workspaceId, query.tagIds);
  const { rows, counts } = accessibleOf(caller, query.tagIds, found);
  return { data: { tags: rows }, metadata: counts, items: rows.length, teamId: teamOf(rows) };
};

export const postTag: Handler<"postTag"> = async (call, { body }) => {
  const tag = only(await createGroups(call, tags, batchOfOne(body)));
  return { data: { tag }, teamId: tag.team_id };
};

export const postTags: Handler<"postTags"> = async (call, { body }) => {
  const outcome = await createGroups(call, tags, body);
  return {
    data: { createdTags: outcome.done, errors: outcome.errors },
    metadata: createdCounts(outcome),
    items: outcome.done.length,
    teamId: teamOf(outcome.done),
  };
};

export const putTag: Handler<"putTag"> = async (call, { query, body }) => {
  const tag = only(await changeGroups(call, tags, batchOfOne({ ...body, id: query.tagId })));
  return { data: { tag }, metadata: { fieldsUpdated: fieldsUpdated(body) }, teamId: tag.team_id };
};

export const putTags: Handler<"putTags"> = async (call, { body }) => {
  const outcome = await changeGroups(call, tags, body);
  return {
    data: { updatedTags: outcome.done, errors: outcome.errors },
    metadata: updatedCounts(outcome),
    items: outcome.done.length,
    teamId: teamOf(outcome.done),
  };
};

export const deleteTag: Handler<"deleteTag"> = async ({ transaction, caller }, { query }) => {
  tagRows.holdForRemoval(transaction, caller.workspaceId, [query.tagId]);
  const [row] = await tagRows.find(transaction, caller.workspaceId, [query.tagId]);
  const tag = accessible(caller, "Tag", row);
  tagRows.remove(transaction, caller.workspaceId, [tag.id]);
  return { data: { message: "Tag deleted" }, metadata: {}, teamId: tag.team_id };
};

export const deleteTags: Handler<"deleteTags"> = async ({ transaction, caller }, { query }) => {
  tagRows.holdForRemoval(transaction, caller.workspaceId, query.tagIds);
  const found = await tagRows.find(transaction, caller.workspaceId, query.tagIds);
  const { rows } = accessibleOf(caller, query.tagIds, found);
  const ids = rows.map((tag) => tag.id);
  if (ids.length > 0) tagRows.remove(transaction, caller.workspaceId, ids);
  return {
    data: { message: `${ids.length} of ${query.tagIds.length} tags deleted` },
    metadata: deletedCounts(query.tagIds.length, ids.length),
    items: ids.length,
    teamId: teamOf(rows),
  };
};
