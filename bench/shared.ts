// A filled database on a PostgreSQL server of the run's own, its nodes, and beside it the database of the baselines.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type BareSize, fillBareDatabase } from "./bare-postgres.ts";
import { runTransactions } from "./bare-transactions.ts";
import { checkBalances } from "./books.ts";
import { postgresEngine } from "./engines.ts";
import { fillWith } from "./fill.ts";
import { createInstance, type Instance } from "./instance.ts";
import type { Plan } from "./plan.ts";
import { databaseBytes, refreshStatistics, startDatabase } from "./postgres.ts";
import { type Server, startService } from "./processes.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";

/** The connections that send calls, and the keys with which they do. */
export const clients = 64;
export const keys = 64;
/** The connections of a node, and of its baseline, to the server. */
const connections = 10;
const snippetsInFolder = 1_000;
export const warmUpSeconds = 2;

export interface Shared {
  readonly instance: Instance;
  readonly bytesPerSnippet: number;
  /** The URL of the baselines' database, which has as many rows. */
  readonly bareUrl: string;
  /** Runs the statements of GET /snippet alone. @returns how many calls a second that were */
  readonly runBare: (seconds: number) => Promise<number>;
  readonly startNode: (number: number) => Promise<Server>;
}

/** Runs a measurement on a filled database, then adds up its books. */
export async function withShared(
  directory: string,
  { snippets }: Plan,
  workspaces: number,
  measure: (shared: Shared) => Promise<Result[]>,
): Promise<Result[]> {
  mkdirSync(directory);
  const server = await startDatabase();
  try {
    const engine = postgresEngine(directory, server.url);
    const instance = await engine.withDatabase((database) =>
      createInstance(database, { workspaces, keysInWorkspace: keys / workspaces }),
    );
    const bytesBefore = await databaseBytes(server.url);
    const startNode = (number: number) =>
      startService(join(directory, `node-${number}`), {
        COMMONPLACE_DATABASE_URL: server.url,
        COMMONPLACE_DATABASE_CONNECTIONS: String(connections),
      });
    await fillWith(
      { ...engine, startService: () => startNode(0) },
      instance,
      { total: snippets, inFolder: snippetsInFolder },
      "Filling PostgreSQL",
    );
    await refreshStatistics(server.url);
    const bytesPerSnippet = ((await databaseBytes(server.url)) - bytesBefore) / snippets;
    showProgress("Filling PostgreSQL", "the rows of the baselines");
    const bareUrl = await server.create("bare");
    const size: BareSize = { workspaces, keys, snippets };
    await fillBareDatabase(bareUrl, size);
    const runBare = async (seconds: number) => {
      const of = { url: bareUrl, size, connections, seconds };
      return (await runTransactions(join(directory, "transaction.sql"), of)).perSecond;
    };
    const results = await measure({ instance, bytesPerSnippet, bareUrl, runBare, startNode });
    await engine.withDatabase(checkBalances);
    return results;
  } finally {
    await server.stop();
  }
}
