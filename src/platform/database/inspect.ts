// Reads a database in any state without creating, migrating or writing anything.
import { existsSync } from "node:fs";
import type { Database, Transaction, Work } from "./database.ts";
import type { DatabaseLocation } from "./location.ts";
import { inspectPostgres } from "./postgres.ts";
import { name, sql } from "./sql.ts";
import { inspectSqlite } from "./sqlite.ts";

export interface Inspection {
  /** Each `read` sees one consistent state, however many statements it runs. */
  readonly database: Database;
  /** True when a process has opened the file meanwhile: what was read may be partly old and partly new. */
  readonly isOvertaken: () => boolean;
}

/** @throws DatabaseUnusable when there is nothing to read */
export function inspect(location: DatabaseLocation): Inspection {
  if (location.engine === "postgres") return { database: inspectPostgres(location.url), isOvertaken: () => false };
  // Reading a file that no process has open would create two files next to it, unless SQLite treats it as immutable.
  const isOpen = () => existsSync(`${location.path}-wal`);
  const isImmutable = !isOpen();
  return { database: inspectSqlite(location.path, isImmutable), isOvertaken: () => isImmutable && isOpen() };
}

/** Independent reads of a database; one that was overtaken by a writer is repeated. */
export class Inspector {
  readonly #location: DatabaseLocation;
  #inspection: Inspection;

  /** @throws DatabaseUnusable when there is nothing to read */
  constructor(location: DatabaseLocation) {
    this.#location = location;
    this.#inspection = inspect(location);
  }

  async read<T>(work: Work<T>): Promise<T> {
    for (;;) {
      const { database, isOvertaken } = this.#inspection;
      try {
        const result = await database.read(work);
        if (!isOvertaken()) return result;
      } catch (error) {
        if (!isOvertaken()) throw error;
      }
      await this.close();
      this.#inspection = inspect(this.#location);
    }
  }

  close(): Promise<void> {
    return this.#inspection.database.close();
  }
}

/** All tables of the database, in the order of their names. */
export async function listTables(transaction: Transaction, engine: DatabaseLocation["engine"]): Promise<string[]> {
  const rows = await transaction.all<{ name: string }>(
    engine === "postgres"
      ? sql`select tablename::text as name from pg_tables where schemaname = current_schema() order by 1`
      : sql`select name from sqlite_schema where type = 'table' and name not like 'sqlite^_%' escape '^' order by 1`,
  );
  return rows.map((row) => row.name);
}

/** A name that comes from the database, quoted as an identifier. */
export const quoted = (text: string) => name(`"${text.replaceAll('"', '""')}"`);
