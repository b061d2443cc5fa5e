// The way in: an answer → the envelope that the caller awaits, or the error to throw.
import {
  AuthenticationError,
  CommonplaceError,
  type Failure,
  ForbiddenError,
  InvalidRequestError,
  NotFoundError,
  QuotaExceededError,
  RateLimitError,
  ServiceError,
} from "./errors.ts";
import type { RawAnswer } from "./exchange.ts";
import { type CallInfo, type Operation, readCallInfo } from "./operation.ts";

/** How much of a text that is not JSON an error carries. */
const bodyTextLengthMax = 500;

/**
 * @param apiKey what no error may show, even where a proxy's page repeats the request
 * @returns the envelope with its `response`, or the error that the answer stands for
 */
export function readAnswer(operation: Operation, answer: RawAnswer, apiKey: string): object | CommonplaceError {
  const response = readCallInfo(answer.headers);
  const body = parseJson(answer.text);
  if (isObject(body)) {
    const isSuccess = answer.status >= 200 && answer.status < 300;
    if (isSuccess && body.success === true) return Object.defineProperty(body, "response", { value: response });
    const message = text(body.message);
    if (!isSuccess && body.success === false && message !== undefined) return toError(answer, message, body, response);
  }
  return toForeignError(operation, { ...answer, text: answer.text.replaceAll(apiKey, "[API key]") }, response);
}

/** The service's own refusal. */
function toError(
  { status, headers }: RawAnswer,
  message: string,
  body: Record<string, unknown>,
  response: CallInfo,
): CommonplaceError {
  const code = text(body.error) ?? `status_${status}`;
  const requestId = text(body.requestId) ?? response.requestId;
  const failure: Failure = { message, status, code, requestId, body, response };
  if (status === 401) return new AuthenticationError(failure);
  if (code === "quota_exceeded") {
    const usage = isObject(body.usage) ? body.usage : {};
    return new QuotaExceededError(failure, count(usage.requiredRequests), count(usage.remainingRequests));
  }
  if (status === 403) return new ForbiddenError(failure);
  // A path that the service does not know is a wrong base address, which nobody may take for a deleted snippet.
  if (status === 404 && code !== "not_found") return new NotFoundError(failure);
  if (status === 400) return new InvalidRequestError(failure);
  return byStatus(status, headers, failure);
}

/** Something between here and the service answered, or the base address leads elsewhere. */
function toForeignError(operation: Operation, answer: RawAnswer, response: CallInfo): CommonplaceError {
  const { status, headers } = answer;
  const type = headers.get("Content-Type")?.split(";")[0] ?? "no content type";
  const message = `${operation.method} ${operation.path}: not an answer of the service (status ${status}, ${type}). Check baseUrl and what stands before the service`;
  const body = answer.text.slice(0, bodyTextLengthMax);
  const code = "unexpected_answer";
  return byStatus(status, headers, { message, status, code, requestId: response.requestId, body, response });
}

/** The statuses that mean the same whoever sends them. */
function byStatus(status: number, headers: Headers, failure: Failure): CommonplaceError {
  if (status === 413) return new InvalidRequestError(failure);
  if (status === 429) return new RateLimitError(failure, readRetryAfter(headers));
  if (status >= 500) return new ServiceError(failure, readRetryAfter(headers));
  return new CommonplaceError(failure);
}

/** Whole seconds, at least 1; a proxy may give a date instead. */
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
const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const count = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
