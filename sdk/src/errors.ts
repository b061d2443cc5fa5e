// The errors: one class for each way to respond to a failure.
import type { ResponseInfo } from "./operation.ts";
import type { ImportIssue } from "./operations.generated.ts";

/** The details of a failed request. */
export interface Failure {
  readonly message: string;
  /** The HTTP status; undefined without a response. */
  readonly status?: number | undefined;
  readonly code: string;
  readonly requestId?: string | undefined;
  /** The response body: parsed JSON, or the beginning of the body if it is not JSON. */
  readonly body?: unknown;
  readonly response?: ResponseInfo | undefined;
  readonly cause?: unknown;
}

/** Every failed request rejects with one of these, unless it was aborted. Decide by class or code, never by the message. */
export class CommonplaceError extends Error {
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** Stable and machine-readable: `snippet_not_found`, `quota_exceeded`, … */
  readonly code: string;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** The response body: parsed JSON, or the beginning of the body if it is not JSON. */
  readonly body: unknown;
  /** What the response headers say; undefined without a response. */
  readonly response: ResponseInfo | undefined;

  constructor(failure: Failure) {
    super(failure.message, failure.cause === undefined ? undefined : { cause: failure.cause });
    this.name = "CommonplaceError";
    this.status = failure.status;
    this.code = failure.code;
    this.requestId = failure.requestId;
    this.body = failure.body;
    this.response = failure.response;
  }
}

/** 401: the key is unknown or inactive. Use another key. */
export class AuthenticationError extends CommonplaceError {
  override name = "AuthenticationError";
}

/** 401: the key has expired. Use another key. */
export class KeyExpiredError extends AuthenticationError {
  override name = "KeyExpiredError";
}

/**
 * 403: the key has no access to the team, the subscription is not active, or the storage is full (`storage_exceeded`). Ask an admin of
 * the workspace.
 */
export class ForbiddenError extends CommonplaceError {
  override name = "ForbiddenError";
}

/** 403: the key can only read. Use a key that can also write. */
export class InsufficientScopeError extends ForbiddenError {
  override name = "InsufficientScopeError";
}

/** 403: the key cannot be used from this address. */
export class NetworkNotAllowedError extends ForbiddenError {
  override name = "NetworkNotAllowedError";
}

/** 403: too few units are left for this request; nothing changed. Send a smaller request, buy a package, or wait for the next month. */
export class QuotaExceededError extends CommonplaceError {
  override name = "QuotaExceededError";
  /** Units that the request would have cost. */
  readonly requiredRequests: number | undefined;
  /** Units that are left. */
  readonly remainingRequests: number | undefined;

  constructor(failure: Failure, requiredRequests: number | undefined, remainingRequests: number | undefined) {
    super(failure);
    this.requiredRequests = requiredRequests;
    this.remainingRequests = remainingRequests;
  }
}

/** 403: the key has used up its own monthly budget; nothing changed. The numbers are those of the budget, not of the workspace. */
export class KeyBudgetExceededError extends QuotaExceededError {
  override name = "KeyBudgetExceededError";
}

/** 404: the snippet, variation, folder, tag or team does not exist, or no longer exists. */
export class NotFoundError extends CommonplaceError {
  override name = "NotFoundError";
}

/**
 * 409: several teams use the shortcut, so send the request again with one of the teams. With the code `request_in_progress`, the first
 * request with this idempotency key has not ended yet. With `import_undone`, the import that the request continues was undone.
 */
export class ConflictError extends CommonplaceError {
  override name = "ConflictError";
  /** The IDs of the teams. */
  readonly teamIds: readonly string[];
  /** Seconds until a request in progress has probably ended. */
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: Failure, teamIds: readonly string[], retryAfterSeconds?: number) {
    super(failure);
    this.teamIds = teamIds;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 400, 413, and 422: an argument is invalid; the message names it. Change the request. */
export class InvalidRequestError extends CommonplaceError {
  override name = "InvalidRequestError";
  /** What cannot be imported, and why; empty unless an import with `allOrNothing` is refused because of it. */
  readonly problems: readonly ImportIssue[];

  constructor(failure: Failure, problems: readonly ImportIssue[] = []) {
    super(failure);
    this.problems = problems;
  }
}

/**
 * 429: the key sent too many requests; nothing changed and nothing was charged. Wait, or let the client wait: `waitForRateLimit`. With the code
 * `api_key_rate_limit_exceeded`, the limit is the key's own.
 */
export class RateLimitError extends CommonplaceError {
  override name = "RateLimitError";
  /** Seconds until the next request is accepted; undefined if the response does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: Failure, retryAfterSeconds: number | undefined) {
    super(failure);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * 5xx: the service or a proxy failed. If it was the service, nothing changed and nothing was charged, except after `outcome_unknown`; if it was a
 * proxy, that is unknown.
 */
export class ServiceError extends CommonplaceError {
  override name = "ServiceError";
  /** Seconds until a retry makes sense, if the response says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: Failure, retryAfterSeconds: number | undefined) {
    super(failure);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/**
 * No response, or only part of one; the message gives the reason and `cause` the details. With the code `certificate_not_trusted` nothing was
 * sent. Otherwise it is unknown whether the request was carried out.
 */
export class ConnectionError extends CommonplaceError {
  override name = "ConnectionError";
}
