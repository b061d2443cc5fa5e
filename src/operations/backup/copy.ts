// Makes the copies: of a database that is in use into a sealed file, and of a sealed file into a database.
import { closeSync, fdatasyncSync, openSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { OperatorError } from "../../platform/operator-error.ts";
import { copyUnsealed, type OnBytes, seal, syncEveryBytes } from "./checksum-trailer.ts";
import { type Contents, readContents, requireWhole } from "./contents.ts";
import type { Made, Step } from "./worker.ts";

type Tell = (step: Step) => void;

const lockWaitMilliseconds = 5_000;
/** Copied at a time; between two portions the progress is told and the disk is given what was written. */
const portionBytes = 1024 * 1024;

/** @param partial a path at which there is nothing yet */
export async function makeCopy(from: string, partial: string, tell: Tell): Promise<Made> {
  // What holds everybody's texts is its owner's alone from its first byte on, whatever SQLite would choose.
  closeSync(openSync(partial, "wx", 0o600));
  const source = new DatabaseSync(from, { timeout: lockWaitMilliseconds });
  let contents: Contents;
  try {
    contents = await copyPages(source, from, partial, onBytes(tell, "Copying"));
    // What was written meanwhile waits in the write-ahead log, and it is this process that brings it home: else the service's
    // next commit would, and keep its callers waiting for it.
    source.exec("pragma wal_checkpoint(passive)");
  } finally {
    source.close();
  }
  leaveWalMode(partial);
  const sealed = seal(partial, onBytes(tell, "Sealing"));
  expectSame(contents, inspect(partial, from, tell));
  return { ...contents, ...sealed };
}

/** @param partial a path at which there is nothing yet */
export async function restoreCopy(from: string, partial: string, tell: Tell): Promise<Made> {
  const sealed = copyUnsealed(from, partial, onBytes(tell, "Copying"));
  return { ...inspect(partial, from, tell), ...sealed };
}

/**
 * Page after page of one moment: the open transaction keeps that moment, so that writers neither wait nor make the copy begin anew.
 * Compared with `vacuum into` it takes half the time, in which half as much gathers in the write-ahead log, and tells how far it is.
 */
async function copyPages(source: DatabaseSync, from: string, partial: string, onPages: OnBytes): Promise<Contents> {
  source.exec("begin");
  const contents = readContents(source, from);
  const { page_size: pageBytes } = source.prepare("pragma page_size").get() as { page_size: number };
  const target = openSync(partial, "r+");
  let synced = 0;
  try {
    await backup(source, partial, {
      rate: Math.ceil(portionBytes / pageBytes),
      progress: ({ totalPages, remainingPages }) => {
        const done = (totalPages - remainingPages) * pageBytes;
        onPages(done, totalPages * pageBytes);
        if (done - synced < syncEveryBytes) return;
        // A disk that had to take gigabytes at once would hold up the service's commits.
        fdatasyncSync(target);
        synced = done;
      },
    });
  } finally {
    closeSync(target);
  }
  source.exec("commit");
  return contents;
}

/** In WAL mode, as the copied pages say, the file could not be opened where nobody may write beside it. */
function leaveWalMode(path: string): void {
  const connection = new DatabaseSync(path);
  try {
    connection.exec("pragma journal_mode = delete");
  } finally {
    connection.close();
  }
}

/** @param name what the file is called where something is wrong with it */
function inspect(path: string, name: string, tell: Tell): Contents {
  tell({ phase: "Checking", done: 0, total: 0 });
  const connection = new DatabaseSync(path, { readOnly: true });
  try {
    const contents = readContents(connection, name);
    requireWhole(connection, name);
    return contents;
  } finally {
    connection.close();
  }
}

function expectSame(original: Contents, copy: Contents): void {
  if (!Bun.deepEquals(original, copy))
    throw new OperatorError(`the copy holds ${JSON.stringify(copy)}, and not ${JSON.stringify(original)}`);
}

const onBytes =
  (tell: Tell, phase: Step["phase"]): OnBytes =>
  (done, total) =>
    tell({ phase, done, total });
