// Asks the index which documents may match.
import type { Segment } from "./index.store.ts";
import { OrdinalSet } from "./ordinals.ts";
import { type IndexedDocument, isNewer } from "./segment.ts";
import type { SegmentReads } from "./segment-reads.ts";
import { isBroad, type Requirement } from "./terms.ts";

/** Which documents are wanted, wherever they are. */
export interface Wanted {
  /** Documents that meet all of them. */
  readonly requirements: readonly Requirement[];
  /** Documents older than this one. */
  readonly after?: IndexedDocument | undefined;
  /** Documents from this time on, in milliseconds since the epoch. */
  readonly since?: number | undefined;
}

/** Documents of a segment that meet all requirements. */
export interface Proposal {
  readonly segment: Segment;
  readonly all: OrdinalSet;
  /** Those of them that do by terms that are not coarse. */
  readonly proven: OrdinalSet;
  /** Where the wanted ones begin and end. */
  readonly from: number;
  readonly below: number;
}

/** With fewer documents than these, it is cheaper to look into the texts than to read where a broad range of terms is. */
const fewDocuments = 64;
const segmentsAtOnce = 24;
/** Segments that are asked for a broad range of terms before the others, by their documents: the newest ones may be enough. */
const documentsAtFirst = [2_048, 40_000];
const documentsReadAhead = 128;

/** The segments in portions that are asked together. @param segments in the order of their newest document */
export function portionsOf(segments: readonly Segment[], requirements: readonly Requirement[]): Segment[][] {
  const isStepwise = requirements.every((ranges) => ranges.some(isBroad));
  const portions: Segment[][] = [];
  let portion: Segment[] = [];
  let documents = 0;
  for (const segment of segments) {
    portion.push(segment);
    documents += segment.document_count;
    const limit = (isStepwise ? documentsAtFirst[portions.length] : undefined) ?? Number.POSITIVE_INFINITY;
    if (documents < limit && portion.length < segmentsAtOnce) continue;
    portions.push(portion);
    portion = [];
    documents = 0;
  }
  return portion.length > 0 ? [...portions, portion] : portions;
}

/** What these segments have, without those that have nothing. */
export async function propose(
  reads: SegmentReads,
  segments: readonly Segment[],
  { requirements, after, since }: Wanted,
): Promise<Proposal[]> {
  const met = await meetAll(reads, segments, requirements);
  if (after === undefined && since === undefined) return met;
  const bounded = await Promise.all(
    met.map(async (found) => ({
      ...found,
      from: since === undefined ? found.from : await reads.countOlder(found.segment, { updatedAt: since, id: "" }),
      below: after === undefined ? found.below : await reads.countOlder(found.segment, after),
    })),
  );
  return bounded.filter(isFilled);
}

const isFilled = ({ all, from, below }: Proposal): boolean => all.lastBelow(below) >= from;

/** By requirements, which belong to one search: the page and the total ask for the same. Undefined for a segment that has nothing. */
const knownProposals = new WeakMap<readonly Requirement[], Map<Segment, Proposal | undefined>>();

async function meetAll(
  reads: SegmentReads,
  segments: readonly Segment[],
  requirements: readonly Requirement[],
): Promise<Proposal[]> {
  const known = knownProposals.get(requirements) ?? new Map<Segment, Proposal | undefined>();
  knownProposals.set(requirements, known);
  const unknown = segments.filter((segment) => !known.has(segment));
  const [broad, narrow] = [
    requirements.filter((ranges) => ranges.some(isBroad)),
    requirements.filter((ranges) => !ranges.some(isBroad)),
  ];
  await loadRequirements(reads, unknown, narrow);
  const proposals: Proposal[] = [];
  for (const segment of unknown) {
    known.set(segment, undefined);
    const all = OrdinalSet.all(segment.document_count);
    const found = meet(reads, { segment, all, proven: all, from: 0, below: segment.document_count }, narrow);
    if (isFilled(found)) proposals.push(found);
  }
  const isFew = ({ all }: Proposal) => narrow.length > 0 && all.isShorterThan(fewDocuments);
  await loadRequirements(
    reads,
    proposals.filter((found) => !isFew(found)).map(({ segment }) => segment),
    broad,
  );
  for (const found of proposals) {
    const met =
      broad.length === 0 || !isFew(found)
        ? meet(reads, found, broad)
        : { ...found, proven: OrdinalSet.of(found.segment.document_count, []) };
    if (isFilled(met)) known.set(found.segment, met);
  }
  return segments.flatMap((segment) => known.get(segment) ?? []);
}

/** Reads where the terms of all these requirements are. */
export async function loadRequirements(
  reads: SegmentReads,
  segments: readonly Segment[],
  requirements: readonly Requirement[],
): Promise<void> {
  const ranges = requirements.flat();
  await Promise.all([
    reads.loadRanges(
      segments,
      ranges.filter(({ isCoarse }) => !isCoarse),
    ),
    reads.loadRanges(
      segments.filter(({ has_coarse_terms }) => has_coarse_terms),
      ranges.filter(({ isCoarse }) => isCoarse),
    ),
  ]);
}

function meet(reads: SegmentReads, proposal: Proposal, requirements: readonly Requirement[]): Proposal {
  const { segment } = proposal;
  const union = (ranges: Requirement): OrdinalSet =>
    OrdinalSet.union(
      segment.document_count,
      ranges.map((range) => reads.documentsWith(segment, range)),
    );
  let { all, proven } = proposal;
  for (const ranges of requirements) {
    const exact = union(ranges.filter(({ isCoarse }) => !isCoarse));
    // Without coarse terms, both sets are the same one.
    const isSame = all === proven && !segment.has_coarse_terms;
    all = all.intersect(segment.has_coarse_terms ? union(ranges) : exact);
    proven = isSame ? all : proven.intersect(exact);
  }
  return { ...proposal, all, proven };
}

/** A place in the documents of a segment. */
interface Head {
  readonly proposal: Proposal;
  readonly ordinal: number;
  readonly document: IndexedDocument;
}

/**
 * The wanted documents of these segments, newest first. A snippet may come up several times, and as it was before it was changed.
 * @param segments in the order of their newest document
 */
export async function* newestDocuments(
  reads: SegmentReads,
  segments: readonly Segment[],
  wanted: Wanted,
): AsyncGenerator<IndexedDocument, void> {
  const portions = portionsOf(segments, wanted.requirements);
  const ready: Proposal[] = [];
  const open: Head[] = [];
  for (;;) {
    let best = newestOf(open);
    // A segment is opened as soon as its newest document may be the next.
    for (;;) {
      const time = ready[0]?.segment.newest_at ?? portions[0]?.[0]?.newest_at;
      if (time === undefined || (best && Date.parse(time) < best.document.updatedAt)) break;
      if (ready.length === 0) {
        ready.push(...(await propose(reads, portions.shift() ?? [], wanted)));
        await readAhead(reads, ready);
      }
      const proposal = ready.shift();
      const head = proposal && (await headBelow(reads, proposal, proposal.below));
      if (head) open.push(head);
      best = newestOf(open);
    }
    if (!best) return;
    yield best.document;
    const next = await headBelow(reads, best.proposal, best.ordinal);
    if (next) open[open.indexOf(best)] = next;
    else open.splice(open.indexOf(best), 1);
  }
}

const newestOf = (open: readonly Head[]): Head | undefined =>
  open.reduce<Head | undefined>(
    (best, head) => (best && !isNewer(head.document, best.document) ? best : head),
    undefined,
  );

async function headBelow(reads: SegmentReads, proposal: Proposal, below: number): Promise<Head | undefined> {
  const { segment, all, from } = proposal;
  const ordinal = all.lastBelow(below);
  if (ordinal < from) return undefined;
  if (!reads.hasDocument(segment, ordinal))
    await reads.loadDocuments([[segment, takeBelow(proposal, below, documentsReadAhead)]]);
  return { proposal, ordinal, document: reads.documentAt(segment, ordinal) };
}

/** Reads the first documents of these segments at once. */
async function readAhead(reads: SegmentReads, proposals: readonly Proposal[]): Promise<void> {
  const [portion] = takePortions(proposals, documentsReadAhead);
  if (portion) await reads.loadDocuments(portion);
}

function takeBelow({ all, from }: Proposal, below: number, count: number): number[] {
  const taken: number[] = [];
  for (let at = all.lastBelow(below); at >= from && taken.length < count; at = all.lastBelow(at)) taken.push(at);
  return taken;
}

/** The documents of these segments, segment by segment, newest first, in portions of so many. */
export function* takePortions(
  proposals: readonly Proposal[],
  size: number,
): Generator<(readonly [Segment, readonly number[], Proposal])[], void> {
  let portion: (readonly [Segment, readonly number[], Proposal])[] = [];
  let free = size;
  for (const proposal of proposals)
    for (let below = proposal.below; ; ) {
      const taken = takeBelow(proposal, below, free);
      if (taken.length === 0) break;
      portion.push([proposal.segment, taken, proposal]);
      below = taken.at(-1) ?? 0;
      free -= taken.length;
      if (free > 0) break;
      yield portion;
      portion = [];
      free = size;
    }
  if (portion.length > 0) yield portion;
}
