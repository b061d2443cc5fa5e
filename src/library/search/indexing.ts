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
import { inPortions } from "./segment-reads.ts";
import { type Indexing, idsAtOnce, indexingOf, type WorkspaceIndexing } from "./segments.ts";
import { addTerms } from "./terms.ts";

/** Fewer snippets than these are left for searches to look into. */
const leastPending = 64;
/** With so many, the index does not wait for more. */
export const manyPending = 4_096;
/** The time in which others join a change, so that segments are large: what is not merged costs least. */
const joiningMilliseconds = 5_000;
/** Snippets that become a segment at once. */
const portionSnippets = 8_192;
const changesAtOnce = 256;
/** Snippets that are read at once, about. */
const snippetsAtOnce = 64;
/** Milliseconds by which a change may be ahead of the clock that is read. */
const clocksApart = 10_000;

/**
 * Indexes what waits, workspace by workspace.
 * @param least indexes the workspaces with so many snippets that wait; by default, those where it is time to
 * @returns how many snippets are in the index now
 */
export async function indexPending(indexing: Indexing, least?: number): Promise<number> {
  const { database } = indexing;
  const workspaces = await database.read(async (transaction) => {
    const waiting = await store.listPendingWorkspaces(transaction, least ?? leastPending);
    return least === undefined ? waiting.filter((workspace) => isDue(workspace, transaction.now)) : waiting;
  });
  let total = 0;
  const failures: unknown[] = [];
  for (const { workspace_id: workspaceId } of workspaces)
    try {
      total += await indexWorkspace(indexing, workspaceId);
    } catch (failure) {
      // The other workspaces do not wait for this one.
      failures.push(failure);
    }
  if (failures.length > 0) throw failures[0];
  return total;
}

/** Indexes what waits in a workspace. @returns how many snippets are in the index now */
export async function indexWorkspace(indexing: Indexing, workspaceId: string): Promise<number> {
  const { goOn } = indexing;
  const ofWorkspace = indexingOf(indexing, workspaceId);
  await removeAbandoned(ofWorkspace);
  let total = 0;
  for (let pending = portionSnippets; pending >= portionSnippets && goOn(); ) {
    pending = await indexPortion(ofWorkspace);
    total += pending;
    while (goOn() && (await mergeSegments(ofWorkspace)));
  }
  return total;
}

const isDue = ({ waiting, oldest }: store.PendingWorkspace, now: string): boolean =>
  waiting >= manyPending || Date.parse(now) - timeOfId(oldest) >= joiningMilliseconds;

/** When an ID was made: UUID version 7 begins with it, in milliseconds. */
const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** Makes a segment of the changes that wait. @returns how many snippets they have */
async function indexPortion(indexing: WorkspaceIndexing): Promise<number> {
  const { workspaceId } = indexing;
  const waiting = await listWaiting(indexing);
  if (waiting.length === 0) return 0;
  const { changes, documents, postings } = await readPostings(indexing, waiting);
  const order = [...documents.entries()].sort(([, left], [, right]) => (isNewer(left, right) ? 1 : -1));
  const segment = new SegmentMaker(indexing);
  const sorted = postings.sorted(order.map(([index]) => index));
  const { terms, ordinals } = sorted;
  for (let index = 0; index < terms.length; index += 1) {
    const term = terms[index] ?? 0;
    const pause = segment.add(sorted.termAt(term), ordinals, sorted.from(term), sorted.to(term));
    if (pause) await pause;
  }
  const isPublished = await segment.publish(
    order.map(([, document]) => document),
    async (transaction) => {
      let removed = 0;
      for (const some of inPortions(changes, idsAtOnce))
        removed += await store.removePending(transaction, workspaceId, some);
      // Another node may have indexed them meanwhile.
      return removed === changes.length;
    },
  );
  return isPublished ? changes.reduce((sum, { snippetIds }) => sum + snippetIds.length, 0) : 0;
}

/** The changes that become a segment. */
async function listWaiting({ workspaceId, read, breathe }: WorkspaceIndexing): Promise<store.PendingChange[]> {
  const changes: store.PendingChange[] = [];
  for (let snippets = 0; snippets < portionSnippets; await breathe()) {
    const found = await read((transaction) =>
      store.listPending(transaction, workspaceId, changesAtOnce, changes.at(-1)),
    );
    for (const change of found) {
      changes.push(change);
      snippets += change.snippetIds.length;
      if (snippets >= portionSnippets) break;
    }
    if (found.length < changesAtOnce) break;
  }
  return changes;
}

/** Reads the snippets of these changes. @returns also which changes these are: all, or the first ones */
async function readPostings(
  { workspaceId, read, breathe }: WorkspaceIndexing,
  waiting: readonly store.PendingChange[],
) {
  const postings = new Postings(waiting.reduce((sum, { snippetIds }) => sum + snippetIds.length, 0));
  const documents: IndexedDocument[] = [];
  const changes: store.PendingChange[] = [];
  const known = new Map<string, number>();
  for (const some of inGroups(waiting)) {
    const ids = [...new Set(some.flatMap(({ snippetIds }) => snippetIds))];
    const [snippets, now] = await read(async (transaction) => [
      new Map((await listTexts(transaction, workspaceId, ids)).map((snippet) => [snippet.id, snippet])),
      Date.parse(transaction.now),
    ]);
    for (const change of some) {
      const found = change.snippetIds.flatMap((id) => snippets.get(id) ?? []);
      // A snippet that was changed in this millisecond may change again in it: then a document would not tell which text it has.
      if (found.some(({ updatedAt }) => updatedAt >= now && updatedAt < now + clocksApart)) continue;
      changes.push(change);
      for (const snippet of found) {
        const { id, updatedAt } = snippet;
        if (known.get(id) === updatedAt) continue;
        known.set(id, updatedAt);
        documents.push({ id, updatedAt });
        postings.beginDocument();
        addFilterTerms(snippet, postings);
        addTerms(snippet, postings);
        await breathe();
      }
    }
    if (postings.isFull) break;
  }
  return { changes, documents, postings };
}

/** The changes in groups of about as many snippets as are read at once. */
function* inGroups(changes: readonly store.PendingChange[]): Generator<store.PendingChange[], void> {
  let group: store.PendingChange[] = [];
  let snippets = 0;
  for (const change of changes) {
    group.push(change);
    snippets += change.snippetIds.length;
    if (snippets < snippetsAtOnce) continue;
    yield group;
    group = [];
    snippets = 0;
  }
  if (group.length > 0) yield group;
}

/** These snippets with what is searched of their texts. */
async function listTexts(transaction: Transaction, workspaceId: string, ids: readonly string[]) {
  const rows = await store.listIndexedSnippets(transaction, workspaceId, ids, rowTextBytesMax);
  const found: (store.IndexedSnippet & { readonly updatedAt: number; readonly contents: readonly string[] })[] = [];
  for (const row of rows) {
    const contents = row.contents ?? (await store.listTexts(transaction, workspaceId, row.id, searchedLengthMax));
    found.push({ ...row, updatedAt: Date.parse(row.updated_at), contents: contents.map(searchedPart) });
  }
  return found;
}

function addFilterTerms(snippet: store.IndexedSnippet, postings: Postings): void {
  postings.addFilter("team", snippet.team_id);
  postings.addFilter("type", snippet.content_type);
  postings.addFilter("author", snippet.created_by);
  if (snippet.folder_id !== null) postings.addFilter("folder", snippet.folder_id);
  if (snippet.is_archived) postings.addFilter("archived", "yes");
  for (const id of snippet.tagIds) postings.addFilter("tag", id);
}
