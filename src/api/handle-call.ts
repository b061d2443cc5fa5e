// One call through the rooms (decisions, section 6). The work may come in another order than the answers: a small body is parsed
// before the gate has looked at the key, but what is wrong with it is said after.

import { unitsOfRefusal } from "../contract/costs.ts";
import { errors, Refusal } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Operation } from "../contract/operation.ts";
import { type OperationName, operations } from "../contract/operations.ts";
import type { AnyResult, Call, Caller } from "../library/call.ts";
import { handlers } from "../library/handlers.ts";
import type { FailedAuthentications } from "../metering/keys/failed-authentications.ts";
import { admissionOf } from "../metering/keys/keys.store.ts";
import { resetSeconds } from "../metering/keys/rate-limit.ts";
import { isSecret } from "../metering/keys/secret.ts";
import { insertLedgerEntry, isCharged } from "../metering/quota/quota.store.ts";
import { balanceOf, charge, chargeUpTo } from "../metering/quota/quota.ts";
import type { CallObserver } from "../operations/metrics/calls.ts";
import { type Database, DatabaseUnavailable, OutcomeUnknown, type Transaction } from "../platform/database/database.ts";
import { type ParsedInput, parseInput } from "../platform/http/parse-input.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse, success } from "../platform/http/respond.ts";
import { hashSecret } from "../platform/secrets/secrets.ts";
import { type Admitted, admit, bearerToken, type Entrance, type Limited, look, type Replaced } from "./authenticate.ts";
import type { Uploads } from "./uploads.ts";

export interface Rooms {
  readonly database: Database;
  readonly requestsPerMinute: number;
  readonly failedAuthentications: FailedAuthentications;
  readonly uploads: Uploads;
  /** Undefined where nobody asks for figures. */
  readonly metrics: CallObserver | undefined;
  /** Tells of a failure of our own; the caller only learns that there was one. */
  readonly report: (requestId: string, cause: unknown) => void;
}

/** A body beyond this is only read for a key that may call now, and counts as an upload: see uploads.ts. */
const bodyBytesReadUnseen = 64 * 1024;
const retryAfterFailureSeconds = 1;

/** Answers one call of an operation. Never throws: whatever happens becomes an answer. */
export async function dispatch(
  rooms: Rooms,
  name: OperationName,
  incoming: IncomingRequest,
  requestId: string,
): Promise<OutgoingResponse> {
  try {
    return await carryThrough(rooms, name, incoming, requestId);
  } catch (error) {
    if (error instanceof Refusal) return refusalResponse(error, requestId);
    rooms.report(requestId, error);
    return refusalResponse(failureOf(error), requestId);
  }
}

function failureOf(error: unknown): Refusal {
  if (error instanceof OutcomeUnknown) return errors.outcomeUnknown(retryAfterFailureSeconds);
  return error instanceof DatabaseUnavailable ? errors.unavailable(retryAfterFailureSeconds) : errors.internal();
}

async function carryThrough(
  rooms: Rooms,
  name: OperationName,
  incoming: IncomingRequest,
  requestId: string,
): Promise<OutgoingResponse> {
  const operation: Operation = operations[name];
  const { database, requestsPerMinute } = rooms;
  const refuseKey = (error: Refusal): Refusal => {
    const waitSeconds = rooms.failedAuthentications.add(incoming.clientAddress);
    return waitSeconds === undefined ? error : errors.rateLimited(waitSeconds);
  };
  const token = bearerToken(incoming.authorization);
  if (token === undefined) throw refuseKey(errors.authorizationMissing());
  if (!isSecret(token)) throw refuseKey(errors.keyInvalid());
  let entrance: Entrance = { secretHash: hashSecret(token) };

  if (isLarge(operation, incoming)) {
    const [seen, seenBy] = await byEntrance(entrance, (by) =>
      database.read((transaction, row) => look(transaction, row, by, requestsPerMinute), admissionOf(by.secretHash)),
    );
    if (seen.kind === "unknown") throw refuseKey(errors.keyInvalid());
    if (seen.kind === "limited") return rateLimited(seen, requestId);
    entrance = seenBy;
  }
  // Read and parsed before the transaction, which then waits for nobody; what is wrong is said only after the gate.
  const input = await readInput(rooms, operation, incoming, entrance.secretHash);
  let caller: Caller | undefined;
  const [outcome] = await byEntrance(entrance, (by) =>
    database.transaction(
      async (transaction, row) => {
        const admission = await admit(transaction, row, by, requestsPerMinute);
        if (admission.kind !== "admitted") return admission;
        caller = admission.caller;
        return settle(rooms, transaction, admission, name, input, requestId);
      },
      admissionOf(by.secretHash),
      async (transaction) => caller !== undefined && isCharged(transaction, caller, requestId),
    ),
  );
  // Written out after the transaction, which ends sooner for it, and holds no texts twice.
  switch (outcome.kind) {
    case "unknown":
      throw refuseKey(errors.keyInvalid());
    case "limited":
      return rateLimited(outcome, requestId);
    case "refused":
      return refusalResponse(outcome.reason, requestId, outcome.admission, outcome.units);
    case "done":
      return success(operation, outcome.result, outcome.charged, requestId, outcome.admission);
  }
}

/** Asks by the secret that was shown and, where a rotation has replaced it, once more by the one that has followed. */
async function byEntrance<Outcome extends object>(
  entrance: Entrance,
  ask: (by: Entrance) => Promise<Outcome | Replaced>,
): Promise<[Outcome, Entrance]> {
  const outcome = await ask(entrance);
  return isReplaced(outcome) ? byEntrance(outcome.entrance, ask) : [outcome, entrance];
}

const isReplaced = (outcome: object): outcome is Replaced => "kind" in outcome && outcome.kind === "replaced";

const isLarge = (operation: Operation, incoming: IncomingRequest): boolean =>
  operation.body !== undefined && (incoming.bodyBytes ?? Number.POSITIVE_INFINITY) > bodyBytesReadUnseen;

/** The typed input of a call, or what is wrong with it. @throws Refusal 503 when too many large bodies are being read */
async function readInput(
  rooms: Rooms,
  operation: Operation,
  incoming: IncomingRequest,
  secretHash: string,
): Promise<ParsedInput | Refusal> {
  const bytes = Math.min(incoming.bodyBytes ?? limits.requestBodyBytesMax, limits.requestBodyBytesMax);
  const end = isLarge(operation, incoming) ? rooms.uploads.begin(secretHash, bytes) : () => undefined;
  if (!end) throw errors.busy(retryAfterFailureSeconds);
  try {
    const body = operation.body ? await incoming.readBody() : new Uint8Array();
    return parseInput(operation, incoming.search, body);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  } finally {
    end();
  }
}

const rateLimited = (limited: Limited, requestId: string): OutgoingResponse =>
  refusalResponse(errors.rateLimited(resetSeconds(limited.window, limited.now)), requestId, limited);

/** What became of an admitted call. */
type Settled =
  | { kind: "done"; admission: Admitted; result: AnyResult; charged: { units: number; balance: number } }
  | { kind: "refused"; admission: Admitted; reason: Refusal; units: number };

/** Carries out an admitted call and writes its row in the ledger, all in the call's transaction. */
async function settle(
  rooms: Rooms,
  transaction: Transaction,
  admission: Admitted,
  name: OperationName,
  input: ParsedInput | Refusal,
  requestId: string,
): Promise<Settled> {
  const { caller } = admission;
  const record = (status: number, units: number, balance_after: number, team_id: string | null) =>
    insertLedgerEntry(transaction, {
      id: requestId,
      workspace_id: caller.workspaceId,
      key_id: caller.id,
      key_call: admission.keyCall,
      operation: name,
      status,
      units,
      balance_after,
      team_id,
    });
  try {
    return await transaction.savepoint(async () => {
      if (!admission.isSubscriptionActive) throw errors.subscriptionInactive();
      if (input instanceof Refusal) throw input;
      const { result, units, balance } = await carryOut(name, { transaction, caller }, input);
      if (balance === undefined) throw errors.quotaExceeded(units, await balanceOf(transaction, caller.workspaceId));
      record(200, units, balance, result.teamId ?? null);
      return { kind: "done", admission, result, charged: { units, balance } } as const;
    });
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const isRefusal = error instanceof Refusal && error.status < 500;
    if (!isRefusal) rooms.report(requestId, error);
    const reason = isRefusal ? error : errors.internal();
    // The balance that a refusal tells is the one in its row: read again, it could be that of a call which came between.
    const told = reason.details.remainingRequests;
    const paid =
      told === undefined
        ? await chargeUpTo(transaction, caller.workspaceId, unitsOfRefusal(reason.status, reason.code))
        : { units: 0, balance: told };
    record(reason.status, paid.units, paid.balance, null);
    return { kind: "refused", admission, reason, units: paid.units };
  }
}

/** Does the work and draws its cost: both in one round trip where a read has a price that is known beforehand. */
async function carryOut(name: OperationName, call: Call, input: ParsedInput) {
  const { method, cost } = operations[name];
  const draw = (units: number) => charge(call.transaction, call.caller.workspaceId, units);
  const work = callHandler(name, call, input);
  if (method === "GET" && !cost.isDeductedShown) {
    const [result, balance] = await Promise.all([work, draw(cost.units(1))]);
    return { result, units: cost.units(1), balance };
  }
  const result = await work;
  const units = cost.units(result.items ?? 1);
  return { result, units, balance: await draw(units) };
}

/** The input was parsed by the shapes of this very row, which are what the handler's type is made of. */
const callHandler = (name: OperationName, call: Call, input: ParsedInput): Promise<AnyResult> =>
  (handlers[name] as (call: Call, input: ParsedInput) => Promise<AnyResult>)(call, input);
