// What making and merging segments share.
import type { Breathe, Pace } from "../../platform/breather.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import * as store from "./index.store.ts";
import type { IndexedDocument, NewSegment } from "./segment.ts";

export interface Indexing {
  readonly database: Database;
  readonly pace: Pace;
  /** @returns false when the service is stopping */
  readonly goOn: () => boolean;
}

/** The same in one workspace. */
export interface WorkspaceIndexing {
  readonly database: Database;
  readonly workspaceId: string;
  /** Called all the time: lets requests go first. */
  readonly breathe: Breathe;
}

/** For reads that take as long as they take. */
export const withoutLimit = 0;
/** Terms after which other work gets its turn. */
export const termsAtOnce = 64;
const idsAtOnce = 512;

/** These snippets as they are now. */
export async function listDocuments(
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

/**
 * Adds a segment, an empty one too: that the segments are the same tells searches that nothing was indexed in between. Its number is
 * greater than all others.
 */
export async function insertSegment(
  transaction: Transaction,
  workspaceId: string,
  { documents, blocks, hasCoarseTerms }: NewSegment,
): Promise<void> {
  const [oldest, newest] = [documents[0], documents.at(-1)];
  const timeOf = (document: IndexedDocument | undefined) =>
    document ? new Date(document.updatedAt).toISOString() : transaction.now;
  const numbers = (await store.listSegments(transaction, workspaceId)).map(({ segment }) => segment);
  store.insertSegment(
    transaction,
    workspaceId,
    {
      id: transaction.newId(),
      segment: Math.max(0, ...numbers) + 1,
      document_count: documents.length,
      has_coarse_terms: hasCoarseTerms,
      oldest_at: timeOf(oldest),
      newest_at: timeOf(newest),
    },
    blocks,
  );
}
