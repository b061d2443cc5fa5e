// Brings what changed into the index: a job makes segments of the snippets that wait, and merges small segments into larger ones. What
// it has not done yet costs a search time, never a snippet.
import { lockForWorkspaceChange } from "../../accounts/workspaces/workspaces.store.ts";
import type { Breathe } from "../../platform/breather.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import * as store from "./index.store.ts";
import { rowTextBytesMax } from "./judge.ts";
import { searchedLengthMax, searchedPart } from "./matching.ts";
import { ascending, Postings } from "./postings.ts";
import {
  type Block,
  BlockReader,
  BlockWriter,
  compareTerms,
  DocumentReader,
  type IndexedDocument,
  isNewer,
  writeDocuments,
} from "./segment.ts";
import { addTerms, filterTerm, termKind } from "./terms.ts";

/** Fewer changes than these are left for searches to look into. */
export const leastPending = 64;
/** Changes that become a segment at once. */
const portionChanges = 2_048;
const withoutLimit = 0;
const snippetsAtOnce = 100;
const idsAtOnce = 512;
const blocksAtOnce = 64;
const termsAtOnce = 64;
/** Segments with fewer documents are merged when there are so many of them; larger ones stay. */
const levels = [
  { documentsBelow: 512, mergedAt: 8 },
  { documentsBelow: 4_096, mergedAt: 6 },
  { documentsBelow: 16_384, mergedAt: 3 },
] as const;
const mergedDocumentsMax = 40_000;

export interface Indexing {
  readonly database: Database;
  readonly breathe: Breathe;
  /** @returns false when the service is stopping */
  readonly goOn: () => boolean;
}

/**
 * Indexes what waits, workspace by workspace.
 * @param least a workspace with fewer changes is left alone
 * @returns how many changes are in the index now
 */
export async function indexPending(indexing: Indexing, least = leastPending): Promise<number> {
  const workspaces = await indexing.database.read((transaction) => store.listPendingWorkspaces(transaction, least));
  let total = 0;
  for (const { workspace_id: workspaceId } of workspaces)
    for (let pending = portionChanges; pending >= portionChanges && indexing.goOn(); ) {
      pending = await indexPortion(indexing, workspaceId);
      total += pending;
      while (indexing.goOn() && (await mergeSegments(indexing, workspaceId)));
    }
  return total;
}

/** Makes a segment of the changes that wait. @returns how many they are */
async function indexPortion({ database, breathe }: Indexing, workspaceId: string): Promise<number> {
  const { changes, documents, blocks } = await database.aside(async (transaction) => {
    const waiting = await store.listPending(transaction, workspaceId, portionChanges);
    const times = await listDocuments(transaction, workspaceId, [
      ...new Set(waiting.map((change) => change.snippet_id)),
    ]);
    // A snippet that was changed in this millisecond may change again in it: then a document would not tell which text it has.
    const changing = new Set(
      times.filter(({ updatedAt }) => updatedAt >= Date.parse(transaction.now)).map(({ id }) => id),
    );
    const changes = waiting.filter((change) => !changing.has(change.snippet_id));
    const documents = times.filter(({ id }) => !changing.has(id));
    return { changes, ...(await buildSegment(transaction, workspaceId, documents, breathe)) };
  }, withoutLimit);
  if (changes.length === 0) return 0;
  await database.transaction(async (transaction) => {
    lockForWorkspaceChange(transaction, workspaceId);
    const waiting = new Set(
      (await store.listPending(transaction, workspaceId, portionChanges)).map((change) => change.change_id),
    );
    // Another node may have indexed them meanwhile.
    if (!changes.every((change) => waiting.has(change.change_id))) return;
    await insertSegment(transaction, workspaceId, documents, blocks);
    for (let from = 0; from < changes.length; from += snippetsAtOnce)
      store.removePending(transaction, workspaceId, changes.slice(from, from + snippetsAtOnce));
  });
  return changes.length;
}

async function buildSegment(
  transaction: Transaction,
  workspaceId: string,
  unsorted: readonly IndexedDocument[],
  breathe: Breathe,
): Promise<{ documents: IndexedDocument[]; blocks: Block[] }> {
  const documents = [...unsorted].sort((left, right) => (isNewer(left, right) ? 1 : -1));
  const ordinals = new Map(documents.map(({ id }, ordinal) => [id, ordinal]));
  const texts = new Postings();
  const others = new Postings();
  for (let from = 0; from < documents.length; from += snippetsAtOnce) {
    const portion = documents.slice(from, from + snippetsAtOnce).map(({ id }) => id);
    const snippets = await store.listIndexedSnippets(transaction, workspaceId, portion, rowTextBytesMax);
    for (const snippet of snippets) {
      const ordinal = ordinals.get(snippet.id) ?? 0;
      const contents =
        snippet.contents ?? (await store.listTexts(transaction, workspaceId, snippet.id, searchedLengthMax));
      for (const term of filterTermsOf(snippet)) others.add(ordinal, term);
      addTerms(
        { ...snippet, contents: contents.map(searchedPart) },
        {
          addText: (text, start, end) => texts.add(ordinal, text, start, end),
          add: (term) => others.add(ordinal, term),
        },
      );
      await breathe();
    }
  }
  const writer = new BlockWriter();
  let terms = 0;
  // The kind of texts comes after all others.
  for (const [kind, postings] of [
    ["", others],
    [termKind.text, texts],
  ] as const)
    for (const [term, ordinals] of postings.entries()) {
      writer.add(kind + term, ordinals);
      terms += 1;
      if (terms % termsAtOnce === 0) await breathe();
    }
  return { documents, blocks: [...writeDocuments(documents), ...writer.finish()] };
}

/** These snippets as they are now. */
async function listDocuments(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<IndexedDocument[]> {
  const found: IndexedDocument[] = [];
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const rows = await store.listChangeTimes(transaction, workspaceId, ids.slice(from, from + idsAtOnce));
    for (const { id, updated_at } of rows) found.push({ id, updatedAt: Date.parse(updated_at) });
  }
  return found;
}

const filterTermsOf = (snippet: store.IndexedSnippet): string[] => [
  filterTerm("team", snippet.team_id),
  filterTerm("type", snippet.content_type),
  filterTerm("author", snippet.created_by),
  ...(snippet.folder_id === null ? [] : [filterTerm("folder", snippet.folder_id)]),
  ...(snippet.is_archived ? [filterTerm("archived", "yes")] : []),
  ...snippet.tagIds.map((id) => filterTerm("tag", id)),
];

async function insertSegment(
  transaction: Transaction,
  workspaceId: string,
  documents: readonly IndexedDocument[],
  blocks: readonly Block[],
): Promise<void> {
  const [oldest, newest] = [documents[0], documents.at(-1)];
  if (!oldest || !newest) return;
  const numbers = (await store.listSegments(transaction, workspaceId)).map(({ segment }) => segment);
  store.insertSegment(
    transaction,
    workspaceId,
    {
      segment: Math.max(0, ...numbers) + 1,
      document_count: documents.length,
      oldest_at: new Date(oldest.updatedAt).toISOString(),
      newest_at: new Date(newest.updatedAt).toISOString(),
    },
    blocks,
  );
}

/** Merges segments if some are due. @returns false when there was nothing to merge */
async function mergeSegments({ database, breathe }: Indexing, workspaceId: string): Promise<boolean> {
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
    await insertSegment(transaction, workspaceId, merged.documents, merged.blocks);
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
): Promise<{ documents: IndexedDocument[]; blocks: Block[] }> {
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
  const readers = await Promise.all(
    [...ordinals].map(async ([segment, mapped]) => {
      const reader = new SegmentReader(transaction, workspaceId, segment);
      await reader.next();
      return { reader, mapped };
    }),
  );
  const writer = new BlockWriter();
  let terms = 0;
  for (;;) {
    let term: string | undefined;
    for (const { reader } of readers)
      if (reader.term !== undefined && (term === undefined || compareTerms(reader.term, term) < 0)) term = reader.term;
    if (term === undefined) break;
    const list: number[] = [];
    for (const { reader, mapped } of readers)
      while (reader.term === term) {
        reader.visit((ordinal) => {
          const now = mapped[ordinal] ?? -1;
          if (now >= 0) list.push(now);
        });
        if (!reader.nextInBlock()) await reader.next();
      }
    writer.add(term, ascending(list));
    terms += 1;
    if (terms % termsAtOnce === 0) await breathe();
  }
  return { documents, blocks: [...writeDocuments(documents), ...writer.finish()] };
}

/** Reads the terms of a segment in their order. */
class SegmentReader {
  readonly #transaction: Transaction;
  readonly #workspaceId: string;
  readonly #segment: number;
  #blocks: Block[] = [];
  #last: Pick<Block, "first_term" | "part"> = { first_term: "", part: 0 };
  #reader: BlockReader | undefined;
  /** Undefined at the end. */
  term: string | undefined;

  constructor(transaction: Transaction, workspaceId: string, segment: number) {
    this.#transaction = transaction;
    this.#workspaceId = workspaceId;
    this.#segment = segment;
  }

  /** Goes to the next term without reading a block. @returns false where one has to be read */
  nextInBlock(): boolean {
    if (!this.#reader?.next()) return false;
    this.term = this.#reader.term;
    return true;
  }

  async next(): Promise<void> {
    while (!this.#reader?.next()) {
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
        this.term = undefined;
        return;
      }
      this.#last = block;
      this.#reader = new BlockReader(block.data);
    }
    this.term = this.#reader.term;
  }

  visit(take: (ordinal: number) => void): void {
    this.#reader?.visit(take);
  }
}
