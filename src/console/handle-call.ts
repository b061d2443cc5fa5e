// One call of a console operation, from the request to the response.
import { noWorkspace } from "../accounts/audit/audit.ts";
import { findToken } from "../accounts/people/sessions.store.ts";
import { noteTokenUse } from "../accounts/people/token-networks.ts";
import { consoleErrors } from "../contract/console/errors.ts";
import type { ConsoleOperation } from "../contract/console/operation.ts";
import { type ConsoleOperationName, consoleOperations } from "../contract/console/operations.ts";
import { errors, Refusal } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { isBilled } from "../metering/billing/billed-months.ts";
import { networkOf } from "../platform/client-network.ts";
import type { Transaction } from "../platform/database/database.ts";
import { bearerToken } from "../platform/http/bearer-token.ts";
import { piecesOf } from "../platform/http/body-in-pieces.ts";
import { compressed } from "../platform/http/content-coding.ts";
import { ResponseRoom, smallResponseBytesMax } from "../platform/http/downloads.ts";
import { toRefusal } from "../platform/http/failure.ts";
import { type ParsedInput, readInput } from "../platform/http/parse-input.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { jsonResponse, largeJsonResponse, type OutgoingResponse, refusalResponse } from "../platform/http/respond.ts";
import { jsonBytes } from "../platform/json-bytes.ts";
import { monthOf } from "../platform/time.ts";
import {
  type Authorized,
  authorize,
  type Credential,
  credentialOf,
  type Identity,
  requireConfirmation,
  requireOwnOrigin,
} from "./authorize.ts";
import type { ConsoleCall, ConsoleContext, OwnTransactionCall } from "./call.ts";
import type { Download } from "./handler.ts";
import { consoleHandlers } from "./handlers.ts";
import type { SessionCookie } from "./sign-in/cookie.ts";
import { clientOf } from "./sign-in/evidence.ts";
import { whileAllowed } from "./watched-download.ts";

/** A body beyond this is read only after the caller was identified, and only where the operation takes one. */
const bodyBytesMax = 64 * 1024;
const retryAfterSeconds = 1;
const knownNetworksMax = 10_000;
/** What a download that is made while it is sent takes of the room for large responses. */
const streamedBytes = 4 * 1024 * 1024;

/** Never throws: whatever happens becomes a response. */
export async function handleConsoleCall(
  context: ConsoleContext,
  name: ConsoleOperationName,
  request: IncomingRequest,
  cookie: SessionCookie | undefined,
  requestId: string,
): Promise<OutgoingResponse> {
  const operation: ConsoleOperation = consoleOperations[name];
  const identity: Identity = {};
  try {
    const credential = credentialOf(request, cookie?.token, context.config);
    if (credential.kind !== "token") requireOwnOrigin(request, context.origin, bodyOf(operation));
    if (credential.kind === "none" && operation.access !== "public") throw consoleErrors.signInRequired();
    if (credential.kind === "token") await noteNetwork(context, credential.secretHash, request);
    const isLarge = operation.isLarge === true && (request.bodyBytes ?? Number.POSITIVE_INFINITY) > bodyBytesMax;
    const input = isLarge
      ? await readLargeInput(context, operation, credential, request, identity)
      : await readInput(operation, request, bodyBytesMax);
    if (input instanceof Refusal) {
      // A malformed call is refused only after sign-in, so that a stranger learns nothing from it.
      await requireSignIn(context, operation, credential, identity);
      throw input;
    }
    const call: Call = { context, name, operation, credential, request, requestId, input, identity };
    const { result, authorized } = await (operation.isOwnTransaction
      ? runWithoutTransaction(call)
      : runInTransaction(call));
    if (operation.method !== "GET" && authorized) context.changes.notice(authorized.workspaceId);
    const response = await makeResponse(call, result, authorized, cookie);
    return { ...(operation.method === "GET" ? await compressed(response, request) : response), ...identity };
  } catch (error) {
    return { ...refusalResponse(refusalOf(context, request, requestId, error), requestId), ...identity };
  }
}

/** A wrong access token counts against the client's address, as a wrong API key does. A session that has ended is no guess. */
function refusalOf(
  { failedAuthentications, report }: ConsoleContext,
  { authorization, clientAddress }: IncomingRequest,
  requestId: string,
  error: unknown,
): Refusal {
  const refusal = toRefusal(error, requestId, report);
  const isGuess = refusal.kind === "unauthenticated" && bearerToken(authorization) !== undefined;
  const waitSeconds = isGuess ? failedAuthentications.add(clientAddress) : undefined;
  return waitSeconds === undefined ? refusal : consoleErrors.tooManyAttempts(waitSeconds);
}

async function makeResponse(
  call: Call,
  result: Result,
  authorized: Authorized | undefined,
  cookie: SessionCookie | undefined,
): Promise<OutgoingResponse> {
  const { context, operation, requestId } = call;
  try {
    const renewed = await extendSession(call, authorized, cookie);
    const room = operation.method === "GET" ? reserveRoom(context, result, authorized) : undefined;
    const watch = (pieces: AsyncIterable<Uint8Array>) => whileAllowed(pieces, () => readRights(call));
    return responseOf(operation, result, requestId, renewed, { room, watch });
  } catch (error) {
    if (isFileInPieces(result.body)) result.body.end();
    throw error;
  }
}

const isFileInPieces = (body: Download["body"] | undefined) => typeof body === "object" && "pieces" in body;

const bodyOf = ({ body }: ConsoleOperation): "none" | "json" | "file" =>
  body === undefined ? "none" : body.kind === "file" ? "file" : "json";

interface Call {
  readonly context: ConsoleContext;
  readonly name: ConsoleOperationName;
  readonly operation: ConsoleOperation;
  readonly credential: Credential;
  readonly request: IncomingRequest;
  readonly requestId: string;
  readonly input: ParsedInput;
  readonly identity: Identity;
}

/** The networks that tokens were used from, so that most calls do not ask the database. Forgetting them does no harm. */
async function noteNetwork(context: ConsoleContext, secretHash: string, request: IncomingRequest): Promise<void> {
  const { knownTokenNetworks, database } = context;
  const use = `${secretHash} ${networkOf(request.clientAddress)}`;
  if (knownTokenNetworks.has(use)) return;
  // An invented secret must not cost a write.
  if (!(await database.read((transaction) => findToken(transaction, secretHash)))) return;
  await database.transaction((transaction) => noteTokenUse(transaction, secretHash, clientOf(request)));
  if (knownTokenNetworks.size >= knownNetworksMax) knownTokenNetworks.clear();
  knownTokenNetworks.add(use);
}

interface Result {
  readonly data?: unknown;
  readonly metadata?: unknown;
  readonly nextCursor?: string | null;
  readonly cookies?: readonly string[];
  readonly body?: Download["body"];
  readonly fileName?: string;
  readonly headers?: Download["headers"];
  readonly stream?: ReadableStream<Uint8Array>;
}

interface Outcome {
  readonly result: Result;
  /** Undefined where nobody is signed in and nobody has to be. */
  readonly authorized: Authorized | undefined;
}

/** @throws Refusal `unauthenticated` for a stranger, whose body is not read; `unavailable` while too many large bodies are being read */
async function readLargeInput(
  context: ConsoleContext,
  operation: ConsoleOperation,
  credential: Credential,
  request: IncomingRequest,
  identity: Identity,
): Promise<ParsedInput | Refusal> {
  const authorized = await requireSignIn(context, operation, credential, identity);
  const bytes = Math.min(request.bodyBytes ?? limits.requestBodyBytesMax, limits.requestBodyBytesMax);
  const owner = { workspace: authorized?.workspaceId ?? "", key: authorized?.actor.personId ?? "" };
  const release = await context.uploads.reserveSoon(owner, bytes);
  if (!release) throw errors.busy(retryAfterSeconds);
  try {
    return await readInput(operation, request, limits.requestBodyBytesMax, () => {
      const turn = context.turns.take(owner);
      if (turn === false) throw errors.overloaded(1);
      return turn;
    });
  } finally {
    release();
  }
}

/** @throws Refusal `unauthenticated` where the operation needs a sign-in, and there is none */
async function requireSignIn(
  { database }: ConsoleContext,
  operation: ConsoleOperation,
  credential: Credential,
  identity: Identity,
): Promise<Authorized | undefined> {
  if (operation.access === "public") return undefined;
  const signedIn: ConsoleOperation = { ...operation, access: "signedIn" };
  return database.read((transaction) => authorize(transaction, credential, signedIn, undefined, "", identity));
}

async function authorizeCall(
  { context, credential, operation, request, input, identity }: Call,
  transaction: Transaction,
): Promise<Authorized> {
  const { clientAddress } = request;
  const workspaceId = namedWorkspace(input);
  const authorized = await authorize(transaction, credential, operation, workspaceId, clientAddress, identity);
  const isBillingOn = isBilled(monthOf(transaction.now), context.config.billedFrom);
  if (operation.area === "Billing" && !isBillingOn) throw consoleErrors.billingOff();
  requireConfirmation(operation, input.body, authorized);
  return authorized;
}

const namedWorkspace = ({ query: { workspaceId } }: ParsedInput): string | undefined =>
  typeof workspaceId === "string" ? workspaceId : undefined;

/** Authorizes a call that has begun again. How long ago the password was entered no longer matters. @throws Refusal */
const readRights = ({ context, credential, operation, request, input }: Call): Promise<Authorized> =>
  context.database.read((transaction) =>
    authorize(transaction, credential, operation, namedWorkspace(input), request.clientAddress),
  );

/** Authorizes and works in one transaction, so that a right that was taken away meanwhile is not used. */
async function runInTransaction(call: Call): Promise<Outcome> {
  const { context, operation, requestId } = call;
  const work = async (transaction: Transaction): Promise<Outcome> => {
    const authorized = await authorizeCall(call, transaction);
    const { actor, workspaceId, reach, deletedTeamIds } = authorized;
    countCall(call, authorized);
    const consoleCall = { context, transaction, actor, workspaceId, reach, deletedTeamIds, requestId };
    return { result: await callHandler(call, consoleCall), authorized };
  };
  const isReading = operation.method === "GET" && !operation.isWriting;
  return isReading ? context.database.read(work) : context.database.transaction(work);
}

/** @throws Refusal `rate_limited` for a person who does too much */
function countCall({ context, operation }: Call, { actor }: Authorized): void {
  context.personLimit.count(actor.personId, operation.method === "GET");
}

/** For handlers that open transactions themselves, such as those that call a payment provider. */
async function runWithoutTransaction(call: Call): Promise<Outcome> {
  const { context, requestId, request } = call;
  const authorized = await authorizeInSeparateRead(call);
  if (authorized) countCall(call, authorized);
  const ownCall: OwnTransactionCall = {
    context,
    actor: authorized?.actor,
    workspaceId: authorized?.workspaceId ?? noWorkspace,
    reach: authorized?.reach ?? "all",
    deletedTeamIds: authorized?.deletedTeamIds ?? new Set(),
    requestId,
    request,
    authorizeAgain: (transaction) => authorizeCall(call, transaction),
  };
  return { result: await callHandler(call, ownCall), authorized };
}

/** For a public operation, a session that has ended counts as none. */
async function authorizeInSeparateRead(call: Call): Promise<Authorized | undefined> {
  const isPublic = call.operation.access === "public";
  if (isPublic && call.credential.kind === "none") return undefined;
  try {
    return await call.context.database.read((transaction) => authorizeCall(call, transaction));
  } catch (error) {
    if (isPublic && error instanceof Refusal) return undefined;
    throw error;
  }
}

/** The input was parsed by the schemas of this row, which the handler's type is made of. */
const callHandler = ({ name, input }: Call, call: ConsoleCall | OwnTransactionCall): Promise<Result> =>
  (consoleHandlers[name] as (call: unknown, input: unknown) => Promise<Result>)(call, input);

/** Records from time to time that the session or token is in use. @returns the session's cookie again where it was extended */
async function extendSession(
  { context, credential }: Call,
  authorized: Authorized | undefined,
  cookie: SessionCookie | undefined,
): Promise<readonly string[]> {
  const touchSession = authorized?.touchSession;
  if (!touchSession) return [];
  await context.database.transaction(async (transaction) => touchSession(transaction));
  return credential.kind === "session" && cookie ? [cookie.renewed()] : [];
}

/** Room for a large response, like for those of the API. @throws Refusal `unavailable` where there is none */
function reserveRoom(
  { downloads }: ConsoleContext,
  { data, body }: Result,
  authorized: Authorized | undefined,
): ResponseRoom {
  const room = new ResponseRoom(downloads);
  const isStream = body instanceof ReadableStream || isFileInPieces(body);
  const bytes = isStream ? streamedBytes : jsonBytes(data, smallResponseBytesMax, limits.responseBytesMax);
  if (bytes > limits.responseBytesMax) throw errors.responseTooLarge(limits.responseBytesMax);
  const owner = { workspace: authorized?.workspaceId ?? noWorkspace, key: authorized?.actor.personId ?? "" };
  if (!room.reserve(owner, bytes)) throw errors.busy(retryAfterSeconds);
  return room;
}

interface Sending {
  readonly room: ResponseRoom | undefined;
  /** The pieces of a download, as long as its reader has the right to it. */
  readonly watch: (pieces: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
}

function responseOf(
  operation: ConsoleOperation,
  { data, metadata, nextCursor, cookies = [], body, fileName, headers, stream }: Result,
  requestId: string,
  renewed: readonly string[],
  { room, watch }: Sending,
): OutgoingResponse {
  const content = { success: true, data, metadata, nextCursor };
  const response = {
    ...(room?.isReserved && body === undefined
      ? largeJsonResponse(content, requestId, 0, () => room.release())
      : jsonResponse(200, content, requestId)),
    cookies: [...renewed, ...cookies],
  };
  if (stream) {
    response.headers["Content-Type"] = "text/event-stream; charset=utf-8";
    // A proxy that gathered or compressed it would hold it back.
    response.headers["Cache-Control"] = "no-store, no-transform";
    response.headers["X-Accel-Buffering"] = "no";
    return { ...response, body: stream };
  }
  if (body === undefined || fileName === undefined) return response;
  const type = fileName.endsWith(".zip") ? "application/zip" : (operation.mediaType ?? "application/json");
  const isBinary = binaryTypes.has(type);
  response.headers["Content-Type"] = isBinary ? type : `${type}; charset=utf-8`;
  response.headers["Content-Disposition"] = `attachment; filename="${fileName.replaceAll(/[^\w.-]+/g, "-")}"`;
  Object.assign(response.headers, headers);
  if (body instanceof ReadableStream)
    return { ...response, body: { pieces: watch(piecesOf(body)), onEnd: () => room?.release() } };
  if ("pieces" in body) {
    const { pieces, end } = body;
    const onEnd = () => {
      end();
      room?.release();
    };
    return { ...response, body: { pieces: watch(pieces()), onEnd } };
  }
  return { ...response, body };
}

const binaryTypes: ReadonlySet<string> = new Set(["application/pdf", "application/octet-stream", "application/zip"]);
