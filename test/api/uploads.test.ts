// The memory for large bodies in flight is limited, and they are only read for a key that may call now (decisions, HTTPS).
import "../support/once.ts";
import { expect, test } from "bun:test";
import { limits } from "../../src/contract/limits.ts";
import { newSecret } from "../../src/metering/keys/secret.ts";
import { Uploads } from "../../src/platform/http/uploads.ts";
import { startService, text } from "../support/service.ts";
import { openTls, requestText } from "../support/sockets.ts";

const full = limits.requestBodyBytesMax;

test("at most 2 bodies of full size are read at once for a key or a workspace, and 3 in all", () => {
  const uploads = new Uploads();
  const reserve = (workspace: string, key: string) => uploads.reserve({ workspace, key }, full);
  const begin = (workspace: string, key: string, count: number) =>
    Array.from({ length: count }, () => reserve(workspace, key));
  const first = begin("one", "first", 2);
  expect(first).not.toContain(undefined);
  expect(reserve("one", "first")).toBeUndefined();
  expect(reserve("one", "second")).toBeUndefined();
  expect(begin("two", "fourth", 1)).not.toContain(undefined);
  expect(reserve("three", "fifth")).toBeUndefined();

  first[0]?.();
  expect(reserve("three", "fifth")).toBeDefined();
  expect(reserve("one", "first")).toBeUndefined();
  expect(uploads.inFlight).toEqual({ count: 3, bytes: 3 * full, bytesMax: 3 * full });
});

test("a body waits for room; after a second, or behind 64 others, it is refused", async () => {
  const uploads = new Uploads();
  const owner = { workspace: "one", key: "first" };
  const [first, second] = [uploads.reserve(owner, full), uploads.reserve(owner, full)];
  const waiting = [uploads.reserveSoon(owner, full), uploads.reserveSoon(owner, full)];
  first?.();
  const next = await Promise.race(waiting);
  expect(next).toBeDefined();
  expect(await Promise.all(waiting)).toContain(undefined);

  const many = Array.from({ length: 64 }, () => uploads.reserveSoon(owner, full));
  const later = new Promise((resolve) => setImmediate(() => resolve("later")));
  expect(await Promise.race([uploads.reserveSoon(owner, full), later])).toBeUndefined();
  second?.();
  expect((await Promise.all(many)).filter((release) => release !== undefined)).toHaveLength(1);
  next?.();
});

test("if a key is at its limit, a large body is refused before it is read", async () => {
  const started = await startService({ config: { requestsPerMinute: 1 } });
  await started.client.postSnippet({ title: "First", content: text(""), teamId: started.team.id });
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
  });

  const answer = await started.fetch(`${started.baseUrl}/snippet`, {
    method: "POST",
    headers: { Authorization: `Bearer ${started.key.secret}` },
    body: endless,
  });

  expect(answer.status).toBe(429);
  expect(answer.headers.get("x-ratelimit-limit")).toBe("1");
  expect(sent).toBeLessThan(limits.requestBodyBytesMax);
  expect(await started.ledger()).toHaveLength(1);
});

test("with a key that does not exist, the service does not wait for a body above 8 KiB", async () => {
  const { service } = await startService();
  // Only the headers are sent. The service would wait for the body if it read it before it looked up the key.
  const headers = { Authorization: `Bearer ${newSecret()}`, "Content-Length": String(8 * 1024 + 1) };
  const socket = await openTls(service.port, { rejectUnauthorized: false });
  const answer = new Promise((resolve) => socket.once("data", resolve));
  socket.write(requestText("POST", "/api/snippet", headers));
  expect(String(await Promise.race([answer, Bun.sleep(5_000)]))).toStartWith("HTTP/1.1 401 ");
  socket.destroy();
});

test("an array of 200,000 wrong items is refused for its length, at once", async () => {
  const started = await startService();
  const body = JSON.stringify({
    title: "x",
    content: text(""),
    teamId: started.team.id,
    additionalVariations: Array(200_000).fill(0),
  });
  const answer = await started.call("POST", "/snippet", { key: started.key.secret, body });
  expect(answer.body).toMatchObject({ message: "additionalVariations must have at most 100 items" });
  expect(answer.status).toBe(400);
});
