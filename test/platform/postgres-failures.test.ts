// Calls while PostgreSQL loses transactions, responses or crashes: a correct response or a 503, never partial work, never a
// free call, and service again by itself. The oracle is plain SQL on the tables, and the clients' responses.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { V7Generator } from "uuidv7";
import { PostgresTransaction } from "../../src/platform/database/postgres-transaction.ts";
import { type Answer, isOnPostgres, isolation, ledgerOf, onPostgres, until } from "../support/nodes.ts";
import {
  expectAtomicCalls,
  expectRecovery,
  freeze,
  plantErrors,
  plantSlowness,
  scale,
  shared,
  startFixture,
  startShared,
  statusesOf,
  underLoad,
} from "../support/postgres-failures.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";

beforeAll(async () => {
  if (isOnPostgres) await startShared();
});

describe.skipIf(!isOnPostgres)(onPostgres("a transaction that PostgreSQL gives up"), () => {
  test.each([
    ["40001", "ledger", true, "at the commit"],
    ["40P01", "ledger", false, "at a statement that nobody waits for"],
    ["40001", "tags", false, "in the midst of the work"],
  ])(
    "%s on %s: it is run again as a whole, with one row and one charge for each call",
    async (code, table, isAtCommit) => {
      const fixture = await startFixture(shared);
      const tries = await plantErrors(fixture.sql(), table, code, 5, isAtCommit);
      const answers: Answer[] = [];
      for (let round = 0; round < 12 * scale; round += 1)
        answers.push(
          ...(await Promise.all(Array.from({ length: 8 }, (_, number) => fixture.write(number, `${round}`)))),
        );
      expect(statusesOf(answers)).toEqual({ 200: answers.length });
      expect(await ledgerOf(fixture.sql(), fixture.workspace.id)).toHaveLength(answers.length);
      // Every fifth attempt failed, retries included.
      const all = await tries();
      expect(all).toBeGreaterThan(answers.length);
      if (isolation === undefined) expect(all).toBe(answers.length + Math.floor(all / 5));
      await expectAtomicCalls(fixture, answers);
      await fixture.stop();
    },
  );

  test("a deadlock with a session of somebody else's: the call is run again when that session is done", async () => {
    const fixture = await startFixture(shared);
    const { workspace, secretOf, node } = fixture;
    const made: string[] = [];
    for (const title of ["one", "two"]) made.push((await fixture.write(0, title)).body.data.tag.id);
    const [one = "", two = ""] = made.toSorted();
    const other = await fixture.sql().reserve();
    // Checks for deadlocks later than the service's session, so that the service's transaction is aborted.
    await other`set deadlock_timeout = '10s'`;
    await other`begin`;
    await other`select id from tags where id = ${two} for update`;
    const calling = node.call(secretOf(1), "PUT", "/tags", {
      body: { tags: [one, two].map((id) => ({ id, tagName: "changed" })) },
    });
    await until(async () => {
      const [waiting] = await shared.sql()`select count(*)::int as sessions from pg_stat_activity
        where datname = ${fixture.database} and wait_event_type = 'Lock'`;
      return waiting.sessions === 1;
    }, 180_000);
    await other`update tags set tag_color = '#000' where id = ${one}`;
    await other`commit`;
    await other.release();
    const answer = await calling;
    expect(answer.status).toBe(200);
    expect(answer.body.metadata).toMatchObject({ updatedCount: 2, failedCount: 0 });
    const tags = await fixture.sql()`select tag_name, tag_color from tags where workspace_id = ${workspace.id}`;
    expect(tags.map((row: { tag_name: string }) => row.tag_name)).toEqual(["changed", "changed"]);
    await expectAtomicCalls(fixture, [answer]);
    await fixture.stop();
  });

  test("one whose begin fails runs nothing: no statement becomes a transaction of its own", async () => {
    const fixture = await startFixture(shared);
    const session = new SQL(shared.urlOf(fixture.database), { max: 1 });
    const connection = await session.reserve();
    const transaction = new PostgresTransaction(connection, new V7Generator(), undefined);
    const beginning = { begin: "begin nothing", configuration: "1" };
    expect(await transaction.begin(beginning).then(String, (error) => error.errno)).toBe("42601");
    await connection.release();
    await session.close();
    await fixture.stop();
  });

  test("one that is given up every time ends in 503, with nothing done or charged", async () => {
    const fixture = await startFixture(shared);
    await plantErrors(fixture.sql(), "ledger", "40001", 1, true);
    const answer = await fixture.write();
    expect(answer).toMatchObject({ status: 503, body: { error: "unavailable" } });
    expect(await ledgerOf(fixture.sql(), fixture.workspace.id)).toEqual([]);
    await expectAtomicCalls(fixture, [answer]);
    await fixture.stop();
  });
});

describe.skipIf(!isOnPostgres)(onPostgres("a commit whose answer does not come"), () => {
  test.each([
    ["loses its answer", 200],
    ["never arrives", 200],
    ["is cut off under way", 200],
  ] as const)("%s: the caller is told what is so, and the work is done once", async (fate) => {
    const fixture = await startFixture(shared, { hasProxy: true });
    // So that a commit takes longer than the proxy takes to cut it off.
    if (fate === "is cut off under way") await plantSlowness(fixture.sql(), "tags", 0.05);
    if (fixture.proxy) fixture.proxy.decide = (number) => (number % 3 === 0 ? fate : "passes");
    const answers: Answer[] = [];
    for (let round = 0; round < 4 * scale; round += 1)
      answers.push(...(await Promise.all(Array.from({ length: 8 }, (_, number) => fixture.write(number, `${round}`)))));
    expect(statusesOf(answers)).toEqual({ 200: answers.length });
    expect(fixture.proxy?.cuts()).toBeGreaterThan(answers.length / 4);
    expect(await ledgerOf(fixture.sql(), fixture.workspace.id)).toHaveLength(answers.length);
    await expectAtomicCalls(fixture, answers);
    await fixture.stop();
  });
});

describe.skipIf(!isOnPostgres)(onPostgres("a server that fails at a commit: the ledger decides, not the error"), () => {
  /** A disk error, a full disk. */
  const codes = ["58030", "53100"];

  test.each(codes)("%s, but recovery finds the commit: the caller learns that it was carried out", async (code) => {
    const fixture = await startFixture(shared, { hasProxy: true });
    const { proxy } = fixture;
    if (!proxy) throw new Error("no proxy");
    proxy.failure = { code, message: "could not write to the log" };
    proxy.decide = (number) => (number % 3 === 0 ? "is carried out and called a failure" : "passes");
    const answers: Answer[] = [];
    for (let round = 0; round < 2 * scale; round += 1)
      for (const call of [fixture.write, fixture.read])
        answers.push(...(await Promise.all(Array.from({ length: 8 }, (_, number) => call(number)))));
    expect(statusesOf(answers)).toEqual({ 200: answers.length / 2, 404: answers.length / 2 });
    expect(proxy.cuts()).toBeGreaterThan(2);
    expect(await ledgerOf(fixture.sql(), fixture.workspace.id)).toHaveLength(answers.length);
    await expectAtomicCalls(fixture, answers);
    await fixture.stop();
  });

  test("58030, and the commit is lost: 503, with nothing done or charged, and without another try", async () => {
    const fixture = await startFixture(shared, { hasProxy: true });
    const { proxy } = fixture;
    if (!proxy) throw new Error("no proxy");
    const first = proxy.commits() + 1;
    proxy.decide = (number) => (number === first ? "fails" : "passes");
    const answer = await fixture.write();
    expect(answer).toMatchObject({ status: 503, body: { error: "unavailable" } });
    expect(proxy.cuts()).toBe(1);
    expect(await ledgerOf(fixture.sql(), fixture.workspace.id)).toEqual([]);
    await expectAtomicCalls(fixture, [answer]);
    await fixture.stop();
  });
});

describe.skipIf(!isOnPostgres)(onPostgres("a server that goes away and comes back"), () => {
  test.each(["fast", "immediate"] as const)("it is shut down (%s) under load and started again", async (mode) => {
    const server = await startPrivatePostgres();
    const fixture = await startFixture(server);
    const answers = await underLoad(fixture, 8, async (so) => {
      await server.stop(mode);
      await until(async () => so.some(({ status }) => status === 503), 60_000);
      // While the server is down, calls are refused quickly.
      const refused = await fixture.write();
      expect(refused).toMatchObject({ status: 503, body: { error: "unavailable" } });
      expect(refused.milliseconds).toBeLessThan(3_000);
      await server.start();
      fixture.reconnect();
      await expectRecovery(fixture);
    });
    await expectAtomicCalls(fixture, answers);
    await fixture.stop();
    await server.stop("immediate");
  });

  test("it is frozen for a second under load: all calls are answered as soon as it goes on", async () => {
    const server = await startPrivatePostgres();
    const fixture = await startFixture(server);
    const answers = await underLoad(fixture, 8, () => freeze(server, 1, fixture));
    expect(statusesOf(answers)[503]).toBeUndefined();
    await expectAtomicCalls(fixture, answers);
    await fixture.stop();
    await server.stop("immediate");
  });

  test("all sessions are terminated again and again under load", async () => {
    const fixture = await startFixture(shared);
    const answers = await underLoad(fixture, 8, async () => {
      for (let round = 0; round < 10 * scale; round += 1) {
        await shared.sql()`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = ${fixture.database} and usename = 'commonplace'`;
        await Bun.sleep(50);
      }
      await expectRecovery(fixture);
    });
    console.log(`sessions terminated: ${JSON.stringify(statusesOf(answers))}`);
    await expectAtomicCalls(fixture, answers);
    await fixture.stop();
  });

  test("all connections are taken: 503, and calls are served as soon as there is one again", async () => {
    const server = await startPrivatePostgres({ settings: { max_connections: "15" } });
    const fixture = await startFixture(server);
    fixture.reconnect();
    const others: SQL[] = [];
    const connects = async () => {
      const other = server.connect("postgres");
      others.push(other);
      return other`select 1`.then(
        () => true,
        () => false,
      );
    };
    // Until none of the service's is left: a background job may have connected in between.
    for (let ended = 1; ended > 0; ) {
      const sessions = await server.sql()`
        select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'commonplace'`;
      ended = sessions.length;
      while (await connects());
    }
    const answers = await Promise.all(Array.from({ length: 12 }, (_, number) => fixture.write(number)));
    expect(statusesOf(answers)).toEqual({ 503: 12 });
    await Promise.all(others.map((other) => other.close()));
    await expectRecovery(fixture);
    await expectAtomicCalls(fixture, answers);
    await fixture.stop();
    await server.stop("immediate");
  });

  test("it has become a standby, which can only be read: 503, until it is promoted", async () => {
    const server = await startPrivatePostgres();
    const fixture = await startFixture(server);
    expect((await fixture.write()).status).toBe(200);
    fixture.reconnect();
    await server.stop("fast");
    writeFileSync(join(server.dataDirectory, "standby.signal"), "");
    await server.start();
    const answers = [await fixture.write(), await fixture.read()];
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    await server.sql()`select pg_promote()`;
    await expectRecovery(fixture);
    await expectAtomicCalls(fixture, answers);
    await fixture.stop();
    await server.stop("immediate");
  });
});
