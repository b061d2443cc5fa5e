// Tags: they categorize a team's snippets, may be nested, and come off their snippets when they go (interface, Tag).
import { accessible, accessibleOf, deletedCounts, teamRefusals } from "../access.ts";
import { batchOfOne, decideEach, fieldsUpdated, wellFormed } from "../batch.ts";
import type { Call, Handler } from "../call.ts";
import { paginate } from "../contract/envelope.ts";
import { errors } from "../contract/errors.ts";
import type { BatchItem } from "../contract/operation.ts";
import type { Tag, TagChanges, TagInput } from "../contract/tag.ts";
import { listSnippetsOfTag } from "../snippets/snippets.store.ts";
import { readSnippets } from "../snippets/snippets.ts";
import { findTags, insertTags, isWithinTag, removeTags, updateTag } from "./tags.store.ts";

export const getTag: Handler<"getTag"> = async ({ transaction, caller }, { query }) => {
  const { tagId, limit, offset } = query;
  const [row] = await findTags(transaction, caller.workspaceId, [tagId]);
  const tag = accessible(caller, "Tag", row);
  const { ids, total } = await listSnippetsOfTag(transaction, caller.workspaceId, tagId, limit, offset);
  const snippets = await readSnippets(transaction, caller.workspaceId, ids);
  return { data: { tag, snippets }, pagination: paginate(limit, offset, total), items: snippets.length };
};

export const getTags: Handler<"getTags"> = async ({ transaction, caller }, { query }) => {
  const found = await findTags(transaction, caller.workspaceId, query.tagIds);
  const { rows, counts } = accessibleOf(caller, query.tagIds, found);
  return { data: { tags: rows }, metadata: counts, items: rows.length };
};

export const postTag: Handler<"postTag"> = async (call, { body }) => {
  const [tag] = (await createTags(call, batchOfOne(body))).done;
  if (!tag) throw errors.internal();
  return { data: { tag } };
};

export const postTags: Handler<"postTags"> = async (call, { body }) => {
  const { done, errors } = await createTags(call, body);
  return {
    data: { createdTags: done, errors },
    metadata: { requestedCount: body.length, createdCount: done.length, failedCount: errors.length },
    items: done.length,
  };
};

export const putTag: Handler<"putTag"> = async (call, { query, body }) => {
  const [tag] = (await changeTags(call, batchOfOne({ ...body, id: query.tagId }))).done;
  if (!tag) throw errors.internal();
  return { data: { tag }, metadata: { fieldsUpdated: fieldsUpdated(body) } };
};

export const putTags: Handler<"putTags"> = async (call, { body }) => {
  const { done, errors } = await changeTags(call, body);
  return {
    data: { updatedTags: done, errors },
    metadata: { requestedCount: body.length, updatedCount: done.length, failedCount: errors.length },
    items: done.length,
  };
};

export const deleteTag: Handler<"deleteTag"> = async ({ transaction, caller }, { query }) => {
  const [row] = await findTags(transaction, caller.workspaceId, [query.tagId]);
  const tag = accessible(caller, "Tag", row);
  await removeTags(transaction, caller.workspaceId, [tag.id]);
  return { data: { message: "Tag deleted" }, metadata: {} };
};

export const deleteTags: Handler<"deleteTags"> = async ({ transaction, caller }, { query }) => {
  const found = await findTags(transaction, caller.workspaceId, query.tagIds);
  const ids = accessibleOf(caller, query.tagIds, found).rows.map((tag) => tag.id);
  if (ids.length > 0) await removeTags(transaction, caller.workspaceId, ids);
  return {
    data: { message: `${ids.length} of ${query.tagIds.length} tags deleted` },
    metadata: deletedCounts(query.tagIds.length, ids.length),
    items: ids.length,
  };
};

async function createTags(call: Call, items: readonly BatchItem<TagInput>[]) {
  const { transaction, caller } = call;
  const inputs = wellFormed(items);
  const teamRefusal = await teamRefusals(
    call,
    inputs.map((input) => input.teamId),
  );
  const parents = await findTags(
    transaction,
    caller.workspaceId,
    inputs.flatMap((input) => input.parentTagId ?? []),
  );
  const outcome = await decideEach(
    items,
    (input): Tag | ReturnType<typeof errors.invalid> =>
      teamRefusal(input.teamId) ??
      parentRefusal(input.parentTagId, input.teamId, parents) ?? {
        id: transaction.newId(),
        tag_name: input.tagName,
        tag_color: input.tagColor,
        parent_tag_id: input.parentTagId ?? null,
        team_id: input.teamId,
        workspace_id: caller.workspaceId,
        created_at: transaction.now,
        updated_at: transaction.now,
      },
  );
  await insertTags(transaction, outcome.done);
  return outcome;
}

async function changeTags(call: Call, items: readonly BatchItem<TagChanges & { id: string }>[]) {
  const { transaction, caller } = call;
  const { workspaceId } = caller;
  const inputs = wellFormed(items);
  const mentioned = inputs.flatMap((input) => [input.id, input.parentTagId ?? []].flat());
  const tags = await findTags(transaction, workspaceId, [...new Set(mentioned)]);
  // One after the other: whether a parent closes a cycle depends on the parents that earlier items have set.
  return decideEach(items, async ({ id, tagName, tagColor, parentTagId }) => {
    const tag = accessible(
      caller,
      "Tag",
      tags.find((row) => row.id === id),
    );
    const refusal = parentRefusal(parentTagId, tag.team_id, tags);
    if (refusal) return refusal;
    if (parentTagId && (await isWithinTag(transaction, workspaceId, parentTagId, id)))
      return errors.invalid("parentTagId must not be the tag itself or a tag inside it");
    const updated = await updateTag(transaction, workspaceId, id, {
      ...(tagName !== undefined && { tag_name: tagName }),
      ...(tagColor !== undefined && { tag_color: tagColor }),
      ...(parentTagId !== undefined && { parent_tag_id: parentTagId }),
    });
    return updated ?? errors.notFound("Tag");
  });
}

/** A parent must be a tag of the same team; whether another exists is nobody's business (decisions, section 5). */
const parentRefusal = (parentId: string | null | undefined, teamId: string, tags: readonly Tag[]) =>
  !parentId || tags.some((tag) => tag.id === parentId && tag.team_id === teamId)
    ? undefined
    : errors.invalid("parentTagId must be a tag of the same team");
