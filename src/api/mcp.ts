// The MCP endpoint: agents over streamable HTTP, without sessions. What a tool requests goes through the API's own routes, so it is
// authenticated, priced, limited, and logged like any other request.
import type { createMcpHandler as CreateHandler } from "@modelcontextprotocol/server";
import type { createMcpServer as CreateServer } from "../../mcp/server.ts";
import program from "../../package.json" with { type: "json" };
import { Commonplace, type Fetch } from "../../sdk/src/index.ts";
import { errors, Refusal } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { bearerToken } from "../platform/http/bearer-token.ts";
import { isInPieces, patience, streamOf } from "../platform/http/body-in-pieces.ts";
import { requireParsable } from "../platform/http/json-limits.ts";
import { type ListenerDependencies, record, toResponse } from "../platform/http/listener.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, unchargedHeaders } from "../platform/http/respond.ts";
import type { FindRoute, Route } from "../platform/http/routes.ts";
import { presentedKey } from "./authenticate.ts";
import type { ApiDependencies } from "./dependencies.ts";
import { barredResponse, refuseCall } from "./handle-call.ts";
import { beginLargeBody, LargeBody } from "./read-input.ts";
import { limitedResponse } from "./respond.ts";

export interface McpDependencies extends Pick<ListenerDependencies, "log" | "observer"> {
  readonly api: ApiDependencies;
  /** The routes of the API. */
  readonly findRoute: FindRoute;
  readonly apiPath: string;
  /** Whether this is the service's own name or address, without the port. */
  readonly isOwnHost: (name: string) => boolean;
  /** Of the service's own pages. */
  readonly origin: string;
}

export const isMcpPath = (path: string): boolean => path === "/mcp";

/** What the protocol reads of a request. */
const protocolHeaders = ["accept", "content-type", "mcp-method", "mcp-name", "mcp-protocol-version", "mcp-session-id"];
const retryAfterSeconds = 1;
/** The status of a notification, which expects no response. */
const accepted = 202;
/** A larger body is not read for a key that has reached its rate limit. */
const limitedBodyBytesMax = 8 * 1024;

export const mcpRoute = (mcp: McpDependencies): Route => ({
  kind: "mcp",
  respond: (request, requestId) => answerAgent(mcp, request, requestId),
});

/** Never throws: whatever happens becomes a response. */
async function answerAgent(
  mcp: McpDependencies,
  request: IncomingRequest,
  requestId: string,
): Promise<OutgoingResponse> {
  const { api } = mcp;
  const large = new LargeBody();
  try {
    if (request.method !== "POST") throw errors.methodNotAllowed("POST");
    requireOwnAddress(mcp, request);
    const key = presentedKey(request.authorization, request.clientAddress);
    const refused = await beginLargeBody(api, request, key, large);
    if (refused?.kind === "barred") return barredResponse(api, request, requestId, refused);
    // A tool says itself how long to wait, which agents understand better than a status.
    const isSmall = (request.bodyBytes ?? Number.POSITIVE_INFINITY) <= limitedBodyBytesMax;
    if (refused && !isSmall) return limitedResponse(refused, requestId);
    const body = await request.readBody();
    if (body === "too large") throw errors.bodyTooLarge();
    const turn = api.turns.take(api.calls.ownerOf(key));
    if (turn === false) throw errors.overloaded(retryAfterSeconds);
    await turn;
    requireParsable(body);
    requireOneMessage(body);
    return await serve(mcp, request, requestId, body);
  } catch (error) {
    return refuseCall(api, request, requestId, error);
  } finally {
    large.end();
  }
}

/** A page of another site must not use an agent's address, whatever name it gave to this service. @throws Refusal */
function requireOwnAddress({ isOwnHost, origin }: McpDependencies, request: IncomingRequest): void {
  const from = request.header("origin");
  if (from !== null && from !== origin)
    throw new Refusal("forbidden", "other_origin", "Pages on other sites cannot send this request");
  const host = /^(\[[^\]]*\]|[^:]*)(?::\d+)?$/.exec(request.header("host") ?? "")?.[1];
  if (host === undefined || !isOwnHost(host))
    throw new Refusal("misdirected", "other_host", "The Host header does not name this service");
}

/** An old revision of the protocol allowed lists of messages. Each could be a request, so they would not take turns. @throws Refusal 400 */
function requireOneMessage(body: Uint8Array): void {
  const first = body.find((byte) => byte > space);
  if (first === bracketOpen) throw errors.invalid("Send one message, not a list of messages");
}

const [space, bracketOpen] = [0x20, 0x5b];

async function serve(
  mcp: McpDependencies,
  request: IncomingRequest,
  requestId: string,
  body: Uint8Array,
): Promise<OutgoingResponse> {
  const made: OutgoingResponse[] = [];
  const fetchApi = fetchInside(mcp, request, made);
  // Only the path counts: the requests do not leave the process.
  const baseUrl = `https://localhost${mcp.apiPath}`;
  const apiKey = bearerToken(request.authorization) ?? "";
  const client = new Commonplace({ baseUrl, apiKey, fetch: fetchApi, retryWrites: false });
  const { createMcpHandler, createMcpServer } = await loadProtocol();
  const onDefect = (error: unknown) => mcp.api.report(requestId, error);
  const handler = createMcpHandler(() => createMcpServer(client, program.version, onDefect), {
    // Nothing is announced, so a stream would stay empty.
    maxSubscriptions: 0,
    maxRequestBodySize: limits.requestBodyBytesMax,
  });
  const headers = protocolHeaders.flatMap((name) => {
    const value = request.header(name);
    return value === null ? [] : [[name, value] as [string, string]];
  });
  const response = await handler.fetch(
    new Request(mcp.origin + request.path, { method: "POST", headers, body: new Uint8Array(body) }),
  );
  // The requests of a tool are made while its response is read.
  const answer = await response.text();
  // Whatever expects a response and made no request counts as one, so that the rate limit and the balance limit it too.
  if (made.length === 0 && response.status !== accepted) {
    const counted = await fetchApi(`${baseUrl}/me`, { headers: { Authorization: `Bearer ${apiKey}` } });
    const [refusal] = made;
    if (!counted.ok && refusal) return { ...refusal, units: 0 };
  }
  const caller = made.at(-1)?.caller;
  return {
    status: response.status,
    body: answer,
    headers: {
      ...Object.fromEntries(response.headers),
      ...unchargedHeaders(requestId),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
    // The requests of the tools were charged and counted themselves.
    units: 0,
    ...(caller && { caller }),
  };
}

/** Loaded with the first request of an agent. */
async function loadProtocol(): Promise<{
  readonly createMcpHandler: typeof CreateHandler;
  readonly createMcpServer: typeof CreateServer;
}> {
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("../../mcp/server.ts"),
  ]);
  return { createMcpHandler, createMcpServer };
}

/** `fetch` that hands a request to the routes of the API, as if the agent's program had sent it. */
const fetchInside =
  ({ findRoute, log, observer }: McpDependencies, outer: IncomingRequest, made: OutgoingResponse[]): Fetch =>
  async (url, init) => {
    const target = new URL(url);
    const headers = new Headers(init.headers);
    const bytes = typeof init.body === "string" ? new TextEncoder().encode(init.body) : new Uint8Array();
    const request: IncomingRequest = {
      method: init.method ?? "GET",
      path: target.pathname,
      search: target.search.slice(1),
      isSecure: true,
      receivedAt: performance.now(),
      authorization: headers.get("authorization"),
      clientAddress: outer.clientAddress,
      bodyBytes: bytes.length,
      header: (name) => headers.get(name),
      readBody: async (bytesMax = bytes.length) => (bytes.length > bytesMax ? "too large" : bytes),
      pause: outer.pause,
    };
    const route = findRoute(request);
    if (!route) throw new Error(`The API has no path ${request.path}`);
    observer?.received();
    const requestId = Bun.randomUUIDv7();
    const response = await route.respond(request, requestId);
    record({ log, observer }, request, route.kind, requestId, response);
    made.push(response);
    const { body } = response;
    return toResponse(response, isInPieces(body) ? streamOf(body, patience, () => undefined) : body);
  };
