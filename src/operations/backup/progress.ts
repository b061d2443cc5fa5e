// What the worker reports of a copy while it is made and when it is done.
import type { FileDigest } from "./checksum-trailer.ts";
import type { Contents } from "./sqlite-file.store.ts";

export type Phase = "Copying" | "Decrypting" | "Adding checksum" | "Verifying" | "Encrypting";

/** Progress in bytes. Verifying is one statement of SQLite's that cannot report, so its total is 0. */
export interface Step {
  readonly phase: Phase;
  readonly done: number;
  readonly total: number;
}

/** What a copy contains, and its size and checksum. */
export type CopyReport = Contents & FileDigest;
