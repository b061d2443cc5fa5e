// Reads that may take long. What goes in and comes out is plain data, so that another thread can do them.
import type { Owner } from "../fair-queue.ts";
import type { Transaction } from "./database.ts";

/** Everything in it can be JSON. */
export interface LongResult {
  /** A JsonText if another thread read it. */
  readonly data: unknown;
}

export interface LongRead<Input, Result extends LongResult> {
  /** Tells it from the others. */
  readonly name: string;
  /** @param input can be sent to another thread */
  readonly read: (transaction: Transaction, input: Input, reserve: Reserve) => Promise<Result>;
}

/** Reserves room for so many bytes of text, before they are read. @throws where there is none */
type Reserve = (bytes: number) => void;

export interface LongReadOptions {
  /** How long it may take. */
  readonly milliseconds: number;
  /** Whose turn it takes: few run at a time. */
  readonly owner: Owner;
  readonly reserve: Reserve;
}
