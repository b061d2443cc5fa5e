// Brings what changed into the index: a job makes segments of the snippets that wait, and merges small segments into larger ones. What
// it has not done yet costs a search time, never a snippet.
import type { Transaction } from "../../platform/database/database.ts";
import * as store from "./index.store.ts";
import { rowTextBytesMax } from "./judge.ts";
import { searchedLengthMax, searchedPart } from "./matching.ts";
import { mergeSegments } from "./merge-segments.ts";
import { Postings } from "./postings.ts";
import { type IndexedDocument, isNewer } from "./segment.ts";
import { removeAbandoned, SegmentMaker } from "./segment-maker.ts";
import { type Indexing, idsAtOnce, indexingOf, listDocuments, type WorkspaceIndexing } from "./segments.ts";
import { addTerms, filterText, type TermSink, termKind } from "./terms.ts";

/** Fewer changes than these are left for searches to look into. */
export const leastPending = 64;
/** Changes that become a segment at once. */
const portionChanges = 4_096;
const snippetsAtOnce = 64;
/** Milliseconds by which a change may be ahead of the clock that is read. */
const clocksApart = 10_000;

/**
 * Indexes what waits, workspace by workspace.
 * @param least a workspace with fewer changes is left alone
 * @returns how many changes are in the index now
 */
export async function indexPending(indexing: Indexing, least = leastPending): Promise<number> {
  const { database, goOn } = indexing;
  const workspaces = await database.read((transaction) => store.listPendingWorkspaces(transaction, least));
  let total = 0;
  const failures: unknown[] = [];
  for (const { workspace_id: workspaceId } of workspaces)
    try {
      const ofWorkspace = indexingOf(indexing, workspaceId);
      await removeAbandoned(ofWorkspace);
      for (let pending = portionChanges; pending >= portionChanges && goOn(); ) {
        pending = await indexPortion(ofWorkspace);
        total += pending;
        while (goOn() && (await mergeSegments(ofWorkspace)));
      }
    } catch (failure) {
      // The other workspaces do not wait for this one.
      failures.push(failure);
    }
  if (failures.length > 0) throw failures[0];
  return total;
}

/** Makes a segment of the changes that wait. @returns how many they are */
async function indexPortion(indexing: WorkspaceIndexing): Promise<number> {
  const { workspaceId } = indexing;
  const { changes, documents } = await listWaiting(indexing);
  if (changes.length === 0) return 0;
  documents.sort((left, right) => (isNewer(left, right) ? 1 : -1));
  const postings = await readPostings(indexing, documents);
  const segment = new SegmentMaker(indexing);
  for (const posting of postings.entries()) {
    const pause = segment.add(posting, posting.ordinals, posting.from, posting.to);
    if (pause) await pause;
  }
  const isPublished = await segment.publish(documents, async (transaction) => {
    let removed = 0;
    for (let from = 0; from < changes.length; from += idsAtOnce)
      removed += await store.removePending(transaction, workspaceId, changes.slice(from, from + idsAtOnce));
    // Another node may have indexed them meanwhile.
    return removed === changes.length;
  });
  return isPublished ? changes.length : 0;
}

/** The changes that become a segment, and the snippets that were changed. */
async function listWaiting({ workspaceId, read, breathe }: WorkspaceIndexing) {
  const changes: store.PendingChange[] = [];
  const documents = new Map<string, IndexedDocument>();
  for (let last: store.PendingChange | undefined; changes.length < portionChanges; await breathe()) {
    const after = last;
    const found = await read(async (transaction) => {
      const waiting = await store.listPending(transaction, workspaceId, idsAtOnce, after);
      const ids = [...new Set(waiting.map(({ snippet_id }) => snippet_id))];
      const now = Date.parse(transaction.now);
      return { waiting, now, snippets: await listDocuments(transaction, workspaceId, ids) };
    });
    // A snippet that was changed in this millisecond may change again in it: then a document would not tell which text it has.
    const changing = new Set<string>();
    for (const snippet of found.snippets)
      if (snippet.updatedAt >= found.now && snippet.updatedAt < found.now + clocksApart) changing.add(snippet.id);
      else documents.set(snippet.id, snippet);
    for (const change of found.waiting) if (!changing.has(change.snippet_id)) changes.push(change);
    last = found.waiting.at(-1);
    if (found.waiting.length < idsAtOnce) break;
  }
  return { changes, documents: [...documents.values()] };
}

async function readPostings(
  { workspaceId, read, breathe }: WorkspaceIndexing,
  documents: readonly IndexedDocument[],
): Promise<Postings> {
  const postings = new Postings(documents.length);
  for (let from = 0; from < documents.length; from += snippetsAtOnce) {
    const portion = documents.slice(from, from + snippetsAtOnce);
    const snippets = await read((transaction) =>
      listTexts(
        transaction,
        workspaceId,
        portion.map(({ id }) => id),
      ),
    );
    for (const [index, { id, updatedAt }] of portion.entries()) {
      const snippet = snippets.get(id);
      // One that has changed since has another change that waits.
      if (!snippet || Date.parse(snippet.updated_at) !== updatedAt) continue;
      const add: TermSink = (kind, text, start, end) => postings.add(from + index, kind, text, start, end);
      for (const text of filterTextsOf(snippet)) add(termKind.filter, text);
      addTerms(snippet, add);
      await breathe();
    }
  }
  return postings;
}

/** These snippets with what is searched of their texts. */
async function listTexts(transaction: Transaction, workspaceId: string, ids: readonly string[]) {
  const rows = await store.listIndexedSnippets(transaction, workspaceId, ids, rowTextBytesMax);
  const found = new Map<string, store.IndexedSnippet & { readonly contents: readonly string[] }>();
  for (const row of rows) {
    const contents = row.contents ?? (await store.listTexts(transaction, workspaceId, row.id, searchedLengthMax));
    found.set(row.id, { ...row, contents: contents.map(searchedPart) });
  }
  return found;
}

const filterTextsOf = (snippet: store.IndexedSnippet): string[] => [
  filterText("team", snippet.team_id),
  filterText("type", snippet.content_type),
  filterText("author", snippet.created_by),
  ...(snippet.folder_id === null ? [] : [filterText("folder", snippet.folder_id)]),
  ...(snippet.is_archived ? [filterText("archived", "yes")] : []),
  ...snippet.tagIds.map((id) => filterText("tag", id)),
];
