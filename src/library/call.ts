// What a rule is given, and what it gives back: the same for a call with an API key and for any other door of the house.
import type { Input, OperationName, Result } from "../contract/operations.ts";
import type { Transaction } from "../platform/database/database.ts";

/** Whoever makes a call, and the teams within reach. */
export interface Caller {
  /** The API key; `created_by` of what it makes. */
  readonly id: string;
  readonly workspaceId: string;
  /** Every team of the workspace, later ones included; `teamIds` is empty then. */
  readonly isAllTeams: boolean;
  readonly teamIds: ReadonlySet<string>;
}

export interface Call {
  readonly transaction: Transaction;
  readonly caller: Caller;
}

/** The result of any handler, as the envelope needs it. */
export interface AnyResult {
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly pagination?: unknown;
  readonly items?: number;
  /** The team whose resources the call was about, where it was one alone: for the ledger, not for the answer. */
  readonly teamId?: string | undefined;
}

/** A rule: an operation without HTTP and without SQL. Refuses by throwing an `Refusal`. */
export type Handler<Name extends OperationName> = (call: Call, input: Input<Name>) => Promise<Result<Name>>;

/** `fieldsUpdated` of an answer: each field that the request carried. */
export const fieldsUpdated = (body: object): Record<string, true> =>
  Object.fromEntries(Object.keys(body).map((name) => [name, true]));
