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
const keptDocuments = new BoundedCache<DocumentReader>(keptBytesMax / 2);

interface Place {
  readonly segment: Segment;
  readonly range: TermRange;
}

interface Chunk {
  readonly segment: Segment;
  readonly chunk: number;
}

const rangeKey = ({ segment, range }: Place): string => `${segment.id}${range.isPrefix ? "*" : "="}${range.term}`;
const chunkKey = ({ segment, chunk }: Chunk): string => `${segment.id} ${chunk}`;

/** Reads for one search, which may need more than is kept. */
export class SegmentReads {
  readonly #transaction: Transaction;
  readonly #workspaceId: string;
  readonly #ranges = new Map<string, OrdinalSet>();
  readonly #chunks = new Map<Segment, DocumentReader[]>();

  constructor(transaction: Transaction, workspaceId: string) {
    this.#transaction = transaction;
    this.#workspaceId = workspaceId;
  }

  /** Which documents of a segment have a term of the range, which was loaded. */
  documentsWith(segment: Segment, range: TermRange): OrdinalSet {
    const found = this.#ranges.get(rangeKey({ segment, range }));
    if (!found) throw new Error("this range of terms was not loaded");
    return found;
  }

  /** Reads where these ranges are in these segments. */
  async loadRanges(segments: readonly Segment[], ranges: readonly TermRange[]): Promise<void> {
    const missing = new Map<string, Place>();
    for (const segment of segments)
      for (const range of ranges) {
        const place = { segment, range };
        const key = rangeKey(place);
        if (this.#ranges.has(key)) continue;
        const kept = keptRanges.get(key);
        if (kept) this.#ranges.set(key, kept);
        else missing.set(key, place);
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
    for (const [index, place] of places.entries()) {
      const set = OrdinalSet.of(place.segment.document_count, found[index] ?? []);
      const key = rangeKey(place);
      this.#ranges.set(key, set);
      keptRanges.set(key, set, set.bytes);
    }
  }

  /** Reads the documents of these ordinals. */
  async loadDocuments(wanted: readonly (readonly [Segment, Iterable<number>, ...unknown[]])[]): Promise<void> {
    const missing: Chunk[] = [];
    for (const [segment, ordinals] of wanted) {
      const known = this.#chunksOf(segment);
      const chunks = new Set<number>();
      for (const ordinal of ordinals) chunks.add(Math.floor(ordinal / documentsInChunk));
      for (const chunk of chunks) {
        const kept = known[chunk] ?? keptDocuments.get(chunkKey({ segment, chunk }));
        if (kept) known[chunk] = kept;
        else missing.push({ segment, chunk });
      }
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
      this.#chunksOf(each.segment)[each.chunk] = reader;
      keptDocuments.set(chunkKey(each), reader, reader.bytes);
    }
  }

  hasDocument(segment: Segment, ordinal: number): boolean {
    return this.#chunksOf(segment)[Math.floor(ordinal / documentsInChunk)] !== undefined;
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
    const found = this.#chunksOf(segment)[Math.floor(ordinal / documentsInChunk)];
    if (!found) throw new Error("this document was not loaded");
    return found;
  }

  #chunksOf(segment: Segment): DocumentReader[] {
    const known = this.#chunks.get(segment) ?? [];
    this.#chunks.set(segment, known);
    return known;
  }
}

/** The items in portions of at most this size. */
export function inPortions<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
