// Floods over HTTP/2: what is canceled before its turn costs nothing, a connection has its share, and the runtime ends what is no longer a
// request. What they do to the time of other requests is measured by `npm run prove`.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import {
  enhanceYourCalm,
  FrameConnection,
  frames,
  header,
  remembered,
  repeated,
  requestBlock,
  settingIds,
} from "../support/http2-frames.ts";
import { scrapeSeries, startMeasured } from "../support/metrics.ts";
import { type Started, startService } from "../support/service.ts";

const opened = async (started: Started, settings?: Parameters<typeof FrameConnection.open>[1]) =>
  FrameConnection.open(started.service.port, settings);

const getMe = (started: Started) => requestBlock({ path: "/api/me", key: started.key.secret });

const body = Buffer.from("{}");
/** A request whose body follows. */
const postTag = (started: Started) =>
  requestBlock({
    method: "POST",
    path: "/api/tag",
    key: started.key.secret,
    headers: { "content-length": String(body.length) },
  });

/** Sends a request and waits for its response. */
async function answerOn(connection: FrameConnection, block: Buffer): Promise<void> {
  const stream = connection.nextStream();
  await connection.send(frames.headers(stream, block));
  await connection.until(() => connection.answered.has(stream));
}

const okStatus = 0x88;

describe("requests that their client cancels", () => {
  test("in the same breath cost nothing: no transaction, no units, nothing of the rate limit", async () => {
    const started = await startMeasured();
    const count = async () => (await scrapeSeries(started)).get("commonplace_requests_abandoned_total") ?? 0;
    const before = { count: await count(), ledger: (await started.ledger()).length };
    const connection = await opened(started);
    const canceled = 300;
    for (let sent = 0; sent < canceled; sent += 1) {
      const stream = connection.nextStream();
      await connection.send(frames.headers(stream, getMe(started)), frames.reset(stream));
    }
    await answerOn(connection, getMe(started));
    expect(connection.lastStatusByte).toBe(okStatus);
    expect((await started.ledger()).length - before.ledger).toBe(1);
    expect((await count()) - before.count).toBe(canceled);
    await connection.close();
  });

  test("while they wait for others of their connection are not begun", async () => {
    const started = await startService();
    const connection = await opened(started);
    const uploads = await beginUploads(connection, started);
    const canceled = connection.nextStream();
    await connection.send(frames.headers(canceled, getMe(started)));
    // The response of another connection shows that the request has arrived and waits.
    await answeredElsewhere(started);
    await connection.send(frames.reset(canceled));
    for (const stream of uploads) await connection.send(frames.data(stream, body, { isLast: true }));
    await connection.until(() => uploads.every((stream) => connection.answered.has(stream)));
    await answerOn(connection, getMe(started));
    const operations = (await started.ledger()).map(({ operation }) => operation);
    expect(operations.filter((operation) => operation === "getMe")).toHaveLength(2);
    await connection.close();
  });
});

const begunMax = 32;

/** Begins as many requests as a connection may; each waits for its body. */
async function beginUploads(connection: FrameConnection, started: Started): Promise<number[]> {
  const streams = Array.from({ length: begunMax }, () => connection.nextStream());
  for (const stream of streams) await connection.send(frames.headers(stream, postTag(started), { isLast: false }));
  return streams;
}

async function answeredElsewhere(started: Started): Promise<void> {
  const other = await opened(started);
  await answerOn(other, getMe(started));
  expect(other.lastStatusByte).toBe(okStatus);
  await other.close();
}

test("of one connection, 32 requests are begun at a time: others wait for them, and requests on other connections do not", async () => {
  const started = await startService();
  const connection = await opened(started);
  const [first = 0] = await beginUploads(connection, started);
  const waiting = connection.nextStream();
  await connection.send(frames.headers(waiting, getMe(started)));
  await answeredElsewhere(started);
  expect(connection.answered.size).toBe(0);
  await connection.send(frames.data(first, body, { isLast: true }));
  await connection.until(() => connection.answered.has(waiting));
  expect(connection.lastStatusByte).toBe(okStatus);
  await connection.close();
});

describe("the runtime ends a connection that sends", () => {
  test("more than 1,000 requests that it cancels", async () => {
    const started = await startService();
    const connection = await opened(started);
    for (let batch = 0; batch < 20 && connection.goAwayCode === undefined; batch += 1) {
      const streams = Array.from({ length: 100 }, () => connection.nextStream());
      await connection.send(
        ...streams.flatMap((stream) => [frames.headers(stream, getMe(started)), frames.reset(stream)]),
      );
    }
    await connection.closed;
    expect(connection.goAwayCode).toBe(enhanceYourCalm);
  });

  test("a header block in endless pieces", async () => {
    const started = await startService();
    const connection = await opened(started);
    await connection.send(frames.headers(connection.nextStream(), getMe(started), { isWhole: false }));
    while (!connection.isClosed && connection.goAwayCode === undefined)
      await connection.send(frames.continuation(1, Buffer.alloc(0)));
    await connection.closed;
    expect(connection.goAwayCode).toBe(enhanceYourCalm);
  });

  test("headers that are small as sent and large as read", async () => {
    const started = await startService();
    const connection = await opened(started);
    const bomb = Buffer.concat([getMe(started), remembered("x-bomb", "b".repeat(3_900)), repeated(1_000)]);
    await connection.send(frames.headers(connection.nextStream(), bomb));
    await connection.closed;
    expect(connection.goAwayCode).toBe(enhanceYourCalm);
  });

  test("pings whose answers it does not take", async () => {
    const started = await startService();
    const connection = await opened(started);
    connection.pause();
    // More than the system's buffers hold.
    const pings = Array.from({ length: 1_000 }, frames.ping);
    for (let count = 0; count < 1_000; count += 1) await connection.send(...pings);
    connection.resume();
    await connection.closed;
    expect(connection.received.ping).toBeLessThan(1_000_000);
  });

  test("hundreds of settings in one frame", async () => {
    const started = await startService();
    const connection = await opened(started);
    await connection.send(
      frames.settings(...Array.from({ length: 33 }, () => [settingIds.initialWindowSize, 1] as const)),
    );
    await connection.closed;
    expect(connection.goAwayCode).toBe(enhanceYourCalm);
  });
});

test("the runtime refuses more than 256 requests at a time on a connection", async () => {
  const started = await startService();
  const connection = await opened(started);
  for (let count = 0; count < 257; count += 1)
    await connection.send(frames.headers(connection.nextStream(), postTag(started), { isLast: false }));
  await connection.until(() => connection.received.reset === 1);
  expect(connection.goAwayCode).toBeUndefined();
  await connection.close();
});

test("a header that is too large is refused, and the connection lives on", async () => {
  const started = await startService();
  const connection = await opened(started);
  await answerOn(connection, Buffer.concat([getMe(started), header("x-large", "l".repeat(15_000))]));
  await answerOn(connection, getMe(started));
  expect(connection.lastStatusByte).toBe(okStatus);
  await connection.close();
});
