// The headers of all responses and the refusals of operations, as OpenAPI describes them.
import type { z } from "zod";
import type { errorBody } from "./envelope.ts";
import { errors, type Refusal } from "./errors.ts";
import * as example from "./example-workspace.ts";
import { codeCountHeaderName, warningsHeaderLengthMax, warningsHeaderName } from "./export-warnings.ts";
import { limits } from "./limits.ts";
import type { OpenApi, Schema } from "./openapi-document.ts";
import { apiVersion } from "./operations.ts";

const integer: Schema = { type: "integer", minimum: 0 };
const text: Schema = { type: "string" };
export const headers: OpenApi["components"]["headers"] = {
  "X-Request-Id": {
    description: "The ID of this request, also in the request log and the service's log.",
    schema: { type: "string", format: "uuid" },
  },
  "X-Request-Cost": { description: "Units charged for this request.", schema: integer },
  "X-API-Version": { description: `The version of this API: \`${apiVersion}\`.`, schema: text },
  "RateLimit-Policy": {
    description: `The limit. \`"default";q=${limits.requestsPerMinuteDefault};w=${limits.rateWindowSeconds}\` means ${limits.requestsPerMinuteDefault} requests in any ${limits.rateWindowSeconds}-second window.`,
    schema: text,
  },
  RateLimit: {
    description: 'Requests left (`r`) and seconds until another one is available (`t`), such as `"default";r=19;t=0`.',
    schema: text,
  },
  "X-RateLimit-Limit": { description: "Requests allowed in the window.", schema: integer },
  "X-RateLimit-Remaining": { description: "Requests left in the window.", schema: integer },
  "X-RateLimit-Reset": {
    description: "When another request is available, as a Unix timestamp in seconds.",
    schema: integer,
  },
  "X-Key-Expires-At": {
    description: `When the key expires. Present only in the last ${limits.keyExpiryNoticeDays} days before then.`,
    schema: { type: "string", format: "date-time" },
  },
  "Idempotency-Replayed": {
    description: "`true` if this is the response to an earlier request with the same `Idempotency-Key`.",
    schema: { type: "string", const: "true" },
  },
  "X-Remaining-Requests": { description: "Units left after this request.", schema: integer },
  "Content-Disposition": { description: "`attachment` with the name of the file.", schema: text },
  [warningsHeaderName]: {
    description:
      'What the format leaves out, and what the other tool would replace or run, as a JSON array of strings in ASCII, such as `["CSV does not support notes (left out of \\"Refund\\")."]`. The last one may only say how many more there are. Missing if there are no warnings.',
    schema: { type: "string", maxLength: warningsHeaderLengthMax },
  },
  [codeCountHeaderName]: {
    description:
      "How many snippets contain code that the other tool runs when you insert them. The first warning names them. Missing if there are none.",
    schema: { type: "integer", minimum: 1 },
  },
  ETag: { description: "The version of the text.", schema: text },
  "Retry-After": { description: "Seconds to wait before retrying.", schema: { type: "integer", minimum: 1 } },
  "WWW-Authenticate": { description: "`Bearer`.", schema: text },
};
/** Headers of responses that are a text alone. */
export const textHeaders = ["X-Remaining-Requests", "ETag"];
/** Headers of responses that are a file. */
export const fileHeaders = ["X-Remaining-Requests", "Content-Disposition", warningsHeaderName, codeCountHeaderName];
/** Headers of responses that repeat an earlier one. */
export const replayHeaders = ["Idempotency-Replayed"];
/** Headers of every response. */
export const commonHeaders = ["X-Request-Id", "X-Request-Cost", "X-API-Version"];
/** Headers of responses to calls with a valid key. */
export const rateLimitHeaders = Object.keys(headers).filter(
  (name) => name.includes("RateLimit") || name === "X-Key-Expires-At",
);
/** References to these headers. */
export const headersNamed = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export interface RefusalRow {
  readonly status: number;
  readonly name: string;
  readonly description: string;
  readonly headers: readonly string[];
  readonly examples: readonly Refusal[];
}

/** The refusals of operations, in order of their status. */
export const refusals: readonly RefusalRow[] = [
  {
    status: 400,
    name: "BadRequest",
    description: "A parameter or field is missing or invalid. The message names it. Costs 1 unit.",
    headers: [...rateLimitHeaders, ...replayHeaders],
    examples: [
      errors.invalid(`title must be 1 to ${limits.titleLengthMax} characters`),
      errors.idRequired("Snippet"),
      errors.idsRequired("Snippet"),
      errors.bodyMissing(),
      errors.jsonMalformed(),
      errors.bodyIncomplete(),
      errors.fileMissing(),
      errors.fileUnreadable("snippets.json, line 3: Not valid JSON: property name expected."),
      errors.fileHasProblems(1, [
        { file: "support.csv", line: 3, message: '"Refund": the shortcut must be at most 100 characters.' },
      ]),
      errors.tooManySnippets(30_000, limits.importSnippetsMax),
      errors.lastVariation(),
      errors.tooManyVariations(limits.variationsPerSnippetMax),
      errors.tooManyGroups("Folder", limits.foldersMax),
      errors.tooManyGroups("Tag", limits.tagsMax),
      errors.responseTextTooLarge(limits.responseTextBytesMax),
      errors.exportFormatTooLarge(),
      errors.cursorExpired(),
    ],
  },
  {
    status: 401,
    name: "Unauthorized",
    description: "The API key is missing, invalid, inactive, or expired. Costs nothing.",
    headers: ["WWW-Authenticate"],
    examples: [errors.authorizationMissing(), errors.keyInvalid(), errors.keyExpired()],
  },
  {
    status: 403,
    name: "Forbidden",
    description:
      "The key does not have access to the team (costs 1 unit). Or, at no cost: the key is read-only; it cannot be used from this address; it has used up its budget; the subscription is inactive; the balance is too low; the request would exceed the workspace's storage limit; or the request did not use HTTPS.",
    headers: [...rateLimitHeaders, ...replayHeaders],
    examples: [
      errors.teamForbidden(),
      errors.subscriptionInactive(),
      errors.quotaExceeded(12, 3),
      errors.scopeInsufficient(),
      errors.networkNotAllowed(),
      errors.keyBudgetExceeded(12, 3),
      errors.storageExceeded(5_120, 1_024),
      errors.httpsRequired(),
    ],
  },
  {
    status: 404,
    name: "NotFound",
    description: "The resource does not exist in the workspace or was deleted. Costs 1 unit.",
    headers: [...rateLimitHeaders, ...replayHeaders],
    examples: (["Snippet", "Variation", "Folder", "Tag", "Import", "Team"] as const).map((noun) =>
      errors.notFound(noun),
    ),
  },
  {
    status: 409,
    name: "Conflict",
    description: "The shortcut is used in several teams that the key can access. `teamIds` lists them. Costs 1 unit.",
    headers: rateLimitHeaders,
    examples: [errors.shortcutAmbiguous([example.team.id, example.otherTeam.id])],
  },
  {
    status: 409,
    name: "RequestInProgress",
    description: "The first request with this `Idempotency-Key` is still in progress. Costs nothing.",
    headers: ["Retry-After", ...rateLimitHeaders],
    examples: [errors.requestInProgress(1)],
  },
  {
    status: 409,
    name: "ImportConflict",
    description:
      "The import that the request continues was undone (costs 1 unit). Or the first request with this `Idempotency-Key` is still in progress (costs nothing).",
    headers: ["Retry-After", ...rateLimitHeaders],
    examples: [errors.importUndone(), errors.requestInProgress(1)],
  },
  {
    status: 413,
    name: "ContentTooLarge",
    description: `The body is larger than ${limits.requestBodyBytesMax / 1024 / 1024} MiB. Costs 1 unit.`,
    headers: rateLimitHeaders,
    examples: [errors.bodyTooLarge()],
  },
  {
    status: 422,
    name: "IdempotencyKeyReused",
    description: "The `Idempotency-Key` belongs to an earlier, different request. Costs 1 unit.",
    headers: rateLimitHeaders,
    examples: [errors.idempotencyKeyReused()],
  },
  {
    status: 429,
    name: "TooManyRequests",
    description:
      "The key exceeded the rate limit or its own lower limit, or too many requests from this address failed to authenticate. Costs nothing.",
    headers: ["Retry-After", ...rateLimitHeaders],
    examples: [errors.rateLimited(7), errors.keyRateLimited(7)],
  },
  {
    status: 500,
    name: "InternalError",
    description: "The service failed. Nothing was changed or charged.",
    headers: rateLimitHeaders,
    examples: [errors.internal()],
  },
  {
    status: 503,
    name: "Unavailable",
    description:
      "The service is busy, cannot reach its database, or does not have enough free disk space. Nothing was changed or charged, except that after `outcome_unknown` the request may have been carried out and charged.",
    headers: ["Retry-After"],
    examples: [errors.unavailable(1), errors.busy(1), errors.exportDiskFull(60), errors.outcomeUnknown(1)],
  },
];

const exampleRequestId = "019c1363-49c0-7d3b-9a6e-58f01c7b2d94";

/** The response body of a refusal. */
export const exampleBody = ({
  code,
  message,
  details: { remainingRequests, requiredRequests, remainingBytes, requiredBytes, problems, teamIds },
}: Refusal): z.output<typeof errorBody> => ({
  success: false,
  message,
  error: code,
  requestId: exampleRequestId,
  ...(remainingRequests !== undefined &&
    requiredRequests !== undefined && { usage: { remainingRequests, requiredRequests } }),
  ...(requiredBytes !== undefined && remainingBytes !== undefined && { storage: { requiredBytes, remainingBytes } }),
  ...(problems && { problems: [...problems] }),
  ...(teamIds && { teamIds: [...teamIds] }),
});
