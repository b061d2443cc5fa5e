// COMMONPLACE_CORS_ORIGINS: pages of the named origins may use the API in browsers, and nothing else changes.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { startService, text } from "../support/service.ts";

const origin = "https://app.example.com";
const asked = { "Access-Control-Request-Method": "PUT", "Access-Control-Request-Headers": "authorization" };

const ofBrowsers = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name === "vary" || name.startsWith("access-control-")));

test("pages of the named origins get preflights, and read responses and refusals with their headers", async () => {
  const started = await startService({ config: { corsOrigins: [origin, "http://localhost:3000"] } });
  const { call, ledger, given, lines } = started;
  const { id } = await given.snippet({ content: text("x".repeat(2_000)) });
  const before = (await ledger()).length;

  for (const path of ["/snippet", "/openapi.json"]) {
    const preflight = await call("OPTIONS", path, { headers: { Origin: origin, ...asked } });
    expect([preflight.status, preflight.text, ofBrowsers(preflight.headers)]).toEqual([
      204,
      "",
      {
        vary: "Origin",
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "GET, POST, PUT, DELETE",
        "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match",
        "access-control-max-age": "7200",
      },
    ]);
  }
  // Neither charged nor counted.
  expect((await ledger()).length).toBe(before);
  expect(lines.filter((line) => line.includes('"method":"OPTIONS"'))).toHaveLength(2);

  const readable = {
    "access-control-allow-origin": origin,
    "access-control-expose-headers":
      "X-Request-Id, X-Request-Cost, X-API-Version, RateLimit-Policy, RateLimit, X-RateLimit-Limit, X-RateLimit-Remaining, " +
      "X-RateLimit-Reset, X-Key-Expires-At, Idempotency-Replayed, X-Remaining-Requests, Content-Disposition, X-Export-Warnings, X-Export-Code-Count, ETag, Retry-After, WWW-Authenticate",
  };
  const key = started.key.secret;
  const of = (from: string) => ({ key, query: { id }, headers: { Origin: from } });
  const read = await call("GET", "/snippet", of(origin));
  expect([read.status, ofBrowsers(read.headers)]).toEqual([200, { vary: "Accept-Encoding, Origin", ...readable }]);
  const tag = (await call("GET", "/text", of(origin))).headers.get("etag") ?? "";
  const same = await call("GET", "/text", { key, query: { id }, headers: { Origin: origin, "If-None-Match": tag } });
  expect([same.status, same.headers.get("access-control-allow-origin")]).toEqual([304, origin]);
  const refused = await call("GET", "/snippet", { query: { id }, headers: { Origin: origin } });
  expect([refused.status, ofBrowsers(refused.headers)]).toEqual([401, { vary: "Origin", ...readable }]);
  // An OPTIONS request that is no preflight.
  expect((await call("OPTIONS", "/snippet", { headers: { Origin: origin } })).status).toBe(405);

  for (const other of ["https://app.example.com.evil.example", "https://APP.example.com", "http://localhost", "null"]) {
    const preflight = await call("OPTIONS", "/snippet", { headers: { Origin: other, ...asked } });
    expect([other, preflight.status, ofBrowsers(preflight.headers)]).toEqual([other, 405, { vary: "Origin" }]);
    const answer = await call("GET", "/tree", { key, headers: { Origin: other } });
    expect([other, answer.status, ofBrowsers(answer.headers)]).toEqual([other, 200, { vary: "Origin" }]);
  }

  for (const path of ["/console/api/workspace", "/console/api/auth/get-session", "/mcp", "/healthz", "/unknown"]) {
    const headers = { Origin: origin, ...asked };
    const response = await started.fetch(new URL(path, started.baseUrl), { method: "OPTIONS", headers });
    expect([path, response.status >= 400, ofBrowsers(response.headers)]).toEqual([path, true, {}]);
  }
});

test("without the setting, a request of a page gets the same response as any other", async () => {
  const { call, key } = await startService();
  const preflight = await call("OPTIONS", "/snippet", { headers: { Origin: origin, ...asked } });
  expect([preflight.status, ofBrowsers(preflight.headers)]).toEqual([405, {}]);
  const read = await call("GET", "/me", { key: key.secret, headers: { Origin: origin } });
  expect([read.status, ofBrowsers(read.headers)]).toEqual([200, {}]);
});
