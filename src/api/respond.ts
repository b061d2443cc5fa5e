// The response to a call with a valid key: the envelope, what the call cost, and the state of the key's rate limit.
import { errors } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Operation } from "../contract/operation.ts";
import type { AnyResult } from "../library/call.ts";
import { expiryToAnnounce } from "../metering/keys/key-limits.ts";
import { type RateWindow, resetSeconds } from "../metering/keys/rate-limit.ts";
import type { ResponseRoom } from "../platform/http/downloads.ts";
import {
  jsonResponse,
  largeJsonResponse,
  type OutgoingResponse,
  refusalResponse,
  unchargedHeaders,
} from "../platform/http/respond.ts";
import type { Admitted, Limited } from "./authenticate.ts";
import type { Settled } from "./charge-call.ts";
import { fileOf, fileResponse } from "./file.ts";
import { textResponse } from "./text.ts";

type Done = Extract<Settled, { kind: "done" }>;
type Refused = Extract<Settled, { kind: "refused" }>;

export function successResponse(
  { cost, isText, isFile }: Operation,
  { result, entry, admission, first }: Done,
  requestId: string,
  room: ResponseRoom,
): OutgoingResponse {
  const { data, metadata, pagination } = result;
  const { id, units, balance_after } = first ?? entry;
  if (isText) return withRateLimit(textResponse(textOf(result), entry, requestId, room), admission);
  if (isFile) return withRateLimit(fileResponse(fileOf(result), entry, requestId, room), admission);
  const usage = { remainingRequests: balance_after, ...(cost.dependsOnItems && { usageDeducted: units }) };
  const body = { success: true, data, usage, metadata, pagination };
  const response = room.isReserved
    ? largeJsonResponse(body, id, units, () => room.release())
    : jsonResponse(200, body, id, units);
  return withRateLimit(first ? replayed(response, requestId) : response, admission);
}

/** The text of a rule that returns one, which its row promises. */
const textOf = ({ data, version = "" }: AnyResult) => ({ text: String(data), version });

export function refusedCallResponse({ reason, entry, admission, first }: Refused, requestId: string): OutgoingResponse {
  const { id, units } = first ?? entry;
  const response = refusalResponse(reason, id, units);
  return withRateLimit(first ? replayed(response, requestId) : response, admission);
}

/** The status and body of the first request. The headers tell of this one. */
function replayed(response: OutgoingResponse, requestId: string): OutgoingResponse {
  const headers = { ...response.headers, ...unchargedHeaders(requestId), "Idempotency-Replayed": "true" };
  return { ...response, headers, units: 0 };
}

export const limitedResponse = (limited: Limited, requestId: string): OutgoingResponse =>
  withRateLimit(
    refusalResponse(limitedBy(limited.refused)(resetSeconds(limited.window, limited.now)), requestId),
    limited,
  );

const limitedBy = ({ reason }: Limited["refused"]) =>
  reason === "key_rate_limit" ? errors.keyRateLimited : errors.rateLimited;

function withRateLimit(response: OutgoingResponse, admission: Admitted | Limited): OutgoingResponse {
  setRateLimitHeaders(response.headers, admission.window, admission.now);
  const expiresAt = expiryToAnnounce(admission.caller.limits, admission.now);
  if (expiresAt !== undefined) response.headers["X-Key-Expires-At"] = expiresAt;
  return admission.kind === "admitted" ? { ...response, caller: admission.caller } : response;
}

/** The `RateLimit` fields of the IETF draft, and the older ones that many clients read. */
function setRateLimitHeaders(headers: Record<string, string>, window: RateWindow, now: string): void {
  const remaining = Math.max(0, window.limit - window.used);
  const seconds = resetSeconds(window, now);
  headers["RateLimit-Policy"] = `"default";q=${window.limit};w=${limits.rateWindowSeconds}`;
  headers.RateLimit = `"default";r=${remaining};t=${seconds}`;
  headers["X-RateLimit-Limit"] = String(window.limit);
  headers["X-RateLimit-Remaining"] = String(remaining);
  headers["X-RateLimit-Reset"] = String(Math.ceil(Date.parse(now) / 1_000) + seconds);
}
