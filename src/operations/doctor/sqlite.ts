// The checks of an SQLite database: whether it can be read, is stored durably, and is intact.
import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Config } from "../../config.ts";
import { DatabaseUnusable } from "../../platform/database/database.ts";
import { formatAmount, formatNumber } from "../format.ts";
import { type Check, listSome, ok, problem, warning } from "./check.ts";
import * as store from "./sqlite.store.ts";
import type { StoredData } from "./stored-data.ts";

const logBytesMax = 512 * 1024 * 1024;
const restore = "Stop the service, keep the damaged file, and run ./commonplace restore with a backup.";

export const sqliteChecks: readonly Check<StoredData>[] = [
  {
    name: "database",
    question: "Does the database exist, and can it be read?",
    remedy: restore,
    examine: async ({ config, read }) => {
      const path = resolve(pathOf(config));
      if (!existsSync(path)) return ok(`${path} will be created on first startup`, { isFinal: true });
      if (statSync(path).size === 0)
        return ok(`${path} is empty; its tables will be created on first startup`, { isFinal: true });
      try {
        await read(store.readFirstPage);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        // The message of a DatabaseUnusable names the file.
        return problem(error instanceof DatabaseUnusable ? message : `${path}: ${message}`, { isFinal: true });
      }
      return ok(`${path}, ${formatAmount(statSync(path).size, "bytes")}`);
    },
  },
  {
    name: "SQLite",
    question: "Does SQLite support the settings that protect your data?",
    remedy: "Use the Bun version from package.json: ./commonplace installs it.",
    examine: async ({ read }) => {
      const { encoding, version } = await read(store.readVersion);
      // The two pragmas are not stored in the file: they belong to each connection, as the service sets them.
      const missing = [
        ...(store.acceptsPragma("synchronous", 2) ? [] : ["synchronous = full"]),
        ...(store.acceptsPragma("foreign_keys", 1) ? [] : ["foreign_keys = on"]),
        ...(encoding === "UTF-8" ? [] : ["UTF-8"]),
      ];
      return missing.length > 0
        ? problem(`SQLite ${version} does not support ${missing.join(", ")}`)
        : ok(`${version}, synchronous = full, foreign keys, UTF-8`);
    },
  },
  {
    name: "write-ahead log",
    question: "Is the write-ahead log on, and does it stay small?",
    remedy:
      "A long-running read keeps it from being merged. Look for a stuck backup or command, or restart the service.",
    examine: ({ config }) => {
      const path = pathOf(config);
      if (!isWriteAheadLogged(path)) return ok("off; it will be turned on at the next startup");
      const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size;
      if (bytes === undefined) return ok("empty: no program has the database open");
      const message = `${formatAmount(bytes, "bytes")} waiting to be merged into the database`;
      return bytes > logBytesMax ? warning(message) : ok(message);
    },
  },
  {
    name: "integrity",
    question: "Is the database file intact?",
    remedy: restore,
    examine: async ({ read }) => {
      const damage = await read(store.listDamage);
      return damage.length > 0 ? problem(listSome(damage)) : ok("all pages and indexes are intact");
    },
  },
  {
    name: "references",
    question: "Are all references between rows valid?",
    remedy: "Restore the missing rows from a backup, or delete the rows that refer to them.",
    examine: async ({ read }) => {
      const rows = await read(store.countDanglingReferences);
      const broken = rows.map((row) => `${formatNumber(row.rows)} from ${row.table} to ${row.parent}`);
      return broken.length > 0 ? problem(`dangling references: ${listSome(broken)}`) : ok("no dangling references");
    },
  },
];

const pathOf = ({ database }: Config): string => (database.engine === "sqlite" ? database.path : "");

/** Whether the header of the file asks for WAL mode. The inspection of a file that no process has open uses another mode. */
function isWriteAheadLogged(path: string): boolean {
  const header = new Uint8Array(20);
  const file = openSync(path, "r");
  try {
    readSync(file, header, 0, header.length, 0);
  } finally {
    closeSync(file);
  }
  return header[18] === 2 && header[19] === 2;
}
