// Listens: the TLS port that serves and the plain port that only refuses. Each request is received, routed, answered and logged here.
import type { BlockList } from "node:net";
import type { Server } from "bun";
import { errors } from "../../contract/errors.ts";
import { type Demand, type RequestSize, sizeOf } from "../demand.ts";
import type { Log } from "../log.ts";
import { OperatorError } from "../operator-error.ts";
import type { Certificate } from "../tls/certificates.ts";
import { openSecurePort, type Traffic } from "../tls/secure-port.ts";
import { Beginnings } from "./beginnings.ts";
import { type BodyInPieces, isInPieces, type Patience, streamOf } from "./body-in-pieces.ts";
import { listenFailure } from "./listen-failure.ts";
import type { RequestObserver } from "./observer.ts";
import {
  ClientLeft,
  discardUnreadBody,
  type IncomingRequest,
  isForwarded,
  receive,
  trustedProxies,
} from "./receive.ts";
import { type OutgoingResponse, refusalResponse } from "./respond.ts";
import type { FindRoute, RequestKind, Route } from "./routes.ts";

/** Seconds without a byte after which a connection is closed. */
const idleSeconds = 30;
/** Bun checks idle connections every four seconds. */
const quietMilliseconds = (idleSeconds + 10) * 1_000;
const drainCheckMilliseconds = 10;
const retryAfterSeconds = 1;
/** For TLS 1.2: a key for each connection, and encryption that is authenticated. TLS 1.3 has nothing else. */
const ciphers = [
  "ECDHE-ECDSA-AES128-GCM-SHA256",
  "ECDHE-RSA-AES128-GCM-SHA256",
  "ECDHE-ECDSA-AES256-GCM-SHA384",
  "ECDHE-RSA-AES256-GCM-SHA384",
  "ECDHE-ECDSA-CHACHA20-POLY1305",
  "ECDHE-RSA-CHACHA20-POLY1305",
].join(":");
const hsts = "max-age=31536000";
/** The same for a client that reads too slowly. */
const disconnectSeconds = 1;

export interface ListenerSettings {
  readonly host: string;
  readonly port: number;
  /** Undefined: no plain listener. */
  readonly httpPort: number | undefined;
  readonly trustedProxies: readonly string[];
}

export interface ListenerDependencies {
  readonly findRoute: FindRoute;
  readonly log: Log;
  /** Undefined where metrics are off. */
  readonly observer: RequestObserver | undefined;
  /** Whether the service is stopping. Responses then ask clients to open their next connection elsewhere. */
  readonly isDraining: () => boolean;
  /** Learns of every request. */
  readonly demand: Demand;
  readonly patience: Patience;
}

export interface Listener {
  /** The port of the TLS listener, which the system chose where the setting is 0. */
  readonly port: number;
  readonly httpPort: number | undefined;
  /** Gives this certificate to new connections; open ones keep theirs. @throws OperatorError when the system cannot do that */
  readonly applyCertificate: (certificate: Certificate) => void;
  /** Accepts no new connection and resolves when the calls in flight are answered, or after `graceSeconds` at the latest. */
  readonly stop: (graceSeconds: number) => Promise<void>;
}

/** @throws OperatorError when a port is in use or the certificate cannot be used */
export function listen(
  settings: ListenerSettings,
  certificate: Certificate,
  dependencies: ListenerDependencies,
): Listener {
  const trusted = trustedProxies(settings.trustedProxies);
  const beginnings = new Beginnings();
  const warnedOf = new Set<string>();
  const serve = (port: number, setting: string, { tls, traffic, isShared }: PortOptions) => {
    const context: PortContext = { ...dependencies, trusted, beginnings, warnedOf, isTls: tls !== undefined, traffic };
    try {
      return Bun.serve({
        hostname: settings.host,
        port,
        ...(tls && { tls }),
        // Otherwise Bun lets a second service listen on the same port and take half of its calls.
        reusePort: isShared,
        http2: true,
        idleTimeout: idleSeconds,
        // The size limit is ours, in the interface's form: see receive.ts.
        maxRequestBodySize: Number.MAX_SAFE_INTEGER,
        development: false,
        fetch: async (request, server) => {
          const { demand } = dependencies;
          const size = sizeOf(request.headers.get("content-length"));
          demand.begin(size);
          try {
            return await answer(context, request, server, size);
          } finally {
            demand.end(size);
          }
        },
        error: (error) => answerFailure(dependencies, error),
      });
    } catch (error) {
      throw new OperatorError(listenFailure(settings.host, port, setting, error));
    }
  };
  const secure = openSecurePort(
    ({ cert, key }, traffic, port) =>
      serve(port ?? settings.port, "COMMONPLACE_HTTPS_PORT", {
        tls: { cert, key, ciphers },
        traffic,
        isShared: port !== undefined,
      }),
    certificate,
    quietMilliseconds,
  );
  let plain: Server<undefined> | undefined;
  try {
    plain =
      settings.httpPort === undefined
        ? undefined
        : serve(settings.httpPort, "COMMONPLACE_HTTP_PORT", {
            tls: undefined,
            traffic: { lastAt: 0 },
            isShared: false,
          });
  } catch (error) {
    secure.stop(true);
    throw error;
  }
  return {
    port: secure.port,
    httpPort: plain?.port,
    applyCertificate: secure.applyCertificate,
    stop: async (graceSeconds) => {
      const until = performance.now() + graceSeconds * 1_000;
      secure.stop(false);
      void plain?.stop();
      // Idle connections are not waited for: no call is in flight on them.
      while (secure.pendingRequests() + (plain?.pendingRequests ?? 0) > 0 && performance.now() < until)
        await Bun.sleep(drainCheckMilliseconds);
      secure.stop(true);
      void plain?.stop(true);
    },
  };
}

interface PortOptions {
  /** Undefined on the plain port. */
  readonly tls: { readonly cert: string; readonly key: string; readonly ciphers: string } | undefined;
  readonly traffic: Traffic;
  readonly isShared: boolean;
}

interface PortContext extends ListenerDependencies {
  readonly trusted: BlockList;
  readonly beginnings: Beginnings;
  /** Addresses of untrusted proxies. */
  readonly warnedOf: Set<string>;
  readonly isTls: boolean;
  readonly traffic: Traffic;
}

async function answer(
  context: PortContext,
  request: Request,
  server: Server<undefined>,
  size: RequestSize,
): Promise<Response> {
  const receivedAt = performance.now();
  context.observer?.received();
  // Asked for before anything is awaited: it does not know of a cancellation that came before.
  const { signal } = request;
  await context.beginnings.endOfArrivals();
  const peer = signal.aborted ? null : server.requestIP(request);
  if (!peer) return abandon(context);
  const { address: peerAddress, port } = peer;
  if (isForwarded(request, peerAddress, context.trusted)) warnOfProxy(context, peerAddress);
  const begin = () => context.beginnings.begin({ workspace: incoming.clientAddress, key: `${peerAddress} ${port}` });
  const pause: IncomingRequest["pause"] = async (wait) => {
    const pausedAt = performance.now();
    end?.();
    context.demand.end(size);
    try {
      await wait(signal);
    } finally {
      incoming.receivedAt += performance.now() - pausedAt;
      context.demand.begin(size);
      end = await begin();
    }
    if (signal.aborted) throw new ClientLeft();
    if (!end) throw errors.overloaded(retryAfterSeconds);
  };
  let isWaiting = false;
  const keepWaiting = (seconds: number) => {
    isWaiting = true;
    server.timeout(request, seconds);
  };
  const connection = { peerAddress, isTls: context.isTls, receivedAt, pause, keepWaiting };
  const incoming = receive(request, connection, context.trusted);
  let end = await begin();
  try {
    return signal.aborted ? abandon(context) : await serve(context, server, request, incoming, end !== undefined);
  } catch (error) {
    if (error instanceof ClientLeft) return abandon(context);
    throw error;
  } finally {
    end?.();
    if (isWaiting) server.timeout(request, idleSeconds);
  }
}

/** So many addresses are warned of, each once. Anyone may send the header, so this is no error. */
const proxiesWarnedMax = 100;

function warnOfProxy({ log, warnedOf }: PortContext, address: string): void {
  if (warnedOf.has(address) || warnedOf.size >= proxiesWarnedMax) return;
  warnedOf.add(address);
  log.write(
    "warn",
    "X-Forwarded-For was ignored: if your proxy sent it, add its address to COMMONPLACE_TRUSTED_PROXIES",
    { clientAddress: address },
  );
}

/** The client canceled the request or left before it was begun: nothing was done, and nobody receives the response. */
function abandon({ observer }: PortContext): Response {
  observer?.abandoned();
  return new Response(null, { status: 503 });
}

/** @param mayBegin false: too many others of this client on this connection are still in progress */
async function serve(
  { findRoute, observer, log, isDraining, traffic, patience }: PortContext,
  server: Server<undefined>,
  request: Request,
  incoming: IncomingRequest,
  mayBegin: boolean,
): Promise<Response> {
  const requestId = Bun.randomUUIDv7();
  const route = (mayBegin ? findRoute(incoming) : tooManyBegun) ?? unknownPath;
  const response = incoming.isSecure
    ? await route.respond(incoming, requestId)
    : refusalResponse(errors.httpsRequired(), requestId);

  await discardUnreadBody(request, incoming);
  if (incoming.isSecure) response.headers["Strict-Transport-Security"] = hsts;
  // Bun leaves this out of HTTP/2, which has its own way to do it.
  if (isDraining()) response.headers.Connection = "close";
  traffic.lastAt = performance.now();
  record({ log, observer }, incoming, route.kind, requestId, response);
  const { body, status } = response;
  const disconnect = () => {
    log.write("warn", "disconnected a client that reads too slowly", { requestId });
    server.timeout(request, disconnectSeconds);
  };
  if (isInPieces(body)) return toResponse(response, streamOf(body, patience, disconnect));
  return toResponse(response, incoming.method === "HEAD" || bodiless.has(status) ? null : body);
}

/** Statuses of responses that have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 304]);

/** Logs and counts a request that was answered. */
export function record(
  { log, observer }: Pick<ListenerDependencies, "log" | "observer">,
  incoming: IncomingRequest,
  kind: RequestKind,
  requestId: string,
  { status, code, units, caller, personId }: OutgoingResponse,
): void {
  const milliseconds = performance.now() - incoming.receivedAt;
  log.write(levelOf(status, code, incoming.path), "request", {
    requestId,
    method: incoming.method,
    path: incoming.path.slice(0, 200),
    operation: operationOf(kind),
    status,
    code,
    units,
    durationMilliseconds: Math.round(milliseconds * 1_000) / 1_000,
    clientAddress: incoming.clientAddress,
    workspaceId: caller?.workspaceId,
    keyId: caller?.id,
    personId,
  });
  observer?.answered({ kind, status, code, units, milliseconds });
}

const unknownPath: Route = {
  kind: "none",
  respond: (_, requestId) => refusalResponse(errors.pathUnknown(), requestId),
};

const tooManyBegun: Route = {
  kind: "none",
  respond: (_, requestId) => refusalResponse(errors.overloaded(retryAfterSeconds), requestId),
};

/** @param body what is sent in the place of the response's own body */
export function toResponse(
  { status, headers, cookies = [] }: OutgoingResponse,
  body: Exclude<OutgoingResponse["body"], BodyInPieces> | null,
): Response {
  const all = new Headers(headers);
  for (const cookie of cookies) all.append("Set-Cookie", cookie);
  return new Response(body, { status, headers: all });
}

const operationOf = (kind: RequestKind): string | undefined =>
  kind === "console" || kind === "mcp" || kind === "open" || kind === "none" ? undefined : kind;

const probePaths = new Set(["/healthz", "/readyz"]);

/** Draining is no failure, and a probe that succeeds is repeated every few seconds. */
function levelOf(status: number, code: string | undefined, path: string): "debug" | "info" | "error" {
  if (status >= 500 && code !== "draining") return "error";
  return probePaths.has(path) ? "debug" : "info";
}

/** What went wrong outside of any route. */
function answerFailure({ log, observer }: ListenerDependencies, error: unknown): Response {
  const requestId = Bun.randomUUIDv7();
  log.write("error", "request failed", { requestId, cause: String(error) });
  const response = refusalResponse(errors.internal(), requestId);
  observer?.answered({ kind: "none", status: response.status, code: response.code, units: 0, milliseconds: 0 });
  return toResponse(response, response.body);
}
