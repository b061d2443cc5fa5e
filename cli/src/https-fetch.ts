// `fetch` that trusts a certificate authority of one's own, in Node.js and in Bun.
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { Readable } from "node:stream";
import type { Fetch } from "../../sdk/src/index.ts";

/** Statuses whose responses must not have a body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/** @param ca as PEM; the only authority that is trusted */
export function fetchTrusting(ca: string): Fetch {
  const agent = new Agent({ ca, keepAlive: true });
  return (url, { method = "GET", headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const options = { method, agent, headers: Object.fromEntries(new Headers(headers)), ...(signal && { signal }) };
      const outgoing = request(url, options, (incoming) => resolve(toResponse(incoming)));
      outgoing.on("error", reject);
      // The client sends nothing else.
      outgoing.end(typeof body === "string" || body instanceof Uint8Array ? body : undefined);
    });
}

function toResponse(incoming: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  const status = incoming.statusCode ?? 0;
  if (bodiless.has(status)) {
    incoming.resume();
    return new Response(null, { status, headers });
  }
  // The same stream under the name that `fetch` has for it.
  const body = Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array>;
  return new Response(body, { status, headers });
}
