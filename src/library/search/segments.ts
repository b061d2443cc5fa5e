// What making and merging segments share.
import type { Breathe, Pace } from "../../platform/breather.ts";
import type { Database, Transaction, Work } from "../../platform/database/database.ts";
import * as store from "./index.store.ts";
import type { IndexedDocument } from "./segment.ts";

export interface Indexing {
  readonly database: Database;
  readonly pace: Pace;
  /** @returns false when the service is stopping */
  readonly goOn: () => boolean;
}

/** The same in one workspace. Each read and each transaction is short, so that neither the log of a database grows nor a request waits. */
export interface WorkspaceIndexing {
  readonly database: Database;
  readonly workspaceId: string;
  readonly read: <T>(work: Work<T>) => Promise<T>;
  /** Called all the time: lets requests go first. @throws when the service is stopping */
  readonly breathe: Breathe;
}

/** With so few changes that wait, requests get this many times as much time as the index. */
const unhurriedChanges = 2_048;
const unhurriedRest = 9;
/** So many changes are as urgent as more. */
const backlogMax = 32_768;
/** What waits is counted again after so many rests. */
const restsUncounted = 16;
/** For reads that take as long as they take. */
const withoutLimit = 0;

/** The more changes wait, the longer searches take: so the index gets more time the more there are, and never falls far behind. */
const restFor = (backlog: number): number => unhurriedRest * Math.min(1, (unhurriedChanges / backlog) ** 2);

export function indexingOf({ database, pace, goOn }: Indexing, workspaceId: string): WorkspaceIndexing {
  let rest = unhurriedRest;
  let rests = 0;
  return {
    database,
    workspaceId,
    read: (work) => database.aside(work, withoutLimit),
    breathe: () =>
      pace(rest)?.then(async () => {
        if (!goOn()) throw new Error("the service is stopping");
        if (rests % restsUncounted === 0)
          rest = restFor(await database.read((transaction) => store.countPending(transaction, backlogMax)));
        rests += 1;
      }),
  };
}

/** Terms after which other work gets its turn. */
export const termsAtOnce = 64;
/** IDs in one statement. */
export const idsAtOnce = 512;

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
