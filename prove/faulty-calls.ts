// Makes a chosen call of a program that changes a file fail, or kills the program at it: a small C library that is preloaded into it.
import { chmodSync, closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { temporaryDirectory } from "../test/support/service.ts";

/** What happens to the chosen call, as in faulty-calls.c. */
export const faultActions = [
  "count",
  "fail once",
  "fail from here",
  "kill before",
  "kill after",
  "kill halfway",
] as const;
export type FaultAction = (typeof faultActions)[number];

/** The kinds of calls that count, as in faulty-calls.c; shaping is to shorten or extend a file. */
export const callKinds = { write: 1, flush: 2, shape: 4, read: 8 } as const;
export type CallKind = keyof typeof callKinds;

export interface FaultOrder {
  readonly action: FaultAction;
  /** The number of the call from now on, from 1. */
  readonly chosen: number;
  readonly kinds: readonly CallKind[];
  readonly error?: "EIO" | "ENOSPC";
}

export interface FaultyCalls {
  /** For the program whose calls on files below `directory` count, and for all programs that it starts. */
  readonly environmentFor: (directory: string) => Record<string, string>;
  readonly order: (order: FaultOrder | undefined) => void;
  /** The calls since the last order, and how many of them were chosen. */
  readonly seen: () => { readonly calls: number; readonly hits: number };
}

const numbers = 6;

export function makeFaultyCalls(): FaultyCalls {
  const directory = temporaryDirectory();
  // PostgreSQL runs as its own user.
  chmodSync(directory, 0o755);
  const [library, path] = [join(directory, "faulty-calls.so"), join(directory, "order")];
  const source = join(import.meta.dir, "faulty-calls.c");
  const { exitCode, stderr } = Bun.spawnSync(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]);
  if (exitCode !== 0) throw new Error(`faulty-calls.c: ${stderr}`);
  writeFileSync(path, new Uint8Array(numbers * BigInt64Array.BYTES_PER_ELEMENT));
  chmodSync(path, 0o666);
  return {
    environmentFor: (under) => ({ LD_PRELOAD: library, FAULTY_CALLS: path, FAULTY_CALLS_UNDER: under }),
    order: (order) => {
      const { action = "count", chosen = 0, kinds = [], error = "EIO" } = order ?? {};
      const bits = kinds.reduce((sum, kind) => sum | callKinds[kind], 0);
      const values = [0, chosen, faultActions.indexOf(action), constants.errno[error], 0, bits];
      const file = openSync(path, "r+");
      writeSync(file, new BigInt64Array(values.map(BigInt)), 0, undefined, 0);
      closeSync(file);
    },
    seen: () => {
      const bytes = readFileSync(path);
      const values = new BigInt64Array(bytes.buffer, bytes.byteOffset, numbers);
      return { calls: Number(values[0]), hits: Number(values[4]) };
    },
  };
}
