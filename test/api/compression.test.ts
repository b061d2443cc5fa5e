// Responses are compressed for clients that accept it, and are as they always were for those that do not (decisions, Bodies).
import "../support/once.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { type Started, startService, text } from "../support/service.ts";
import { exchange, openTls, requestText } from "../support/sockets.ts";

let started: Started;
let ids: string[];
beforeAll(async () => {
  started = await startService();
  const snippets = Array.from({ length: 20 }, (_, index) => ({
    title: `Number ${index}`,
    content: text(`Größe ${index}: "€" `.repeat(index * 10)),
    teamId: started.team.id,
  }));
  const made = await started.client.postSnippets({ snippets });
  ids = made.data.createdSnippets.map(({ snippetId }) => snippetId);
});

const decoders = { gzip: gunzipSync, zstd: zstdDecompressSync };

/** The response as it was sent, and its text. */
async function get(pathAndQuery: string, headers: Record<string, string>) {
  const response = await started.fetch(`${started.baseUrl}${pathAndQuery}`, {
    headers: { Authorization: `Bearer ${started.key.secret}`, ...headers },
    decompress: false,
  });
  const bytes = await response.bytes();
  const coding = response.headers.get("content-encoding");
  const plain = coding === null ? bytes : decoders[coding as keyof typeof decoders](bytes);
  const { status } = response;
  return { status, headers: response.headers, coding, bytes, text: Buffer.from(plain).toString() };
}

const withoutBalance = (body: string) => body.replace(/"remainingRequests":\d+/, "");

describe("a response above 1 KB", () => {
  test.each([
    ["gzip", "gzip"],
    ["zstd", "zstd"],
    ["gzip, deflate, br, zstd", "zstd"],
    ["br, gzip;q=0.5", "gzip"],
    ["br", null],
    ["gzip;q=0, zstd;q=0.0", null],
    ["identity", null],
  ])("with Accept-Encoding %p: compressed with %p, and the same text", async (accepted, coding) => {
    const plain = await get(`/snippets?ids=${ids}`, { "Accept-Encoding": "identity" });
    const sent = await get(`/snippets?ids=${ids}`, { "Accept-Encoding": accepted });
    expect(sent.coding).toBe(coding);
    expect(sent.headers.get("vary")).toBe("Accept-Encoding");
    expect(withoutBalance(sent.text)).toBe(withoutBalance(plain.text));
    expect(sent.headers.get("content-length")).toBe(String(sent.bytes.length));
    if (coding) expect(sent.bytes.length).toBeLessThan(plain.bytes.length / 4);
  });

  test("without Accept-Encoding is sent as it is, with the headers it always had", async () => {
    const target = `${new URL(started.baseUrl).pathname}/snippets?ids=${ids}`;
    const socket = await openTls(started.service.port, { ca: started.ca });
    const answer = await exchange(
      socket,
      requestText("GET", target, { Authorization: `Bearer ${started.key.secret}` }),
    );
    expect(Object.keys(answer.headers).filter((name) => /vary|encoding/.test(name))).toEqual([]);
    expect(answer.headers["content-length"]).toBe(String(answer.text.length));
    const { text: plain } = await get(`/snippets?ids=${ids}`, { "Accept-Encoding": "identity" });
    expect(withoutBalance(Buffer.from(answer.text, "latin1").toString())).toBe(withoutBalance(plain));
  });
});

test("a shorter response is never compressed", async () => {
  const { coding, headers } = await get(`/snippets?ids=${ids[0]}`, { "Accept-Encoding": "gzip, zstd" });
  expect([coding, headers.get("vary")]).toEqual([null, null]);
});

test.each([
  ["gzip", 300_000],
  ["zstd", 300_000],
  ["gzip", 5_000],
  ["zstd", 5_000],
] as const)("a large response is compressed with %s in pieces, 3 texts of %i lines", async (coding, lines) => {
  const content = text("\u0001€\n".repeat(lines));
  const large: string[] = [];
  for (let count = 0; count < 3; count += 1)
    large.push((await started.client.postSnippet({ title: "Large", content, teamId: started.team.id })).data.snippetId);
  const sent = await get(`/snippets?ids=${large}`, { "Accept-Encoding": coding });
  expect([sent.status, sent.coding, sent.headers.get("content-length")]).toEqual([200, coding, null]);
  const parsed = JSON.parse(sent.text);
  expect(sent.text === JSON.stringify(parsed)).toBe(true);
  expect(parsed.data.map((snippet: { content: unknown }) => snippet.content)).toEqual(Array(3).fill(content));
});

describe("the text of a snippet", () => {
  test("compressed, it has a weak tag, with which it is not sent again, at no cost", async () => {
    const path = `/text?id=${ids[15]}`;
    const accepting = { "Accept-Encoding": "zstd" };
    const [plain, sent] = [await get(path, { "Accept-Encoding": "identity" }), await get(path, accepting)];
    const [tag = "", weakTag = ""] = [plain.headers.get("etag") ?? "", sent.headers.get("etag") ?? ""];
    expect(tag).toMatch(/^"[\da-f-]{36}"$/);
    expect([sent.coding, weakTag, sent.text]).toEqual(["zstd", `W/${tag}`, plain.text]);

    for (const known of [tag, weakTag])
      for (const [accepted, sameTag] of [
        ["zstd", weakTag],
        ["identity", tag],
      ] as const) {
        const again = await get(path, { "Accept-Encoding": accepted, "If-None-Match": known });
        expect([again.status, again.bytes.length, again.coding]).toEqual([304, 0, null]);
        expect([again.headers.get("etag"), again.headers.get("x-request-cost")]).toEqual([sameTag, "0"]);
        expect(again.headers.get("vary")).toBe("Accept-Encoding");
      }
    const other = await get(path, { ...accepting, "If-None-Match": `W/"${crypto.randomUUID()}"` });
    expect([other.status, other.coding]).toEqual([200, "zstd"]);
  });
});
