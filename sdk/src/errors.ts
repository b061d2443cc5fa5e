// The errors: one class for each reaction of a caller.
import type { CallInfo } from "./operation.ts";

/** The details of a failed call. */
export interface Failure {
  readonly message: string;
  /** The HTTP status; undefined without a response. */
  readonly status?: number | undefined;
  readonly code: string;
  readonly requestId?: string | undefined;
  /** The response body: parsed JSON, or the start of a text that is not JSON. */
  readonly body?: unknown;
  readonly response?: CallInfo | undefined;
  readonly cause?: unknown;
}

/** Every failed call rejects with one of these, unless it was aborted. Decide by class or code, never by the message. */
export class CommonplaceError extends Error {
  /** The HTTP status; undefined without a response. */
  readonly status: number | undefined;
  /** Stable and machine-readable: `snippet_not_found`, `quota_exceeded`, … */
  readonly code: string;
  /** Identifies the call in the service's log. */
  readonly requestId: string | undefined;
  /** The response body: parsed JSON, or the start of a text that is not JSON. */
  readonly body: unknown;
  /** What the response headers say; undefined without a response. */
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

/** 401: the key is unknown or inactive. Use another key. */
export class AuthenticationError extends CommonplaceError {
  override name = "AuthenticationError";
}

/** 403: the key cannot access the team, or the subscription is not active. Ask the workspace's administrator. */
export class ForbiddenError extends CommonplaceError {
  override name = "ForbiddenError";
}

/** 403: too few units are left for this call, and nothing was done. Send a smaller request, buy a package, or wait for the next month. */
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

/** 404: the snippet, variation, folder, tag or team does not exist (anymore). */
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
  /** Seconds until a call is admitted again; undefined if the response does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: Failure, retryAfterSeconds: number | undefined) {
    super(failure);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 5xx: the service or a proxy failed. If it was the service, nothing was changed or charged; for a proxy that is unknown. */
export class ServiceError extends CommonplaceError {
  override name = "ServiceError";
  /** Seconds until a retry makes sense, if the response says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: Failure, retryAfterSeconds: number | undefined) {
    super(failure);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No response, or only part of one (see `cause`). It is unknown whether the call was carried out. */
export class ConnectionError extends CommonplaceError {
  override name = "ConnectionError";
}
