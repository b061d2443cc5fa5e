// Shared by the tests of database copies: a filled source, new targets, and their content.
import { join } from "node:path";
import { type CopyStep, copyDatabase } from "../../src/platform/database/copy.ts";
import type { DatabaseLocation } from "../../src/platform/database/location.ts";
import { openDatabase } from "../../src/platform/database/open.ts";
import { readSchema } from "../../src/platform/database/schema.ts";
import { type Connection, engine, urlWithoutCredentials } from "./engine.ts";
import { type Filled, fillInstance } from "./filled.ts";
import { temporaryDirectory } from "./service.ts";

export const tables = readSchema();
export const filledDirectory = temporaryDirectory();
export let filled: Filled;
export let source: DatabaseLocation;
let making: Promise<void> | undefined;

/** Creates the source once for all test files of a process. */
export function makeSource(): Promise<void> {
  making ??= (async () => {
    filled = await fillInstance(filledDirectory);
    source = await engine.locate(filledDirectory);
  })();
  return making;
}

export const formatLocation = (location: DatabaseLocation): string =>
  location.engine === "sqlite" ? `sqlite:${location.path}` : location.url;

/** The location as the command prints it: without a password. */
export const formatWithoutPassword = (location: DatabaseLocation): string =>
  location.engine === "sqlite" ? formatLocation(location) : `postgres://${urlWithoutCredentials(location.url)}`;

/** A target with nothing in it, on the engine of this run. */
export async function newTarget() {
  const directory = temporaryDirectory();
  return { directory, location: await engine.locate(directory) };
}

export const sqliteTarget = (): DatabaseLocation => ({
  engine: "sqlite",
  path: join(temporaryDirectory(), "new/commonplace.db"),
});

export const copy = (
  from: DatabaseLocation,
  to: DatabaseLocation,
  onStep: (step: CopyStep) => void | Promise<void> = () => undefined,
) =>
  copyDatabase({
    from,
    to,
    onStep,
    open: () => openDatabase({ dataDirectory: dataOf(to), database: to, databaseConnections: 2 }),
  });

export const dataOf = (location: DatabaseLocation): string =>
  location.engine === "sqlite" ? join(location.path, "..") : temporaryDirectory();

/** Every row of every table except the migrations, by plain SQL. */
export async function contentOf({ rows }: Pick<Connection, "rows">): Promise<Record<string, string[]>> {
  const entries = tables.map(async ({ name, columns }) => {
    const all = await rows(`select ${columns.map((column) => column.name).join(", ")} from ${name}`);
    return [name, all.map((row) => JSON.stringify(row)).sort()] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

export async function withConnection<T>(directory: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await engine.connect(directory);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
