// Shared by the doctor tests: an instance with rows in every table, one without rows, and a function that examines them.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../src/operations/doctor/check.ts";
import { examineInstance } from "../../src/operations/doctor/doctor.ts";
import { databaseSettings, engine, openNode } from "./engine.ts";
import { fillInstance } from "./filled.ts";
import { testInstanceKey } from "./instance-key.ts";
import { freePort, type Settings } from "./program.ts";
import { temporaryDirectory } from "./service.ts";

export const isSqlite = engine.name === "sqlite";
/** Gives a directory the file of a backup that was created this many hours ago. */
export function placeBackup(directory: string, hours: number): void {
  const at = new Date(Date.now() - hours * 3_600_000).toISOString().replace(/[-:]|\.\d+/g, "");
  writeFileSync(join(directory, `commonplace-${at}.db`), "");
}

const backups = temporaryDirectory();
placeBackup(backups, 1);

/** A service that does not listen, with the backups that SQLite needs. */
export const closed: Settings = {
  COMMONPLACE_HTTP_PORT: "off",
  COMMONPLACE_HTTPS_PORT: String(freePort()),
  COMMONPLACE_INSTANCE_KEY: testInstanceKey,
  ...(isSqlite && { COMMONPLACE_BACKUP_DIRECTORY: backups }),
};

/** Runs the command's examination in this process. */
export const examine = async (directory: string, settings: Settings = {}): Promise<Finding[]> =>
  examineInstance(
    { COMMONPLACE_DATA_DIRECTORY: directory, ...closed, ...(await databaseSettings(directory)), ...settings },
    () => undefined,
  );

/** All findings other than "ok". */
export const complaints = (findings: readonly Finding[]) =>
  findings
    .filter(({ severity }) => severity !== "ok")
    .map(({ check, severity, message }) => [check, severity, message]);

export const findingOf = (findings: readonly Finding[], check: string) =>
  findings.find((finding) => finding.check === check);

export async function change(directory: string, ...statements: string[]): Promise<void> {
  const connection = await engine.connect(directory);
  for (const statement of statements) await connection.run(statement);
  await connection.close();
}

/** Creates an instance with the schema and no rows. */
export async function emptyInstance(): Promise<string> {
  const directory = temporaryDirectory();
  await (await openNode(directory)).close();
  closeFiles(directory);
  mkdirSync(join(directory, "tls"), { mode: 0o700 });
  writeFileSync(join(directory, "tls/localhost.key"), "", { mode: 0o600 });
  return directory;
}

/** Gives files the permissions that the program sets with its umask. */
export function closeFiles(directory: string): void {
  const path = join(directory, "commonplace.db");
  if (existsSync(path)) chmodSync(path, 0o600);
}

/** An instance with rows in every table. */
export const filledDirectory = temporaryDirectory();
/** An instance with the schema and no rows. */
export let emptyDirectory = "";
let instances: Promise<void> | undefined;

/** Creates both instances once for all test files of a process. */
export function makeInstances(): Promise<void> {
  instances ??= (async () => {
    await fillInstance(filledDirectory);
    closeFiles(filledDirectory);
    emptyDirectory = await emptyInstance();
  })();
  return instances;
}

/** The content of every file in a directory, by path. */
export const bytesOf = (directory: string) =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path, readFileSync(path).toString("base64")]),
  );
