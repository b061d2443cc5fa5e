// The input of a request: query and body → typed values. A large body is read only for a key that may call now, and within bounds.
import { errors, type Refusal } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Operation } from "../contract/operation.ts";
import { type ParsedInput, readInput } from "../platform/http/parse-input.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { followingRotation, type Limited, type PresentedKey } from "./authenticate.ts";
import type { ApiDependencies } from "./dependencies.ts";

/** A body beyond this is read only after the key was checked, and counts as an upload. */
const uncheckedBodyBytesMax = 64 * 1024;
const retryAfterSeconds = 1;

/** A parsed input, or what is wrong with it. */
export type ReadInput = ParsedInput | Refusal;

/**
 * Reads and parses before the call's transaction, which then waits for nobody. A malformed input is returned as its refusal, which is
 * answered after authentication (decisions, section 6).
 * @returns `Limited` for a large body of a key that may not call now
 * @throws Refusal 401 for a large body with an unknown key; 503 while too many large bodies are being read
 */
export async function readCallInput(
  api: ApiDependencies,
  operation: Operation,
  request: IncomingRequest,
  key: PresentedKey,
): Promise<ReadInput | Limited> {
  if (!isLarge(operation, request)) return readInput(operation, request, limits.requestBodyBytesMax);
  const checked = await followingRotation(key, (current) => api.calls.check(current));
  if (checked.kind === "unknown") {
    if (checked.refused) api.refusedRequests.count(checked.refused, request.clientAddress);
    throw errors.keyInvalid();
  }
  if (checked.kind === "limited") return checked;
  const bytes = Math.min(request.bodyBytes ?? limits.requestBodyBytesMax, limits.requestBodyBytesMax);
  const release = api.uploads.reserve(checked.account.id, bytes);
  if (!release) throw errors.busy(retryAfterSeconds);
  try {
    return await readInput(operation, request, limits.requestBodyBytesMax);
  } finally {
    release();
  }
}

/** A body without a declared length may be of any size. */
const isLarge = (operation: Operation, request: IncomingRequest): boolean =>
  operation.body !== undefined && (request.bodyBytes ?? Number.POSITIVE_INFINITY) > uncheckedBodyBytesMax;

export const isLimited = (input: ReadInput | Limited): input is Limited => "kind" in input && input.kind === "limited";
