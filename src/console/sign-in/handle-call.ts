// One call of Better Auth, from the request to the response.
import { Refusal } from "../../contract/errors.ts";
import type { IncomingRequest } from "../../platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse, unchargedHeaders } from "../../platform/http/respond.ts";
import { type AdmittedCall, admit } from "./admit.ts";
import { type BetterAuthReply, callBetterAuth } from "./call-better-auth.ts";
import type { SignInContext } from "./context.ts";
import { isSignIn, recordRefusal } from "./evidence.ts";

/** @throws Refusal for a call that does not reach Better Auth */
export async function handleSignInCall(
  context: SignInContext,
  request: IncomingRequest,
  requestId: string,
): Promise<OutgoingResponse> {
  const startedAt = performance.now();
  const call = await admit(context, request);
  const reply = await attemptCall(context, call).catch(async (error: unknown) => {
    // Too many attempts are refused before they are tried.
    const isRefusal = error instanceof Refusal && error.kind !== "unavailable";
    if (call.row.isGuess && isRefusal) await recordRefusal(context, call, error.code, requestId);
    throw error;
  });
  if (isRefusedSignIn(call, reply)) {
    await recordRefusal(context, call, reply.refusal?.code, requestId);
    // The duration must not reveal whether the account exists.
    if (call.path === "/sign-in/email") await context.pause(untilNextStep(performance.now() - startedAt));
  } else if (reply.status < 400 && !reply.needsSecondFactor) {
    if (isSignIn(call)) context.signIns?.signedIn();
    if (call.account !== undefined && reply.status === 200) await context.throttle.forgetFailures(call.account);
  }
  const personId = call.opened.personId ?? call.personId;
  return { ...responseOf(reply, requestId), ...(personId !== undefined && { personId }) };
}

/** The provider's refusals end on our page, which explains them. */
const isRefusedSignIn = ({ path, row }: AdmittedCall, reply: BetterAuthReply): boolean =>
  row.isGuess
    ? isRefused(reply) && !isAboutNewPassword(reply)
    : path === "/callback/oidc" && /[?&]error=/.test(reply.location ?? "");

const isAboutNewPassword = ({ refusal }: BetterAuthReply): boolean =>
  refusal?.code.startsWith("password_too_") ?? false;

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
