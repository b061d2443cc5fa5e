// The pages that are open to everyone: compressed, and not sent again to clients that have them.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";
import { startService } from "../support/service.ts";

const paths = [
  "/openapi.json",
  "/reference/openapi.json",
  "/reference/reference.css",
  "/reference/reference.js",
  "/reference/scalar.js",
];

const decoders = { br: brotliDecompressSync, gzip: Bun.gunzipSync };

test.each(
  paths.flatMap((path) => [
    [path, "br, gzip", "br"] as const,
    [path, "gzip", "gzip"] as const,
    [path, "gzip, br;q=0", "gzip"] as const,
  ]),
)("%s is compressed for clients that accept %s, and the same as it is for others", async (path, accepted, coding) => {
  const started = await startService();
  const read = (encoding: string) =>
    started.fetch(`${started.baseUrl}${path}`, { headers: { "Accept-Encoding": encoding }, decompress: false });
  const [plain, compressed] = [await read("identity"), await read(accepted)];

  expect([plain.status, compressed.status]).toEqual([200, 200]);
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(compressed.headers.get("content-encoding")).toBe(coding);
  expect(compressed.headers.get("vary")).toBe("Accept-Encoding");
  const bytes = await compressed.bytes();
  const text = await plain.text();
  expect(bytes.length).toBeLessThan(text.length / 2);
  expect(new TextDecoder().decode(decoders[coding](bytes))).toBe(text);
});

test("/reference allows its own scripts and styles only, and style elements by a nonce that no other response has", async () => {
  const started = await startService();
  const read = async () => {
    const response = await started.fetch(`${started.baseUrl}/reference`);
    const policy = response.headers.get("content-security-policy") ?? "";
    const nonce = /<meta property="csp-nonce" content="([^"]{24})">/.exec(await response.text())?.[1];
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain(`style-src 'self' 'nonce-${nonce}';`);
    expect(policy).not.toContain("unsafe");
    return nonce;
  };
  expect(await read()).not.toBe(await read());
});

test("/docs below the path of the API leads to the reference", async () => {
  const started = await startService();
  const response = await started.fetch(`${started.baseUrl}/docs`, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([308, "/api/reference"]);
});

test.each(paths)("%s is not sent again to who names its tag", async (path) => {
  const started = await startService();
  const first = await started.fetch(`${started.baseUrl}${path}`);
  const again = (tag: string) => started.fetch(`${started.baseUrl}${path}`, { headers: { "If-None-Match": tag } });
  const unchanged = await again(first.headers.get("etag") ?? "");

  expect(unchanged.status).toBe(304);
  expect(await unchanged.text()).toBe("");
  expect((await again('"another"')).status).toBe(200);
  expect(unchanged.headers.get("x-request-cost")).toBe("0");
});
