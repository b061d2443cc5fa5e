// One call of an operation, from the request to the response.
import { errors, Refusal } from "../contract/errors.ts";
import { type OperationName, operations } from "../contract/operations.ts";
import { exportWaitSeconds } from "../library/export/export-files.ts";
import { forbiddenStatus, refusalOf } from "../metering/usage/refusals.ts";
import { isInPieces } from "../platform/http/body-in-pieces.ts";
import { compressed } from "../platform/http/content-coding.ts";
import { ResponseRoom } from "../platform/http/downloads.ts";
import { toRefusal } from "../platform/http/failure.ts";
import { ClientLeft, type IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse } from "../platform/http/respond.ts";
import { type Barred, followingRotation, presentedKey } from "./authenticate.ts";
import { ChangeWaits } from "./change-waits.ts";
import { callerOf, type Settled } from "./charge-call.ts";
import type { ApiDependencies } from "./dependencies.ts";
import { inProgress, readRepeatable } from "./idempotency.ts";
import { isRefused, LargeBody, readCallInput } from "./read-input.ts";
import { limitedResponse, refusedCallResponse, successResponse } from "./respond.ts";

type Refused = Extract<Settled, { kind: "refused" }>;

/** Whatever happens becomes a response. @throws ClientLeft where nobody is left to receive it */
export async function handleCall(
  api: ApiDependencies,
  name: OperationName,
  request: IncomingRequest,
  requestId: string,
): Promise<OutgoingResponse> {
  const room = new ResponseRoom(api.downloads);
  const response = await answerCall(api, name, request, requestId, room);
  // A large response keeps it until it was sent.
  if (!isInPieces(response.body)) room.release();
  return response;
}

async function answerCall(
  api: ApiDependencies,
  name: OperationName,
  request: IncomingRequest,
  requestId: string,
  room: ResponseRoom,
): Promise<OutgoingResponse> {
  const large = new LargeBody();
  try {
    const key = presentedKey(request.authorization, request.clientAddress);
    const { clientAddress } = request;
    const ifNoneMatch = request.header("if-none-match");
    const { input, repeatable } = await readRepeatable(name, request, (read) =>
      readCallInput(api, operations[name], read, key, large),
    );
    const bodyBytes = large.bytes;
    if (!isRefused(input) && !(input instanceof Refusal) && ChangeWaits.mayWait(name, input)) {
      const checked = await followingRotation(key, (current) => api.calls.check(current));
      if (checked.kind === "open") await api.changeWaits.wait(callerOf(checked.account), input, request.pause);
    }
    const origin = { requestId, clientAddress, receivedAt: request.receivedAt };
    if (operations[name].isFile) request.keepWaiting?.(exportWaitSeconds);
    const outcome = isRefused(input)
      ? input
      : await followingRotation(key, (current) =>
          api.calls.run(current, { name, input, ifNoneMatch, bodyBytes, repeatable, origin, room }),
        );
    // Serialized after the transaction, so that the transaction ends sooner.
    switch (outcome.kind) {
      case "unknown":
        if (outcome.refused) api.refusedRequests.count(outcome.refused, clientAddress);
        throw errors.keyInvalid();
      case "barred":
        api.refusedRequests.count(outcome.refused, clientAddress);
        return barredResponse(api, request, requestId, outcome);
      case "limited":
        api.refusedRequests.count(outcome.refused, clientAddress);
        return limitedResponse(outcome, requestId);
      case "claimed":
        throw inProgress();
      case "refused":
        noteForbidden(api, outcome, clientAddress);
        return refusedCallResponse(outcome, requestId);
      case "done":
        if (operations[name].method !== "GET" && !outcome.first)
          api.changes.notice(outcome.admission.caller.workspaceId);
        return await compressed(successResponse(operations[name], outcome, requestId, room), request);
    }
  } catch (error) {
    if (error instanceof ClientLeft) throw error;
    return refuseCall(api, request, requestId, error);
  } finally {
    large.end();
  }
}

/** Counts a request that the key was not allowed to make, for alerts. */
function noteForbidden(
  { refusedRequests }: ApiDependencies,
  { reason, admission }: Refused,
  clientAddress: string,
): void {
  if (reason.status !== forbiddenStatus) return;
  const { id: keyId, workspaceId } = admission.caller;
  refusedRequests.count({ workspaceId, keyId, reason: "forbidden", at: admission.now }, clientAddress);
}

/** The key is known, so the log names it. */
export function barredResponse(
  api: ApiDependencies,
  request: IncomingRequest,
  requestId: string,
  { refused: { workspaceId, keyId, reason } }: Barred,
): OutgoingResponse {
  const response = refuseCall(api, request, requestId, refusalOf(reason).refusal);
  return { ...response, caller: { id: keyId, workspaceId } };
}

/** A failed authentication counts against the client's address, which has to wait after too many (decisions, Rate limit). */
export function refuseCall(
  { failedAuthentications, report }: ApiDependencies,
  { clientAddress }: IncomingRequest,
  requestId: string,
  error: unknown,
): OutgoingResponse {
  const refusal = toRefusal(error, requestId, report);
  const waitSeconds = refusal.kind === "unauthenticated" ? failedAuthentications.add(clientAddress) : undefined;
  return refusalResponse(waitSeconds === undefined ? refusal : errors.rateLimited(waitSeconds), requestId);
}
