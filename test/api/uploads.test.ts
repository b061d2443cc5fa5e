// The memory for large bodies in flight is limited, and they are only read for a key that may call now (decisions, HTTPS).
import "../support/once.ts";
import { expect, test } from "bun:test";
import { limits } from "../../src/contract/limits.ts";
import { newSecret } from "../../src/metering/keys/secret.ts";
import { Uploads } from "../../src/platform/http/uploads.ts";
import { startService, text } from "../support/service.ts";
import { openTls, requestText } from "../support/sockets.ts";

const full = limits.requestBodyBytesMax;

test("at most 3 bodies of full size are read at once for a key, 5 for a workspace, and 6 in all", () => {
  const uploads = new Uploads();
  const reserve = (workspace: string, key: string) => uploads.reserve({ workspace, key }, full);
  const begin = (workspace: string, key: string, count: number) =>
    Array.from({ length: count }, () => reserve(workspace, key));
  const first = begin("one", "first", 3);
  expect(first).not.toContain(undefined);
  expect(reserve("one", "first")).toBeUndefined();
  expect(begin("one", "second", 2)).not.toContain(undefined);
  expect(reserve("one", "third")).toBeUndefined();
  expect(begin("two", "fourth", 1)).not.toContain(undefined);
  expect(reserve("three", "fifth")).toBeUndefined();

  first[0]?.();
  expect(reserve("three", "fifth")).toBeDefined();
  expect(reserve("one", "first")).toBeUndefined();
  expect(uploads.inFlight).toEqual({ count: 6, bytes: 6 * full, bytesMax: 6 * full });
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
