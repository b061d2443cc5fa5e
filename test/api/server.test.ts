// The door itself: health, unknown paths, the log, clients that are slow or leave, and commits that calls share.
import { describe, expect, test } from "bun:test";
import type { TLSSocket } from "node:tls";
import { readConfig } from "../../src/config.ts";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { startService as start } from "../../src/service.ts";
import { expectBooksToBalance } from "../support/books.ts";
import { engine, openNode } from "../support/engine.ts";
import { expectRefusal, newId } from "../support/expect.ts";
import { spawnService } from "../support/process.ts";
import { type RawAnswer, type Started, startService, temporaryDirectory, text } from "../support/service.ts";
import { exchange, openTls, parseAnswer, readToEnd, requestText } from "../support/sockets.ts";

const never = "00000000-0000-7000-8000-000000000000";
const open = (started: Started): Promise<TLSSocket> => openTls(started.service.port, { ca: started.ca });
const originOf = (started: Started): string => new URL(started.baseUrl).origin;

describe("/healthz", () => {
  test("GET answers 200 without a key, HEAD the same without a body", async () => {
    const started = await startService();
    const got = await started.fetch(`${originOf(started)}/healthz`);
    expect(await got.json()).toEqual({ status: "ok" });
    expect(got.status).toBe(200);
    expect(got.headers.get("cache-control")).toBe("no-store");
    const head = await started.fetch(`${originOf(started)}/healthz`, { method: "HEAD" });
    expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: "" });
  });

  test("other methods: 405 with Allow", async () => {
    const started = await startService();
    const answer = await started.fetch(`${originOf(started)}/healthz`, { method: "POST" });
    expect({ status: answer.status, allow: answer.headers.get("allow") }).toEqual({ status: 405, allow: "GET, HEAD" });
  });

  test("answers a load balancer that speaks HTTP/1.0 and sends no Host", async () => {
    const started = await startService();
    const answer = await exchange(await open(started), "GET /healthz HTTP/1.0\r\n\r\n");
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { status: "ok" } });
  });

  test("is not under the base path", async () => {
    const started = await startService();
    expectRefusal(await started.call("GET", "/healthz"), 404, "Not found", 0);
  });
});

describe("paths", () => {
  test.each([
    "/",
    "/api",
    "/api/",
    "/snippet",
    "/api/snippet/",
    "//api/snippet",
    "/api//snippet",
    "/API/snippet",
    "/api/Snippet",
    "/api/%73nippet",
    "/api%2Fsnippet",
    "/api/snippet%20",
    "/api/snippet.json",
    "/api/snippet;a=b",
    "/api/snippet/variation/",
    "/api/snippet/../../etc/passwd",
    "/api/constructor",
    "/__proto__",
  ])("%s is unknown: 404 in the error body", async (path) => {
    const started = await startService();
    const answer = await exchange(
      await open(started),
      requestText("GET", path, { Authorization: `Bearer ${started.key.secret}` }),
    );
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 404,
      body: { success: false, message: "Not found", error: "not_found", requestId: newId },
    });
    expect(await started.ledger()).toEqual([]);
  });

  test("a query of another path does not make it one", async () => {
    const started = await startService();
    const answer = await exchange(await open(started), requestText("GET", "/?/api/snippet", {}));
    expect(answer.status).toBe(404);
  });

  test.each([
    ["/", ""],
    ["/snippets-of/team_1/", "/snippets-of/team_1"],
  ])(
    "the base path %s stands before every operation, and the health check stays where it is",
    async (setting, basePath) => {
      const config = readConfig({ COMMONPLACE_BASE_PATH: setting });
      expect(config.basePath).toBe(basePath);
      const started = await startService({ config: { basePath } });
      const status = async (path: string) => (await started.fetch(`${originOf(started)}${path}`)).status;
      expect(started.baseUrl).toBe(`${originOf(started)}${basePath}`);
      expect((await started.client.getTags({ tagIds: [never] })).success).toBe(true);
      expect(await status(`${basePath}/openapi.json`)).toBe(200);
      expect(await status("/api/snippet")).toBe(404);
      expect(await status("/healthz")).toBe(200);
      await started.service.stop();
    },
  );

  test.each(["api", "/a b", "/a//b", "/a?b", "/ä"])("the base path %p is refused at the start", (setting) => {
    expect(() => readConfig({ COMMONPLACE_BASE_PATH: setting })).toThrow("COMMONPLACE_BASE_PATH must be a path");
  });

  test("a port that is taken: one clear line that names the setting", async () => {
    const started = await startService();
    const defaults = readConfig({ COMMONPLACE_DATA: temporaryDirectory() });
    for (const [ports, setting] of [
      [{ port: started.service.port, httpPort: undefined }, "COMMONPLACE_PORT"],
      [{ port: 0, httpPort: started.service.port }, "COMMONPLACE_HTTP_PORT"],
    ] as const) {
      const starting = start({ ...defaults, ...ports });
      expect(
        await starting.then(
          () => "started",
          (error: Error) => `${error.name}: ${error.message}`,
        ),
      ).toBe(
        `OperatorError: port ${started.service.port} is in use: is Commonplace running already? Else set ${setting} to another`,
      );
    }
  });
});

describe("the log", () => {
  test("one line a call, with the request id of its answer and nothing that the client wrote", async () => {
    const started = await startService({});
    const good = await started.call("POST", "/tag", {
      key: started.key.secret,
      body: { tagName: "A private name", tagColor: "#fff", teamId: started.team.id },
    });
    const bad = await started.call("GET", "/snippet", {
      key: started.limitedKey.secret,
      query: { id: "a-private-query" },
    });
    const stranger = await started.call("GET", "/snippet", {
      key: "wrong",
      headers: { "User-Agent": "a private agent" },
    });
    const lost = await started.call("GET", "/lost");

    const shared = { level: "info", message: "call", milliseconds: expect.any(Number), client: "127.0.0.1" };
    expect(started.lines.map((line) => JSON.parse(line))).toEqual([
      {
        ...shared,
        requestId: good.headers.get("x-request-id"),
        method: "POST",
        path: "/api/tag",
        operation: "postTag",
        status: 200,
        units: 1,
        workspaceId: started.workspace.id,
        keyId: started.key.id,
      },
      {
        ...shared,
        requestId: bad.body.requestId,
        method: "GET",
        path: "/api/snippet",
        operation: "getSnippet",
        status: 400,
        units: 1,
        workspaceId: started.workspace.id,
        keyId: started.limitedKey.id,
      },
      {
        ...shared,
        requestId: stranger.body.requestId,
        method: "GET",
        path: "/api/snippet",
        operation: "getSnippet",
        status: 401,
        units: 0,
      },
      { ...shared, requestId: lost.body.requestId, method: "GET", path: "/api/lost", status: 404, units: 0 },
    ]);
  });

  test("the process writes them to standard error as JSON lines with their time, and nothing else there", async () => {
    const service = await spawnService(temporaryDirectory());
    const client = service.clientFor(service.announced.key ?? "");
    const ids = [];
    for (let count = 0; count < 20; count += 1)
      ids.push((await client.getTags({ tagIds: [never] })).response?.requestId);
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);

    const lines = service
      .log()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.requestId)).toEqual(ids);
    for (const line of lines) expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(service.log()).not.toContain(service.announced.key?.slice(8));
  });

  test("off writes nothing", async () => {
    const service = await spawnService(temporaryDirectory(), { COMMONPLACE_LOG: "off" });
    await service.clientFor(service.announced.key ?? "").getTags({ tagIds: [never] });
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);
    expect(service.log()).toBe("");
  });
});

describe("slow and leaving clients", () => {
  const head = (started: Started, length: number) =>
    [
      "POST /api/tag HTTP/1.1",
      "Host: localhost",
      "Connection: close",
      `Authorization: Bearer ${started.key.secret}`,
      `Content-Length: ${length}`,
      "",
      "",
    ].join("\r\n");
  const write = (socket: TLSSocket, part: string): Promise<void> =>
    new Promise((resolve) => {
      socket.write(part, () => resolve());
    });

  test("clients that send half a head or half a body stop nobody", async () => {
    const started = await startService();
    const slow: TLSSocket[] = [];
    for (let count = 0; count < 100; count += 1) {
      const socket = await open(started);
      await write(socket, count % 2 === 0 ? "GET /api/snippet HTTP/1.1\r\nHo" : `${head(started, 1_000)}{"tagName":`);
      slow.push(socket);
    }
    const probe = async () => {
      const [health, call] = await Promise.all([
        started.fetch(`${originOf(started)}/healthz`),
        started.call("GET", "/tags", { key: started.key.secret, query: { ids: never } }),
      ]);
      return [health.status, call.status];
    };
    for (let count = 0; count < 20; count += 1) expect(await probe()).toEqual([200, 200]);
    // They are still there: it was not by their end that the others came through.
    expect(slow.filter((socket) => socket.closed || socket.destroyed)).toEqual([]);
    expect(await started.ledger()).toHaveLength(20);
    for (const socket of slow) socket.destroy();
  });

  test("a body that comes in pieces is read to its end", async () => {
    const started = await startService();
    const body = JSON.stringify({ tagName: "In pieces", tagColor: "#fff", teamId: started.team.id });
    const socket = await open(started);
    const ending = readToEnd(socket);
    await write(socket, head(started, Buffer.byteLength(body)));
    for (let at = 0; at < body.length; at += 20) await write(socket, body.slice(at, at + 20));
    expect(parseAnswer(await ending)).toMatchObject({
      status: 200,
      body: { data: { tag: { tag_name: "In pieces" } } },
    });
  });

  /** Resolves when the service has logged so many calls. */
  async function logged(started: Started, calls: number): Promise<Record<string, unknown>[]> {
    while (started.lines.length < calls) await new Promise(setImmediate);
    return started.lines.map((line) => JSON.parse(line));
  }

  test("a client that leaves in the middle of its body: a failed call like any other, and no failure of ours", async () => {
    const started = await startService({});
    for (const framing of ["Content-Length: 1000", "Transfer-Encoding: chunked"]) {
      const socket = await open(started);
      await write(
        socket,
        `POST /api/tag HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${started.key.secret}\r\n${framing}\r\n\r\n5\r\n{"tag`,
      );
      // Answered on another connection only after the first was read.
      await started.fetch(`${originOf(started)}/healthz`);
      socket.destroy();
    }
    const lines = (await logged(started, 4)).filter((line) => line.method === "POST");
    expect(lines).toHaveLength(2);
    for (const line of lines)
      expect(line).toMatchObject({ level: "info", message: "call", operation: "postTag", status: 400, units: 1 });
    expect(started.lines).toHaveLength(4);
    expect(await started.ledger()).toMatchObject([
      { operation: "postTag", status: 400, units: 1 },
      { operation: "postTag", status: 400, units: 1 },
    ]);
  });

  test("clients that leave before their answer: each call is carried out and charged, or neither", async () => {
    const started = await startService({});
    const body = JSON.stringify({ tagName: "Left", tagColor: "#fff", teamId: started.team.id });
    for (let count = 0; count < 50; count += 1) {
      const socket = await open(started);
      socket.on("error", () => undefined);
      await write(socket, head(started, Buffer.byteLength(body)) + body);
      socket.destroy();
    }
    expect((await started.given.tag()).tag_name).toBe("A tag");
    // In one statement: the last of them may still be on their way.
    const [books] = await started.rows(
      `select (select count(*) from tags t where t.workspace_id = m.workspace_id) as made,
         (select count(*) from ledger l where l.workspace_id = m.workspace_id and l.status = 200) as charged,
         100000 - m.balance as drawn
       from quota_months m where m.workspace_id = ?`,
      started.workspace.id,
    );
    expect(books).toEqual({ made: books?.made, charged: books?.made, drawn: books?.made });
    expect(started.lines.filter((line) => JSON.parse(line).level === "error")).toEqual([]);
  });
});

describe("group commit", () => {
  test("64 parallel writes: each is committed before its answer, and none is lost", async () => {
    const started = await startService();
    const post = async (index: number) => {
      const answer: RawAnswer = await started.call("POST", "/snippet", {
        key: started.key.secret,
        body: { title: `Parallel ${index}`, content: text(`Text ${index}`), teamId: started.team.id },
      });
      // Another connection sees only what is committed.
      const seen = await started.rows("select title from snippets where id = ?", answer.body.data.snippetId);
      return { status: answer.status, seen };
    };
    const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => post(index)));
    expect(answers).toEqual(
      Array.from({ length: 64 }, (_, index) => ({ status: 200, seen: [{ title: `Parallel ${index}` }] })),
    );
    expect(await started.ledger()).toHaveLength(64);
    await expectBooksToBalance(started.rows, started.workspace.id);
  });

  const notes = async () => {
    const directory = temporaryDirectory();
    let groups = 0;
    // SQLite asks the clock once for each group.
    const database = await openNode(directory, () => {
      groups += 1;
      return Date.now();
    });
    await database.transaction((transaction) => transaction.run(sql`create table notes (number integer primary key)`));
    const rows = engine.rowsOf(directory);
    return {
      database,
      groupsSoFar: () => groups,
      add: (number: number) =>
        database.transaction(async (transaction) => {
          await transaction.run(sql`insert into notes (number) values (${number})`);
          return number;
        }),
      /** As another connection sees them: what is committed. */
      committed: async () =>
        (await rows<{ number: number }>("select number from notes order by number")).map(({ number }) => number),
      close: () => database.close(),
    };
  };
  const numbers = (length: number) => Array.from({ length }, (_, number) => number);

  test("what waits at the same time is answered after its commit; on SQLite it shares one", async () => {
    const { add, groupsSoFar, committed, close } = await notes();
    const before = groupsSoFar();
    const seen = numbers(64).map((number) => add(number).then(async () => (await committed()).includes(number)));
    expect(await Promise.all(seen)).toEqual(Array(64).fill(true));
    // PostgreSQL joins commits by itself, where nobody sees it.
    if (engine.name === "sqlite") expect(groupsSoFar() - before).toBe(1);
    expect(await committed()).toEqual(numbers(64));
    await close();
  });

  test("a lone call waits for nobody", async () => {
    const { add, committed, close } = await notes();
    expect(await add(1)).toBe(1);
    expect(await committed()).toEqual([1]);
    await close();
  });

  test("one that fails takes nothing of the others with it", async () => {
    const { database, committed, close } = await notes();
    const add = (number: number) =>
      database.transaction(async (transaction) => {
        await transaction.run(sql`insert into notes (number) values (${number})`);
        if (number % 3 === 0) throw new Error(`planted ${number}`);
        if (number % 3 === 1) await transaction.run(sql`insert into notes (number) values (${number})`);
      });
    const outcomes = await Promise.allSettled(numbers(30).map(add));
    expect(outcomes.map(({ status }) => status)).toEqual(
      numbers(30).map((number) => (number % 3 === 2 ? "fulfilled" : "rejected")),
    );
    expect(outcomes[0]).toMatchObject({ reason: { message: "planted 0" } });
    expect(await committed()).toEqual(numbers(30).filter((number) => number % 3 === 2));
    await close();
  });

  // Where every call has a connection of its own, the others have nothing to do with it.
  test.skipIf(engine.name !== "sqlite")(
    "an engine that fails in one of them fails them all: nobody is told of a success, nothing is kept",
    async () => {
      const { database, add, committed, close } = await notes();
      const failing = database.transaction(() => Promise.reject(new DatabaseUnavailable("planted")));
      const outcomes = await Promise.allSettled([add(1), add(2), failing, add(3)]);
      for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: { name: "DatabaseUnavailable" } });
      expect(await committed()).toEqual([]);
      expect(await add(1)).toBe(1);
      expect(await committed()).toEqual([1]);
      await close();
    },
  );

  test("closing finishes what waits", async () => {
    const { database, add, committed, close } = await notes();
    const adding = Promise.all(numbers(20).map(add));
    const closing = database.close();
    expect(await adding).toEqual(numbers(20));
    expect(await committed()).toEqual(numbers(20));
    await closing;
    await close().catch(() => undefined);
  });
});

test("a database that is taken away from a running service: 503 and no call is done, until it is there again", async () => {
  const started = await startService({});
  const probe = async (path: string) => (await started.fetch(`${originOf(started)}${path}`)).status;
  const post = () =>
    started.call("POST", "/tag", {
      key: started.key.secret,
      body: { tagName: "Lost", tagColor: "#000", teamId: started.team.id },
    });
  const giveBack = await engine.takeAway(started.dataDirectory);
  const refused = await post();
  expect(refused.body).toEqual({
    success: false,
    message: "The service can not reach its database. Nothing was changed or charged",
    error: "unavailable",
    requestId: newId,
  });
  expect({ status: refused.status, retryAfter: refused.headers.get("retry-after") }).toEqual({
    status: 503,
    retryAfter: "1",
  });
  expect([await probe("/readyz"), await probe("/healthz")]).toEqual([503, 200]);

  await giveBack();
  expect(await probe("/readyz")).toBe(200);
  expect(await started.rows("select * from tags")).toEqual([]);
  expect((await post()).status).toBe(200);
  expect(await started.ledger()).toMatchObject([{ operation: "postTag", status: 200, units: 1 }]);
});
