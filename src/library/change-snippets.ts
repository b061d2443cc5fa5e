// Changes many snippets at once: their team, where they are in it, their tags, and whether they are archived. Each change can be taken back.

import { consoleErrors } from "../contract/console/errors.ts";
import type { SnippetMove } from "../contract/console/operations/library-moves.ts";
import type { Refusal } from "../contract/errors.ts";
import { errors } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { BatchItem } from "../contract/operation.ts";
import { prepareTeamCheck, requireAccess } from "./access.ts";
import { actsOfMove } from "./acts.ts";
import { decideEach, validValues } from "./batch.ts";
import type { Call } from "./call.ts";
import type { NotedChange } from "./feed/noted.ts";
import { folderStore } from "./folders.store.ts";
import { onlyLockedSnippets } from "./locked.ts";
import { indexSnippets } from "./search/index-snippets.ts";
import { findSnippetPlaces, type SnippetPlace } from "./snippet-places.store.ts";
import { insertTagsOnSnippets, removeTagsOfSnippet } from "./snippet-tags.store.ts";
import { lockSnippets, updateSnippet } from "./snippets.store.ts";
import { findTagsOfMoved } from "./tags-of-moved.ts";
import { lockReferences, prepareReferenceCheck } from "./write-snippets.ts";

/** @returns for each snippet what it takes to undo the change: only what this call has changed */
export async function changeSnippets(call: Call, items: readonly BatchItem<SnippetMove>[]) {
  const { transaction, caller } = call;
  const inputs = validValues(items);
  const twins = await findTagsOfMoved(call, inputs);
  const references = [
    ...inputs.map(({ folderId, addTagIds }) => ({ folderId, tagIds: addTagIds })),
    ...[...twins.values()].map((byTag) => ({ tagIds: [...byTag.values()] })),
  ];
  const ids = inputs.map(({ id }) => id);
  lockReferences(call, references);
  const locked = ids.length > 0 ? lockSnippets(transaction, "change", caller.workspaceId, ids) : undefined;
  const places = await onlyLockedSnippets(locked, findSnippetPlaces(transaction, caller.workspaceId, ids));
  const teamIds = inputs.flatMap(({ teamId }) => teamId ?? []);
  const folderIds = [...new Set(inputs.flatMap(({ folderId }) => folderId ?? []))];
  const [checkReferences, checkTeam, folders] = await Promise.all([
    prepareReferenceCheck(call, references),
    teamIds.length > 0 ? prepareTeamCheck(call, teamIds) : undefined,
    folderStore.find(transaction, caller.workspaceId, folderIds),
  ]);
  const folderNames = new Map(folders.map(({ id, folder_name }) => [id, folder_name]));
  const byId = new Map(places.map((place) => [place.id, place]));
  const outcome = await decideEach(items, (input) => {
    const place = requireAccess(caller, "Snippet", byId.get(input.id));
    const { folderId, addTagIds, teamId = place.team_id } = input;
    const tagIds = (
      teamId === place.team_id
        ? tagsAfter(input, place)
        : (addTagIds ?? place.tag_ids.flatMap((id) => twins.get(teamId)?.get(id) ?? []))
    ).filter((id) => teamId === place.team_id || !checkReferences({ tagIds: [id], teamId }));
    const refusal =
      checkTeam?.(teamId) ??
      checkReferences({ folderId, tagIds: addTagIds, teamId }) ??
      checkCondition(input, place) ??
      checkTagCount(tagIds);
    if (refusal) return refusal;
    const undo = changeSnippet(call, { ...input, teamId }, place, tagIds);
    const to = folderId ? (folderNames.get(folderId) ?? null) : null;
    return { place, undo, acts: actsOfMove(place, teamId, undo, { from: place.folder_name, to }) };
  });
  call.recordActs(outcome.done.flatMap(({ acts }) => acts));
  call.noteChanges(outcome.done.flatMap(({ place, undo }) => changesOf(place, undo)));
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

const checkTagCount = (tagIds: readonly string[]): Refusal | undefined =>
  tagIds.length > limits.tagsPerSnippetMax
    ? errors.invalid(`A snippet can have at most ${limits.tagsPerSnippetMax} tags`)
    : undefined;

const checkCondition = ({ ifTeamId, ifFolderId }: SnippetMove, place: SnippetPlace): Refusal | undefined =>
  (ifTeamId !== undefined && ifTeamId !== place.team_id) || (ifFolderId !== undefined && ifFolderId !== place.folder_id)
    ? consoleErrors.movedMeanwhile()
    : undefined;

/** Changes what is to be changed, and returns the opposite. A snippet that is as it should be is left alone. */
function changeSnippet(
  { transaction, caller }: Call,
  { id, folderId, isArchived, teamId }: SnippetMove & { readonly teamId: string },
  place: SnippetPlace,
  tagIds: readonly string[],
): SnippetMove {
  const [before, after] = [new Set(place.tag_ids), new Set(tagIds)];
  const added = tagIds.filter((tagId) => !before.has(tagId));
  const removed = place.tag_ids.filter((tagId) => !after.has(tagId));
  const isTeamMove = teamId !== place.team_id;
  const newFolder = folderId === undefined && !isTeamMove ? place.folder_id : (folderId ?? null);
  const undo: SnippetMove = {
    id,
    ...(isTeamMove && { teamId: place.team_id, ifTeamId: teamId }),
    ...(newFolder !== place.folder_id && { folderId: place.folder_id, ifFolderId: newFolder }),
    ...(isArchived !== undefined && isArchived !== place.is_archived && { isArchived: place.is_archived }),
    ...(removed.length > 0 && { addTagIds: removed }),
    ...(added.length > 0 && !isTeamMove && { removeTagIds: added }),
  };
  if (Object.keys(undo).length === 1) return undo;
  updateSnippet(transaction, caller.workspaceId, caller.id, id, {
    ...(isTeamMove && { team_id: teamId }),
    ...(newFolder !== place.folder_id && { folder_id: newFolder }),
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

/** A program that follows one team learns that a snippet is gone from it, or new in it. */
function changesOf({ id, team_id }: SnippetPlace, undo: SnippetMove): NotedChange[] {
  const { id: _, ifFolderId: __, ...changed } = undo;
  const fields = Object.keys(changed);
  if (fields.length === 0) return [];
  if (undo.ifTeamId !== undefined)
    return [
      { kind: "snippet", action: "deleted", id, teamId: team_id },
      { kind: "snippet", action: "created", id, teamId: undo.ifTeamId },
    ];
  const action = fields.every((field) => field === "folderId") ? "moved" : "changed";
  return [{ kind: "snippet", action, id, teamId: team_id }];
}
