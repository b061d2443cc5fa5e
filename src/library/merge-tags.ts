// Merges two tags: the snippets of one get the other, and the first is gone.
import { errors } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Tag } from "../contract/tags.ts";
import { requireAccess } from "./access.ts";
import type { Call } from "./call.ts";
import { lockSnippetsOfTag, moveTagOfSnippets } from "./snippet-tags.store.ts";
import { bytesOfRow } from "./stored-bytes.ts";
import { tagStore } from "./tags.store.ts";

/**
 * Tags inside the merged one move into the other. Where the other is inside the merged one, it takes its place.
 * @returns how many snippets had the merged one
 */
export async function mergeTags(
  { transaction, caller, storeBytes, noteChanges, recordActs }: Call,
  tagId: string,
  intoTagId: string,
) {
  const { workspaceId } = caller;
  if (tagId === intoTagId) throw errors.invalid("intoTagId must be another tag");
  tagStore.lockTeams(transaction, workspaceId, [tagId, intoTagId]);
  tagStore.lockForDeletion(transaction, workspaceId, [tagId, intoTagId]);
  const found = await tagStore.find(transaction, workspaceId, [tagId, intoTagId]);
  const tagOf = (id: string): Tag =>
    requireAccess(
      caller,
      "Tag",
      found.find((tag) => tag.id === id),
    );
  const [merged, into] = [tagOf(tagId), tagOf(intoTagId)];
  if (merged.team_id !== into.team_id) throw errors.invalid("intoTagId must be a tag of the same team");
  const path = await tagStore.listPathToRoot(transaction, workspaceId, intoTagId, limits.nestingMax);
  if (path.includes(tagId)) {
    noteChanges([{ kind: "tag", action: "moved", id: intoTagId, teamId: into.team_id }]);
    await tagStore.update(transaction, workspaceId, intoTagId, { parent_tag_id: merged.parent_tag_id });
  } else if (path.length >= limits.nestingMax)
    throw errors.invalid(`intoTagId must be nested fewer than ${limits.nestingMax} levels deep`);
  tagStore.moveChildren(transaction, workspaceId, tagId, intoTagId);
  lockSnippetsOfTag(transaction, workspaceId, tagId);
  const snippetCount = await moveTagOfSnippets(transaction, workspaceId, tagId, intoTagId);
  tagStore.remove(transaction, workspaceId, [tagId]);
  noteChanges([{ kind: "tag", action: "deleted", id: tagId, teamId: merged.team_id }]);
  const details = { into: into.tag_name, snippets: snippetCount };
  recordActs([{ action: "tag.merge", teamId: merged.team_id, name: merged.tag_name, details }]);
  await storeBytes(-bytesOfRow(merged.tag_name, merged.tag_color));
  return { snippetCount };
}
