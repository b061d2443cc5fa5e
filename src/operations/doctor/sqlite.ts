// An SQLite database: whether it can be read, how it is kept, and whether it is whole.
import { Database as Connection } from "bun:sqlite";
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../../config.ts";
import { DatabaseUnusable } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";
import { formatAmount } from "../format.ts";
import { type Check, ok, problem, some, warning } from "./check.ts";
import type { StoredData } from "./stored-data.ts";

const logBytesMax = 512 * 1024 * 1024;
const restore = "Stop the service, keep the damaged file, and restore a backup: ./commonplace restore.";

export const sqliteChecks: readonly Check<StoredData>[] = [
  {
    name: "database",
    asks: "Is the database there, and can it be read?",
    mend: restore,
    examine: async ({ config, look }) => {
      const path = resolve(pathOf(config));
      if (!existsSync(path)) return ok(`${path} is not there yet: it is made at the first start`, { isEnd: true });
      if (statSync(path).size === 0)
        return ok(`${path} is empty: its tables are made at the first start`, { isEnd: true });
      try {
        await look((transaction) => transaction.first(sql`select count(*) as parts from sqlite_schema`));
      } catch (error) {
        // What could not even be opened is named by its error.
        const says = error instanceof Error ? error.message : String(error);
        return problem(error instanceof DatabaseUnusable ? says : `${path}: ${says}`, { isEnd: true });
      }
      return ok(`${path}, ${formatAmount(statSync(path).size, "bytes")}`);
    },
  },
  {
    name: "SQLite",
    asks: "Does SQLite keep what durability rests on?",
    mend: "Use the Bun of package.json: ./commonplace installs it.",
    examine: async ({ look }) => {
      const kept = await look(async (transaction) => {
        const encoding = await transaction.first<{ encoding: string }>(sql`select encoding from pragma_encoding`);
        const version = await transaction.first<{ version: string }>(sql`select sqlite_version() as version`);
        return { encoding: encoding?.encoding, version: version?.version };
      });
      // These are not in the file: they belong to each connection, and are what the service's has.
      const missing = [
        ...(takes("synchronous", 2) ? [] : ["synchronous = full"]),
        ...(takes("foreign_keys", 1) ? [] : ["foreign_keys = on"]),
        ...(kept.encoding === "UTF-8" ? [] : ["UTF-8"]),
      ];
      return missing.length > 0
        ? problem(`SQLite ${kept.version} does not keep ${missing.join(", ")}`)
        : ok(`${kept.version}, synchronous = full, foreign keys, UTF-8`);
    },
  },
  {
    name: "write-ahead log",
    asks: "Is the database written by way of a log, and is the log taken in?",
    mend: "A reader that hangs holds it up: look for a backup or a command that does not end, or restart the service.",
    examine: ({ config }) => {
      const path = pathOf(config);
      if (!isWriteAheadLogged(path)) return ok("the database has none, and gets one at the next start");
      const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size;
      if (bytes === undefined) return ok("it was taken in: nobody has the database open");
      const says = `${formatAmount(bytes, "bytes")} not yet taken into the database`;
      return bytes > logBytesMax ? warning(says) : ok(says);
    },
  },
  {
    name: "integrity",
    asks: "Is every page of the file whole?",
    mend: restore,
    examine: async ({ look }) => {
      const rows = await look((transaction) =>
        transaction.all<{ integrity_check: string }>(sql`select integrity_check from pragma_integrity_check`),
      );
      const damage = rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
      return damage.length > 0 ? problem(some(damage)) : ok("every page is whole, every index fits its table");
    },
  },
  {
    name: "references",
    asks: "Is everything there that a row refers to?",
    mend: "Bring the missing rows back from a backup, or delete those that refer to them.",
    examine: async ({ look }) => {
      const rows = await look((transaction) =>
        transaction.all<{ table: string; parent: string; rows: number }>(
          sql`select "table", parent, count(*) as rows from pragma_foreign_key_check group by 1, 2 order by 1, 2`,
        ),
      );
      const broken = rows.map((row) => `${row.rows.toLocaleString("en-US")} of ${row.table} to ${row.parent}`);
      return broken.length > 0 ? problem(`references to nothing: ${some(broken)}`) : ok("no row refers to nothing");
    },
  },
];

const pathOf = ({ database }: Config): string => (database.engine === "sqlite" ? database.path : "");

/** Whether a connection of this SQLite keeps what it is told. */
function takes(pragma: string, value: number): boolean {
  const connection = new Connection(":memory:");
  try {
    connection.run(`pragma ${pragma} = ${value}`);
    return Object.values(connection.query(`pragma ${pragma}`).get() ?? {})[0] === value;
  } finally {
    connection.close();
  }
}

/** What the file's own head says: a look at a file at rest does not know. */
function isWriteAheadLogged(path: string): boolean {
  const head = new Uint8Array(20);
  const file = openSync(path, "r");
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  return head[18] === 2 && head[19] === 2;
}
