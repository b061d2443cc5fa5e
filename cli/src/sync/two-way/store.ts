// Where a two-way sync keeps its state: in the directory's list of files that cpl made. One program uses a directory at a time.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { Failure } from "../../failures.ts";
import { readRecord, recordName, replace } from "../directory.ts";
import type { State } from "./state.ts";

const lockName = `${recordName}.lock`;
const keyOf = (teamId: string): string => `two-way ${teamId}`;

/** Undefined if the directory was never synced in both directions. */
export function readState(directory: string, teamId: string): State | undefined {
  const all: Readonly<Record<string, unknown>> = readRecord(directory);
  // `writeState` wrote it, or the record could not be parsed.
  return all[keyOf(teamId)] as State | undefined;
}

/** From then on, what a one-way sync wrote for this team is part of the state. */
export function writeState(directory: string, teamId: string, state: State): void {
  const { [teamId]: _, ...others } = readRecord(directory);
  mkdirSync(directory, { recursive: true });
  replace(join(directory, recordName), `${JSON.stringify({ ...others, [keyOf(teamId)]: state })}\n`);
}

/** @returns what gives the directory back. @throws Failure while another program uses it */
export function lockDirectory(directory: string): () => void {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, lockName);
  const own = JSON.stringify({ pid: process.pid, host: hostname() });
  for (let attempt = 1; ; attempt += 1) {
    try {
      writeFileSync(path, own, { flag: "wx" });
      break;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      if (attempt > 1 || !isLeftBehind(path))
        throw new Failure(`another cpl process is syncing this directory. If none is running, delete ${path}`);
      rmSync(path, { force: true });
    }
  }
  return () => rmSync(path, { force: true });
}

/** Of a program on this machine that has ended without giving it back. */
function isLeftBehind(path: string): boolean {
  try {
    const { pid, host } = JSON.parse(readFileSync(path, "utf8"));
    if (host !== hostname() || !Number.isSafeInteger(pid)) return false;
    if (pid === process.pid) return true;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && (error.code === "ESRCH" || error.code === "ENOENT");
  }
}
