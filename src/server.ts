// Listens: the TLS port that serves, the plain port that only refuses, and the routes made from the operations table.
import type { BlockList } from "node:net";
import type { Server } from "bun";
import { dispatch, type Rooms } from "./api/handle-call.ts";
import { publicPages } from "./api/pages.ts";
import type { Probes } from "./api/probes.ts";
import type { Config } from "./config.ts";
import { type Administration, isOfAdministration } from "./console/administration.ts";
import { errors, type Refusal } from "./contract/errors.ts";
import { type OperationName, operationNames, operations } from "./contract/operations.ts";
import { listenFailure } from "./platform/http/listen-failure.ts";
import { type IncomingRequest, receive, trustedPeers } from "./platform/http/receive.ts";
import { type OutgoingResponse, refusalResponse } from "./platform/http/respond.ts";
import { answerPage } from "./platform/http/static-page.ts";
import type { Log } from "./platform/log.ts";
import { OperatorError } from "./platform/operator-error.ts";
import type { Certificate } from "./platform/tls/certificates.ts";
import { openSecurePort, type Traffic } from "./platform/tls/secure-port.ts";

/** Seconds without a byte after which a connection is closed. */
const idleSeconds = 30;
/** Bun looks at idle connections every four seconds. */
const quietMilliseconds = (idleSeconds + 10) * 1_000;
const drainCheckMilliseconds = 10;
const hsts = "max-age=31536000";

export interface Listening {
  /** The port of the TLS listener, which the system chose where the setting is 0. */
  readonly port: number;
  readonly httpPort: number | undefined;
  /** New connections get this certificate, open ones stay as they are. @throws OperatorError when that can not be */
  readonly show: (certificate: Certificate) => void;
  /** Takes no new connection and resolves when the calls in flight are answered, or after `graceSeconds` at the latest. */
  readonly stop: (graceSeconds: number) => Promise<void>;
}

/** @throws OperatorError when a port is taken or the certificate can not be used */
export function listen(
  config: Config,
  certificate: Certificate,
  rooms: Rooms & { readonly console: Administration | undefined },
  probes: Probes,
  log: Log,
): Listening {
  const routes = makeRoutes(config.basePath, probes);
  const trusted = trustedPeers(config.trustedProxies);
  const serve = (port: number, setting: string, options: ListenerOptions) => {
    const house = { routes, rooms, probes, log, trusted, ...options };
    try {
      return Bun.serve({
        hostname: config.host,
        port,
        ...(options.tls && { tls: options.tls }),
        // Else Bun lets a second service listen on the same port and take half of its calls.
        reusePort: options.isShared,
        http2: true,
        idleTimeout: idleSeconds,
        // The limit is ours to tell, in the interface's form: see door.ts.
        maxRequestBodySize: Number.MAX_SAFE_INTEGER,
        development: false,
        fetch: (request, server) => answerCall(house, request, server),
        error: (error) => {
          const requestId = Bun.randomUUIDv7();
          log.write("error", "failure", { requestId, cause: String(error) });
          const { status, code, body, headers } = refusalResponse(errors.internal(), requestId);
          rooms.metrics?.answered({ operation: "none", status, code, units: 0, milliseconds: 0 });
          return new Response(body, { status, headers });
        },
      });
    } catch (error) {
      throw new OperatorError(listenFailure(config.host, port, setting, error));
    }
  };
  const secure = openSecurePort(
    ({ cert, key }, traffic, port) =>
      serve(port ?? config.port, "COMMONPLACE_PORT", { tls: { cert, key }, traffic, isShared: port !== undefined }),
    certificate,
    quietMilliseconds,
  );
  let plain: Server<undefined> | undefined;
  try {
    plain =
      config.httpPort === undefined
        ? undefined
        : serve(config.httpPort, "COMMONPLACE_HTTP_PORT", { tls: undefined, traffic: { lastAt: 0 }, isShared: false });
  } catch (error) {
    secure.stop(true);
    throw error;
  }
  return {
    port: secure.port,
    httpPort: plain?.port,
    show: secure.show,
    stop: async (graceSeconds) => {
      const until = performance.now() + graceSeconds * 1_000;
      secure.stop(false);
      void plain?.stop();
      // Not until every connection is closed: on one that never asked anything, no call is in flight.
      while (secure.pendingRequests() + (plain?.pendingRequests ?? 0) > 0 && performance.now() < until)
        await Bun.sleep(drainCheckMilliseconds);
      secure.stop(true);
      void plain?.stop(true);
    },
  };
}

interface ListenerOptions {
  /** Undefined on the plain port. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly traffic: Traffic;
  readonly isShared: boolean;
}

/** What a listener's calls need to be answered. */
interface House extends ListenerOptions {
  readonly routes: Routes;
  readonly rooms: Rooms & { readonly console: Administration | undefined };
  readonly probes: Probes;
  readonly log: Log;
  readonly trusted: BlockList;
}

/** What stands at a path: for each method an operation, or what is open to everyone without a key. */
type Route =
  | { readonly operations: ReadonlyMap<string, OperationName> }
  | { readonly open: (incoming: IncomingRequest, requestId: string) => OutgoingResponse | Promise<OutgoingResponse> };
type Routes = ReadonlyMap<string, Route>;

function makeRoutes(basePath: string, probes: Probes): Routes {
  const byPath = new Map<string, Map<string, OperationName>>();
  for (const name of operationNames) {
    const { method, path } = operations[name];
    const methods = byPath.get(basePath + path) ?? new Map<string, OperationName>();
    byPath.set(basePath + path, methods.set(method, name));
  }
  return new Map<string, Route>([
    ...[...byPath].map(([path, methods]): [string, Route] => [path, { operations: methods }]),
    ...publicPages(basePath).map((page): [string, Route] => [
      page.path,
      { open: (incoming, requestId) => answerPage(page, incoming, requestId) },
    ]),
    ["/healthz", { open: (_, requestId) => probes.health(requestId) }],
    ["/readyz", { open: (_, requestId) => probes.readiness(requestId) }],
  ]);
}

async function answerCall(house: House, request: Request, server: Server<undefined>): Promise<Response> {
  const { rooms } = house;
  const startedAt = performance.now();
  rooms.metrics?.began();
  const requestId = Bun.randomUUIDv7();
  const incoming = receive(request, server.requestIP(request)?.address ?? "", house.tls !== undefined, house.trusted);
  const route = house.routes.get(incoming.path);
  const operation = route && "operations" in route ? route.operations.get(incoming.method) : undefined;

  const administration = isOfAdministration(incoming.path) && incoming.isSecure ? rooms.console : undefined;

  const answer =
    operation && incoming.isSecure
      ? await dispatch(rooms, operation, incoming, requestId)
      : administration
        ? await administration.answer(incoming, requestId)
        : await answerOther(route, incoming, requestId);

  if (incoming.isSecure) answer.headers["Strict-Transport-Security"] = hsts;
  // The client's next call then looks for a service that stays. Bun leaves it out of HTTP/2, which has another way to say so.
  if (house.probes.isDraining) answer.headers.Connection = "close";
  const { status, code, units } = answer;
  house.traffic.lastAt = performance.now();
  const milliseconds = house.traffic.lastAt - startedAt;
  const kind = operation ?? (administration ? "console" : route && "open" in route ? "open" : "none");
  house.log.write(levelOf(status, code, incoming.path), "call", {
    requestId,
    method: incoming.method,
    path: incoming.path.slice(0, 200),
    operation,
    status,
    units,
    milliseconds: Math.round(milliseconds * 1_000) / 1_000,
    client: incoming.clientAddress,
    workspaceId: answer.caller?.workspaceId,
    keyId: answer.caller?.id,
  });
  rooms.metrics?.answered({ operation: kind, status, code, units, milliseconds });
  const headers = new Headers(answer.headers);
  for (const cookie of answer.cookies ?? []) headers.append("Set-Cookie", cookie);
  return new Response(incoming.method === "HEAD" || status === 304 ? null : answer.body, { status, headers });
}

const probePaths = new Set(["/healthz", "/readyz"]);

/** That the service ends is no failure, and that all is well was asked by somebody who asks again in two seconds. */
function levelOf(status: number, code: string | undefined, path: string): "debug" | "info" | "error" {
  if (status >= 500 && code !== "draining") return "error";
  return probePaths.has(path) ? "debug" : "info";
}

/** Everything that is no call of an operation: no HTTPS, no such path, no such method, what is open to everyone. */
async function answerOther(
  route: Route | undefined,
  incoming: IncomingRequest,
  requestId: string,
): Promise<OutgoingResponse> {
  const refuse = (error: Refusal) => refusalResponse(error, requestId);
  if (!incoming.isSecure) return refuse(errors.httpsRequired());
  if (!route) return refuse(errors.pathUnknown());
  if ("operations" in route) return refuse(errors.methodNotAllowed([...route.operations.keys()].join(", ")));
  if (incoming.method !== "GET" && incoming.method !== "HEAD") return refuse(errors.methodNotAllowed("GET, HEAD"));
  return route.open(incoming, requestId);
}
