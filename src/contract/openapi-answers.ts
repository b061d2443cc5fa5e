// What every answer carries, and the refusals that an operation can end in, as the description tells them.
import { errors, type Refusal } from "./errors.ts";
import { limits } from "./limits.ts";
import type { OpenApi, Schema } from "./openapi-document.ts";
import { apiVersion } from "./operations.ts";

const integer: Schema = { type: "integer", minimum: 0 };
const text: Schema = { type: "string" };
export const headers: OpenApi["components"]["headers"] = {
  "X-Request-Id": {
    description: "Names this call in the log and the ledger.",
    schema: { type: "string", format: "uuid" },
  },
  "X-Request-Cost": { description: "Units really charged for this call.", schema: integer },
  "X-API-Version": { description: "Version of this interface.", schema: { type: "string", const: apiVersion } },
  "RateLimit-Policy": {
    description: `The limit: \`"default";q=${limits.requestsPerMinuteDefault};w=${limits.rateWindowSeconds}\`.`,
    schema: text,
  },
  RateLimit: { description: 'Calls left and seconds until one more is free: `"default";r=19;t=0`.', schema: text },
  "X-RateLimit-Limit": { description: "Calls admitted in the window.", schema: integer },
  "X-RateLimit-Remaining": { description: "Calls left in the window.", schema: integer },
  "X-RateLimit-Reset": { description: "When one more call is free, in seconds since 1970.", schema: integer },
  "Retry-After": { description: "Seconds to wait before the next try.", schema: { type: "integer", minimum: 1 } },
  "WWW-Authenticate": { description: "`Bearer`.", schema: text },
};
export const onEvery = ["X-Request-Id", "X-Request-Cost", "X-API-Version"];
export const onKnownKeys = Object.keys(headers).filter((name) => name.includes("RateLimit"));
export const headersNamed = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export interface RefusalRow {
  readonly status: number;
  readonly name: string;
  readonly description: string;
  readonly headers: readonly string[];
  readonly examples: readonly Refusal[];
}

/** The refusals that an operation can answer with, in the order of their status. */
export const refusals: readonly RefusalRow[] = [
  {
    status: 400,
    name: "BadRequest",
    description: "A parameter or a field is missing or wrong; the message names it. Costs 1 unit.",
    headers: onKnownKeys,
    examples: [
      errors.invalid(`title must be 1 to ${limits.titleLengthMax} characters`),
      errors.idRequired("Snippet"),
      errors.idsRequired("Snippet"),
      errors.bodyMissing(),
      errors.jsonMalformed(),
      errors.bodyIncomplete(),
      errors.lastVariation(),
      errors.answerTooLarge(limits.answerTextBytesMax),
    ],
  },
  {
    status: 401,
    name: "Unauthorized",
    description: "No API key, or none that is active. Costs nothing.",
    headers: ["WWW-Authenticate"],
    examples: [errors.authorizationMissing(), errors.keyInvalid()],
  },
  {
    status: 403,
    name: "Forbidden",
    description:
      "The key does not reach the team (1 unit), the subscription is not active or the quota is too low (nothing).",
    headers: onKnownKeys,
    examples: [
      errors.teamForbidden(),
      errors.subscriptionInactive(),
      errors.quotaExceeded(12, 3),
      errors.httpsRequired(),
    ],
  },
  {
    status: 404,
    name: "NotFound",
    description: "No such resource in the workspace, or it was deleted. Costs 1 unit.",
    headers: onKnownKeys,
    examples: (["Snippet", "Variation", "Folder", "Tag", "Team"] as const).map((noun) => errors.notFound(noun)),
  },
  {
    status: 413,
    name: "ContentTooLarge",
    description: `The body is larger than ${limits.requestBodyBytesMax / 1024 / 1024} MiB. Costs 1 unit.`,
    headers: onKnownKeys,
    examples: [errors.bodyTooLarge()],
  },
  {
    status: 429,
    name: "TooManyRequests",
    description:
      "The rate limit is reached, or too many calls from this address failed to authenticate. Costs nothing.",
    headers: ["Retry-After", ...onKnownKeys],
    examples: [errors.rateLimited(7)],
  },
  {
    status: 500,
    name: "InternalError",
    description: "The service failed. Nothing was changed or charged.",
    headers: onKnownKeys,
    examples: [errors.internal()],
  },
  {
    status: 503,
    name: "Unavailable",
    description:
      "The service can not reach its database. Nothing was changed or charged, except where the answer says that this is not known.",
    headers: ["Retry-After"],
    examples: [errors.unavailable(1), errors.busy(1), errors.outcomeUnknown(1)],
  },
];
