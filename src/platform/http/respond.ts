// The envelope and the headers: a result or a refusal → the HTTP answer (interface, Response envelope and Errors).

import type { ErrorBody } from "../../contract/envelope.ts";
import type { Refusal } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import type { Operation } from "../../contract/operation.ts";
import { apiVersion } from "../../contract/operations.ts";
import type { AnyResult, Caller } from "../../library/call.ts";
import { type RateWindow, resetSeconds } from "../../metering/keys/rate-limit.ts";

/** What goes out, with what log and metrics want to know of it. */
export interface OutgoingResponse {
  readonly status: number;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly headers: Record<string, string>;
  /** Values of `Set-Cookie`, of which there may be several. */
  readonly cookies?: readonly string[];
  /** Units really charged. */
  readonly units: number;
  /** The stable code, where it is a refusal. */
  readonly code?: string;
  readonly caller?: Caller;
}

/** What is known of a call with a valid key. */
interface Known {
  readonly window: RateWindow;
  readonly now: string;
  readonly caller?: Caller;
}

/** What every reply says, of one that costs nothing. */
export const unchargedHeaders = (requestId: string): Record<string, string> => ({
  "X-Request-Id": requestId,
  "X-Request-Cost": "0",
  "X-API-Version": apiVersion,
});

export function success(
  operation: Operation,
  { data, metadata, pagination }: AnyResult,
  charged: { units: number; balance: number },
  requestId: string,
  known: Known,
): OutgoingResponse {
  const usage = {
    remainingRequests: charged.balance,
    ...(operation.cost.isDeductedShown && { usageDeducted: charged.units }),
  };
  return answer(200, { success: true, data, usage, metadata, pagination }, requestId, charged.units, known);
}

/** @param units what the call was charged although it was refused */
export function refusalResponse(error: Refusal, requestId: string, known?: Known, units = 0): OutgoingResponse {
  const { retryAfterSeconds, requiredRequests, remainingRequests, allow } = error.details;
  const body: ErrorBody = {
    success: false,
    message: error.message,
    error: error.code,
    requestId,
    ...(requiredRequests !== undefined &&
      remainingRequests !== undefined && { usage: { remainingRequests, requiredRequests } }),
  };
  const refused = answer(error.status, body, requestId, units, known);
  if (retryAfterSeconds !== undefined) refused.headers["Retry-After"] = String(retryAfterSeconds);
  if (allow !== undefined) refused.headers.Allow = allow;
  if (error.status === 401) refused.headers["WWW-Authenticate"] = "Bearer";
  return { ...refused, code: error.code };
}

function answer(status: number, body: object, requestId: string, units: number, known?: Known): OutgoingResponse {
  const headers: Record<string, string> = {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Request-Id": requestId,
    "X-Request-Cost": String(units),
    "X-API-Version": apiVersion,
  };
  if (known) Object.assign(headers, rateHeaders(known.window, known.now));
  return { status, body: JSON.stringify(body), headers, units, ...(known?.caller && { caller: known.caller }) };
}

/** The IETF draft's `RateLimit` fields, and the older ones that many clients read. */
function rateHeaders(window: RateWindow, now: string): Record<string, string> {
  const remaining = Math.max(0, window.limit - window.used);
  const seconds = resetSeconds(window, now);
  return {
    "RateLimit-Policy": `"default";q=${window.limit};w=${limits.rateWindowSeconds}`,
    RateLimit: `"default";r=${remaining};t=${seconds}`,
    "X-RateLimit-Limit": String(window.limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(Math.ceil(Date.parse(now) / 1_000) + seconds),
  };
}
