// The connection to the service: a client whose reads are kept for when the service cannot be reached.
import { connectionFailure } from "../../sdk/src/connection-failure.ts";
import { Commonplace, type Fetch } from "../../sdk/src/index.ts";
import { Cache, type Stored } from "./cache.ts";
import { fetchTrusting } from "./https-fetch.ts";
import type { Access } from "./settings.ts";
import { formatAge, lastDayOf, notice, pausing, pluralize } from "./terminal/print.ts";

export interface Connection {
  readonly client: Commonplace;
  readonly cache: Cache;
  readonly url: string;
}

const timeoutSeconds = 30;
/** A byte order mark is part of a text. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** A gateway answers these if the service behind it cannot be reached. */
const unavailable: ReadonlySet<number> = new Set([502, 503, 504]);

/**
 * @param cacheDirectory where every read is kept
 * @param isOfflineAllowed whether a read may return what was fetched before, if the service cannot be reached
 */
export function connect({ url, key, ca }: Access, cacheDirectory: string, isOfflineAllowed: boolean): Connection {
  const cache = new Cache(cacheDirectory, { url, key });
  const send: Fetch = ca === undefined ? (address, init) => fetch(address, init) : fetchTrusting(ca);
  const client = new Commonplace({
    baseUrl: url,
    apiKey: key,
    fetch: withCache(cache, isOfflineAllowed, withNotices(send)),
    waitForRateLimit: true,
    timeoutSeconds,
  });
  return { client, cache, url };
}

/** Says what the person would otherwise wonder about: why nothing happens, and that the key will expire. */
function withNotices(send: Fetch): Fetch {
  let isExpiryKnown = false;
  return async (url, init) => {
    const response = await send(url, init);
    const waitSeconds = Number(response.headers.get("Retry-After"));
    if (response.status === 429 && waitSeconds > 0)
      pausing(`Rate limit reached. Waiting ${pluralize(waitSeconds, "second")}...`);
    const expiresAt = response.headers.get("X-Key-Expires-At");
    if (expiresAt !== null && !isExpiryKnown) notice(`This key expires at the end of ${lastDayOf(expiresAt)} (UTC).`);
    isExpiryKnown ||= expiresAt !== null;
    return response;
  };
}

/** What was changed since a moment is never asked for again. */
const isOfMoment = (url: string): boolean => new URL(url).pathname.endsWith("/changes");

/** A text that has not changed is not sent again and costs nothing; every read is kept. */
function withCache(cache: Cache, isOfflineAllowed: boolean, send: Fetch): Fetch {
  let isOfflineKnown = false;
  const fromCache = (stored: Stored): Response => {
    if (!isOfflineKnown)
      notice(`The service cannot be reached. This was fetched ${formatAge(stored.ageMilliseconds)} ago.`);
    isOfflineKnown = true;
    return toResponse(stored);
  };
  return async (url, init) => {
    if (init.method !== "GET" || isOfMoment(url)) return send(url, init);
    const stored = cache.read(url);
    const headers = new Headers(init.headers);
    if (stored?.headers.etag !== undefined) headers.set("If-None-Match", stored.headers.etag);
    let response: Response;
    try {
      response = await send(url, { ...init, headers });
    } catch (failure) {
      // A certificate that is not trusted may belong to somebody else: that is not the same as no connection.
      if (!stored || !isOfflineAllowed || connectionFailure(url, failure).code === "certificate_not_trusted")
        throw failure;
      return fromCache(stored);
    }
    if (stored && response.status === 304) {
      cache.touch(url);
      return toResponse(stored, response.headers);
    }
    if (stored && isOfflineAllowed && unavailable.has(response.status)) return fromCache(stored);
    // A file is not text, and is not asked for twice.
    if (response.status !== 200 || response.headers.has("Content-Disposition")) return response;
    const body = decoder.decode(await response.arrayBuffer());
    cache.write({ url, headers: Object.fromEntries(response.headers), body });
    return new Response(body, { status: 200, headers: response.headers });
  };
}

/** @param newer headers that replace the stored ones */
function toResponse({ body, headers: stored }: Stored, newer = new Headers()): Response {
  const headers = new Headers({ ...stored, ...Object.fromEntries(newer) });
  // The body is stored decoded.
  for (const name of ["content-encoding", "content-length"]) headers.delete(name);
  return new Response(body, { status: 200, headers });
}
