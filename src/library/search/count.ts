// Counts what a search finds. Texts are read only where the index proves nothing, and rows only where no search has read them before.
import { limits } from "../../contract/limits.ts";
import { portionsOf, propose, takePortions, type Wanted } from "./candidates.ts";
import type { Segment } from "./index.store.ts";
import type { Judge } from "./judge.ts";
import { known } from "./known-documents.ts";
import { documentKey, type IndexedDocument } from "./segment.ts";
import { inPortions, type SegmentReads } from "./segment-reads.ts";

const documentsAtOnce = 1_024;
const judgedAtOnce = 256;
const checkedAtOnce = 512;

export interface Counting {
  readonly reads: SegmentReads;
  readonly judge: Judge;
  readonly segments: readonly Segment[];
  readonly wanted: Wanted;
  /** Whether a document that meets all requirements by its terms matches. */
  readonly isProving: boolean;
  /** Snippets that wait for the index. */
  readonly pendingIds: ReadonlySet<string>;
  /** Those of them that are found. */
  readonly pendingFound: readonly { readonly id: string }[];
  readonly knownDocuments: ReadonlyMap<string, Uint8Array> | undefined;
}

interface Candidate extends IndexedDocument {
  readonly key: string;
  /** Remembers what its row says. */
  readonly note: (isCurrent: boolean) => void;
}

/** How many snippets are found, counted up to one more than the maximum. */
export async function countFound(counting: Counting): Promise<number> {
  const { reads, segments, wanted, pendingFound } = counting;
  const max = limits.searchTotalMax + 1;
  const counted = new Set(pendingFound.map(({ id }) => documentKey(id)));
  const pendingKeys = new Set([...counting.pendingIds].map(documentKey));
  for (const portion of portionsOf(segments, wanted.requirements)) {
    const proposals = await propose(reads, portion, wanted);
    for (const taken of takePortions(proposals, documentsAtOnce)) {
      await reads.loadDocuments(taken);
      const proven: Candidate[] = [];
      const open: Candidate[] = [];
      for (const [segment, ordinals, proposal] of taken) {
        const states = counting.knownDocuments?.get(segment.id);
        for (const ordinal of ordinals) {
          const state = states?.[ordinal] ?? known.nothing;
          if (state === known.outdated) continue;
          const key = reads.keyAt(segment, ordinal);
          if (pendingKeys.has(key)) continue;
          const isProven = counting.isProving && proposal.proven.has(ordinal);
          if (isProven && state === known.current) {
            counted.add(key);
            continue;
          }
          const note = (isCurrent: boolean) =>
            states?.fill(isCurrent ? known.current : known.outdated, ordinal, ordinal + 1);
          (isProven ? proven : open).push({ ...reads.documentAt(segment, ordinal), key, note });
        }
      }
      if (counted.size < max) await countProven(counting, proven, counted);
      for (const some of inPortions(open, judgedAtOnce)) {
        if (counted.size >= max) break;
        const found = await counting.judge.judge(some.map(({ id }) => id));
        const times = new Map(found.map(({ id, updatedAt }) => [id, updatedAt]));
        for (const { id, updatedAt, key } of some) if (times.get(id) === updatedAt) counted.add(key);
      }
      if (counted.size >= max) return max;
    }
  }
  return Math.min(counted.size, max);
}

/** Counts those of the candidates whose snippets are as they were indexed, and pass the filter. */
async function countProven({ judge }: Counting, candidates: readonly Candidate[], counted: Set<string>): Promise<void> {
  for (const some of inPortions(candidates, checkedAtOnce)) {
    if (counted.size > limits.searchTotalMax) return;
    const times = await judge.pass(some.map(({ id }) => id));
    for (const { id, updatedAt, key, note } of some) {
      const isCurrent = times.get(id) === updatedAt;
      note(isCurrent);
      if (isCurrent) counted.add(key);
    }
  }
}
