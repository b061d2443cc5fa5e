// One call through the rooms, in order (decisions, section 6): door, gate, parse, rule, rows, till.

import type { AnyResult, Call } from "../call.ts";
import { unitsOfRefusal } from "../contract/costs.ts";
import { ApiError, errors } from "../contract/errors.ts";
import type { Operation } from "../contract/operation.ts";
import { type OperationName, operations } from "../contract/operations.ts";
import { type Database, DatabaseUnavailable, type Transaction } from "../database/database.ts";
import { handlers } from "../handlers.ts";
import type { FailedAuthentications } from "../keys/failed-authentications.ts";
import { isActiveKey } from "../keys/keys.store.ts";
import { resetSeconds } from "../keys/rate-limit.ts";
import { hashOf, isSecret } from "../keys/secret.ts";
import { insertLedgerEntry } from "../quota/quota.store.ts";
import { balanceOf, charge, chargeUpTo } from "../quota/quota.ts";
import type { Incoming } from "./door.ts";
import { type Admitted, admit, bearerToken } from "./gate.ts";
import { type ParsedInput, parseInput } from "./parse.ts";
import { type Answer, refusal, success } from "./reply.ts";

export interface Rooms {
  readonly database: Database;
  readonly requestsPerMinute: number;
  readonly failedAuthentications: FailedAuthentications;
  /** Tells of a failure of our own; the caller only learns that there was one. */
  readonly report: (requestId: string, cause: unknown) => void;
}

/** A body beyond this is only read for a key that exists, so that strangers can not fill the memory. */
const bodyBytesReadUnseen = 64 * 1024;
const retryAfterFailureSeconds = 1;

/** Answers one call of an operation. Never throws: whatever happens becomes an answer. */
export async function dispatch(
  rooms: Rooms,
  name: OperationName,
  incoming: Incoming,
  requestId: string,
): Promise<Answer> {
  try {
    return await carryThrough(rooms, name, incoming, requestId);
  } catch (error) {
    if (error instanceof ApiError) return refusal(error, requestId);
    rooms.report(requestId, error);
    const isDatabase = error instanceof DatabaseUnavailable;
    return refusal(isDatabase ? errors.unavailable(retryAfterFailureSeconds) : errors.internal(), requestId);
  }
}

async function carryThrough(rooms: Rooms, name: OperationName, incoming: Incoming, requestId: string): Promise<Answer> {
  const operation: Operation = operations[name];
  const refuseKey = (error: ApiError): ApiError => {
    const waitSeconds = rooms.failedAuthentications.add(incoming.clientAddress);
    return waitSeconds === undefined ? error : errors.rateLimited(waitSeconds);
  };
  const token = bearerToken(incoming.authorization);
  if (token === undefined) throw refuseKey(errors.authorizationMissing());
  if (!isSecret(token)) throw refuseKey(errors.keyInvalid());
  const secretHash = hashOf(token);

  const hasBody = operation.body !== undefined;
  if (hasBody && (incoming.bodyBytes ?? Number.POSITIVE_INFINITY) > bodyBytesReadUnseen) {
    const isKnown = await rooms.database.transaction((transaction) => isActiveKey(transaction, secretHash));
    if (!isKnown) throw refuseKey(errors.keyInvalid());
  }
  // Parsed before the transaction, which then waits for nobody; what is wrong is said only after the gate.
  const body = hasBody ? await incoming.readBody() : new Uint8Array();
  const input = attempt(() => parseInput(operation, incoming.search, body));

  const answer = await rooms.database.transaction(async (transaction): Promise<Answer | undefined> => {
    const admission = await admit(transaction, secretHash, rooms.requestsPerMinute);
    if (admission.kind === "unknown") return undefined;
    if (admission.kind === "limited") return rateLimited(admission, requestId);
    return settle(rooms, transaction, admission, name, input, requestId);
  });
  if (!answer) throw refuseKey(errors.keyInvalid());
  return answer;
}

const rateLimited = (admission: { window: Admitted["window"]; now: string }, requestId: string): Answer =>
  refusal(errors.rateLimited(resetSeconds(admission.window, admission.now)), requestId, admission);

/** Carries out an admitted call and writes its row in the ledger, all in the call's transaction. */
async function settle(
  rooms: Rooms,
  transaction: Transaction,
  admission: Admitted,
  name: OperationName,
  input: ParsedInput | ApiError,
  requestId: string,
): Promise<Answer> {
  const { caller } = admission;
  const operation: Operation = operations[name];
  const record = (status: number, units: number, balance_after: number) =>
    insertLedgerEntry(transaction, {
      id: requestId,
      workspace_id: caller.workspaceId,
      key_id: caller.id,
      key_call: admission.keyCall,
      operation: name,
      status,
      units,
      balance_after,
    });
  try {
    return await transaction.savepoint(async () => {
      if (!admission.isSubscriptionActive) throw errors.subscriptionInactive();
      if (input instanceof ApiError) throw input;
      const result = await callHandler(name, { transaction, caller }, input);
      const units = operation.cost.units(result.items ?? 1);
      const balance = await charge(transaction, caller.workspaceId, units);
      if (balance === undefined) throw errors.quotaExceeded(units, await balanceOf(transaction, caller.workspaceId));
      await record(200, units, balance);
      return success(operation, result, { units, balance }, requestId, admission);
    });
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const isRefusal = error instanceof ApiError && error.status < 500;
    if (!isRefusal) rooms.report(requestId, error);
    const reason = isRefusal ? error : errors.internal();
    const paid = await chargeUpTo(transaction, caller.workspaceId, unitsOfRefusal(reason.status, reason.code));
    await record(reason.status, paid.units, paid.balance);
    return refusal(reason, requestId, admission, paid.units);
  }
}

/** The input was parsed by the shapes of this very row, which are what the handler's type is made of. */
const callHandler = (name: OperationName, call: Call, input: ParsedInput): Promise<AnyResult> =>
  (handlers[name] as (call: Call, input: ParsedInput) => Promise<AnyResult>)(call, input);

function attempt(parse: () => ParsedInput): ParsedInput | ApiError {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
