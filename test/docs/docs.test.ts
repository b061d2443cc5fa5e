// The documentation as the service sends it: to everyone, compressed, and under a strict policy.
import "../support/once.ts";
import { beforeAll, expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";
import { startService } from "../support/service.ts";

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Requests from a service. */
async function started() {
  const { fetch, service } = await startService();
  return (path: string, init: BunFetchRequestInit = {}) =>
    fetch(service.origin + path, { redirect: "manual", ...init });
}

// A file run alone builds the documentation, on a busy machine for several seconds.
beforeAll(async () => {
  await (await started())("/docs/");
}, 60_000);

/** The addresses of the files that a page loads. */
async function loadedBy(ask: Awaited<ReturnType<typeof started>>, path: string): Promise<string[]> {
  const html = await (await ask(path)).text();
  return [...html.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)].map(
    ([, link = ""]) => new URL(link, `https://service.example${path}`).pathname,
  );
}

test("a page needs no key and costs nothing, and its policy allows its own scripts and styles only", async () => {
  const ask = await started();
  const response = await ask("/docs/operate/backup/");
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('<h1 id="backups">Backups</h1>');
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy,
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-request-cost": "0",
    vary: "Accept-Encoding",
  });
});

test("all that a page loads is there, and browsers keep it, because its name changes with its content", async () => {
  const ask = await started();
  const paths = await loadedBy(ask, "/docs/operate/backup/");
  expect(paths.length).toBeGreaterThanOrEqual(4);
  for (const path of paths) {
    const response = await ask(path);
    expect([path, response.status, response.headers.get("cache-control")]).toEqual([
      path,
      200,
      "public, max-age=31536000, immutable",
    ]);
  }
  const index = await ask("/docs/search.json");
  expect([index.status, index.headers.get("content-type"), index.headers.get("cache-control")]).toEqual([
    200,
    "application/json; charset=utf-8",
    "no-cache",
  ]);
  expect(await index.json()).toMatchObject({ documentCount: expect.any(Number) });
});

test("it is compressed for who accepts that, and not sent again to who names its tag", async () => {
  const ask = await started();
  const [plain, br, gzip] = await Promise.all(
    ["identity", "br, gzip", "gzip"].map((encoding) =>
      ask("/docs/", { headers: { "Accept-Encoding": encoding }, decompress: false }),
    ),
  );
  const text = (await plain?.text()) ?? "";
  expect([br?.headers.get("content-encoding"), gzip?.headers.get("content-encoding")]).toEqual(["br", "gzip"]);
  expect(brotliDecompressSync((await br?.bytes()) ?? "").toString()).toBe(text);
  expect(new TextDecoder().decode(Bun.gunzipSync((await gzip?.bytes()) ?? ""))).toBe(text);
  const again = await ask("/docs/", { headers: { "If-None-Match": plain?.headers.get("etag") ?? "" } });
  expect([again.status, await again.text()]).toEqual([304, ""]);
});

test.each([
  ["/docs", "/docs/"],
  ["/docs/operate", "/docs/operate/"],
  ["/docs/operate/backup", "/docs/operate/backup/"],
])("%s leads to the address with a slash, where the relative links of the page work", async (path, location) => {
  const response = await (await started())(path);
  expect([response.status, response.headers.get("location")]).toEqual([308, location]);
});

test("an unknown page leads a person on, and a program gets the refusal of any unknown path", async () => {
  const ask = await started();
  for (const path of [
    "/docs/nowhere",
    "/docs/operate/nowhere/",
    "/docs/assets/main.js",
    "/docs//",
    "/docs/../docs/x",
  ]) {
    const shown = await ask(path, { headers: { Accept: "text/html" } });
    expect([path, shown.status]).toEqual([path, 404]);
    expect(await shown.text()).toContain("<h1>Page not found</h1>");
    const refused = await ask(path);
    expect([path, refused.status, await refused.json()]).toMatchObject([path, 404, { success: false }]);
  }
});

test("it is only read", async () => {
  const ask = await started();
  const [head, post] = [await ask("/docs/", { method: "HEAD" }), await ask("/docs/", { method: "POST", body: "x" })];
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("it is there without the console, and where the API has no path of its own", async () => {
  const { fetch, service } = await startService({ config: { isConsoleOn: false, apiPath: "" } });
  expect((await fetch(`${service.origin}/docs/`)).status).toBe(200);
  expect((await fetch(`${service.origin}/reference`)).status).toBe(200);
});
