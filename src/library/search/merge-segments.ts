// Merges small segments of the index into larger ones, without the documents that no longer count.
import type { Transaction } from "../../platform/database/database.ts";
import { BlockReader, compareTerms, termUnitsMax, type Units } from "./blocks.ts";
import * as store from "./index.store.ts";
import { type Block, DocumentReader, documentsInBlock, type IndexedDocument, isNewer } from "./segment.ts";
import { removeSegment, SegmentMaker } from "./segment-maker.ts";
import { idsAtOnce, listDocuments, type WorkspaceIndexing } from "./segments.ts";

const blocksAtOnce = 16;
/** Segments with fewer documents are merged when there are so many of them; larger ones stay. */
const levels = [
  { documentsBelow: 512, mergedAt: 8 },
  { documentsBelow: 4_096, mergedAt: 6 },
  { documentsBelow: 16_384, mergedAt: 8 },
] as const;
const mergedDocumentsMax = 40_000;

/** Merges segments if some are due. @returns false when there was nothing to merge */
export async function mergeSegments(indexing: WorkspaceIndexing): Promise<boolean> {
  const { workspaceId, read } = indexing;
  const segments = await read(async (transaction) => {
    const all = await store.listSegments(transaction, workspaceId);
    const due = chooseSegments(all);
    return due.length > 0 ? due : await chooseOutdated(transaction, workspaceId, all);
  });
  if (segments.length === 0) return false;
  const made = new SegmentMaker(indexing);
  const { documents, ordinals } = await mergeDocuments(indexing, segments);
  await mergeTerms(indexing, ordinals, made);
  const replaced = segments.map(({ segment }) => segment);
  const isPublished = await made.publish(
    documents,
    async (transaction) => (await store.retireSegments(transaction, workspaceId, replaced)) === replaced.length,
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

/** The segments made first, where most documents no longer count: merged, they leave those out. */
async function chooseOutdated(
  transaction: Transaction,
  workspaceId: string,
  segments: readonly store.Segment[],
): Promise<store.Segment[]> {
  const total = segments.reduce((sum, { document_count }) => sum + document_count, 0);
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

/** A document, and whether its snippet is still as it was. */
type ExaminedDocument = IndexedDocument & { readonly counts: boolean };

async function examineDocuments(
  { workspaceId, read, breathe }: WorkspaceIndexing,
  { segment, document_count }: store.Segment,
): Promise<ExaminedDocument[]> {
  const examined: ExaminedDocument[] = [];
  for (let part = 0; part * documentsInBlock < document_count; part += blocksAtOnce) {
    const last = part + blocksAtOnce - 1;
    const [documents, present] = await read(async (transaction) => {
      const blocks = await store.listDocumentBlocks(transaction, workspaceId, segment, part, last);
      const documents = blocks.flatMap(({ data }) => new DocumentReader(data).all());
      const ids = documents.map(({ id }) => id);
      return [documents, await listDocuments(transaction, workspaceId, ids)];
    });
    const now = new Map(present.map(({ id, updatedAt }) => [id, updatedAt]));
    for (const { id, updatedAt } of documents) examined.push({ id, updatedAt, counts: now.get(id) === updatedAt });
    await breathe();
  }
  return examined;
}

/** The documents that still count, and for each segment the new ordinals of its documents, -1 for one that does not. */
async function mergeDocuments(indexing: WorkspaceIndexing, segments: readonly store.Segment[]) {
  const sources: { readonly mapped: Int32Array; readonly documents: readonly ExaminedDocument[]; next: number }[] = [];
  for (const segment of segments) {
    const documents = await examineDocuments(indexing, segment);
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
  let open: { readonly reader: SegmentReader; readonly mapped: Int32Array }[] = [];
  for (const [segment, mapped] of ordinals) {
    const listBlocks: ListBlocks = (after) =>
      read((transaction) => store.listBlocks(transaction, workspaceId, segment, after, blocksAtOnce));
    const reader = new SegmentReader(listBlocks);
    if (await reader.next()) open.push({ reader, mapped });
  }
  const list = new OrdinalList();
  const term = new TermCopy();
  while (open.length > 0) {
    let first = open[0]?.reader.term;
    for (const { reader } of open) if (first && compareTerms(reader.term, first) < 0) first = reader.term;
    if (first) term.set(first);
    let isEnded = false;
    list.clear();
    for (const { reader, mapped } of open)
      while (!reader.isAtEnd && compareTerms(reader.term, term) === 0) {
        reader.term.visit((ordinal) => {
          const now = mapped[ordinal] ?? -1;
          if (now >= 0) list.add(now);
        });
        // Most terms are followed by others in the same block.
        if (!reader.term.next() && !(await reader.next())) isEnded = true;
      }
    if (isEnded) open = open.filter(({ reader }) => !reader.isAtEnd);
    const ordered = list.ascending();
    const pause = made.add(term, ordered, 0, ordered.length);
    if (pause) await pause;
  }
}

type ListBlocks = (after: Pick<Block, "first_term" | "part">) => Promise<Block[]>;

/** Reads the terms of a segment in their order. */
class SegmentReader {
  readonly #listBlocks: ListBlocks;
  #blocks: Block[] = [];
  #last: Pick<Block, "first_term" | "part"> = { first_term: "", part: 0 };
  readonly term = new BlockReader("");
  isAtEnd = false;

  constructor(listBlocks: ListBlocks) {
    this.#listBlocks = listBlocks;
  }

  /** Goes to the next term, in the next block if need be. @returns false at the end */
  async next(): Promise<boolean> {
    while (!this.term.next()) {
      if (this.#blocks.length === 0) this.#blocks = await this.#listBlocks(this.#last);
      const block = this.#blocks.shift();
      if (!block) {
        this.isAtEnd = true;
        return false;
      }
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
  #ordinals = new Int32Array(1_024);
  #length = 0;
  #isAscending = true;

  clear(): void {
    this.#length = 0;
    this.#isAscending = true;
  }

  add(ordinal: number): void {
    if (this.#length === this.#ordinals.length) {
      const larger = new Int32Array(this.#length * 2);
      larger.set(this.#ordinals);
      this.#ordinals = larger;
    }
    if (this.#length > 0 && ordinal <= (this.#ordinals[this.#length - 1] ?? 0)) this.#isAscending = false;
    this.#ordinals[this.#length] = ordinal;
    this.#length += 1;
  }

  /** Each once. Valid until something is added. */
  ascending(): Int32Array {
    const ordinals = this.#ordinals.subarray(0, this.#length);
    if (this.#isAscending) return ordinals;
    ordinals.sort();
    let length = 0;
    for (let index = 0; index < ordinals.length; index += 1) {
      const ordinal = ordinals[index] ?? 0;
      if (length > 0 && ordinals[length - 1] === ordinal) continue;
      ordinals[length] = ordinal;
      length += 1;
    }
    return ordinals.subarray(0, length);
  }
}
