// The transaction of a call: admission, work, charge and ledger row become durable together, or nothing does.
import { unitsOfRefusal } from "../contract/costs.ts";
import { errors, Refusal } from "../contract/errors.ts";
import { type OperationName, operations } from "../contract/operations.ts";
import type { AnyResult, Call, Caller } from "../library/call.ts";
import { handlers } from "../library/handlers.ts";
import { admissionOf } from "../metering/keys/keys.store.ts";
import { insertLedgerEntry, isCharged } from "../metering/quota/quota.store.ts";
import { charge, chargeUpTo, openMonth } from "../metering/quota/quota.ts";
import { DatabaseUnavailable, type Transaction } from "../platform/database/database.ts";
import type { ReportFailure } from "../platform/http/failure.ts";
import type { ParsedInput } from "../platform/http/parse-input.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { redactSecrets } from "../platform/secrets/secrets.ts";
import { type Admission, type Admitted, admit, type PresentedKey } from "./authenticate.ts";
import type { ApiDependencies } from "./dependencies.ts";
import type { ReadInput } from "./read-input.ts";

/** The outcome of an admitted call. */
export type Settled =
  | {
      readonly kind: "done";
      readonly admission: Admitted;
      readonly result: AnyResult;
      readonly units: number;
      readonly balance: number;
    }
  | { readonly kind: "refused"; readonly admission: Admitted; readonly reason: Refusal; readonly units: number };

/** What the ledger records of a request besides its work. */
export type RequestOrigin = Pick<IncomingRequest, "clientAddress" | "receivedAt"> & { readonly requestId: string };

/** Runs a call in its transaction. When the response to a commit is lost, the ledger shows whether it took place. */
export function runCall(
  { database, requestsPerMinute, report }: ApiDependencies,
  key: PresentedKey,
  name: OperationName,
  input: ReadInput,
  origin: RequestOrigin,
): Promise<Exclude<Admission, Admitted> | Settled> {
  let caller: Caller | undefined;
  return database.transaction(
    async (transaction, row) => {
      const admission = await admit(transaction, row, key, requestsPerMinute);
      if (admission.kind !== "admitted") return admission;
      caller = admission.caller;
      return settle(transaction, admission, name, input, origin, report);
    },
    admissionOf(key.secretHash),
    async (transaction) => caller !== undefined && isCharged(transaction, caller, origin.requestId),
  );
}

/** Carries out an admitted call, charges it and writes its ledger row. A refused call keeps its row and nothing else. */
async function settle(
  transaction: Transaction,
  admission: Admitted,
  name: OperationName,
  input: ReadInput,
  { requestId, clientAddress, receivedAt }: RequestOrigin,
  report: ReportFailure,
): Promise<Settled> {
  const { caller } = admission;
  const record = (units: number, balance_after: number, team_id: string | null, reason?: Refusal) =>
    insertLedgerEntry(transaction, {
      id: requestId,
      workspace_id: caller.workspaceId,
      key_id: caller.id,
      key_call: admission.keyCall,
      operation: name,
      status: reason?.status ?? 200,
      units,
      balance_after,
      team_id,
      error_code: reason?.code ?? null,
      error_message: reason ? recordable(reason.message) : null,
      duration_microseconds: Math.round((performance.now() - receivedAt) * 1_000),
      client_address: clientAddress,
    });
  try {
    return await transaction.savepoint(async () => {
      if (!admission.isSubscriptionActive) throw errors.subscriptionInactive();
      if (input instanceof Refusal) throw input;
      const { result, units, balance } = await workAndCharge(name, { transaction, caller }, input);
      if (balance === undefined) throw errors.quotaExceeded(units, await openMonth(transaction, caller.workspaceId));
      record(units, balance, result.teamId ?? null);
      return { kind: "done", admission, result, units, balance } as const;
    });
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    const isOurs = !(error instanceof Refusal) || error.status >= 500;
    if (isOurs) report(requestId, error);
    const reason = isOurs ? errors.internal() : error;
    // A quota refusal names the balance of its ledger row: read again, another call could have changed it.
    const { remainingRequests } = reason.details;
    const charged =
      remainingRequests === undefined
        ? await chargeUpTo(transaction, caller.workspaceId, unitsOfRefusal(reason.status, reason.code))
        : { units: 0, balance: remainingRequests };
    record(charged.units, charged.balance, null, reason);
    return { kind: "refused", admission, reason, units: charged.units };
  }
}

const recordedMessageLengthMax = 300;

/**
 * A message as the ledger records it. It may repeat the name of a field as the client sent it: of any length, and with characters that a
 * database does not store.
 */
const recordable = (message: string): string =>
  // Redacted before it is cut: half a key would not be recognized.
  redactSecrets(message)
    .slice(0, recordedMessageLengthMax)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "\ufffd");

/** A read whose price is known beforehand is charged in the same round trip. @returns no balance when it was too low */
async function workAndCharge(name: OperationName, call: Call, input: ParsedInput) {
  const { method, cost } = operations[name];
  const chargeUnits = (units: number) => charge(call.transaction, call.caller.workspaceId, units);
  const work = callHandler(name, call, input);
  if (method === "GET" && !cost.dependsOnItems) {
    const [result, balance] = await Promise.all([work, chargeUnits(cost.units(1))]);
    return { result, units: cost.units(1), balance };
  }
  const result = await work;
  const units = cost.units(result.items ?? 1);
  return { result, units, balance: await chargeUnits(units) };
}

/** The input was parsed by the schemas of this row, which the handler's type is made of. */
const callHandler = (name: OperationName, call: Call, input: ParsedInput): Promise<AnyResult> =>
  (handlers[name] as (call: Call, input: ParsedInput) => Promise<AnyResult>)(call, input);
