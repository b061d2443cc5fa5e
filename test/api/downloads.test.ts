// Large responses: how many may be on their way at a time, and how slowly they may be read (decisions, Bodies).
import "../support/once.ts";
import { beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:http2";
import { limits } from "../../src/contract/limits.ts";
import { Downloads } from "../../src/platform/http/downloads.ts";
import { type Aim, holdStreams, readSlowly } from "../support/response-attacks.ts";
import { type Started, startService, text } from "../support/service.ts";
import { openTls, readToEnd } from "../support/sockets.ts";

const full = limits.responseBytesMax;

test("one key has room for one response of full size at a time, a workspace for two, all together for three", () => {
  const downloads = new Downloads();
  const reserve = (workspace: string, key: string, bytes = full) => downloads.reserve({ workspace, key }, bytes);
  const first = reserve("one", "first");
  expect(first).toBeDefined();
  expect(reserve("one", "first", 1)).toBeUndefined();
  expect(reserve("one", "second")).toBeDefined();
  expect(reserve("one", "third", 1)).toBeUndefined();
  expect(reserve("two", "fourth")).toBeDefined();
  expect(reserve("three", "fifth", 1)).toBeUndefined();
  first?.();
  expect(reserve("three", "fifth")).toBeDefined();
  expect(reserve("two", "fourth", 1)).toBeUndefined();
});

/** Each makes six bytes in JSON: five of these texts are almost as much as one response may have. */
const escaped = "\u0001".repeat(1_000_000);

/** A request whose response has so many of these texts. */
async function fill(started: Started, count: number): Promise<Aim> {
  const snippet = { title: "Large", content: text(escaped), teamId: started.team.id };
  const ids: string[] = [];
  // One at a time: there is not room for so many bodies of a key at once.
  while (ids.length < count) ids.push((await started.client.postSnippet(snippet)).data.snippetId);
  const { pathname } = new URL(started.baseUrl);
  const target = `${pathname}/snippets?ids=${ids.join(",")}`;
  return { port: started.service.port, ca: started.ca, key: started.key.secret, target };
}

let started: Started;
/** A response that takes all the room of its key. */
let aim: Aim;
beforeAll(async () => {
  started = await startService({});
  aim = await fill(started, 5);
});

const ask = async (key = aim.key) => {
  const search = aim.target.slice(aim.target.indexOf("?") + 1);
  const { status, headers, body } = await started.call("GET", "/snippets", { key, query: search });
  return { status, retryAfter: headers.get("retry-after"), cost: headers.get("x-request-cost"), body };
};

describe("a response that nobody takes", () => {
  test("keeps its room, so the key's next large response is a 503 that costs nothing; others and small ones are sent", async () => {
    const connection = await holdStreams(aim, 1);
    await connection.until(() => connection.received.headers > 0);
    const before = await started.balance();

    expect(await ask()).toMatchObject({
      status: 503,
      retryAfter: "1",
      cost: "0",
      body: {
        success: false,
        error: "busy",
        message: "Too many large requests are in progress. Nothing was changed or charged",
      },
    });
    expect(await started.balance()).toBe(before);
    expect((await started.ledger()).at(-1)).toMatchObject({ status: 503, units: 0, error_code: "busy" });
    expect((await started.given.snippet()).title).toBe("A snippet");
    expect((await ask(started.limitedKey.secret)).status).toBe(200);

    await connection.close();
    while ((await ask()).status === 503);
    expect(started.lines.filter((line) => line.includes("request failed"))).toEqual([]);
  });

  test("is not sent to the end on a closed window, and 80 of them take the room of one", async () => {
    const connections = await Promise.all([1, 2, 3, 4].map(() => holdStreams(aim, 20)));
    for (const connection of connections) await connection.until(() => connection.received.headers === 20);
    const statuses = (await started.ledger()).slice(-80);
    expect(statuses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(statuses.filter(({ status, units }) => status === 503 && units === 0)).toHaveLength(79);
    await Promise.all(connections.map((connection) => connection.close()));
  });
});

describe("a slow reader", () => {
  test("is disconnected, its response does not look complete, and its room is free again", async () => {
    const started = await startService({ patience: { seconds: 1, bytesPerSecond: 1024 * 1024 * 1024 } });
    const aim = await fill(started, 3);
    const reader = await readSlowly(aim, 0);
    while (!started.lines.some((line) => line.includes("reads too slowly"))) await Bun.sleep(1);
    reader.readOn();
    await reader.isDisconnected;
    expect(reader.bytes()).toBeLessThan(18_000_000);
    expect(reader.end()).not.toBe("0\r\n\r\n");
    // Both together would be too much for the key.
    const next = await readSlowly(aim, 0);
    while (started.lines.filter((line) => line.includes("getSnippets")).length < 2) await Bun.sleep(1);
    next.stop();
    expect((await started.ledger()).slice(-2)).toMatchObject([{ status: 200 }, { status: 200 }]);
  });
});

test("a large response has the same bytes over HTTP/1.1, over HTTP/2, and compact, and a small one has its length", async () => {
  const socket = await openTls(aim.port, { ca: aim.ca });
  const ending = readToEnd(socket);
  socket.write(
    `GET ${aim.target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${aim.key}\r\n\r\n`,
  );
  const [head = "", ...rest] = (await ending).split("\r\n\r\n");
  expect(head).toContain("Transfer-Encoding: chunked");
  expect(rest.join("\r\n\r\n")).toEndWith("\r\n0\r\n\r\n");

  const session = connect(`https://localhost:${aim.port}`, { ca: aim.ca });
  const stream = session.request({ ":path": aim.target, authorization: `Bearer ${aim.key}` });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  session.close();
  const viaHttp2 = Buffer.concat(chunks).toString();
  const viaHttp1 = await (
    await started.fetch(`https://localhost:${aim.port}${aim.target}`, {
      headers: { Authorization: `Bearer ${aim.key}` },
    })
  ).text();
  const parsed = JSON.parse(viaHttp1);
  expect(parsed.data.map(({ content }: { content: unknown }) => content)).toEqual(Array(5).fill(text(escaped)));
  expect(viaHttp1 === JSON.stringify(parsed)).toBe(true);
  const balance = /"remainingRequests":\d+/;
  expect(viaHttp2.replace(balance, "") === viaHttp1.replace(balance, "")).toBe(true);
  const small = await started.call("GET", "/teams", { key: aim.key });
  expect(small.headers.get("content-length")).toBe(String(Buffer.byteLength(small.text)));
});
