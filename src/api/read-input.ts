// The input of a request: query and body → typed values. A large body is read only for a key that may call now, and within bounds.
import { errors, Refusal } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Operation } from "../contract/operation.ts";
import type { Input } from "../contract/operations.ts";
import { readSource } from "../library/import/read-source.ts";
import { type ParsedInput, readInput } from "../platform/http/parse-input.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type Barred, followingRotation, type Limited, type PresentedKey } from "./authenticate.ts";
import type { ApiDependencies } from "./dependencies.ts";

/** A body beyond this is read only after the key was checked, and counts as an upload. */
const uncheckedBodyBytesMax = 8 * 1024;
/** A body beyond this is parsed in a turn of its own. */
const parsedAtOnceBytesMax = 8 * 1024;
const retryAfterSeconds = 1;

/** A parsed input, or what is wrong with it. */
export type ReadInput = ParsedInput | Refusal;

/** The room that is reserved for a large body until its request is done. */
export class LargeBody {
  bytes = 0;
  #release: (() => void) | undefined;

  begin(bytes: number, release: () => void): void {
    this.bytes = bytes;
    this.#release = release;
  }

  end(): void {
    this.#release?.();
  }
}

/**
 * Reads and parses before the call's transaction, which then waits for nobody. A malformed input is returned as its refusal, which is
 * answered after authentication (decisions, Keys).
 * @returns `Limited` or `Barred` for a large body of a key that may not call now
 * @throws Refusal 401 for a large body with an unknown key; 503 while too many bodies are being read, or wait to be parsed
 */
export async function readCallInput(
  api: ApiDependencies,
  operation: Operation,
  request: IncomingRequest,
  key: PresentedKey,
  large: LargeBody,
): Promise<ReadInput | Limited | Barred> {
  if (isLarge(operation, request)) {
    const refused = await beginLargeBody(api, request, key, large);
    if (refused) return refused;
  }
  const input = await readInput(operation, request, limits.requestBodyBytesMax, (bytes) => {
    if (operation.body?.kind === "file" || bytes <= parsedAtOnceBytesMax) return undefined;
    const turn = api.turns.take(api.calls.ownerOf(key));
    if (turn === false) throw errors.overloaded(retryAfterSeconds);
    return turn;
  });
  return operation.body?.kind === "file" && !(input instanceof Refusal) ? readFile(api, input, key) : input;
}

/** The file as it was read instead of its bytes, or why it cannot be read. @throws Refusal 503 while too many are being read */
async function readFile(
  { formats, calls }: ApiDependencies,
  { query, body }: ParsedInput,
  key: PresentedKey,
): Promise<ReadInput> {
  // The only operation with a file; its query and its body were parsed by its row.
  const [parsed, bytes] = [query as Input<"postImport">["query"], body as Uint8Array];
  const source = await readSource(formats, calls.ownerOf(key), bytes, parsed);
  return source instanceof Refusal ? source : { query, body: source };
}

/**
 * Checks the key and reserves room for a body, before it is read.
 * @returns what refuses the request
 * @throws Refusal 401 with an unknown key; 503 while too many bodies are being read
 */
export async function beginLargeBody(
  api: ApiDependencies,
  request: IncomingRequest,
  key: PresentedKey,
  large: LargeBody,
): Promise<Limited | Barred | undefined> {
  const checked = await followingRotation(key, (current) => api.calls.check(current));
  if (checked.kind === "unknown") {
    if (checked.refused) api.refusedRequests.count(checked.refused, request.clientAddress);
    throw errors.keyInvalid();
  }
  if (checked.kind === "limited" || checked.kind === "barred") return checked;
  const bytes = Math.min(request.bodyBytes ?? limits.requestBodyBytesMax, limits.requestBodyBytesMax);
  const { id, workspaceId } = checked.account;
  const release = await api.uploads.reserveSoon({ workspace: workspaceId, key: id }, bytes);
  if (!release) throw errors.busy(retryAfterSeconds);
  large.begin(bytes, release);
  return undefined;
}

/** A body without a declared length may be of any size. A file is read only for a key that may call. */
const isLarge = ({ body }: Operation, { bodyBytes }: IncomingRequest): boolean =>
  body?.kind === "file" || (body !== undefined && (bodyBytes ?? Number.POSITIVE_INFINITY) > uncheckedBodyBytesMax);

export const isRefused = (input: ReadInput | Limited | Barred): input is Limited | Barred =>
  "kind" in input && (input.kind === "limited" || input.kind === "barred");
