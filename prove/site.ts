// Where a proof runs a service whose storage it breaks: the service's settings, its database, and plain SQL beside it.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { DatabaseLocation } from "../src/platform/database/location.ts";
import { engine, type Rows, rowsOn } from "../test/support/engine.ts";
import { type PrivateOptions, type PrivatePostgres, startPrivatePostgres } from "../test/support/private-postgres.ts";
import { type ServiceProcess, spawnService } from "../test/support/process.ts";
import type { Settings } from "../test/support/program.ts";
import { temporaryDirectory } from "../test/support/service.ts";

export interface Site {
  readonly dataDirectory: string;
  readonly location: DatabaseLocation;
  /** On PostgreSQL, its own server. */
  readonly server: PrivatePostgres | undefined;
  readonly start: (settings?: Settings) => Promise<ServiceProcess>;
  /** Runs a function with plain SQL on a new connection. */
  readonly ask: <Result>(work: (rows: Rows) => Promise<Result>) => Promise<Result>;
  /** Damage that the engine's own checks find. */
  readonly findings: () => Promise<unknown[]>;
}

const settings = { COMMONPLACE_LOG_LEVEL: "warn", COMMONPLACE_CONSOLE: "off" };
const connections = "8";

/** @param directory where the engine keeps its data; the service's own files are elsewhere on PostgreSQL */
export async function makeSite(directory: string, options: PrivateOptions = {}): Promise<Site> {
  if (engine.name === "sqlite") {
    const dataDirectory = join(directory, "service");
    const path = join(dataDirectory, "commonplace.db");
    const ask: Site["ask"] = async (work) => work(engine.rowsOf(dataDirectory));
    return {
      dataDirectory,
      location: { engine: "sqlite", path },
      server: undefined,
      start: (more) => spawnService(dataDirectory, { ...settings, ...more }),
      ask,
      findings: async () => {
        const connection = new Database(path, { readonly: true });
        const found = [
          ...connection
            .query("pragma integrity_check")
            .all()
            .filter((row) => !Bun.deepEquals(row, { integrity_check: "ok" })),
          ...connection.query("pragma foreign_key_check").all(),
        ];
        connection.close(true);
        return found;
      },
    };
  }
  const server = await startPrivatePostgres({ ...options, directory });
  const database = await server.createDatabase();
  const dataDirectory = temporaryDirectory();
  const ask: Site["ask"] = async (work) => {
    const connection = server.connect(database);
    try {
      return await work(rowsOn(connection));
    } finally {
      await connection.close();
    }
  };
  const url = server.urlOf(database);
  return {
    dataDirectory,
    location: { engine: "postgres", url },
    server,
    start: (more) =>
      spawnService(more?.COMMONPLACE_DATA_DIRECTORY ?? dataDirectory, {
        ...settings,
        COMMONPLACE_DATABASE_URL: url,
        COMMONPLACE_DATABASE_CONNECTIONS: connections,
        ...more,
      }),
    ask,
    findings: () =>
      ask(async (rows) => {
        await rows("create extension if not exists amcheck");
        await rows(`select bt_index_check(i.indexrelid, true) from pg_index i join pg_class c on c.oid = i.indexrelid
                  where c.relnamespace = 'public'::regnamespace`);
        return rows(`select t.relname, found.* from pg_class t cross join lateral verify_heapam(t.oid) found
                   where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace`);
      }),
  };
}
