// Listens: the TLS port that serves, the plain port that only refuses, and the routes made from the operations table.
import type { BlockList } from "node:net";
import type { Server } from "bun";
import type { Config } from "../config.ts";
import { type ApiError, errors } from "../contract/errors.ts";
import { type OperationName, operationNames, operations } from "../contract/operations.ts";
import { DatabaseUnavailable } from "../database/database.ts";
import { Refusal } from "../refusal.ts";
import type { Certificate } from "./certificates.ts";
import { dispatch, type Rooms } from "./dispatch.ts";
import { type Incoming, receive, trustedPeers } from "./door.ts";
import type { Log } from "./log.ts";
import { answerPage, pages } from "./pages.ts";
import { type Answer, freeOfCharge, refusal } from "./reply.ts";

/** Seconds without a byte after which a connection is closed. */
const idleSeconds = 30;
const drainCheckMilliseconds = 10;
const hsts = "max-age=31536000";

export interface Listening {
  /** The port of the TLS listener, which the system chose where the setting is 0. */
  readonly port: number;
  readonly httpPort: number | undefined;
  /** Takes no new connection and resolves when the calls in flight are answered, or after `graceSeconds` at the latest. */
  readonly stop: (graceSeconds: number) => Promise<void>;
}

/** @throws Refusal when a port is taken or the certificate can not be used */
export function listen(config: Config, certificate: Certificate, rooms: Rooms, log: Log): Listening {
  const routes = makeRoutes(config.basePath, rooms);
  const trusted = trustedPeers(config.trustedProxies);
  const serve = (port: number, setting: string, tls: { cert: string; key: string } | undefined) => {
    try {
      return Bun.serve({
        hostname: config.host,
        port,
        ...(tls && { tls }),
        // Else Bun lets a second service listen on the same port and take half of its calls.
        reusePort: false,
        http2: true,
        idleTimeout: idleSeconds,
        // The limit is ours to tell, in the interface's form: see door.ts.
        maxRequestBodySize: Number.MAX_SAFE_INTEGER,
        development: false,
        fetch: (request, server) => answerCall(routes, rooms, log, trusted, request, server, tls !== undefined),
        error: (error) => {
          const requestId = Bun.randomUUIDv7();
          log.write("error", "failure", { requestId, cause: String(error) });
          const { status, body, headers } = refusal(errors.internal(), requestId);
          return new Response(body, { status, headers });
        },
      });
    } catch (error) {
      throw new Refusal(listenFailure(config.host, port, setting, error));
    }
  };
  const secure = serve(config.port, "COMMONPLACE_PORT", { cert: certificate.cert, key: certificate.key });
  let plain: Server<undefined> | undefined;
  try {
    plain = config.httpPort === undefined ? undefined : serve(config.httpPort, "COMMONPLACE_HTTP_PORT", undefined);
  } catch (error) {
    void secure.stop(true);
    throw error;
  }
  return {
    port: secure.port ?? config.port,
    httpPort: plain?.port,
    stop: async (graceSeconds) => {
      const until = performance.now() + graceSeconds * 1_000;
      void secure.stop();
      void plain?.stop();
      // Not until every connection is closed: on one that never asked anything, no call is in flight.
      while (secure.pendingRequests + (plain?.pendingRequests ?? 0) > 0 && performance.now() < until)
        await Bun.sleep(drainCheckMilliseconds);
      void secure.stop(true);
      void plain?.stop(true);
    },
  };
}

function listenFailure(host: string, port: number, setting: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE")
    return `port ${port} is in use: is Commonplace running already? Else set ${setting} to another`;
  if (code === "EACCES") return `port ${port} may not be opened by this user: set ${setting} to one above 1023`;
  return `can not listen on ${host} port ${port}: ${error instanceof Error ? error.message : error}`;
}

/** What stands at a path: for each method an operation, or what is open to everyone without a key. */
type Route =
  | { readonly operations: ReadonlyMap<string, OperationName> }
  | { readonly open: (incoming: Incoming, requestId: string) => Answer | Promise<Answer> };
type Routes = ReadonlyMap<string, Route>;

function makeRoutes(basePath: string, rooms: Rooms): Routes {
  const byPath = new Map<string, Map<string, OperationName>>();
  for (const name of operationNames) {
    const { method, path } = operations[name];
    const methods = byPath.get(basePath + path) ?? new Map<string, OperationName>();
    byPath.set(basePath + path, methods.set(method, name));
  }
  return new Map<string, Route>([
    ...[...byPath].map(([path, methods]): [string, Route] => [path, { operations: methods }]),
    ...pages(basePath).map((page): [string, Route] => [
      page.path,
      { open: (incoming, requestId) => answerPage(page, incoming, requestId) },
    ]),
    ["/healthz", { open: (_, requestId) => answerHealth(rooms, requestId) }],
  ]);
}

async function answerCall(
  routes: Routes,
  rooms: Rooms,
  log: Log,
  trusted: BlockList,
  request: Request,
  server: Server<undefined>,
  isTls: boolean,
): Promise<Response> {
  const startedAt = performance.now();
  const requestId = Bun.randomUUIDv7();
  const incoming = receive(request, server.requestIP(request)?.address ?? "", isTls, trusted);
  const route = routes.get(incoming.path);
  const operation = route && "operations" in route ? route.operations.get(incoming.method) : undefined;

  const answer =
    operation && incoming.isSecure
      ? await dispatch(rooms, operation, incoming, requestId)
      : await answerOther(route, incoming, requestId);

  if (incoming.isSecure) answer.headers["Strict-Transport-Security"] = hsts;
  log.write(answer.status >= 500 ? "error" : "info", "call", {
    requestId,
    method: incoming.method,
    path: incoming.path.slice(0, 200),
    operation,
    status: answer.status,
    units: answer.units,
    milliseconds: Math.round((performance.now() - startedAt) * 1_000) / 1_000,
    client: incoming.clientAddress,
    workspaceId: answer.caller?.workspaceId,
    keyId: answer.caller?.id,
  });
  return new Response(incoming.method === "HEAD" || answer.status === 304 ? null : answer.body, {
    status: answer.status,
    headers: answer.headers,
  });
}

/** Everything that is no call of an operation: no HTTPS, no such path, no such method, what is open to everyone. */
async function answerOther(route: Route | undefined, incoming: Incoming, requestId: string): Promise<Answer> {
  const refuse = (error: ApiError) => refusal(error, requestId);
  if (!incoming.isSecure) return refuse(errors.httpsRequired());
  if (!route) return refuse(errors.pathUnknown());
  if ("operations" in route) return refuse(errors.methodNotAllowed([...route.operations.keys()].join(", ")));
  if (incoming.method !== "GET" && incoming.method !== "HEAD") return refuse(errors.methodNotAllowed("GET, HEAD"));
  return route.open(incoming, requestId);
}

async function answerHealth(rooms: Rooms, requestId: string): Promise<Answer> {
  try {
    await rooms.database.ping();
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    rooms.report(requestId, error);
    return refusal(errors.unavailable(1), requestId);
  }
  return {
    status: 200,
    body: JSON.stringify({ status: "ok" }),
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Cache-Control": "no-store",
      ...freeOfCharge(requestId),
    },
    units: 0,
  };
}
