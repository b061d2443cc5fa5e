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
export declare class CommonplaceError extends Error {
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
    constructor(failure: Failure);
}
/** 401: the key is unknown or inactive. Get another key. */
export declare class AuthenticationError extends CommonplaceError {
    name: string;
}
/** 403: the key does not reach the team, or the subscription is not active. Ask the workspace's administrator. */
export declare class ForbiddenError extends CommonplaceError {
    name: string;
}
/** 403: too few units are left for this call, and nothing was done. Do less at once, buy a package, or wait for the next month. */
export declare class QuotaExceededError extends CommonplaceError {
    name: string;
    /** Units that the call would have cost. */
    readonly requiredRequests: number | undefined;
    /** Units that are left. */
    readonly remainingRequests: number | undefined;
    constructor(failure: Failure, requiredRequests: number | undefined, remainingRequests: number | undefined);
}
/** 404: there is no such snippet, variation, folder, tag or team (any more). */
export declare class NotFoundError extends CommonplaceError {
    name: string;
}
/** 400 and 413: an argument breaks a rule; the message names it. Change the call. */
export declare class InvalidRequestError extends CommonplaceError {
    name: string;
}
/** 429: the key made too many calls; nothing was done or charged. Wait, or let the client wait: `waitForRateLimit`. */
export declare class RateLimitError extends CommonplaceError {
    name: string;
    /** After this time a call is admitted again; undefined when the answer does not say. */
    readonly retryAfterSeconds: number | undefined;
    constructor(failure: Failure, retryAfterSeconds: number | undefined);
}
/** 5xx: the service, or a proxy before it, failed. The service itself changed and charged nothing; of a proxy that is not known. */
export declare class ServiceError extends CommonplaceError {
    name: string;
    /** When to try again, where the answer says so. */
    readonly retryAfterSeconds: number | undefined;
    constructor(failure: Failure, retryAfterSeconds: number | undefined);
}
/** No answer, or only part of one (`cause` says why). Whether the call was carried out is not known. */
export declare class ConnectionError extends CommonplaceError {
    name: string;
}
