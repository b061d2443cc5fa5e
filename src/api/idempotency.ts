// Idempotency: a request that is sent again with its `Idempotency-Key` is carried out and charged once. Its outcome is kept for a day, in
// its own transaction, and a repeat gets the first response (decisions, Costs).
import { createHash } from "node:crypto";
import { unitsOfRefusal } from "../contract/costs.ts";
import { errors, Refusal, type RefusalDetails, type RefusalKind } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { type OperationName, operations } from "../contract/operations.ts";
import type { AnyResult, Caller } from "../library/call.ts";
import type { PendingEntry } from "../metering/admission/admission.ts";
import type { Database, Transaction } from "../platform/database/database.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import type { YieldToCalls } from "../platform/jobs.ts";
import { seal, sealingKey, unseal } from "../platform/secrets/sealed-text.ts";
import { hashSecret } from "../platform/secrets/secrets.ts";
import { addSeconds } from "../platform/time.ts";
import * as store from "./idempotency.store.ts";

/** What identifies a repeat. Only digests are stored: an `Idempotency-Key` and a request may contain anything. */
export interface Repeatable {
  /** Of the `Idempotency-Key`. */
  readonly idempotencyHash: string;
  /** Of operation, query, and body. */
  readonly requestHash: string;
  /** Made of the `Idempotency-Key`. The outcome may contain anything too, so only who repeats the request can read it. */
  readonly outcomeKey: Buffer;
}

/** The first request, as far as a repeat shows it: its ID, what it cost, and the balance after it. */
export interface FirstRequest {
  readonly id: string;
  readonly units: number;
  readonly balance_after: number;
}

/** What the work of a request has decided. */
export type Decided = { readonly result: AnyResult } | { readonly reason: Refusal };

/** What a repeat is answered with. */
export interface Repeat {
  readonly first: FirstRequest;
  readonly decided: Decided;
}

/**
 * Reads a request, and what identifies its repeats. A malformed `Idempotency-Key` is malformed input.
 * @returns no `repeatable` where the request has no key, or cannot be told from another one because its body is not known
 */
export async function readRepeatable<Input>(
  name: OperationName,
  request: IncomingRequest,
  read: (request: IncomingRequest) => Promise<Input>,
): Promise<{ readonly input: Input | Refusal; readonly repeatable: Repeatable | undefined }> {
  const header = operations[name].method === "GET" ? null : request.header("idempotency-key");
  if (header === null) return { input: await read(request), repeatable: undefined };
  if (!isIdempotencyKey(header))
    return { input: errors.idempotencyKeyInvalid(limits.idempotencyKeyLengthMax), repeatable: undefined };
  const hash = createHash("sha256").update(`${name}\n${request.search}\n`);
  let isComplete = true;
  const readBody: IncomingRequest["readBody"] = async (bytesMax) => {
    isComplete = false;
    const body = await request.readBody(bytesMax);
    if (body === "too large") return body;
    hash.update(body);
    isComplete = true;
    return body;
  };
  const input = await read({ ...request, readBody });
  if (!isComplete) return { input, repeatable: undefined };
  const key = withoutQuotes(header);
  const [idempotencyHash, outcomeKey] = [hashSecret(key), sealingKey(key, "outcome")];
  return { input, repeatable: { idempotencyHash, requestHash: hash.digest("hex"), outcomeKey } };
}

const isIdempotencyKey = (text: string): boolean =>
  text.length <= limits.idempotencyKeyLengthMax && /^[!-~]+$/.test(text);

/** The draft of the standard has the key in quotes. A library that follows it may add them to a repeat. */
const withoutQuotes = (text: string): string => /^"(.+)"$/.exec(text)?.[1] ?? text;

/** The repeatable requests that this process works on, by what only one of them can have at a time. */
export class RequestsInProgress {
  readonly #claims = new Set<string>();

  /** Does the work, unless the same request is in progress. */
  async run<Outcome>(claim: string, work: () => Promise<Outcome>): Promise<Outcome | Claimed> {
    if (this.#claims.has(claim)) return claimed;
    this.#claims.add(claim);
    try {
      return await work();
    } finally {
      this.#claims.delete(claim);
    }
  }
}

/** The first request is in progress, here or on another node. */
export interface Claimed {
  readonly kind: "claimed";
}
export const claimed: Claimed = { kind: "claimed" };

const retryAfterSeconds = 1;
export const inProgress = (): Refusal => errors.requestInProgress(retryAfterSeconds);

type Stored = { readonly result: AnyResult; readonly teamIds: readonly string[] | null } | { readonly reason: Reason };
interface Reason {
  readonly kind: RefusalKind;
  readonly code: string;
  readonly message: string;
  readonly details: RefusalDetails;
}

/**
 * What is kept under the `Idempotency-Key`. A refusal where that belongs to another request or is not settled yet, or where the caller can
 * no longer access the teams that the outcome tells of.
 */
export async function findKept(
  transaction: Transaction,
  caller: Caller,
  { idempotencyHash, requestHash, outcomeKey }: Repeatable,
): Promise<Repeat | Refusal | undefined> {
  const row = await store.findKept(
    transaction,
    { workspace_id: caller.workspaceId, key_id: caller.id, idempotency_hash: idempotencyHash },
    addSeconds(transaction.now, -limits.repeatSeconds),
  );
  if (!row) return undefined;
  if (row.request_hash !== requestHash) return errors.idempotencyKeyReused();
  // The first request is in the same transaction, where the ledger is written at the end. It was sent with the key's other secret.
  if (row.units === null || row.balance_after === null) return inProgress();
  const first = { id: row.request_id, units: row.units, balance_after: row.balance_after };
  const stored: Stored = JSON.parse(unseal(row.outcome, outcomeKey));
  if ("result" in stored) {
    if (isGone(caller, stored.teamIds)) return errors.notFound("Team");
    return canAccess(caller, stored.teamIds) ? { first, decided: stored } : errors.teamForbidden();
  }
  const { kind, code, message, details } = stored.reason;
  return { first, decided: { reason: new Refusal(kind, code, message, details) } };
}

/**
 * Whether a team that the outcome tells of was deleted. Null stands for several teams of a key to all: one that was deleted is no reason
 * to hide from the client what became of its request in the others.
 */
const isGone = ({ deletedTeamIds }: Caller, needed: readonly string[] | null): boolean =>
  needed?.some((id) => deletedTeamIds.has(id)) ?? false;

const canAccess = ({ isAllTeams, teamIds }: Caller, needed: readonly string[] | null): boolean =>
  isAllTeams || (needed?.every((id) => teamIds.has(id)) ?? false);

/** Nothing is carried out: a repeat is recorded like the first request, and costs nothing. */
export function settleAgain(
  { first, decided }: Repeat,
  charge: (status: number, units: number, team_id: string | null, reason?: Refusal) => PendingEntry,
) {
  if ("reason" in decided) {
    const { reason } = decided;
    return { kind: "refused", reason, entry: charge(reason.status, 0, null, reason), first } as const;
  }
  const { result } = decided;
  return { kind: "done", result, entry: charge(200, 0, result.teamId ?? null), first } as const;
}

/** Keeps what was decided, in the transaction of the work. What costs nothing is not kept: the request can be sent again. */
export function keep(
  transaction: Transaction,
  caller: Caller,
  { idempotencyHash, requestHash, outcomeKey }: Repeatable,
  requestId: string,
  decided: Decided,
): void {
  if ("reason" in decided && unitsOfRefusal(decided.reason.status, decided.reason.code) === 0) return;
  store.keepOutcome(transaction, {
    workspace_id: caller.workspaceId,
    key_id: caller.id,
    idempotency_hash: idempotencyHash,
    request_hash: requestHash,
    request_id: requestId,
    outcome: seal(JSON.stringify(storedOf(caller, decided)), outcomeKey),
    admitted_at: transaction.now,
  });
}

function storedOf({ isAllTeams, teamIds }: Caller, decided: Decided): Stored {
  if ("result" in decided) {
    const { teamId } = decided.result;
    return { result: decided.result, teamIds: teamId ? [teamId] : isAllTeams ? null : [...teamIds] };
  }
  const { kind, code, message, details } = decided.reason;
  return { reason: { kind, code, message, details } };
}

/** Rows of one transaction. On an engine with one writer, calls wait for it. */
const rowsAtOnce = 200;

/** Deletes what is too old to be sent again. @returns how many outcomes */
export async function deleteOldOutcomes(database: Database, yieldToCalls: YieldToCalls): Promise<number> {
  let rows = 0;
  let portion = rowsAtOnce;
  while (portion === rowsAtOnce && (await yieldToCalls())) {
    portion = await database.transaction((transaction) =>
      store.deleteKeptBefore(transaction, addSeconds(transaction.now, -limits.repeatSeconds), rowsAtOnce),
    );
    rows += portion;
  }
  return rows;
}
