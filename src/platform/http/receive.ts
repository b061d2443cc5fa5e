// A raw HTTP request → what the service needs of it: whether it came over HTTPS, from which client, and how large its body is.
import { BlockList, isIP } from "node:net";
import { errors } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";

export interface IncomingRequest {
  readonly method: string;
  readonly path: string;
  /** The query without its question mark. */
  readonly search: string;
  /** Whether it came over HTTPS. Otherwise nothing of it is looked at. */
  readonly isSecure: boolean;
  /** By `performance.now()`; later by as long as the request has paused, so that pauses are not taken for slowness. */
  receivedAt: number;
  readonly authorization: string | null;
  readonly clientAddress: string;
  /** The declared length of the body in bytes, undefined where the client did not declare one. */
  readonly bodyBytes: number | undefined;
  readonly header: (name: string) => string | null;
  /** @param bytesMax the interface's limit where it is left out. More is read, but not kept. */
  readonly readBody: (bytesMax?: number) => Promise<Uint8Array | "too large">;
  /**
   * Waits for something that may take long. Meanwhile, the request counts neither among those in progress on its connection nor as demand.
   * @throws ClientLeft when the client canceled the request or left
   */
  readonly pause: (wait: (left: AbortSignal) => Promise<void>) => Promise<void>;
  /** Keeps the connection open for so long without a byte of the response. Absent where the caller does not wait on a connection. */
  readonly keepWaiting?: (seconds: number) => void;
}

/** Nobody receives the response to a request any more, so nothing is done for it. */
export class ClientLeft extends Error {}

/** Addresses and networks whose `X-Forwarded-…` headers count. */
export function trustedProxies(addresses: readonly string[]): BlockList {
  const peers = new BlockList();
  for (const entry of addresses) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) peers.addAddress(address, family);
    else peers.addSubnet(address, Number(bits), family);
  }
  return peers;
}

/** What the listener knows of a request besides its content. */
export interface Connection extends Pick<IncomingRequest, "pause" | "keepWaiting"> {
  /** The other end of the connection: the client, or a proxy in front of the service. */
  readonly peerAddress: string;
  readonly isTls: boolean;
  readonly receivedAt: number;
}

export function receive(
  request: Request,
  { peerAddress, isTls, receivedAt, pause, keepWaiting }: Connection,
  trusted: BlockList,
): IncomingRequest {
  // Without a Host header, which HTTP/1.0 allows, the address is the path alone.
  const pathAt = request.url.startsWith("/") ? 0 : request.url.indexOf("/", request.url.indexOf("//") + 2);
  const target = pathAt < 0 ? "/" : request.url.slice(pathAt);
  const queryAt = target.indexOf("?");
  const isProxied = isTrusted(peerAddress, trusted);
  const protocol = isProxied ? request.headers.get("x-forwarded-proto") : null;
  const length = request.headers.get("content-length");
  return {
    method: request.method,
    path: queryAt < 0 ? target : target.slice(0, queryAt),
    search: queryAt < 0 ? "" : target.slice(queryAt + 1),
    isSecure: protocol === null ? isTls : protocol.trim().toLowerCase() === "https",
    receivedAt,
    authorization: request.headers.get("authorization"),
    clientAddress: (isProxied && forwardedFor(request, trusted)) || peerAddress,
    bodyBytes: length === null ? undefined : Number(length),
    header: (name) => request.headers.get(name),
    readBody: (bytesMax = limits.requestBodyBytesMax) => readBody(request, bytesMax),
    pause,
    ...(keepWaiting && { keepWaiting }),
  };
}

/** Whether a peer that is no trusted proxy forwards somebody else's request: then all of its clients count as one. */
export const isForwarded = (request: Request, peerAddress: string, trusted: BlockList): boolean =>
  request.headers.has("x-forwarded-for") && !isTrusted(peerAddress, trusted);

const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, "");

const isTrusted = (address: string, trusted: BlockList): boolean => {
  const plain = plainAddress(address);
  const family = isIP(plain);
  return family !== 0 && trusted.check(plain, family === 6 ? "ipv6" : "ipv4");
};

/** The last hop that is not a trusted proxy, where it is an address. The client may have invented the hops before it. */
function forwardedFor(request: Request, trusted: BlockList): string | undefined {
  const hops = (request.headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
  const client = hops.reverse().find((hop) => !isTrusted(hop, trusted)) ?? "";
  return isIP(client) === 0 ? undefined : client;
}

/** A client that sends too much is read up to here before it is answered: many clients never see a response that cuts them off. */
const drainedBytesMax = 8 * limits.requestBodyBytesMax;

/** @throws Refusal 400 when the client disconnects before its body is complete */
async function readBody(request: Request, bytesMax: number): Promise<Uint8Array | "too large"> {
  try {
    return await collectBody(request, bytesMax);
  } catch {
    throw errors.bodyIncomplete();
  }
}

async function collectBody(request: Request, bytesMax: number): Promise<Uint8Array | "too large"> {
  if (!request.body) return new Uint8Array();
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) <= bytesMax) return request.bytes();
  const reader = request.body.getReader();
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    if (bytes <= bytesMax) kept.push(value);
    else kept.length = 0;
    if (bytes > drainedBytesMax) {
      void reader.cancel().catch(() => undefined);
      break;
    }
  }
  return bytes > bytesMax ? "too large" : Buffer.concat(kept);
}

/** A body up to this size is read to its end even where nobody needs it. */
const discardedBytesMax = 256 * 1024;
const discardMilliseconds = 2_000;

/**
 * Reads the rest of a small body that the response did not need. Over HTTP/2, Bun resets the stream of a request that is answered before its
 * body has ended, and curl then reports an error instead of the response. A large or slow body is not waited for.
 */
export async function discardUnreadBody(request: Request, { method, bodyBytes }: IncomingRequest): Promise<void> {
  const isBodiless = bodyBytes === undefined ? method === "GET" || method === "HEAD" : bodyBytes === 0;
  if (isBodiless || request.bodyUsed || !request.body || (bodyBytes ?? 0) > discardedBytesMax) return;
  const reader = request.body.getReader();
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), discardMilliseconds);
  try {
    for (let bytes = 0; bytes <= discardedBytesMax; ) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.length;
    }
    void reader.cancel().catch(() => undefined);
  } catch {
    // The client is gone.
  } finally {
    clearTimeout(timer);
  }
}
