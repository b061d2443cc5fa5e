// Changes many snippets at once: where they are, their tags, and whether they are archived. Each change can be taken back.

import type { SnippetMove } from "../contract/console/operations/library-moves.ts";
import type { Refusal } from "../contract/errors.ts";
import { errors } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { BatchItem } from "../contract/operation.ts";
import { requireAccess } from "./access.ts";
import { actsOfMove } from "./acts.ts";
import { decideEach, validValues } from "./batch.ts";
import type { Call } from "./call.ts";
import { folderStore } from "./folders.store.ts";
import { onlyLockedSnippets } from "./locked.ts";
import { indexSnippets } from "./search/index-snippets.ts";
import { findSnippetPlaces, type SnippetPlace } from "./snippet-places.store.ts";
import { insertTagsOnSnippets, removeTagsOfSnippet } from "./snippet-tags.store.ts";
import { lockSnippets, updateSnippet } from "./snippets.store.ts";
import { lockReferences, prepareReferenceCheck } from "./write-snippets.ts";

/** @returns for each snippet what it takes to undo the change: only what this call has changed */
export async function changeSnippets(call: Call, items: readonly BatchItem<SnippetMove>[]) {
  const { transaction, caller } = call;
  const inputs = validValues(items);
  const references = inputs.map(({ folderId, addTagIds }) => ({ folderId, tagIds: addTagIds }));
  const ids = inputs.map(({ id }) => id);
  lockReferences(call, references);
  const locked = ids.length > 0 ? lockSnippets(transaction, "change", caller.workspaceId, ids) : undefined;
  const places = await onlyLockedSnippets(locked, findSnippetPlaces(transaction, caller.workspaceId, ids));
  const [checkReferences, folders] = await Promise.all([
    prepareReferenceCheck(call, references),
    folderStore.find(transaction, caller.workspaceId, [...new Set(inputs.flatMap(({ folderId }) => folderId ?? []))]),
  ]);
  const folderNames = new Map(folders.map(({ id, folder_name }) => [id, folder_name]));
  const byId = new Map(places.map((place) => [place.id, place]));
  const outcome = await decideEach(items, (input) => {
    const place = requireAccess(caller, "Snippet", byId.get(input.id));
    const { folderId, addTagIds } = input;
    const refusal =
      checkReferences({ folderId, tagIds: addTagIds, teamId: place.team_id }) ?? checkTagCount(input, place);
    if (refusal) return refusal;
    const undo = changeSnippet(call, input, place);
    const to = folderId ? (folderNames.get(folderId) ?? null) : null;
    return { place, undo, acts: actsOfMove(place, undo, { from: place.folder_name, to }) };
  });
  call.recordActs(outcome.done.flatMap(({ acts }) => acts));
  call.noteChanges(
    outcome.done.flatMap(({ place: { id, team_id }, undo: { id: _, ...changed } }) => {
      const fields = Object.keys(changed);
      const action = fields.every((field) => field === "folderId") ? "moved" : "changed";
      return fields.length === 0 ? [] : [{ kind: "snippet", action, id, teamId: team_id }];
    }),
  );
  await indexSnippets(
    transaction,
    caller.workspaceId,
    outcome.done.map(({ place }) => place.id),
  );
  return outcome;
}

const tagsAfter = ({ addTagIds = [], removeTagIds = [] }: SnippetMove, { tag_ids }: SnippetPlace): string[] => {
  const removed = new Set(removeTagIds);
  return [...new Set([...tag_ids, ...addTagIds])].filter((id) => !removed.has(id));
};

const checkTagCount = (input: SnippetMove, place: SnippetPlace): Refusal | undefined =>
  tagsAfter(input, place).length > limits.tagsPerSnippetMax
    ? errors.invalid(`A snippet can have at most ${limits.tagsPerSnippetMax} tags`)
    : undefined;

/** Changes what is to be changed, and returns the opposite. A snippet that is as it should be is left alone. */
function changeSnippet({ transaction, caller }: Call, input: SnippetMove, place: SnippetPlace): SnippetMove {
  const { id, folderId, isArchived } = input;
  const tagIds = tagsAfter(input, place);
  const [before, after] = [new Set(place.tag_ids), new Set(tagIds)];
  const added = tagIds.filter((tagId) => !before.has(tagId));
  const removed = place.tag_ids.filter((tagId) => !after.has(tagId));
  const undo: SnippetMove = {
    id,
    ...(folderId !== undefined && folderId !== place.folder_id && { folderId: place.folder_id }),
    ...(isArchived !== undefined && isArchived !== place.is_archived && { isArchived: place.is_archived }),
    ...(removed.length > 0 && { addTagIds: removed }),
    ...(added.length > 0 && { removeTagIds: added }),
  };
  if (Object.keys(undo).length === 1) return undo;
  updateSnippet(transaction, caller.workspaceId, caller.id, id, {
    ...(undo.folderId !== undefined && { folder_id: folderId ?? null }),
    ...(undo.isArchived !== undefined && { is_archived: isArchived ?? false }),
    ...(added.length + removed.length > 0 && { has_tags: tagIds.length > 0 }),
  });
  if (added.length + removed.length > 0) {
    removeTagsOfSnippet(transaction, caller.workspaceId, id);
    insertTagsOnSnippets(
      transaction,
      caller.workspaceId,
      tagIds.map((tag_id) => ({ snippet_id: id, tag_id, snippet_created_at: place.created_at })),
    );
  }
  return undo;
}
