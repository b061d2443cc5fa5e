// What searches found out about the documents of a workspace: which are snippets as they are now.
//
// A change of a snippet waits for the index until the transaction that adds a segment. So while the segments are the same, and a snippet
// does not wait, its row is the same too, and what was found out about it holds.
import { BoundedCache } from "./bounded-cache.ts";
import type { Segment } from "./index.store.ts";
import type { SearchFilter } from "./search.store.ts";

/** For each document one of these. */
export const known = { nothing: 0, current: 1, outdated: 2 } as const;

interface Known {
  readonly segmentIds: string;
  /** By segment. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
}

const knownBytesMax = 8 * 1024 * 1024;
const kept = new BoundedCache<Known>(knownBytesMax);

/**
 * What is known of the documents of these segments, which may be added to.
 * @returns undefined for a filter by something that changes without the snippet
 */
export function knownDocuments(
  workspaceId: string,
  segments: readonly Segment[],
  { teamIds, isArchived, ...others }: SearchFilter,
): Known["documents"] | undefined {
  if (Object.values(others).some((value) => value !== undefined && !(Array.isArray(value) && value.length === 0)))
    return undefined;
  const key = JSON.stringify([workspaceId, teamIds?.toSorted(), isArchived]);
  const segmentIds = segments.map(({ id }) => id).join(" ");
  const found = kept.get(key);
  if (found?.segmentIds === segmentIds) return found.documents;
  const documents = new Map(segments.map(({ id, document_count }) => [id, new Uint8Array(document_count)]));
  const bytes = segments.reduce((sum, { document_count }) => sum + document_count, 0);
  kept.set(key, { segmentIds, documents }, bytes);
  return documents;
}
