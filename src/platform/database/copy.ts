// Copies an instance into another database, of either engine. The copy can be served only when both hold the same.
import { existsSync, statSync } from "node:fs";
import { OperatorError } from "../operator-error.ts";
import { copyRows, differences, digestRows, type OnProgress, type TableDigest } from "./copy-rows.ts";
import { type Database, DatabaseUnavailable, DatabaseUnusable, type Transaction } from "./database.ts";
import { type Inspection, Inspector, inspect, listTables, quoted } from "./inspect.ts";
import type { DatabaseLocation } from "./location.ts";
import { appliedVersion, schemaVersion, unfinishedCopyVersion } from "./migrate.ts";
import { redactUrl } from "./redact-url.ts";
import { readSchema, type Table } from "./schema.ts";
import { join, sql } from "./sql.ts";

export interface CopyRequest {
  readonly from: DatabaseLocation;
  readonly to: DatabaseLocation;
  /** Opens the target, with the schema of this version in it. */
  readonly open: () => Promise<Database>;
  /** The copy waits for it. */
  readonly onStep?: (step: CopyStep) => void | Promise<void>;
}

export interface CopyStep {
  readonly phase: "Copying" | "Comparing";
  readonly table: string;
  /** Rows of all tables. */
  readonly done: number;
  readonly total: number;
}

/**
 * Every table is read back from both sides at the end.
 * @returns the digest of each table. @throws OperatorError, DatabaseUnusable; no service starts on a target that was begun
 */
export async function copyDatabase({ from, to, open, onStep = () => undefined }: CopyRequest): Promise<TableDigest[]> {
  if (isSame(from, to)) throw new OperatorError("the source and the target are the same database");
  const tables = readSchema();
  const source = await withSideInError("source", () => inspect(from));
  try {
    await withSideInError("source", () => source.database.read((transaction) => requireCurrent(transaction, from)));
    await withSideInError("target", () => requireEmptyTarget(to));
    const target = await open();
    try {
      await reserve(target, tables);
      return await fill(source, target, tables, { from, to, onStep }).catch((error) => {
        throw incomplete(error);
      });
    } finally {
      await target.close();
    }
  } finally {
    await source.database.close();
  }
}

type Sides = Pick<CopyRequest, "from" | "to"> & Required<Pick<CopyRequest, "onStep">>;

async function fill(
  { database, isOvertaken }: Inspection,
  target: Database,
  tables: readonly Table[],
  sides: Sides,
): Promise<TableDigest[]> {
  const copied = await copyOnce(database, target, tables, steps("Copying", sides.onStep)).catch((error) => {
    throw isOvertaken() ? new OperatorError(inUse) : error;
  });
  // PostgreSQL has no statistics yet of tables that were empty a moment ago; SQLite needs none.
  if (sides.to.engine === "postgres") {
    const all = join(
      tables.map(({ name }) => quoted(name)),
      ", ",
    );
    await target.transaction((transaction) => transaction.run(sql`analyze ${all}`));
  }
  await compare(copied, tables, sides);
  if (isOvertaken()) throw new OperatorError(inUse);
  await release(target);
  return copied;
}

const inUse = "another program opened the source during the copy. Stop the service first";

/** @throws OperatorError when either side does not hold what was copied */
async function compare(
  copied: readonly TableDigest[],
  tables: readonly Table[],
  { from, to, onStep }: Sides,
): Promise<void> {
  const [now, written] = await Promise.all([readAll(from, tables), readAll(to, tables, steps("Comparing", onStep))]);
  const changed = differences(copied, now);
  if (changed.length > 0)
    throw new OperatorError(
      `the source changed during the copy. Stop the service first. Changed tables: ${changed.join(", ")}`,
    );
  const wrong = differences(copied, written);
  if (wrong.length > 0) throw new OperatorError(`the source and the target differ: ${wrong.join(", ")}`);
}

function isSame(from: DatabaseLocation, to: DatabaseLocation): boolean {
  if (from.engine === "postgres" || to.engine === "postgres")
    return from.engine === "postgres" && to.engine === "postgres" && redactUrl(from.url) === redactUrl(to.url);
  if (!existsSync(from.path) || !existsSync(to.path)) return false;
  const [left, right] = [statSync(from.path), statSync(to.path)];
  return left.dev === right.dev && left.ino === right.ino;
}

/** @throws OperatorError that names the side on which `work` failed */
async function withSideInError<T>(side: "source" | "target", work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable || error instanceof DatabaseUnusable)) throw error;
    throw new OperatorError(`${side}: ${error.message}`, { cause: error });
  }
}

/** @throws OperatorError unless the source has the schema of this version: a copy changes nothing in it, so it does not migrate it either */
async function requireCurrent(transaction: Transaction, { engine }: DatabaseLocation): Promise<void> {
  const names = await listTables(transaction, engine);
  const version = names.includes("schema_migrations") ? await appliedVersion(transaction) : 0;
  if (version === 0) throw new OperatorError("the source is not a Commonplace database");
  if (version === unfinishedCopyVersion) throw new OperatorError("the source contains an unfinished copy");
  if (version > schemaVersion) throw new OperatorError("the source was last used by a newer version of Commonplace");
  if (version < schemaVersion)
    throw new OperatorError(
      `the source has schema version ${version}, but this program uses ${schemaVersion}. Start the service on it once, stop it, then copy`,
    );
}

/** @throws OperatorError when any table has a row, also one that is not ours; before anything is changed there */
async function requireEmptyTarget(to: DatabaseLocation): Promise<void> {
  if (to.engine === "sqlite" && !(statSync(to.path, { throwIfNoEntry: false })?.size ?? 0)) return;
  const inspector = new Inspector(to);
  try {
    await inspector.read(async (transaction) => {
      const names = await listTables(transaction, to.engine);
      if (names.includes("schema_migrations") && (await appliedVersion(transaction)) === unfinishedCopyVersion)
        throw new OperatorError("the target contains an unfinished copy. Empty it and copy again");
      for (const name of names) if (name !== "schema_migrations") await refuseRows(transaction, name);
    });
  } finally {
    await inspector.close();
  }
}

async function refuseRows(transaction: Transaction, table: string): Promise<void> {
  if (await transaction.first(sql`select 1 as found from ${quoted(table)} limit 1`))
    throw new OperatorError(`the target is not empty: its table ${table} has rows`);
}

/** From here until `release` no service starts on the target. Checks again that it is empty, because another copy may have begun. */
const reserve = (target: Database, tables: readonly Table[]): Promise<void> =>
  target.transaction(async (transaction) => {
    for (const table of tables) await refuseRows(transaction, table.name);
    const reserved = await transaction.run(
      sql`insert into schema_migrations (version, name, applied_at)
          values (${unfinishedCopyVersion}, 'unfinished copy', ${transaction.now})
          on conflict (version) do nothing`,
    );
    if (reserved === 0) throw new OperatorError("another copy into this target is already running");
  });

const release = (target: Database): Promise<number> =>
  target.transaction((transaction) =>
    transaction.run(sql`delete from schema_migrations where version = ${unfinishedCopyVersion}`),
  );

/** Copies the source from one snapshot, which ends with its connection. */
function copyOnce(
  source: Database,
  target: Database,
  tables: readonly Table[],
  onProgress: OnProgress,
): Promise<TableDigest[]> {
  let isBegun = false;
  return source.read(async (transaction) => {
    if (isBegun) throw new DatabaseUnavailable("the connection to the source was lost");
    isBegun = true;
    return copyRows(transaction, target, tables, onProgress);
  });
}

async function readAll(
  location: DatabaseLocation,
  tables: readonly Table[],
  onProgress?: OnProgress,
): Promise<TableDigest[]> {
  const { database } = inspect(location);
  try {
    return await database.read((transaction) => digestRows(transaction, tables, onProgress));
  } finally {
    await database.close();
  }
}

const steps =
  (phase: CopyStep["phase"], onStep: Sides["onStep"]): OnProgress =>
  (table, done, total) =>
    onStep({ phase, table, done, total });

function incomplete(error: unknown): unknown {
  const isExpected = [OperatorError, DatabaseUnavailable].some((kind) => error instanceof kind);
  if (!isExpected || !(error instanceof Error)) return error;
  return new OperatorError(
    `${error.message}. The target is incomplete, and the service will not start on it. Delete it`,
    {
      cause: error,
    },
  );
}
