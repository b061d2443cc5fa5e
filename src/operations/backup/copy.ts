// Makes the copies inside the worker: a database in use into a backup with its trailer, and a backup into a database.
import { closeSync, fdatasyncSync, openSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { OperatorError } from "../../platform/operator-error.ts";
import {
  appendTrailer,
  copyWithoutTrailer,
  type OnBytes,
  syncEveryBytes,
  writeWithoutTrailer,
} from "./checksum-trailer.ts";
import { encryptFile, openEncrypted } from "./encryption.ts";
import { removePartial } from "./partial.ts";
import type { CopyReport, Step } from "./progress.ts";
import {
  beginSnapshot,
  type Contents,
  checkpoint,
  endSnapshot,
  leaveWalMode,
  readContents,
  readPageBytes,
  requireIntact,
} from "./sqlite-file.store.ts";
import type { Task } from "./worker.ts";

type OnStep = (step: Step) => void;

const lockWaitMilliseconds = 5_000;
/** Copied at a time. After each portion, progress is reported and the disk may sync. */
const portionBytes = 1024 * 1024;

type Make = Extract<Task, { kind: "make" }>;
type Restore = Extract<Task, { kind: "restore" }>;

export async function copyDatabase(task: Make, onStep: OnStep): Promise<CopyReport> {
  const { from, partial, encryption, plain } = task;
  if (!encryption) return copyInTheClear(from, partial, onStep);
  const report = await copyInTheClear(from, plain, onStep);
  const digest = await encryptFile(plain, partial, encryption, onBytes(onStep, "Encrypting"));
  removePartial(plain);
  return { ...report, ...digest };
}

/** @param partial path of a file that does not exist yet */
async function copyInTheClear(from: string, partial: string, onStep: OnStep): Promise<CopyReport> {
  // The file holds everybody's texts, so only its owner may read it from its first byte on, whatever SQLite would choose.
  closeSync(openSync(partial, "wx", 0o600));
  const source = new DatabaseSync(from, { timeout: lockWaitMilliseconds });
  let contents: Contents;
  try {
    contents = await copyPages(source, from, partial, onBytes(onStep, "Copying"));
    // What was written during the copy waits in the write-ahead log. Without this, the service's next commit would have to move it.
    checkpoint(source);
  } finally {
    source.close();
  }
  withConnection(new DatabaseSync(partial), leaveWalMode);
  const digest = appendTrailer(partial, onBytes(onStep, "Adding checksum"));
  requireSame(contents, verify(partial, from, onStep));
  return { ...contents, ...digest };
}

export async function restoreDatabase({ from, partial, key }: Restore, onStep: OnStep): Promise<CopyReport> {
  const digest = key
    ? await writeWithoutTrailer(from, await openEncrypted(from, key), partial, onBytes(onStep, "Decrypting"))
    : copyWithoutTrailer(from, partial, onBytes(onStep, "Copying"));
  return { ...verify(partial, from, onStep), ...digest };
}

/**
 * Copies the pages of one moment. The open transaction preserves that moment, so that writers do not wait and do not make the copy start
 * again. Compared with `vacuum into` it takes half the time, during which the log grows half as much, and it reports progress.
 */
async function copyPages(source: DatabaseSync, from: string, partial: string, onPages: OnBytes): Promise<Contents> {
  beginSnapshot(source);
  const contents = readContents(source, from);
  const pageBytes = readPageBytes(source);
  const target = openSync(partial, "r+");
  let synced = 0;
  try {
    await backup(source, partial, {
      rate: Math.ceil(portionBytes / pageBytes),
      progress: ({ totalPages, remainingPages }) => {
        const done = (totalPages - remainingPages) * pageBytes;
        onPages(done, totalPages * pageBytes);
        if (done - synced < syncEveryBytes) return;
        // A disk that had to sync gigabytes at once would delay the service's commits.
        fdatasyncSync(target);
        synced = done;
      },
    });
  } finally {
    closeSync(target);
  }
  endSnapshot(source);
  return contents;
}

/** Reads the whole copy. @param name what messages call the file */
function verify(path: string, name: string, onStep: OnStep): Contents {
  onStep({ phase: "Verifying", done: 0, total: 0 });
  return withConnection(new DatabaseSync(path, { readOnly: true }), (connection) => {
    const contents = readContents(connection, name);
    requireIntact(connection, name);
    return contents;
  });
}

function requireSame(original: Contents, copy: Contents): void {
  if (!Bun.deepEquals(original, copy))
    throw new OperatorError(
      `the copy does not match the original: it contains ${JSON.stringify(copy)} instead of ${JSON.stringify(original)}`,
    );
}

function withConnection<T>(connection: DatabaseSync, work: (connection: DatabaseSync) => T): T {
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}

const onBytes =
  (onStep: OnStep, phase: Step["phase"]): OnBytes =>
  (done, total) =>
    onStep({ phase, done, total });
