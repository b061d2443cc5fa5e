// Brings what changed into the index: a job makes segments of the snippets that wait, and merges small segments into larger ones. What
// it has not done yet costs a search time, never a snippet.
import { lockForWorkspaceChange } from "../../accounts/workspaces/workspaces.store.ts";
import type { Breathe } from "../../platform/breather.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { BlockWriter } from "./blocks.ts";
import * as store from "./index.store.ts";
import { rowTextBytesMax } from "./judge.ts";
import { searchedLengthMax, searchedPart } from "./matching.ts";
import { mergeSegments } from "./merge-segments.ts";
import { Postings } from "./postings.ts";
import { type IndexedDocument, isNewer, type NewSegment, newSegment } from "./segment.ts";
import {
  type Indexing,
  insertSegment,
  listDocuments,
  termsAtOnce,
  type WorkspaceIndexing,
  withoutLimit,
} from "./segments.ts";
import { addTerms, filterText, type TermSink, termKind } from "./terms.ts";

/** Fewer changes than these are left for searches to look into. */
export const leastPending = 64;
/** Changes that become a segment at once. */
const portionChanges = 2_048;
const snippetsAtOnce = 100;
/** Milliseconds by which a change may be ahead of the clock that is read. */
const clocksApart = 10_000;
/** With so few changes that wait, requests get this many times as much time as the index. */
const unhurriedChanges = 2_048;
const unhurriedRest = 9;
/** So many changes are as urgent as more. */
const backlogMax = 32_768;

/** The more changes wait, the longer searches take: so the index gets more time the more there are, and never falls far behind. */
export const restFor = (backlog: number): number => unhurriedRest * Math.min(1, (unhurriedChanges / backlog) ** 2);

/**
 * Indexes what waits, workspace by workspace.
 * @param least a workspace with fewer changes is left alone
 * @returns how many changes are in the index now
 */
export async function indexPending(indexing: Indexing, least = leastPending): Promise<number> {
  const { database, pace, goOn } = indexing;
  const workspaces = await database.read((transaction) => store.listPendingWorkspaces(transaction, least));
  let total = 0;
  const failures: unknown[] = [];
  for (const { workspace_id: workspaceId } of workspaces)
    try {
      for (let pending = portionChanges; pending >= portionChanges && goOn(); ) {
        const rest = restFor(await database.read((transaction) => store.countPending(transaction, backlogMax)));
        const work = { database, workspaceId, breathe: () => pace(rest) };
        pending = await indexPortion(work);
        total += pending;
        while (goOn() && (await mergeSegments(work)));
      }
    } catch (failure) {
      // The other workspaces do not wait for this one.
      failures.push(failure);
    }
  if (failures.length > 0) throw failures[0];
  return total;
}

/** Makes a segment of the changes that wait. @returns how many they are */
async function indexPortion({ database, workspaceId, breathe }: WorkspaceIndexing): Promise<number> {
  const { changes, ...segment } = await database.aside(async (transaction) => {
    const waiting = await store.listPending(transaction, workspaceId, portionChanges);
    const times = await listDocuments(transaction, workspaceId, [
      ...new Set(waiting.map((change) => change.snippet_id)),
    ]);
    // A snippet that was changed in this millisecond may change again in it: then a document would not tell which text it has.
    const now = Date.parse(transaction.now);
    const isChanging = ({ updatedAt }: IndexedDocument) => updatedAt >= now && updatedAt < now + clocksApart;
    const changing = new Set(times.filter(isChanging).map(({ id }) => id));
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
    await insertSegment(transaction, workspaceId, segment);
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
): Promise<NewSegment> {
  const documents = [...unsorted].sort((left, right) => (isNewer(left, right) ? 1 : -1));
  const ordinals = new Map(documents.map(({ id }, ordinal) => [id, ordinal]));
  const postings = new Postings();
  for (let from = 0; from < documents.length; from += snippetsAtOnce) {
    const portion = documents.slice(from, from + snippetsAtOnce).map(({ id }) => id);
    const snippets = await store.listIndexedSnippets(transaction, workspaceId, portion, rowTextBytesMax);
    const placed = snippets.map((snippet) => ({ snippet, ordinal: ordinals.get(snippet.id) ?? 0 }));
    for (const { snippet, ordinal } of placed.sort((left, right) => left.ordinal - right.ordinal)) {
      const contents =
        snippet.contents ?? (await store.listTexts(transaction, workspaceId, snippet.id, searchedLengthMax));
      const add: TermSink = (kind, text, start, end) => postings.add(ordinal, kind, text, start, end);
      for (const text of filterTextsOf(snippet)) add(termKind.filter, text);
      addTerms({ ...snippet, contents: contents.map(searchedPart) }, add);
      await breathe();
    }
  }
  const writer = new BlockWriter();
  let terms = 0;
  for (const posting of postings.entries()) {
    writer.add(posting, posting.ordinals, posting.from, posting.to);
    terms += 1;
    if (terms % termsAtOnce === 0) await breathe();
  }
  return newSegment(documents, writer);
}

const filterTextsOf = (snippet: store.IndexedSnippet): string[] => [
  filterText("team", snippet.team_id),
  filterText("type", snippet.content_type),
  filterText("author", snippet.created_by),
  ...(snippet.folder_id === null ? [] : [filterText("folder", snippet.folder_id)]),
  ...(snippet.is_archived ? [filterText("archived", "yes")] : []),
  ...snippet.tagIds.map((id) => filterText("tag", id)),
];
