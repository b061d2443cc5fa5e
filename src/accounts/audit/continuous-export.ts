// Exports audit entries as they are written, to a file or to an HTTPS address that the operator has set. Each entry is sent at least once,
// in the order of its chain; its number shows a repetition. One node at a time sends the entries of a chain.
import type { Database, Transaction } from "../../platform/database/database.ts";
import { addSeconds } from "../../platform/time.ts";
import * as store from "./audit-export.store.ts";
import { listChainedEntries, lockChain } from "./chain.store.ts";
import { lineOf } from "./export.ts";

/** Resolves once the lines are kept where they were sent. */
export type SendLines = (lines: string) => Promise<void>;

const entriesAtOnce = 500;
/** After a crash, another node goes on so long after. Sending takes less. */
const claimSeconds = 60;

/** @returns how many entries were sent. @throws what `send` throws; what was not sent is sent the next time */
export async function exportWaiting(database: Database, send: SendLines, goOn: () => boolean): Promise<number> {
  let sent = 0;
  for (const chain of await database.read(store.listWaiting)) {
    let { exported_number } = chain;
    let portion = entriesAtOnce;
    while (portion === entriesAtOnce && goOn()) {
      const row = { ...chain, exported_number };
      const entries = await database.transaction(async (transaction) => {
        if (!(await store.claimExport(transaction, row, addSeconds(transaction.now, claimSeconds)))) return undefined;
        return listChainedEntries(transaction, row.workspace_id, exported_number, entriesAtOnce);
      });
      if (!entries) break;
      try {
        if (entries.length > 0) await send(entries.map(lineOf).join(""));
        // Without entries, they were removed because of their age.
        exported_number = entries.at(-1)?.number ?? (await newestOf(database, row.workspace_id));
      } finally {
        await database.transaction(async (transaction) =>
          store.finishExport(transaction, row.workspace_id, exported_number),
        );
      }
      sent += entries.length;
      portion = entries.length;
    }
  }
  return sent;
}

const newestOf = (database: Database, workspaceId: string): Promise<number> =>
  database.transaction(async (transaction) => (await lockChain(transaction, workspaceId))?.removed_number ?? 0);

export interface ExportLag {
  /** How many entries were not exported. */
  readonly entries: number;
  /** The age of the oldest of them; 0 where none waits. */
  readonly seconds: number;
}

export async function readExportLag(transaction: Transaction): Promise<ExportLag> {
  const { entries, oldest_at } = await store.countWaiting(transaction);
  const milliseconds = oldest_at === null ? 0 : Date.parse(transaction.now) - Date.parse(oldest_at);
  return { entries, seconds: Math.max(0, milliseconds / 1_000) };
}
