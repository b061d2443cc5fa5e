// Merges small segments of the index into larger ones, without the documents that no longer count.
import type { Transaction } from "../../platform/database/database.ts";
import { BlockReader, compareTerms, termUnitsMax, type Units } from "./blocks.ts";
import * as store from "./index.store.ts";
import { grown } from "./interned.ts";
import { type Block, DocumentReader, documentsInBlock, type IndexedDocument, isNewer } from "./segment.ts";
import { removeSegment, SegmentMaker } from "./segment-maker.ts";
import { idsAtOnce, listDocuments, type WorkspaceIndexing } from "./segments.ts";

const blocksAtOnce = 16;
/**
 * Segments with fewer documents are merged when there are so many of them; larger ones stay. Each merge of a document takes about as long as
 * indexing it did, so those of a large import are hardly merged; each segment takes a search time.
 */
const levels = [
  { documentsBelow: 1_024, mergedAt: 8 },
  { documentsBelow: 8_192, mergedAt: 8 },
  { documentsBelow: 16_384, mergedAt: 12 },
] as const;
/** Six of the largest that an import makes. Less than the greatest number in a block. */
const mergedDocumentsMax = 50_000;
/** In larger merges, all documents stay: if they no longer count, there will be so many of them that segments are made anew. */
const examinedDocumentsMax = 8_192;

/** Merges segments if some are due. @returns false when there was nothing to merge */
export async function mergeSegments(indexing: WorkspaceIndexing): Promise<boolean> {
  const { workspaceId, read } = indexing;
  const { segments, isExamined } = await read(async (transaction) => {
    const all = (await store.listSegments(transaction, workspaceId)).filter(({ state }) => state === "ready");
    const due = chooseSegments(all);
    if (due.length > 0) return { segments: due, isExamined: countDocuments(due) <= examinedDocumentsMax };
    return { segments: await chooseOutdated(transaction, workspaceId, all), isExamined: true };
  });
  if (segments.length === 0) return false;
  const made = new SegmentMaker(indexing);
  const { documents, ordinals } = await mergeDocuments(indexing, segments, isExamined);
  await mergeTerms(indexing, ordinals, made);
  const replaced = segments.map(({ segment }) => segment);
  const isPublished = await made.publish(
    documents,
    async (transaction) =>
      (await store.retireSegments(transaction, workspaceId, replaced, ["ready"])) === replaced.length,
  );
  if (isPublished) for (const segment of replaced) await removeSegment(indexing, segment);
  return isPublished;
}

/** The segments to merge, the oldest ones of the first level that has too many. */
function chooseSegments(segments: readonly store.Segment[]): store.Segment[] {
  let least = 0;
  for (const { documentsBelow, mergedAt } of levels) {
    const ofLevel = segments.filter(({ document_count }) => document_count >= least && document_count < documentsBelow);
    if (ofLevel.length >= mergedAt) {
      let documents = 0;
      return ofLevel.reverse().filter(({ document_count }) => {
        documents += document_count;
        return documents <= mergedDocumentsMax;
      });
    }
    least = documentsBelow;
  }
  return [];
}

const countDocuments = (segments: readonly store.Segment[]): number =>
  segments.reduce((sum, { document_count }) => sum + document_count, 0);

/** The segments made first, where most documents no longer count: merged, they leave those out. */
async function chooseOutdated(
  transaction: Transaction,
  workspaceId: string,
  segments: readonly store.Segment[],
): Promise<store.Segment[]> {
  const total = countDocuments(segments);
  if (total < mergedDocumentsMax) return [];
  if (total < 2 * (await store.countSnippets(transaction, workspaceId))) return [];
  let documents = 0;
  return [...segments]
    .sort((left, right) => left.segment - right.segment)
    .filter(({ document_count }) => {
      documents += document_count;
      return documents <= mergedDocumentsMax;
    });
}

/** A document, and whether its snippet is still as it was, or may be. */
type ExaminedDocument = IndexedDocument & { readonly counts: boolean };

async function readDocuments(
  { workspaceId, read, breathe }: WorkspaceIndexing,
  { segment, document_count }: store.Segment,
  isExamined: boolean,
): Promise<ExaminedDocument[]> {
  const examined: ExaminedDocument[] = [];
  for (let part = 0; part * documentsInBlock < document_count; part += blocksAtOnce) {
    const last = part + blocksAtOnce - 1;
    const [documents, present] = await read(async (transaction) => {
      const blocks = await store.listDocumentBlocks(transaction, workspaceId, segment, part, last);
      const documents = blocks.flatMap(({ data }) => new DocumentReader(data).all());
      const ids = documents.map(({ id }) => id);
      return [documents, isExamined ? await listDocuments(transaction, workspaceId, ids) : documents];
    });
    const now = new Map(present.map(({ id, updatedAt }) => [id, updatedAt]));
    for (const { id, updatedAt } of documents) examined.push({ id, updatedAt, counts: now.get(id) === updatedAt });
    await breathe();
  }
  return examined;
}

/** The documents that still count, and for each segment the new ordinals of its documents, -1 for one that does not. */
async function mergeDocuments(indexing: WorkspaceIndexing, segments: readonly store.Segment[], isExamined: boolean) {
  const sources: { readonly mapped: Int32Array; readonly documents: readonly ExaminedDocument[]; next: number }[] = [];
  for (const segment of segments) {
    const documents = await readDocuments(indexing, segment, isExamined);
    sources.push({ mapped: new Int32Array(documents.length).fill(-1), documents, next: 0 });
  }
  const documents: IndexedDocument[] = [];
  for (let count = 1; ; count += 1) {
    let oldest: { readonly document: ExaminedDocument; readonly source: (typeof sources)[number] } | undefined;
    for (const source of sources) {
      const document = source.documents[source.next];
      if (document && (!oldest || isNewer(oldest.document, document))) oldest = { document, source };
    }
    if (!oldest) break;
    const { document, source } = oldest;
    if (document.counts) {
      // A snippet that two segments have keeps the terms of both.
      if (documents.at(-1)?.id !== document.id) documents.push(document);
      source.mapped[source.next] = documents.length - 1;
    }
    source.next += 1;
    if (count % idsAtOnce === 0) await indexing.breathe();
  }
  return {
    documents,
    ordinals: new Map(segments.map(({ segment }, index) => [segment, sources[index]?.mapped ?? new Int32Array()])),
  };
}

async function mergeTerms(
  { workspaceId, read }: WorkspaceIndexing,
  ordinals: ReadonlyMap<number, Int32Array>,
  made: SegmentMaker,
): Promise<void> {
  /** In the order of their terms. */
  const open: Source[] = [];
  for (const [segment, mapped] of ordinals) {
    const listBlocks: ListBlocks = (after) =>
      read((transaction) => store.listBlocks(transaction, workspaceId, segment, after, blocksAtOnce));
    const reader = new SegmentReader(listBlocks);
    if (!(await reader.next())) continue;
    open.unshift({ reader, mapped, age: -open.length });
    sinkFirst(open);
  }
  const list = new OrdinalList();
  const term = new TermCopy();
  let { mapped } = open[0] ?? { mapped: new Int32Array() };
  const take = (ordinal: number) => {
    const now = mapped[ordinal] ?? -1;
    if (now >= 0) list.add(now);
  };
  for (let first = open[0]; first; first = open[0]) {
    term.set(first.reader.term);
    list.clear();
    for (let same: Source | undefined = first; same && compareTerms(same.reader.term, term) === 0; same = open[0]) {
      ({ mapped } = same);
      same.reader.term.visit(take);
      // Most terms are followed by others in the same block.
      if (same.reader.term.next() || (await same.reader.next())) sinkFirst(open);
      else open.shift();
    }
    list.sort();
    const pause = made.add(term, list.ordinals, 0, list.length);
    if (pause) await pause;
  }
}

/** A segment that is read. */
interface Source {
  readonly reader: SegmentReader;
  /** The new ordinals of its documents. */
  readonly mapped: Int32Array;
  /** Greater for an older one, whose documents come first. */
  readonly age: number;
}

/** Moves the first one to its place among the others, which are in their order. */
function sinkFirst(open: Source[]): void {
  const [first] = open;
  if (!first) return;
  let place = 0;
  for (let next = open[1]; next; next = open[place + 1]) {
    const order = compareTerms(first.reader.term, next.reader.term);
    if (order < 0 || (order === 0 && first.age >= next.age)) break;
    open[place] = next;
    place += 1;
  }
  open[place] = first;
}

type ListBlocks = (after: Pick<Block, "first_term" | "part">) => Promise<Block[]>;

/** Reads the terms of a segment in their order. */
class SegmentReader {
  readonly #listBlocks: ListBlocks;
  #blocks: Block[] = [];
  #last: Pick<Block, "first_term" | "part"> = { first_term: "", part: 0 };
  readonly term = new BlockReader("");

  constructor(listBlocks: ListBlocks) {
    this.#listBlocks = listBlocks;
  }

  /** Goes to the next term, in the next block if need be. @returns false at the end */
  async next(): Promise<boolean> {
    while (!this.term.next()) {
      if (this.#blocks.length === 0) this.#blocks = await this.#listBlocks(this.#last);
      const block = this.#blocks.shift();
      if (!block) return false;
      this.#last = block;
      this.term.open(block.data);
    }
    return true;
  }
}

/** A term that stays when its reader goes on. */
class TermCopy implements Units {
  readonly units = new Uint16Array(termUnitsMax);
  readonly start = 0;
  end = 0;

  set({ units, start, end }: Units): void {
    this.end = end - start;
    for (let index = 0; index < this.end; index += 1) this.units[index] = units[start + index] ?? 0;
  }
}

/** Collects the documents of a term. */
class OrdinalList {
  ordinals = new Int32Array(1_024);
  length = 0;
  #isAscending = true;

  clear(): void {
    this.length = 0;
    this.#isAscending = true;
  }

  add(ordinal: number): void {
    if (this.length === this.ordinals.length) this.ordinals = grown(this.ordinals);
    if (this.length > 0 && ordinal <= (this.ordinals[this.length - 1] ?? 0)) this.#isAscending = false;
    this.ordinals[this.length] = ordinal;
    this.length += 1;
  }

  /** Makes them ascend, each once. */
  sort(): void {
    if (this.#isAscending) return;
    const ordinals = this.ordinals.subarray(0, this.length).sort();
    let length = 0;
    for (let index = 0; index < ordinals.length; index += 1) {
      const ordinal = ordinals[index] ?? 0;
      if (length > 0 && ordinals[length - 1] === ordinal) continue;
      ordinals[length] = ordinal;
      length += 1;
    }
    this.length = length;
  }
}
