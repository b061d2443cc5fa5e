// The pages that are open to everyone: served once, compressed, and not again to who has them.
import "../support/once.ts";
import { expect, test } from "bun:test";
import { startService } from "../support/service.ts";

const paths = ["/openapi.json", "/docs", "/docs/reference.css", "/docs/reference.js"];

test.each(paths)("%s is compressed for who takes that, and the same as it is for who does not", async (path) => {
  const started = await startService();
  const read = (encoding: string) =>
    started.fetch(`${started.baseUrl}${path}`, { headers: { "Accept-Encoding": encoding }, decompress: false });
  const [plain, compressed] = [await read("identity"), await read("br, gzip")];

  expect([plain.status, compressed.status]).toEqual([200, 200]);
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(compressed.headers.get("content-encoding")).toBe("gzip");
  expect(compressed.headers.get("vary")).toBe("Accept-Encoding");
  const bytes = await compressed.bytes();
  const text = await plain.text();
  expect(bytes.length).toBeLessThan(text.length / 2);
  expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(text);
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
