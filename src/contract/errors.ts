// The catalogue of refusals: every status, code and message that a caller can meet, and the one class that carries them.

/** What a refusal may add to its message: the machine reads these, the person reads the message. */
export interface ErrorDetails {
  retryAfterSeconds?: number;
  requiredRequests?: number;
  remainingRequests?: number;
  /** The methods that the path does have, for the `Allow` header of a 405. */
  allow?: string;
}

/** A refusal in the interface's form. Thrown where it is discovered, turned into an answer in `http/`. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    /** Stable and machine-readable; the `error` field of the body. */
    readonly code: string,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(message);
  }
}

/** A resource as messages name it. */
export type Noun = "Snippet" | "Variation" | "Folder" | "Tag";

/** Every refusal there is (interface, Errors; decisions, sections 6 and 7). */
export const errors = {
  httpsRequired: () => new ApiError(403, "https_required", "HTTPS is required"),
  pathUnknown: () => new ApiError(404, "not_found", "Not found"),
  methodNotAllowed: (allow: string) => new ApiError(405, "method_not_allowed", "Method not allowed", { allow }),
  authorizationMissing: () =>
    new ApiError(401, "authorization_required", "Authorization header with Bearer token is required"),
  keyInvalid: () => new ApiError(401, "invalid_api_key", "Invalid or inactive API key"),
  rateLimited: (retryAfterSeconds: number) =>
    new ApiError(429, "rate_limit_exceeded", `Rate limit exceeded. Try again in ${retryAfterSeconds} seconds`, {
      retryAfterSeconds,
    }),
  subscriptionInactive: () => new ApiError(403, "subscription_inactive", "Workspace subscription is not active"),
  invalid: (message: string) => new ApiError(400, "invalid_request", message),
  bodyMissing: () => new ApiError(400, "body_required", "A JSON body is required"),
  jsonMalformed: () => new ApiError(400, "invalid_json", "The request body is not valid JSON"),
  bodyTooLarge: () => new ApiError(413, "body_too_large", "Request body is too large"),
  bodyIncomplete: () => new ApiError(400, "body_incomplete", "The request body ended before it was complete"),
  answerTooLarge: (bytesMax: number) =>
    new ApiError(
      400,
      "answer_too_large",
      `The answer would hold more than ${bytesMax / 1_048_576} MiB of text: ask for fewer items at once`,
    ),
  idRequired: (noun: Noun) => new ApiError(400, "id_required", `${noun} ID is required`),
  idsRequired: (noun: Noun) => new ApiError(400, "ids_required", `${noun} IDs are required`),
  notFound: (noun: Noun | "Team") => new ApiError(404, `${noun.toLowerCase()}_not_found`, `${noun} not found`),
  teamForbidden: () => new ApiError(403, "team_forbidden", "API key does not have access to this team"),
  lastVariation: () => new ApiError(400, "last_variation", "A snippet must keep at least one variation"),
  quotaExceeded: (requiredRequests: number, remainingRequests: number) =>
    new ApiError(
      403,
      "quota_exceeded",
      `Insufficient API requests: ${requiredRequests} required, ${remainingRequests} remaining`,
      { requiredRequests, remainingRequests },
    ),
  internal: () => new ApiError(500, "internal_error", "The service failed to answer this call. It was not charged"),
  busy: (retryAfterSeconds: number) =>
    new ApiError(503, "busy", "Too many large requests are under way. Nothing was changed or charged", {
      retryAfterSeconds,
    }),
  draining: (retryAfterSeconds: number) =>
    new ApiError(503, "draining", "The service is ending. Nothing was changed or charged", { retryAfterSeconds }),
  unavailable: (retryAfterSeconds: number) =>
    new ApiError(503, "unavailable", "The service can not reach its database. Nothing was changed or charged", {
      retryAfterSeconds,
    }),
  outcomeUnknown: (retryAfterSeconds: number) =>
    new ApiError(
      503,
      "outcome_unknown",
      "The service lost its database while it stored this call: it may have been carried out and charged",
      { retryAfterSeconds },
    ),
} as const;
