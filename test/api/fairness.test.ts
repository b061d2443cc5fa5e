// Fairness and overload: whoever saturates the service keeps nobody else waiting, and what it cannot answer soon it refuses at once.
import { expect, test } from "bun:test";
import { createApi } from "../../src/api/api.ts";
import { ChangeWaits } from "../../src/api/change-waits.ts";
import { createCalls } from "../../src/api/charge-call.ts";
import { LibraryChanges } from "../../src/library/changes.ts";
import { FeedCursors } from "../../src/library/feed/cursor.ts";
import { FormatProcesses } from "../../src/library/import/format-processes.ts";
import { FailedAuthentications } from "../../src/metering/keys/failed-authentications.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import { RefusedRequests } from "../../src/metering/keys/refused-requests.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { Downloads } from "../../src/platform/http/downloads.ts";
import type { IncomingRequest } from "../../src/platform/http/receive.ts";
import { Uploads } from "../../src/platform/http/uploads.ts";
import { queueLimits } from "../../src/platform/queue-limits.ts";
import { Turns } from "../../src/platform/turns.ts";
import { afterThisTest } from "../support/cleanup.ts";
import { connectionsOfService, openNode } from "../support/engine.ts";
import { expectConsistentBalances } from "../support/quota-totals.ts";
import { type Started, startService } from "../support/service.ts";

/** A node whose database is held by others until it is let go: what arrives meanwhile waits in its queues. */
async function startHeldNode({ dataDirectory, clock }: Started) {
  const time = () => clock.now;
  const database = await openNode(dataDirectory, time);
  afterThisTest(() => database.close());
  const report = (_: string, cause: unknown) => {
    throw cause;
  };
  const calls = createCalls(database, {
    requestsPerMinute: 1_000_000,
    trashDays: 30,
    storageBytesMax: 2 ** 30,
    report,
  });
  const changes = new LibraryChanges();
  const findRoute = createApi(
    {
      database,
      requestsPerMinute: 1_000_000,
      calls,
      failedAuthentications: new FailedAuthentications(time),
      refusedRequests: new RefusedRequests(database, time),
      uploads: new Uploads(),
      downloads: new Downloads(),
      turns: new Turns(() => true),
      formats: new FormatProcesses(),
      changes,
      changeWaits: new ChangeWaits({ database, changes, feedCursors: new FeedCursors("key") }),
      report,
    },
    "/api",
    () => ({ origin: "https://localhost", hasLocalCa: false }),
  );
  const send = async (method: string, path: string, secret: string, body?: object) => {
    const text = body ? JSON.stringify(body) : "";
    const request: IncomingRequest = {
      method,
      path: `/api${path.split("?")[0]}`,
      search: path.split("?")[1] ?? "",
      isSecure: true,
      receivedAt: performance.now(),
      authorization: `Bearer ${secret}`,
      clientAddress: "203.0.113.7",
      bodyBytes: text.length,
      header: () => null,
      readBody: async () => Buffer.from(text),
      pause: (wait) => wait(new AbortController().signal),
    };
    const requestId: string = Bun.randomUUIDv7();
    const response = await findRoute(request)?.respond(request, requestId);
    if (!response) throw new Error(`${method} ${path} has no route`);
    return { ...response, requestId };
  };
  const hold = async () => {
    const letGo = Promise.withResolvers<void>();
    const held = Array.from({ length: connectionsOfService }, () => {
      const begun = Promise.withResolvers<void>();
      const work = database.transaction(async (transaction) => {
        await transaction.first(sql`select count(*) as total from schema_migrations`);
        begun.resolve();
        await letGo.promise;
      });
      return { begun: begun.promise, work };
    });
    await held[0]?.begun;
    return async () => {
      letGo.resolve();
      await Promise.all(held.map(({ work }) => work));
    };
  };
  return { database, send, hold };
}

/** Sends requests while the node is held. @returns whose they were, in the order in which they were answered */
async function orderOf(
  hold: () => Promise<() => Promise<void>>,
  requests: readonly { readonly name: string; readonly send: () => Promise<{ readonly status: number }> }[],
): Promise<string[]> {
  const letGo = await hold();
  const order: string[] = [];
  const sent = requests.map(async ({ name, send }) => {
    const { status } = await send();
    expect(status).toBe(200);
    order.push(name);
  });
  await letGo();
  await Promise.all(sent);
  return order;
}

const repeat = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

test("with 1,000 requests of one workspace waiting, another one is answered before most of them", async () => {
  const [loud, quiet] = [await startService(), await startService()];
  const { send, hold } = await startHeldNode(loud);
  const read = async ({ given, key }: Started) => {
    const { id } = await given.snippet();
    return () => send("GET", `/snippet?id=${id}`, key.secret);
  };
  const [loudRead, quietRead] = [await read(loud), await read(quiet)];
  await Promise.all([loudRead(), quietRead()]);
  const order = await orderOf(hold, [
    ...repeat(1_000, () => ({ name: "loud", send: loudRead })),
    { name: "quiet", send: quietRead },
  ]);
  expect(order).toHaveLength(1_001);
  expect(order.indexOf("quiet")).toBeLessThan(150);
});

test("with 240 writes of one workspace's 12 keys waiting, another workspace is answered before most of them", async () => {
  const [loud, quiet] = [await startService(), await startService()];
  const { send, hold } = await startHeldNode(loud);
  const keys = await loud.admin((transaction) =>
    Promise.all(repeat(12, (index) => createKey(transaction, loud.workspace.id, `Key ${index}`, "all"))),
  );
  const post = (secret: string, teamId: string) => () =>
    send("POST", "/tag", secret, { tagName: "New", tagColor: "#fff", teamId });
  const quietPost = post(quiet.key.secret, quiet.team.id);
  const posts = keys.map(({ secret }) => post(secret, loud.team.id));
  await Promise.all([quietPost(), ...posts.map((send) => send())]);
  const order = await orderOf(hold, [
    ...repeat(240, (index) => ({ name: "loud", send: posts[index % posts.length] ?? quietPost })),
    { name: "quiet", send: quietPost },
  ]);
  expect(order).toHaveLength(241);
  expect(order.indexOf("quiet")).toBeLessThan(80);
});

test("where too many requests of a key wait, further ones get 503 at once, nothing is charged, and others are served", async () => {
  const [loud, quiet] = [await startService(), await startService()];
  const { database, send, hold } = await startHeldNode(loud);
  const { id } = await loud.given.snippet();
  const quietSnippet = await quiet.given.snippet();
  const readLoud = () => send("GET", `/snippet?id=${id}`, loud.key.secret);
  const readQuiet = () => send("GET", `/snippet?id=${quietSnippet.id}`, quiet.key.secret);
  const max = queueLimits.shortCalls.key;
  await readLoud();
  const [balanceBefore, callsBefore] = [await loud.balance(), (await loud.ledger()).length];

  const letGo = await hold();
  // On PostgreSQL, some of them leave the queue and wait for a connection.
  const sent = repeat(max + 200, readLoud);
  const others = repeat(3, readQuiet);
  const first = await Promise.race(sent);
  expect(first.status).toBe(503);
  expect({ ...first.headers, body: JSON.parse(String(first.body)) }).toMatchObject({
    "Retry-After": "1",
    "X-Request-Cost": "0",
    body: {
      success: false,
      message: "Too many requests are waiting. Nothing was changed or charged",
      error: "busy",
      requestId: first.requestId,
    },
  });
  await letGo();
  expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200]);
  const answers = await Promise.all(sent);
  const done = answers.filter(({ status }) => status === 200).map(({ requestId }) => requestId);
  expect(done.length).toBeGreaterThanOrEqual(max);
  expect(answers.filter(({ status }) => status === 503)).toHaveLength(answers.length - done.length);

  expect((await readLoud()).status).toBe(200);
  const ledger = (await loud.ledger()).slice(callsBefore).map(({ id }) => id);
  expect(ledger.slice(0, -1).sort()).toEqual(done.sort());
  expect(await loud.balance()).toBe(balanceBefore - done.length - 1);
  expect(new Set(database.queues().map(({ waiting }) => waiting))).toEqual(new Set([0]));
  await expectConsistentBalances(loud.rows, loud.workspace.id);
});
