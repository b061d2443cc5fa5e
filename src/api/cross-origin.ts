// Browsers: which pages on other sites may send requests to the API (the Fetch standard, CORS). Without such pages, nothing here is used.
import { headers } from "../contract/openapi-responses.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { type OutgoingResponse, unchargedHeaders } from "../platform/http/respond.ts";
import type { FindRoute, Route } from "../platform/http/routes.ts";

/** How long a browser remembers the response to a preflight. Chromium remembers none for longer. */
const preflightSeconds = 7_200;
/** What a page may send and read. Cookies are never allowed: the API accepts none. */
const allowed = {
  "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
  "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match",
  "Access-Control-Max-Age": String(preflightSeconds),
};
const exposed = { "Access-Control-Expose-Headers": Object.keys(headers).join(", ") };

/** The same routes, also for pages of these origins. Preflights need no key, and are neither charged nor counted. */
export function forOrigins(findRoute: FindRoute, origins: readonly string[]): FindRoute {
  if (origins.length === 0) return findRoute;
  const known = new Set(origins);
  return (request) => {
    const route = findRoute(request);
    const origin = request.header("origin");
    const isKnown = origin !== null && known.has(origin);
    if (!route) return undefined;
    if (isKnown && isPreflight(request)) return preflightRoute(origin);
    const added = isKnown ? { "Access-Control-Allow-Origin": origin, ...exposed } : {};
    return {
      kind: route.kind,
      respond: async (...call) => addHeaders(await route.respond(...call), added),
    };
  };
}

const isPreflight = ({ method, header }: IncomingRequest): boolean =>
  method === "OPTIONS" && header("access-control-request-method") !== null;

const preflightRoute = (origin: string): Route => ({
  kind: "open",
  respond: (_, requestId) => ({
    status: 204,
    body: "",
    headers: { "Access-Control-Allow-Origin": origin, Vary: "Origin", ...allowed, ...unchargedHeaders(requestId) },
    units: 0,
  }),
});

/** Caches must not give the response for one origin to another one. */
function addHeaders(response: OutgoingResponse, added: Readonly<Record<string, string>>): OutgoingResponse {
  const { Vary } = response.headers;
  return { ...response, headers: { ...response.headers, ...added, Vary: Vary ? `${Vary}, Origin` : "Origin" } };
}
