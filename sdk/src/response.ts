// Turns a response into the envelope that the caller awaits, or the error to throw.
import {
  AuthenticationError,
  CommonplaceError,
  ConflictError,
  type Failure,
  ForbiddenError,
  InsufficientScopeError,
  InvalidRequestError,
  KeyBudgetExceededError,
  KeyExpiredError,
  NetworkNotAllowedError,
  NotFoundError,
  QuotaExceededError,
  RateLimitError,
  ServiceError,
} from "./errors.ts";
import { isPlain, type RawResponse, textOf } from "./exchange.ts";
import { type Operation, type ResponseInfo, readResponseInfo } from "./operation.ts";
import type { ImportIssue } from "./operations.generated.ts";

/** An error carries at most this much of a text that is not JSON. */
const bodyTextLengthMax = 500;

/**
 * @param apiKey removed from errors, since a proxy's page may repeat the request
 * @returns the envelope with its `response`, or the error to throw
 */
export function readResponse(operation: Operation, raw: RawResponse, apiKey: string): object | CommonplaceError {
  const info = readResponseInfo(raw.headers);
  if (operation.isText && isPlain(raw)) return readText(raw, info);
  if (operation.isFile && isPlain(raw)) return readFile(raw, info);
  const text = textOf(raw);
  const body = parseJson(text);
  if (isObject(body)) {
    const isSuccess = raw.status >= 200 && raw.status < 300;
    if (isSuccess && body.success === true) return Object.defineProperty(body, "response", { value: info });
    const message = asText(body.message);
    if (!isSuccess && body.success === false && message !== undefined) return toError(raw, message, body, info);
  }
  return toUnexpectedError(operation, raw, text.replaceAll(apiKey, "[API key]"), info);
}

function readText(raw: RawResponse, response: ResponseInfo): object | CommonplaceError {
  const { status, headers } = raw;
  const { requestId } = response;
  if (status === 304)
    return new CommonplaceError({ message: "The text is the same", status, code: "not_modified", requestId, response });
  const usage = { remainingRequests: Number(headers.get("X-Remaining-Requests")) };
  return Object.defineProperty({ success: true, data: textOf(raw), usage }, "response", { value: response });
}

function readFile({ headers, bytes }: RawResponse, response: ResponseInfo): object {
  const usage = { remainingRequests: Number(headers.get("X-Remaining-Requests")), usageDeducted: response.cost };
  const name = /filename="([^"]+)"/.exec(headers.get("Content-Disposition") ?? "")?.[1] ?? "export";
  const codeCount = Number(headers.get("X-Export-Code-Count") ?? 0);
  return Object.defineProperty(
    { success: true, data: { name, bytes, warnings: readWarnings(headers), codeCount }, usage },
    "response",
    { value: response },
  );
}

/** None from a service that does not send them. */
function readWarnings(headers: Headers): readonly string[] {
  const warnings = parseJson(headers.get("X-Export-Warnings") ?? "[]");
  return Array.isArray(warnings) ? warnings.map(String) : [];
}

/** An error of the service itself. */
function toError(
  { status, headers }: RawResponse,
  message: string,
  body: Record<string, unknown>,
  info: ResponseInfo,
): CommonplaceError {
  const code = asText(body.error) ?? `status_${status}`;
  const requestId = asText(body.requestId) ?? info.requestId;
  const failure: Failure = { message, status, code, requestId, body, response: info };
  if (status === 401) return new (code === "api_key_expired" ? KeyExpiredError : AuthenticationError)(failure);
  if (code === "quota_exceeded" || code === "api_key_budget_exceeded") {
    const usage = isObject(body.usage) ? body.usage : {};
    const ShortageError = code === "quota_exceeded" ? QuotaExceededError : KeyBudgetExceededError;
    return new ShortageError(failure, asNumber(usage.requiredRequests), asNumber(usage.remainingRequests));
  }
  if (status === 403) return new (forbiddenErrors[code] ?? ForbiddenError)(failure);
  // An unknown path means a wrong base URL, and must not be mistaken for a deleted snippet.
  if (status === 404 && code !== "not_found") return new NotFoundError(failure);
  // The service sends them as its table of operations says.
  if (status === 400)
    return new InvalidRequestError(failure, Array.isArray(body.problems) ? (body.problems as ImportIssue[]) : []);
  if (status === 409) {
    const teamIds = Array.isArray(body.teamIds) ? body.teamIds.map(String) : [];
    return new ConflictError(failure, teamIds, readRetryAfter(headers));
  }
  return errorOfStatus(status, headers, failure);
}

const forbiddenErrors: Readonly<Record<string, typeof ForbiddenError>> = {
  insufficient_scope: InsufficientScopeError,
  network_not_allowed: NetworkNotAllowedError,
};

/** A proxy responded instead of the service, or the base URL is wrong. */
function toUnexpectedError(operation: Operation, raw: RawResponse, text: string, info: ResponseInfo): CommonplaceError {
  const { status, headers } = raw;
  const type = headers.get("Content-Type")?.split(";")[0] ?? "no content type";
  const message = `${operation.method} ${operation.path}: the response (status ${status}, ${type}) does not come from the service. Check baseUrl and any proxy in between`;
  const body = text.slice(0, bodyTextLengthMax);
  const code = "unexpected_answer";
  return errorOfStatus(status, headers, { message, status, code, requestId: info.requestId, body, response: info });
}

/** Statuses with the same meaning from any sender. */
function errorOfStatus(status: number, headers: Headers, failure: Failure): CommonplaceError {
  if (status === 413 || status === 422) return new InvalidRequestError(failure);
  if (status === 429) return new RateLimitError(failure, readRetryAfter(headers));
  if (status >= 500) return new ServiceError(failure, readRetryAfter(headers));
  return new CommonplaceError(failure);
}

/** Whole seconds, at least 1; a proxy may send a date instead. */
function readRetryAfter(headers: Headers): number | undefined {
  const value = headers.get("Retry-After")?.trim() ?? "";
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1_000);
  return Number.isNaN(seconds) ? undefined : Math.max(1, seconds);
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const asText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const asNumber = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
