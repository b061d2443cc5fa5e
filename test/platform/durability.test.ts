// Acknowledged writes survive a kill at any moment and a shutdown while calls are in flight. The oracle is the clients' own log.
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Commonplace } from "../../sdk/src/index.ts";
import { engine } from "../support/engine.ts";
import { type ServiceProcess, spawnService } from "../support/process.ts";
import { environment, program } from "../support/program.ts";
import { expectConsistentBalances } from "../support/quota-totals.ts";
import { temporaryDirectory, text } from "../support/service.ts";
import { openTls, parseAnswer, readToEnd } from "../support/sockets.ts";

/** Starts the service again on the same data; the key and the team are those of the first start. */
const settings = { COMMONPLACE_LOG_LEVEL: "off", COMMONPLACE_MONTHLY_REQUESTS: "1000000000" };

/** What a client recorded: each call with the request ID, the cost and the balance of its response. */
interface Acknowledged {
  readonly snippetId: string;
  readonly title: string;
  readonly requestId: string;
  readonly remaining: number;
}

/** Writes one snippet after another until the service is gone; records each response before the next call. */
async function keepWriting(client: Commonplace, teamId: string, name: string, log: Acknowledged[]): Promise<void> {
  for (let number = 0; ; number += 1) {
    const title = `${name}, ${number}`;
    const additionalVariations = [{ variationName: "Second", content: text(title) }];
    const answer = await client
      .postSnippet({ title, content: text(title), teamId, additionalVariations })
      .catch(() => undefined);
    if (!answer) return;
    log.push({
      snippetId: answer.data.snippetId,
      title,
      requestId: answer.response?.requestId ?? "",
      remaining: answer.usage.remainingRequests,
    });
  }
}

/** Compares the database with what the clients recorded. */
async function expectAllAcknowledged(
  dataDirectory: string,
  workspaceId: string,
  log: readonly Acknowledged[],
): Promise<void> {
  const rows = engine.rowsOf(dataDirectory);
  expect(await engine.findings(dataDirectory)).toEqual([]);

  const snippets = new Map(
    (await rows<{ id: string; title: string }>("select id, title from snippets")).map((row) => [row.id, row.title]),
  );
  expect(log.filter(({ snippetId, title }) => snippets.get(snippetId) !== title)).toEqual([]);

  const ledger = await rows<{ id: string; status: number; units: number; balance_after: number }>(
    "select id, status, units, balance_after from ledger order by balance_after desc",
  );
  const charged = new Map(ledger.map((row) => [row.id, row]));
  for (const { requestId, remaining } of log)
    expect(charged.get(requestId)).toEqual({ id: requestId, status: 200, units: 1, balance_after: remaining });
  // Work and charge are atomic: as many snippets as ledger rows, acknowledged or not, and each with both variations.
  expect(ledger).toHaveLength(snippets.size);
  expect(await rows("select id from snippets where variation_count <> 2")).toEqual([]);
  expect(await rows("select count(*) as further from variations")).toEqual([{ further: snippets.size }]);
  expect(new Set(ledger.map((row) => row.balance_after)).size).toBe(ledger.length);
  await expectConsistentBalances(rows, workspaceId);
}

/** On PostgreSQL, what is committed survives the service by itself. */
const kills = engine.name === "sqlite" ? 8 : 4;

describe("kill -9 at any moment", () => {
  test(`${kills} times under load: the store is whole, every acknowledged snippet is there, the books balance`, async () => {
    const dataDirectory = temporaryDirectory();
    const log: Acknowledged[] = [];
    let service = await spawnService(dataDirectory, settings);
    const { workspace_id = "", team_id = "", key = "" } = service.announced;
    for (let round = 1; round <= kills; round += 1) {
      const client = service.clientFor(key);
      const before = log.length;
      const writing = Array.from({ length: 8 }, (_, writer) => keepWriting(client, team_id, `${round}.${writer}`, log));
      // Killed after a random number of responses: somewhere within the next call of each writer.
      const answers = 1 + Math.floor(Math.random() * 200);
      while (log.length < before + answers) await Bun.sleep(1);
      service.kill("SIGKILL");
      await Promise.all([service.ended, ...writing]);

      const startedAt = performance.now();
      service = await spawnService(dataDirectory, settings);
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      expect(service.announced.key).toBeUndefined();
      await expectAllAcknowledged(dataDirectory, workspace_id, log);
    }
    const last = log.at(-1);
    const read = await service.clientFor(key).getSnippet({ id: last?.snippetId ?? "" });
    expect(read.data.title).toBe(last?.title ?? "");
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);
  }, 180_000);

  const file =
    (name: string) =>
    (dataDirectory: string): boolean =>
      existsSync(join(dataDirectory, name));
  /** Signs of how far a first start has come. */
  const signs: Readonly<Record<string, (dataDirectory: string) => boolean | Promise<boolean>>> = {
    ...(engine.name === "sqlite"
      ? { "commonplace.db": file("commonplace.db"), "commonplace.db-wal": file("commonplace.db-wal") }
      : {
          "a connection": async (dataDirectory) => {
            const own = "application_name = 'commonplace' and datname = current_database()";
            return (await engine.rowsOf(dataDirectory)(`select 1 from pg_stat_activity where ${own}`)).length > 0;
          },
          "a table": async (dataDirectory) =>
            (await engine.rowsOf(dataDirectory)("select 1 from pg_tables where tablename = 'workspaces'")).length > 0,
        }),
    tls: file("tls"),
    "tls/localhost.crt": file("tls/localhost.crt"),
  };

  test.each(Object.entries(signs))(
    "during the first start, when %s appears: the next start makes what is missing and serves",
    async (_, hasAppeared) => {
      const dataDirectory = temporaryDirectory();
      const first = Bun.spawn([...program, "serve"], {
        env: await environment({
          COMMONPLACE_DATA_DIRECTORY: dataDirectory,
          COMMONPLACE_HTTPS_PORT: "0",
          COMMONPLACE_HTTP_PORT: "off",
        }),
        stdout: "ignore",
        stderr: "ignore",
      });
      while (!(await hasAppeared(dataDirectory))) await new Promise(setImmediate);
      first.kill("SIGKILL");
      await first.exited;

      const again = await spawnService(dataDirectory, settings);
      const health = await again.fetch(new URL("/healthz", again.baseUrl));
      expect(health.status).toBe(200);
      again.kill("SIGKILL");
      await again.ended;
      const rows = engine.rowsOf(dataDirectory);
      expect(await rows("select count(*) as workspaces from workspaces")).toEqual([{ workspaces: 1 }]);
    },
    30_000,
  );
});

describe("SIGTERM", () => {
  /** A write in flight: its headers have reached the service, its body has not. */
  async function beginWrite(service: ServiceProcess, key: string, body: string) {
    const socket = await openTls(service.port, { rejectUnauthorized: false });
    const ending = readToEnd(socket);
    const head = [
      "POST /api/tag HTTP/1.1",
      "Host: localhost",
      `Authorization: Bearer ${key}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      "",
      body.slice(0, 10),
    ].join("\r\n");
    await new Promise<void>((resolve) => {
      socket.write(head, () => resolve());
    });
    return { finish: () => socket.write(body.slice(10)), answer: ending.then(parseAnswer) };
  }

  test("no call in flight is lost: it is answered, committed and charged, and the process ends with status 0", async () => {
    const dataDirectory = temporaryDirectory();
    const service = await spawnService(dataDirectory, settings);
    const { workspace_id = "", team_id = "", key = "" } = service.announced;
    const body = JSON.stringify({ tagName: "In flight", tagColor: "#fff", teamId: team_id });
    const calls = await Promise.all(Array.from({ length: 20 }, () => beginWrite(service, key, body)));
    // Answered after the service has received the calls in flight.
    await service.fetch(new URL("/healthz", service.baseUrl));

    const startedAt = performance.now();
    service.kill("SIGTERM");
    // The signal has arrived once new connections are refused.
    while (await isListening(service.port)) await Bun.sleep(10);
    for (const { finish } of calls) finish();
    const answers = await Promise.all(calls.map(({ answer }) => answer));

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await service.ended).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const rows = engine.rowsOf(dataDirectory);
    const ids = (await rows<{ id: string }>("select id from tags")).map(({ id }) => id);
    expect(ids.sort()).toEqual(answers.map((answer) => String(answer.body.data.tag.id)).sort());
    expect(await rows("select id from ledger")).toHaveLength(20);
    await expectConsistentBalances(rows, workspace_id);
  }, 180_000);

  test("under load, 5 times: everything acknowledged is there, and every row was acknowledged", async () => {
    const dataDirectory = temporaryDirectory();
    const log: Acknowledged[] = [];
    let [workspaceId, teamId, key] = ["", "", ""];
    for (let round = 1; round <= 5; round += 1) {
      const service = await spawnService(dataDirectory, settings);
      const { announced } = service;
      if (announced.key)
        [workspaceId, teamId, key] = [announced.workspace_id ?? "", announced.team_id ?? "", announced.key];
      const client = service.clientFor(key);
      const before = log.length;
      const writing = Array.from({ length: 8 }, (_, writer) => keepWriting(client, teamId, `${round}.${writer}`, log));
      while (log.length < before + 40) await Bun.sleep(1);
      const startedAt = performance.now();
      service.kill("SIGTERM");
      expect(await service.ended).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      await Promise.all(writing);
      await expectAllAcknowledged(dataDirectory, workspaceId, log);
      const rows = engine.rowsOf(dataDirectory);
      // No call was executed whose response was lost.
      expect(await rows("select id from ledger")).toHaveLength(log.length);
    }
  }, 180_000);

  test("connections on which no call is under way do not keep it", async () => {
    const dataDirectory = temporaryDirectory();
    const service = await spawnService(dataDirectory, settings);
    const silent = await openTls(service.port, { rejectUnauthorized: false });
    const half = await openTls(service.port, { rejectUnauthorized: false });
    const used = await openTls(service.port, { rejectUnauthorized: false });
    const closed = [silent, half, used].map(readToEnd);
    half.write("GET /healthz HTTP/1.1\r\nHo");
    await new Promise<void>((resolve) => {
      used.once("data", () => resolve());
      used.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
    });
    const startedAt = performance.now();
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await Promise.all(closed);
  }, 180_000);

  test("a client that takes its large answer slowly still gets all of it", async () => {
    const service = await spawnService(temporaryDirectory(), settings);
    const { team_id: teamId = "", key = "" } = service.announced;
    const client = service.clientFor(key);
    const content = text("x".repeat(1_000_000));
    const ids = [];
    for (let count = 0; count < 16; count += 1)
      ids.push((await client.postSnippet({ title: `${count}`, content, teamId })).data.snippetId);

    const socket = await openTls(service.port, { rejectUnauthorized: false });
    socket.pause();
    const head = ["GET", `/api/snippets?ids=${ids.join(",")}`, "HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer"];
    socket.write(`${head.join(" ")} ${key}\r\n\r\n`);
    await new Promise<void>((resolve) => socket.once("readable", () => resolve()));
    service.kill("SIGTERM");
    while (await isListening(service.port)) await Bun.sleep(10);
    const answer = parseAnswer(await readToEnd(socket));

    expect(answer.status).toBe(200);
    expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(await service.ended).toBe(0);
  }, 180_000);
});

const isListening = (port: number): Promise<boolean> =>
  openTls(port, { rejectUnauthorized: false }).then(
    (socket) => {
      socket.on("error", () => undefined);
      socket.destroy();
      return true;
    },
    () => false,
  );
