// The statements of a backup: they read a consistent state of the source, and verify the copy instead of the file in use.
import type { DatabaseSync } from "node:sqlite";
import { schemaVersion } from "../../platform/database/migrate.ts";
import { OperatorError } from "../../platform/operator-error.ts";

export interface Contents {
  readonly schema_version: number;
  /** When the newest call in it was admitted; null without calls. */
  readonly newest_call: string | null;
  /** Rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
}

/** @throws OperatorError if it is no database of Commonplace, or a newer version has used it */
export function readContents(connection: DatabaseSync, path: string): Contents {
  const tables = all<{ name: string }>(
    connection,
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
  ).map(({ name }) => name);
  if (!["schema_migrations", "workspaces", "api_keys", "snippets"].every((name) => tables.includes(name)))
    throw new OperatorError(`${path} is a database, but not a Commonplace database`);
  const version = value(connection, "select max(version) as value from schema_migrations");
  if (Number(version) > schemaVersion)
    throw new OperatorError(
      `${path} has schema version ${version}, but this program supports up to ${schemaVersion}. Use a newer version of Commonplace`,
    );
  const newest = value(connection, "select max(last_used_at) as value from api_keys");
  return {
    schema_version: Number(version),
    newest_call: newest === null ? null : String(newest),
    rows: Object.fromEntries(
      tables.map((name) => [name, Number(value(connection, `select count(*) as value from "${name}"`))]),
    ),
  };
}

/** Reads the whole file. @throws OperatorError that names the first damage */
export function requireIntact(connection: DatabaseSync, path: string): void {
  connection.exec("pragma cache_size = -65536");
  const finding = all<{ integrity_check: string }>(connection, "pragma integrity_check(1)")[0]?.integrity_check;
  if (finding !== "ok") throw new OperatorError(`${path} is damaged: ${finding}`);
  const [broken] = all<{ table: string; parent: string }>(connection, "pragma foreign_key_check");
  if (broken)
    throw new OperatorError(`${path} is damaged: a row in ${broken.table} refers to a missing row in ${broken.parent}`);
}

/** Holds the state of this moment until `endSnapshot`: later writes neither wait for it nor show in it. */
export const beginSnapshot = (connection: DatabaseSync): void => connection.exec("begin");

export const endSnapshot = (connection: DatabaseSync): void => connection.exec("commit");

export const readPageBytes = (connection: DatabaseSync): number =>
  Number(value(connection, "select page_size as value from pragma_page_size"));

/** Moves what is in the write-ahead log into the database, as far as that delays nobody. */
export const checkpoint = (connection: DatabaseSync): void => connection.exec("pragma wal_checkpoint(passive)");

/** In WAL mode, which copied pages ask for, a file cannot be opened in a directory that is not writable. */
export const leaveWalMode = (connection: DatabaseSync): void => connection.exec("pragma journal_mode = delete");

/** The caller names the columns that its statement selects. */
const all = <Row>(connection: DatabaseSync, statement: string): Row[] => connection.prepare(statement).all() as Row[];

const value = (connection: DatabaseSync, statement: string): string | number | null =>
  all<{ value: string | number | null }>(connection, statement)[0]?.value ?? null;
