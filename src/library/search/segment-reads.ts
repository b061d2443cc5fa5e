// What a search reads of segments. They never change, so what was read is kept for the searches that follow.
import type { Transaction } from "../../platform/database/database.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { findInBlock } from "./find-in-block.ts";
import { findBlocks, findDocumentBlocks, type Segment } from "./index.store.ts";
import { OrdinalSet } from "./ordinals.ts";
import { DocumentReader, documentsInBlock, type IndexedDocument, isNewer } from "./segment.ts";
import type { TermRange } from "./terms.ts";

/** The memory for what is kept of all workspaces. */
const keptBytesMax = 32 * 1024 * 1024;
const rangesAtOnce = 64;
/** Documents are read in chunks of so many blocks. */
const blocksInChunk = 4;
const documentsInChunk = blocksInChunk * documentsInBlock;
const chunksAtOnce = 64;

const keptRanges = new BoundedCache<OrdinalSet>(keptBytesMax / 2);
const keptDocuments = new BoundedCache<SegmentDocuments>(keptBytesMax / 2);

interface Place {
  readonly segment: Segment;
  readonly range: TermRange;
}

/** What was read of the documents of a segment, by chunk. */
interface SegmentDocuments {
  readonly chunks: DocumentReader[];
  bytes: number;
}

interface Chunk {
  readonly segment: Segment;
  readonly chunk: number;
}

const rangeKey = ({ isPrefix, term }: TermRange): string => (isPrefix ? "*" : "=") + term;
/** What a chunk takes besides its bytes, roughly. */
const chunkBytes = 200;

/** Reads for one search, which may need more than is kept. */
export class SegmentReads {
  readonly #transaction: Transaction;
  readonly #workspaceId: string;
  readonly #ranges = new Map<Segment, Map<string, OrdinalSet>>();
  readonly #documents = new Map<Segment, SegmentDocuments>();

  constructor(transaction: Transaction, workspaceId: string) {
    this.#transaction = transaction;
    this.#workspaceId = workspaceId;
  }

  /** Which documents of a segment have a term of the range, which was loaded. */
  documentsWith(segment: Segment, range: TermRange): OrdinalSet {
    const found = this.#rangesOf(segment).get(rangeKey(range));
    if (!found) throw new Error("this range of terms was not loaded");
    return found;
  }

  /** Reads where these ranges are in these segments. */
  async loadRanges(segments: readonly Segment[], ranges: readonly TermRange[]): Promise<void> {
    const missing = new Map<string, Place>();
    for (const segment of segments) {
      const known = this.#rangesOf(segment);
      for (const range of ranges) {
        const key = rangeKey(range);
        if (known.has(key)) continue;
        const kept = keptRanges.get(segment.id + key);
        if (kept) known.set(key, kept);
        else missing.set(segment.id + key, { segment, range });
      }
    }
    const places = [...missing.values()];
    await Promise.all(inPortions(places, rangesAtOnce).map((some) => this.#readRanges(some)));
  }

  async #readRanges(places: readonly Place[]): Promise<void> {
    const rows = await findBlocks(
      this.#transaction,
      this.#workspaceId,
      places.map(({ segment, range }) => ({ segment: segment.segment, ...range })),
    );
    const found = places.map((): number[] => []);
    for (const { place, data } of rows) {
      const range = places[place]?.range;
      const ordinals = found[place];
      if (range && ordinals) findInBlock(data, range, (ordinal) => ordinals.push(ordinal));
    }
    for (const [index, { segment, range }] of places.entries()) {
      const set = OrdinalSet.of(segment.document_count, found[index] ?? []);
      const key = rangeKey(range);
      this.#rangesOf(segment).set(key, set);
      keptRanges.set(segment.id + key, set, set.bytes);
    }
  }

  /** Reads the documents of these ordinals. */
  async loadDocuments(wanted: readonly (readonly [Segment, Iterable<number>, ...unknown[]])[]): Promise<void> {
    const missing: Chunk[] = [];
    for (const [segment, ordinals] of wanted) {
      const { chunks } = this.#documentsOf(segment);
      const unknown = new Set<number>();
      for (const ordinal of ordinals) {
        const chunk = Math.floor(ordinal / documentsInChunk);
        if (!chunks[chunk]) unknown.add(chunk);
      }
      for (const chunk of unknown) missing.push({ segment, chunk });
    }
    await Promise.all(inPortions(missing, chunksAtOnce).map((some) => this.#readChunks(some)));
  }

  async #readChunks(wanted: readonly Chunk[]): Promise<void> {
    const rows = await findDocumentBlocks(
      this.#transaction,
      this.#workspaceId,
      wanted.map(({ segment, chunk }) => ({
        segment: segment.segment,
        firstPart: chunk * blocksInChunk,
        lastPart: (chunk + 1) * blocksInChunk - 1,
      })),
    );
    const blocks = Map.groupBy(rows, ({ place }) => place);
    for (const [place, each] of wanted.entries()) {
      const reader = new DocumentReader(...(blocks.get(place) ?? []).map(({ data }) => data));
      const documents = this.#documentsOf(each.segment);
      if (documents.chunks[each.chunk]) continue;
      documents.chunks[each.chunk] = reader;
      documents.bytes += reader.bytes + chunkBytes;
      keptDocuments.set(each.segment.id, documents, documents.bytes);
    }
  }

  hasDocument(segment: Segment, ordinal: number): boolean {
    return this.#documentsOf(segment).chunks[Math.floor(ordinal / documentsInChunk)] !== undefined;
  }

  /** A document that was loaded. */
  documentAt(segment: Segment, ordinal: number): IndexedDocument {
    return this.#chunkOf(segment, ordinal).at(ordinal % documentsInChunk);
  }

  /** What tells the snippet of a document that was loaded from all others: see `documentKey`. */
  keyAt(segment: Segment, ordinal: number): string {
    return this.#chunkOf(segment, ordinal).keyAt(ordinal % documentsInChunk);
  }

  /** How many documents of a segment are older than this one. */
  async countOlder(segment: Segment, document: IndexedDocument): Promise<number> {
    let [low, high] = [0, segment.document_count];
    if (Date.parse(segment.oldest_at) > document.updatedAt) high = 0;
    if (Date.parse(segment.newest_at) < document.updatedAt) low = high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      await this.loadDocuments([[segment, [middle]]]);
      if (isNewer(document, this.documentAt(segment, middle))) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #chunkOf(segment: Segment, ordinal: number): DocumentReader {
    const found = this.#documentsOf(segment).chunks[Math.floor(ordinal / documentsInChunk)];
    if (!found) throw new Error("this document was not loaded");
    return found;
  }

  #rangesOf(segment: Segment): Map<string, OrdinalSet> {
    const known = this.#ranges.get(segment) ?? new Map<string, OrdinalSet>();
    this.#ranges.set(segment, known);
    return known;
  }

  #documentsOf(segment: Segment): SegmentDocuments {
    const known = this.#documents.get(segment) ?? keptDocuments.get(segment.id) ?? { chunks: [], bytes: 0 };
    this.#documents.set(segment, known);
    return known;
  }
}

/** The items in portions of at most this size. */
export function inPortions<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
