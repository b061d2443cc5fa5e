// The errors, one class for each thing that a caller can do about them.
import type { CallInfo } from "./operation.ts";

/** What is known of a call that failed. */
export interface Failure {
  readonly message: string;
  /** Status of the HTTP answer; undefined when there was none. */
  readonly status?: number | undefined;
  readonly code: string;
  readonly requestId?: string | undefined;
  /** The answer's body: the parsed JSON, or the start of a text that is not JSON. */
  readonly body?: unknown;
  readonly response?: CallInfo | undefined;
  readonly cause?: unknown;
}

/** Every call that fails rejects with one of these, unless it was aborted. Never decide by the message: it is for people. */
export class CommonplaceError extends Error {
  /** Status of the HTTP answer; undefined when there was none. */
  readonly status: number | undefined;
  /** Stable and machine-readable: `snippet_not_found`, `quota_exceeded`, … */
  readonly code: string;
  /** Names the call in the service's log. */
  readonly requestId: string | undefined;
  /** The answer's body: the parsed JSON, or the start of a text that is not JSON. */
  readonly body: unknown;
  /** What the response headers say; undefined when there was no answer. */
  readonly response: CallInfo | undefined;

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

/** 401: the key is unknown or inactive. Get another key. */
export class AuthenticationError extends CommonplaceError {
  override name = "AuthenticationError";
}

/** 403: the key does not reach the team, or the subscription is not active. Ask the workspace's administrator. */
export class ForbiddenError extends CommonplaceError {
  override name = "ForbiddenError";
}

/** 403: too few units are left for this call, and nothing was done. Do less at once, buy a package, or wait for the next month. */
export class QuotaExceededError extends CommonplaceError {
  override name = "QuotaExceededError";
  /** Units that the call would have cost. */
  readonly requiredRequests: number | undefined;
  /** Units that are left. */
  readonly remainingRequests: number | undefined;

  constructor(failure: Failure, requiredRequests: number | undefined, remainingRequests: number | undefined) {
    super(failure);
    this.requiredRequests = requiredRequests;
    this.remainingRequests = remainingRequests;
  }
}

/** 404: there is no such snippet, variation, folder, tag or team (any more). */
export class NotFoundError extends CommonplaceError {
  override name = "NotFoundError";
}

/** 400 and 413: an argument breaks a rule; the message names it. Change the call. */
export class InvalidRequestError extends CommonplaceError {
  override name = "InvalidRequestError";
}

/** 429: the key made too many calls; nothing was done or charged. Wait, or let the client wait: `waitForRateLimit`. */
export class RateLimitError extends CommonplaceError {
  override name = "RateLimitError";
  /** After this time a call is admitted again; undefined when the answer does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: Failure, retryAfterSeconds: number | undefined) {
    super(failure);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 5xx: the service, or a proxy before it, failed. The service itself changed and charged nothing; of a proxy that is not known. */
export class ServiceError extends CommonplaceError {
  override name = "ServiceError";
  /** When to try again, where the answer says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: Failure, retryAfterSeconds: number | undefined) {
    super(failure);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No answer, or only part of one (`cause` says why). Whether the call was carried out is not known. */
export class ConnectionError extends CommonplaceError {
  override name = "ConnectionError";
}
