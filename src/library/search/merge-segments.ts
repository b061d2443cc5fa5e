// Merges small segments of the index into larger ones, without the documents that no longer count.
import { lockForWorkspaceChange } from "../../accounts/workspaces/workspaces.store.ts";
import type { Breathe } from "../../platform/breather.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { BlockReader, BlockWriter, compareTerms, copyTerm } from "./blocks.ts";
import * as store from "./index.store.ts";
import { type Block, DocumentReader, type IndexedDocument, isNewer, type NewSegment, newSegment } from "./segment.ts";
import { insertSegment, listDocuments, termsAtOnce, type WorkspaceIndexing, withoutLimit } from "./segments.ts";

const blocksAtOnce = 64;
/** Segments with fewer documents are merged when there are so many of them; larger ones stay. */
const levels = [
  { documentsBelow: 512, mergedAt: 8 },
  { documentsBelow: 4_096, mergedAt: 6 },
  { documentsBelow: 16_384, mergedAt: 3 },
] as const;
const mergedDocumentsMax = 40_000;

/** Merges segments if some are due. @returns false when there was nothing to merge */
export async function mergeSegments({ database, workspaceId, breathe }: WorkspaceIndexing): Promise<boolean> {
  const merged = await database.aside(async (transaction) => {
    const all = await store.listSegments(transaction, workspaceId);
    const due = chooseSegments(all);
    const segments = due.length > 0 ? due : await chooseOutdated(transaction, workspaceId, all);
    if (segments.length === 0) return undefined;
    return { segments, ...(await mergeBlocks(transaction, workspaceId, segments, breathe)) };
  }, withoutLimit);
  if (!merged) return false;
  const replaced = merged.segments.map(({ segment }) => segment);
  return database.transaction(async (transaction) => {
    lockForWorkspaceChange(transaction, workspaceId);
    const present = new Set((await store.listSegments(transaction, workspaceId)).map(({ segment }) => segment));
    if (!replaced.every((segment) => present.has(segment))) return false;
    // The new number is greater than all, so the old segments go afterwards.
    await insertSegment(transaction, workspaceId, merged);
    store.removeSegments(transaction, workspaceId, replaced);
    return true;
  });
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

/** One segment of several, without the documents of snippets that were changed or deleted since. */
async function mergeBlocks(
  transaction: Transaction,
  workspaceId: string,
  segments: readonly store.Segment[],
  breathe: Breathe,
): Promise<NewSegment> {
  const sources: { segment: number; place: number; document: IndexedDocument }[] = [];
  for (const { segment, document_count } of segments) {
    const blocks = await store.listDocumentBlocks(transaction, workspaceId, segment, 0, document_count);
    const documents = blocks.flatMap(({ data }) => new DocumentReader(data).all());
    const present = await listDocuments(
      transaction,
      workspaceId,
      documents.map(({ id }) => id),
    );
    const now = new Map(present.map(({ id, updatedAt }) => [id, updatedAt]));
    for (const [place, document] of documents.entries())
      if (now.get(document.id) === document.updatedAt) sources.push({ segment, place, document });
  }
  sources.sort((left, right) => (isNewer(left.document, right.document) ? 1 : -1));
  const documents: IndexedDocument[] = [];
  const ordinals = new Map(
    segments.map(({ segment, document_count }) => [segment, new Int32Array(document_count).fill(-1)]),
  );
  for (const { segment, place, document } of sources) {
    // A snippet that two segments have keeps the terms of both.
    if (documents.at(-1)?.id !== document.id) documents.push(document);
    ordinals.get(segment)?.fill(documents.length - 1, place, place + 1);
  }
  let open: { readonly reader: SegmentReader; readonly mapped: Int32Array }[] = [];
  for (const [segment, mapped] of ordinals) {
    const reader = new SegmentReader(transaction, workspaceId, segment);
    if (await reader.next()) open.push({ reader, mapped });
  }
  const writer = new BlockWriter();
  const list = new OrdinalList();
  for (let terms = 1; open.length > 0; terms += 1) {
    const first = open.reduce((least, each) => (compareTerms(each.reader.term, least.reader.term) < 0 ? each : least));
    const term = copyTerm(first.reader.term);
    let isEnded = false;
    list.clear();
    for (const { reader, mapped } of open)
      while (!reader.isAtEnd && compareTerms(reader.term, term) === 0) {
        reader.term.visit((ordinal) => {
          const now = mapped[ordinal] ?? -1;
          if (now >= 0) list.add(now);
        });
        // Most terms are followed by others in the same block.
        if (!reader.term.next()) isEnded = !(await reader.next()) || isEnded;
      }
    if (isEnded) open = open.filter(({ reader }) => !reader.isAtEnd);
    const ordered = list.ascending();
    writer.add(term, ordered, 0, ordered.length);
    if (terms % termsAtOnce === 0) await breathe();
  }
  return newSegment(documents, writer);
}

/** Reads the terms of a segment in their order. */
class SegmentReader {
  readonly #transaction: Transaction;
  readonly #workspaceId: string;
  readonly #segment: number;
  #blocks: Block[] = [];
  #last: Pick<Block, "first_term" | "part"> = { first_term: "", part: 0 };
  readonly term = new BlockReader("");
  isAtEnd = false;

  constructor(transaction: Transaction, workspaceId: string, segment: number) {
    this.#transaction = transaction;
    this.#workspaceId = workspaceId;
    this.#segment = segment;
  }

  /** Goes to the next term, in the next block if need be. @returns false at the end */
  async next(): Promise<boolean> {
    while (!this.term.next()) {
      if (this.#blocks.length === 0)
        this.#blocks = await store.listBlocks(
          this.#transaction,
          this.#workspaceId,
          this.#segment,
          this.#last,
          blocksAtOnce,
        );
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
    return this.#isAscending ? ordinals : Int32Array.from(new Set(ordinals.sort()));
  }
}
