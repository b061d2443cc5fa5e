// Looks at a database as it stands: nothing is made, migrated or written, whatever state it is in.
import { existsSync } from "node:fs";
import type { Database, Transaction, Work } from "./database.ts";
import type { DatabaseLocation } from "./location.ts";
import { inspectPostgres } from "./postgres.ts";
import { name, sql } from "./sql.ts";
import { inspectSqlite } from "./sqlite.ts";

export interface Inspection {
  /** Its `read` is one consistent look, of however many statements. */
  readonly database: Database;
  /** Somebody opened a file that was read as one at rest: what was read may be half of the old and half of the new. */
  readonly isOvertaken: () => boolean;
}

/** @throws DatabaseUnusable when there is nothing that could be read */
export function inspect(location: DatabaseLocation): Inspection {
  if (location.engine === "postgres") return { database: inspectPostgres(location.url), isOvertaken: () => false };
  // A look at a file that nobody has open would leave two files beside it, unless SQLite is told that it is at rest.
  const isOpen = () => existsSync(`${location.path}-wal`);
  const isAtRest = !isOpen();
  return { database: inspectSqlite(location.path, isAtRest), isOvertaken: () => isAtRest && isOpen() };
}

/** Looks that know nothing of each other: one that was overtaken is repeated. */
export class Looks {
  readonly #location: DatabaseLocation;
  #inspection: Inspection;

  /** @throws DatabaseUnusable when there is nothing that could be read */
  constructor(location: DatabaseLocation) {
    this.#location = location;
    this.#inspection = inspect(location);
  }

  async look<T>(work: Work<T>): Promise<T> {
    for (;;) {
      const { database, isOvertaken } = this.#inspection;
      try {
        const seen = await database.read(work);
        if (!isOvertaken()) return seen;
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

/** The tables that there are, whoever made them. */
export async function listTables(transaction: Transaction, engine: DatabaseLocation["engine"]): Promise<string[]> {
  const rows = await transaction.all<{ name: string }>(
    engine === "postgres"
      ? sql`select tablename::text as name from pg_tables where schemaname = current_schema() order by 1`
      : sql`select name from sqlite_schema where type = 'table' and name not like 'sqlite^_%' escape '^' order by 1`,
  );
  return rows.map((row) => row.name);
}

/** A name from the database itself, quoted, so that it stays a name. */
export const quoted = (text: string) => name(`"${text.replaceAll('"', '""')}"`);
