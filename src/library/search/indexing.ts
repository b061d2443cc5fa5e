// Brings what changed into the index: a job makes segments of the snippets that wait, and merges small segments into larger ones. What
// it has not done yet costs a search time, never a snippet.
import { lockForWorkspaceChange } from "../../accounts/workspaces/workspaces.store.ts";
import type { Breathe } from "../../platform/breather.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import * as store from "./index.store.ts";
import { rowTextBytesMax } from "./judge.ts";
import { searchedLengthMax, searchedPart } from "./matching.ts";
import {
  type Block,
  BlockReader,
  BlockWriter,
  compareTerms,
  type IndexedDocument,
  isNewer,
  readDocuments,
  sortTerms,
  writeDocuments,
} from "./segment.ts";
import { addTerms, filterTerm } from "./terms.ts";

/** Fewer changes than these are left for searches to look into. */
export const leastPending = 64;
/** Changes that become a segment at once. */
const portionChanges = 2_000;
const withoutLimit = 0;
const snippetsAtOnce = 100;
const blocksAtOnce = 64;
/** Segments with fewer documents are merged when there are so many of them; larger ones stay. */
const levels = [
  { documentsBelow: 512, mergedAt: 8 },
  { documentsBelow: 4_096, mergedAt: 4 },
] as const;
const mergedDocumentsMax = 16_384;

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
    const changes = await store.listPending(transaction, workspaceId, portionChanges);
    const ids = [...new Set(changes.map((change) => change.snippet_id))];
    return { changes, ...(await buildSegment(transaction, workspaceId, ids, breathe)) };
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
  ids: readonly string[],
  breathe: Breathe,
): Promise<{ documents: IndexedDocument[]; blocks: Block[] }> {
  const times: IndexedDocument[] = [];
  for (let from = 0; from < ids.length; from += snippetsAtOnce)
    times.push(...(await listDocuments(transaction, workspaceId, ids.slice(from, from + snippetsAtOnce))));
  const documents = times.sort((left, right) => (isNewer(left, right) ? 1 : -1));
  const ordinals = new Map(documents.map(({ id }, ordinal) => [id, ordinal]));
  const postings = new Map<string, number[]>();
  for (let from = 0; from < documents.length; from += snippetsAtOnce) {
    const portion = documents.slice(from, from + snippetsAtOnce).map(({ id }) => id);
    const snippets = await store.listIndexedSnippets(transaction, workspaceId, portion, rowTextBytesMax);
    for (const snippet of snippets) {
      const ordinal = ordinals.get(snippet.id) ?? 0;
      const contents =
        snippet.contents ?? (await store.listTexts(transaction, workspaceId, snippet.id, searchedLengthMax));
      const add = (term: string) => {
        const list = postings.get(term);
        if (!list) postings.set(term, [ordinal]);
        else if (list.at(-1) !== ordinal) list.push(ordinal);
      };
      for (const term of filterTermsOf(snippet)) add(term);
      addTerms({ ...snippet, contents: contents.map(searchedPart) }, add);
      await breathe();
    }
  }
  const writer = new BlockWriter();
  for (const term of sortTerms([...postings.keys()])) {
    writer.add(term, ascending(postings.get(term) ?? []));
    await breathe();
  }
  return { documents, blocks: [...writeDocuments(documents), ...writer.finish()] };
}

const listDocuments = async (transaction: Transaction, workspaceId: string, ids: readonly string[]) =>
  (await store.listChangeTimes(transaction, workspaceId, ids)).map(({ id, updated_at: updatedAt }) => ({
    id,
    updatedAt,
  }));

/** Rows come in any order. */
const ascending = (ordinals: readonly number[]): readonly number[] =>
  [...new Set(ordinals)].sort((left, right) => left - right);

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
      oldest_at: oldest.updatedAt,
      newest_at: newest.updatedAt,
    },
    blocks,
  );
}

/** Merges segments if some are due. @returns false when there was nothing to merge */
async function mergeSegments({ database, breathe }: Indexing, workspaceId: string): Promise<boolean> {
  const merged = await database.aside(async (transaction) => {
    const segments = chooseSegments(await store.listSegments(transaction, workspaceId));
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
    const documents = blocks.flatMap(readDocuments);
    for (let from = 0; from < documents.length; from += snippetsAtOnce) {
      const portion = documents.slice(from, from + snippetsAtOnce);
      const now = new Map(
        (
          await listDocuments(
            transaction,
            workspaceId,
            portion.map(({ id }) => id),
          )
        ).map(({ id, updatedAt }) => [id, updatedAt]),
      );
      for (const [index, document] of portion.entries())
        if (now.get(document.id) === document.updatedAt) sources.push({ segment, place: from + index, document });
    }
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
        await reader.next();
      }
    writer.add(term, ascending(list));
    await breathe();
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
