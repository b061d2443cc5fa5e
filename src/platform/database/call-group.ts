// Calls that share a transaction: what the engines need to know of them. What a call does is none of their business.
import type { Owner } from "../fair-queue.ts";
import type { Opening, Transaction } from "./database.ts";

/** A call that may share a transaction with others. */
export interface GroupedCall {
  /** True for a call whose work writes nothing: it needs no savepoint. */
  readonly isReading: boolean;
  /** True for a call that needs only little, and so may run together with others on PostgreSQL. */
  readonly isShort: boolean;
  /** Whose turn it takes. */
  readonly owner: Owner;
  /** Roughly how much work it is, as a multiple of a call that reads one row. */
  readonly weight: number;
}

/** A row that a call depends on. Its `id` is that of the locked row, `now` the time of the transaction. */
export interface OpeningRow {
  readonly id: string;
  readonly now: string;
}

/**
 * The calls of a transaction, and what they share in memory: rows that were read once, and changes that are written together at the end.
 * It is exact because nobody else can write these rows meanwhile.
 */
export interface CallGroup<Call extends GroupedCall, Outcome, Row extends OpeningRow> {
  /** False where what the call depends on has to be read first. */
  isLoaded(call: Call): boolean;
  /** The statements that lock and read what the calls depend on. */
  opening(calls: readonly Call[]): Opening<Row>;
  /**
   * Takes the rows that were read.
   * @param taken rows that another transaction has locked. Calls that depend on them run alone, so that nobody else waits for them; alone,
   * only a call whose opening does not wait finds any.
   */
  load(transaction: Transaction, rows: readonly Row[], taken?: readonly Row[]): Promise<void>;
  mustRunAlone(call: Call): boolean;
  /** Runs one call. What it throws fails this call and has changed nothing; a DatabaseUnavailable fails the group. */
  run(transaction: Transaction, call: Call, savepoint: Transaction["savepoint"]): Promise<Outcome>;
  /** Writes the changes. It sends all statements before it waits for any. */
  flush(transaction: Transaction): Promise<void>;
  /** Whether the commit of this call took place. Runs in a transaction of its own, when the connection broke during the commit. */
  confirm(transaction: Transaction, call: Call, outcome: Outcome): Promise<boolean>;
  /** Forgets what somebody else may have changed. */
  clear(): void;
  /** Forgets everything, because changes were rolled back. */
  undo(): void;
}

/** How much a group may rely on. */
export interface GroupScope {
  /** The group outlives its transaction: it belongs to the only connection that writes, or is cleared when another one wrote. */
  readonly isLasting: boolean;
  /** Nobody else draws from the balances until the commit. Otherwise the balance is known only once the units are drawn. */
  readonly isExclusive: boolean;
}

/** Calls that run in groups. */
export interface GroupedCalls<Call, Outcome> {
  /** Resolves when the commit of the call is durable. */
  readonly run: (call: Call) => Promise<Outcome>;
  /** Runs a call that changes nothing, not even what the group shares: it waits for no lock and no commit. */
  readonly look: (call: Call) => Promise<Outcome>;
}

export type CreateGroup<Call extends GroupedCall, Outcome, Row extends OpeningRow> = (
  scope: GroupScope,
) => CallGroup<Call, Outcome, Row>;
