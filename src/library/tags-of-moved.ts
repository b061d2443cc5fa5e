// The tags of snippets that move into another team: those of that team with the same names.
import type { SnippetMove } from "../contract/console/operations/library-moves.ts";
import type { Call } from "./call.ts";
import { findSnippetPlaces } from "./snippet-places.store.ts";
import { findTwinTags } from "./snippet-tags.store.ts";

/** By team and tag, the team's tag with the same name. */
export type TwinTags = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads them before anything is locked, since tags are locked before the snippets that refer to them. */
export async function findTagsOfMoved({ transaction, caller }: Call, items: readonly SnippetMove[]): Promise<TwinTags> {
  const twins = new Map<string, ReadonlyMap<string, string>>();
  const moved = items.flatMap(({ id, teamId, addTagIds }) => (teamId && !addTagIds ? [{ id, teamId }] : []));
  for (const [teamId, into] of Map.groupBy(moved, (item) => item.teamId)) {
    const ids = into.map(({ id }) => id);
    const places = await findSnippetPlaces(transaction, caller.workspaceId, ids);
    const tagIds = [...new Set(places.flatMap(({ tag_ids }) => tag_ids))];
    twins.set(teamId, await findTwinTags(transaction, caller.workspaceId, teamId, tagIds));
  }
  return twins;
}
