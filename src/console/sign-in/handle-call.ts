// One call of Better Auth, from the request to the response.
import type { IncomingRequest } from "../../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse, unchargedHeaders } from "../../platform/http/respond.ts";
import { type AdmittedCall, admit } from "./admit.ts";
import { type BetterAuthReply, callBetterAuth } from "./call-better-auth.ts";
import type { SignInContext } from "./context.ts";

/** @throws Refusal for a call that does not reach Better Auth */
export async function handleSignInCall(
  context: SignInContext,
  request: IncomingRequest,
  requestId: string,
): Promise<OutgoingResponse> {
  const startedAt = performance.now();
  const call = await admit(context, request);
  const reply = await attemptCall(context, call);
  if (call.row.isGuess && isRefused(reply)) {
    context.log.write("warn", "sign-in refused", {
      requestId,
      client: request.clientAddress,
      path: request.path,
      code: reply.refusal?.code,
    });
    // The duration must not reveal whether the account exists.
    if (call.path === "/sign-in/email") await context.pause(untilNextStep(performance.now() - startedAt));
  } else if (call.account !== undefined && reply.status === 200 && !reply.needsSecondFactor) {
    await context.throttle.forgetFailures(call.account);
  }
  return responseOf(reply, requestId);
}

function attemptCall(context: SignInContext, call: AdmittedCall): Promise<BetterAuthReply> {
  const { row, account, request } = call;
  const attempt = () =>
    row.hashes ? context.hashing.withQueueSlot(() => callBetterAuth(context, call)) : callBetterAuth(context, call);
  // Without an account there is nothing to guess: nobody finds the token of a link, or signs with another's passkey.
  const isCounted = row.isGuess && account !== undefined;
  return isCounted ? context.throttle.attempt(request.clientAddress, account, attempt, isRefused) : attempt();
}

const isRefused = ({ status }: BetterAuthReply): boolean => [400, 401, 403].includes(status);

const stepMilliseconds = 250;

/** Refusals take a whole number of quarters of a second. */
const untilNextStep = (milliseconds: number): number => stepMilliseconds - (milliseconds % stepMilliseconds);

function responseOf(
  { status, body, cookies, location, refusal }: BetterAuthReply,
  requestId: string,
): OutgoingResponse {
  if (refusal) return { ...refusalResponse(refusal, requestId), cookies };
  return {
    status,
    body,
    headers: {
      ...unchargedHeaders(requestId),
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      ...(location !== undefined && { Location: location }),
    },
    cookies,
    units: 0,
  };
}
