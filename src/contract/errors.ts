// The catalog of refusals: every status, code and message that a caller can get, and the class that carries them.

/** Where something is wrong in a file, from line 1, and what. */
export interface RefusedPart {
  readonly file: string | null;
  readonly line: number | null;
  readonly message: string;
}

/** Machine-readable details next to the message. */
export interface RefusalDetails {
  retryAfterSeconds?: number;
  requiredRequests?: number;
  remainingRequests?: number;
  requiredBytes?: number;
  remainingBytes?: number;
  /** The methods of the path, for the `Allow` header of a 405. */
  allow?: string;
  /** The current state of what the request wanted to change. */
  current?: object;
  /** What is wrong with the file, part by part. */
  problems?: readonly RefusedPart[];
  /** The teams among which the caller has to choose. */
  teamIds?: readonly string[];
  /** The ID that was refused. The command line prints it, because its user typed it; the APIs do not repeat it. */
  id?: string;
}

/** The HTTP status of each kind of refusal. Rules name the kind; the two APIs respond with the status. */
export const statusOfKind = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  misdirected: 421,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  bad_gateway: 502,
  unavailable: 503,
} as const;
export type RefusalKind = keyof typeof statusOfKind;

/**
 * Why a call is refused. Rules throw it where they find the reason. It is caught once: the two APIs turn it into a response, and the
 * command line prints its message.
 */
export class Refusal extends Error {
  override name = "Refusal";

  constructor(
    readonly kind: RefusalKind,
    /** The `error` field of the body. It never changes. A new one says what is in which state: `snippet_not_found`, `api_key_expired`. */
    readonly code: string,
    message: string,
    readonly details: RefusalDetails = {},
  ) {
    super(message);
  }

  get status(): number {
    return statusOfKind[this.kind];
  }
}

/** A resource as messages name it. */
export type Noun = "Snippet" | "Variation" | "Folder" | "Tag" | "Import";

/** The kind of a status that the sign-in library returned. */
export const kindOfStatus = (status: number): RefusalKind =>
  // Object.keys is typed as string[]; the keys of this constant are exactly the kinds.
  (Object.keys(statusOfKind) as RefusalKind[]).find((kind) => statusOfKind[kind] === status) ?? "invalid";

/** `vscode.json, line 3: "Refund" has no body.` */
const lineOf = ({ file, line, message }: RefusedPart): string =>
  file === null ? message : `${file}${line === null ? "" : `, line ${line}`}: ${message}`;

/** Every refusal of the public API (decisions, Costs). */
export const errors = {
  httpsRequired: () => new Refusal("forbidden", "https_required", "HTTPS is required"),
  pathUnknown: () => new Refusal("not_found", "not_found", "Not found"),
  methodNotAllowed: (allow: string) =>
    new Refusal("method_not_allowed", "method_not_allowed", "Method not allowed", { allow }),
  authorizationMissing: () =>
    new Refusal("unauthenticated", "authorization_required", "Authorization header with Bearer token is required"),
  keyInvalid: () => new Refusal("unauthenticated", "invalid_api_key", "Invalid or inactive API key"),
  keyExpired: () => new Refusal("unauthenticated", "api_key_expired", "API key has expired"),
  networkNotAllowed: () => new Refusal("forbidden", "network_not_allowed", "API key cannot be used from this address"),
  scopeInsufficient: () => new Refusal("forbidden", "insufficient_scope", "API key has read access only"),
  keyBudgetExceeded: (requiredRequests: number, remainingRequests: number) =>
    new Refusal(
      "forbidden",
      "api_key_budget_exceeded",
      `Monthly budget of the API key exceeded: ${requiredRequests} required, ${remainingRequests} remaining`,
      { requiredRequests, remainingRequests },
    ),
  rateLimited: (retryAfterSeconds: number) =>
    new Refusal(
      "rate_limited",
      "rate_limit_exceeded",
      `Rate limit exceeded. Try again in ${retryAfterSeconds} seconds`,
      {
        retryAfterSeconds,
      },
    ),
  keyRateLimited: (retryAfterSeconds: number) =>
    new Refusal(
      "rate_limited",
      "api_key_rate_limit_exceeded",
      `Rate limit of the API key exceeded. Try again in ${retryAfterSeconds} seconds`,
      { retryAfterSeconds },
    ),
  subscriptionInactive: () => new Refusal("forbidden", "subscription_inactive", "Workspace subscription is not active"),
  invalid: (message: string) => new Refusal("invalid", "invalid_request", message),
  cursorInvalid: () =>
    new Refusal("invalid", "invalid_request", "cursor must be the nextCursor of a response to the same request"),
  feedCursorInvalid: () =>
    new Refusal("invalid", "invalid_request", "cursor must be the cursor of a response to the same request"),
  cursorExpired: () =>
    new Refusal(
      "invalid",
      "cursor_expired",
      "The changes since this cursor are no longer available: get a new cursor, then list everything again",
    ),
  bodyMissing: () => new Refusal("invalid", "body_required", "A JSON body is required"),
  jsonMalformed: () => new Refusal("invalid", "invalid_json", "The request body is not valid JSON"),
  fileMissing: () => new Refusal("invalid", "body_required", "A file is required as the request body"),
  fileUnreadable: (reason: string) => new Refusal("invalid", "file_unreadable", reason),
  tooManySnippets: (count: number, max: number) =>
    new Refusal(
      "invalid",
      "file_unreadable",
      `The file has ${count.toLocaleString("en-US")} snippets, and one import can have at most ${max.toLocaleString("en-US")}. Import it in parts`,
    ),
  fileHasProblems: (count: number, problems: readonly RefusedPart[]) =>
    new Refusal(
      "invalid",
      "file_has_problems",
      `Nothing was imported because of ${count === 1 ? "1 problem" : `${count.toLocaleString("en-US")} problems. The first`}: ${problems[0] ? lineOf(problems[0]) : ""}`,
      { problems },
    ),
  importUndone: () =>
    new Refusal("conflict", "import_undone", "This import was undone. To import the file again, start a new import"),
  bodyTooDeep: (levelsMax: number) =>
    new Refusal("invalid", "invalid_request", `The request body must not have more than ${levelsMax} levels`),
  tooManyValues: (max: number) =>
    new Refusal(
      "invalid",
      "invalid_request",
      `The request body must not have more than ${max.toLocaleString("en-US")} values`,
    ),
  bodyTooLarge: () => new Refusal("too_large", "body_too_large", "Request body is too large"),
  bodyIncomplete: () => new Refusal("invalid", "body_incomplete", "The request body ended before it was complete"),
  responseTextTooLarge: (bytesMax: number) =>
    new Refusal(
      "invalid",
      "response_too_large",
      `The response would contain more than ${bytesMax / 1_048_576} MiB of text: request fewer items at once`,
    ),
  responseTooLarge: (bytesMax: number) =>
    new Refusal(
      "invalid",
      "response_too_large",
      `The response would be larger than ${bytesMax / 1_048_576} MiB: request fewer items at once`,
    ),
  exportTooLarge: () =>
    new Refusal("invalid", "export_too_large", "The team is too large for one archive. An operator can export it"),
  exportFormatTooLarge: () =>
    new Refusal(
      "invalid",
      "export_too_large",
      "The team is too large for this format. Export it in the format commonplace",
    ),
  idempotencyKeyInvalid: (lengthMax: number) =>
    new Refusal("invalid", "invalid_request", `Idempotency-Key must be 1 to ${lengthMax} visible ASCII characters`),
  idempotencyKeyReused: () =>
    new Refusal(
      "unprocessable",
      "idempotency_key_reused",
      "This Idempotency-Key belongs to a different request: send a new key with each new request",
    ),
  requestInProgress: (retryAfterSeconds: number) =>
    new Refusal("conflict", "request_in_progress", "The request with this Idempotency-Key is still in progress", {
      retryAfterSeconds,
    }),
  idRequired: (noun: Noun | "Team") => new Refusal("invalid", "id_required", `${noun} ID is required`),
  idsRequired: (noun: Noun) => new Refusal("invalid", "ids_required", `${noun} IDs are required`),
  notFound: (noun: Noun | "Team", id?: string) =>
    new Refusal("not_found", `${noun.toLowerCase()}_not_found`, `${noun} not found`, id === undefined ? {} : { id }),
  teamForbidden: () => new Refusal("forbidden", "team_forbidden", "API key does not have access to this team"),
  lastVariation: () => new Refusal("invalid", "last_variation", "A snippet must keep at least one variation"),
  shortcutAmbiguous: (teamIds: readonly string[]) =>
    new Refusal("conflict", "shortcut_ambiguous", "Several teams have a snippet with this shortcut: add a teamId", {
      teamIds,
    }),
  tooManyVariations: (max: number) =>
    new Refusal("invalid", "too_many_variations", `A snippet can have at most ${max} variations`),
  tooManyGroups: (noun: "Folder" | "Tag", max: number) =>
    new Refusal(
      "invalid",
      `too_many_${noun.toLowerCase()}s`,
      `A workspace can have at most ${max.toLocaleString("en-US")} ${noun.toLowerCase()}s`,
    ),
  quotaExceeded: (requiredRequests: number, remainingRequests: number) =>
    new Refusal(
      "forbidden",
      "quota_exceeded",
      `Insufficient API requests: ${requiredRequests} required, ${remainingRequests} remaining`,
      { requiredRequests, remainingRequests },
    ),
  storageExceeded: (requiredBytes: number, remainingBytes: number) =>
    new Refusal(
      "forbidden",
      "storage_exceeded",
      `Insufficient storage: ${requiredBytes} bytes required, ${remainingBytes} bytes remaining`,
      { requiredBytes, remainingBytes },
    ),
  internal: () =>
    new Refusal("internal", "internal_error", "The service could not process this request. It was not charged"),
  busy: (retryAfterSeconds: number) =>
    new Refusal("unavailable", "busy", "Too many large requests are in progress. Nothing was changed or charged", {
      retryAfterSeconds,
    }),
  exportDiskFull: (retryAfterSeconds: number) =>
    new Refusal(
      "unavailable",
      "disk_full",
      "The service does not have enough free disk space for the export. Nothing was changed or charged",
      { retryAfterSeconds },
    ),
  overloaded: (retryAfterSeconds: number) =>
    new Refusal("unavailable", "busy", "Too many requests are waiting. Nothing was changed or charged", {
      retryAfterSeconds,
    }),
  tooSlow: (retryAfterSeconds: number) =>
    new Refusal("unavailable", "busy", "The search took too long. Narrow it down. Nothing was changed or charged", {
      retryAfterSeconds,
    }),
  draining: (retryAfterSeconds: number) =>
    new Refusal("unavailable", "draining", "The service is shutting down. Nothing was changed or charged", {
      retryAfterSeconds,
    }),
  unavailable: (retryAfterSeconds: number) =>
    new Refusal("unavailable", "unavailable", "The service cannot reach its database. Nothing was changed or charged", {
      retryAfterSeconds,
    }),
  outcomeUnknown: (retryAfterSeconds: number) =>
    new Refusal(
      "unavailable",
      "outcome_unknown",
      "The service lost its database connection during this request: it may have been carried out and charged",
      { retryAfterSeconds },
    ),
} as const;
