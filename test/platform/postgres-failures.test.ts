// What becomes of calls when PostgreSQL loses transactions, answers or itself: a right answer or a 503, never half the work, never a
// free call, and service again by itself. The oracle is plain SQL on the tables, and what the clients were told.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { V7Generator } from "uuidv7";
import { openPostgres } from "../../src/platform/database/postgres.ts";
import { PostgresTransaction } from "../../src/platform/database/postgres-transaction.ts";
import { sql as sqlText } from "../../src/platform/database/sql.ts";
import {
  type Answer,
  expectBooksToBalance,
  expectNoPassword,
  expectStoreToBeWhole,
  isOnPostgres,
  isolation,
  ledgerOf,
  makeWorkspace,
  type NodeOptions,
  onPostgres,
  startNode,
  until,
} from "../support/nodes.ts";
import { startPostgresProxy } from "../support/postgres-proxy.ts";
import { type PrivatePostgres, startPrivatePostgres } from "../support/private-postgres.ts";

const scale = Number(process.env.TEST_SCALE ?? 1);
const never = "00000000-0000-7000-8000-000000000000";

/** What any call may take at most, whatever the database does: 7 s for its transaction, 3 s to learn of a commit, and some to spare. */
const answerMillisecondsMax = 12_000;
/** How soon after the database's return calls are served again. */
const recoveryMilliseconds = 5_000;

let shared: PrivatePostgres;
/** Takes longest by far, and is waiting nearly all of it: begun before all others, and looked at after them. */
let frozenForLong: ReturnType<typeof freezeForLong>;
beforeAll(async () => {
  if (!isOnPostgres) return;
  shared = await startPrivatePostgres();
  frozenForLong = freezeForLong(13);
  frozenForLong.catch(() => undefined);
});

/** A node on a new database, reached through a proxy if asked for, with a workspace. */
async function begin(server: PrivatePostgres, options: NodeOptions & { readonly hasProxy?: boolean } = {}) {
  const database = await server.createDatabase();
  const proxy = options.hasProxy ? await startPostgresProxy(server.port) : undefined;
  const node = await startNode(server.urlOf(database, proxy?.port), options);
  const workspace = await makeWorkspace(node.database, { keys: 8 });
  const secretOf = (number: number) => workspace.keys[number % workspace.keys.length]?.secret ?? "";
  let sql: SQL | undefined;
  return {
    database,
    node,
    workspace,
    /** Plain SQL past the proxy; a new connection after `reconnect`. */
    sql: () => {
      sql ??= server.connect(database);
      return sql;
    },
    reconnect: () => {
      void sql?.close().catch(() => undefined);
      sql = undefined;
    },
    proxy,
    /** One write of the `number`th key. */
    write: (number = 0, title = `${number}`): Promise<Answer> =>
      node.call(secretOf(number), "POST", "/tag", {
        body: { tagName: title, tagColor: "#fff", teamId: workspace.teamId },
      }),
    read: (number = 0): Promise<Answer> => node.call(secretOf(number), "GET", "/snippet", { query: { id: never } }),
    secretOf,
    stop: async () => {
      await node.stop();
      await proxy?.close();
      await sql?.close().catch(() => undefined);
    },
  };
}
type Begun = Awaited<ReturnType<typeof begin>>;

/** Runs clients that write and read until `isOver`; returns every answer. A call without an answer fails the test. */
async function underLoad(begun: Begun, clients: number, act: () => Promise<void>): Promise<Answer[]> {
  const answers: Answer[] = [];
  let isOver = false;
  const calling = Array.from({ length: clients }, async (_, client) => {
    for (let number = 0; !isOver; number += 1) {
      const answer = await (number % 3 === 2 ? begun.read(client) : begun.write(client, `${client}.${number}`));
      answers.push(answer);
      // Always under way, without taking every moment of the machine from the service.
      await Bun.sleep(answer.status === 503 ? 20 : 2);
    }
  });
  await until(async () => answers.length > 2 * clients, 10_000);
  try {
    await act();
  } finally {
    isOver = true;
    await Promise.all(calling);
  }
  return answers;
}

/** Work and charge are one: each tag has its row, each row of a done write its tag, and everything told is so. */
async function expectNoHalfWork(begun: Begun, answers: readonly Answer[]): Promise<void> {
  const { workspace } = begun;
  const sql = begun.sql();
  const rows = await ledgerOf(sql, workspace.id);
  const byId = new Map(rows.map((row) => [row.id, row]));
  expect(byId.size).toBe(rows.length);
  for (const { status, headers, body, requestId } of answers) {
    if (status === 503) {
      expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(headers.get("x-request-cost")).toBe("0");
      continue;
    }
    expect(status).toBeLessThan(500);
    expect(byId.get(requestId)).toMatchObject({ status, units: Number(headers.get("x-request-cost")) });
    if (status === 200 && body.usage) expect(byId.get(requestId)?.balance_after).toBe(body.usage.remainingRequests);
  }
  const [tags] = await sql`select count(*)::int as rows from tags where workspace_id = ${workspace.id}`;
  const done = rows.filter(({ operation, status }) => operation === "postTag" && status === 200).length;
  expect(tags.rows).toBe(done);
  const told = answers.filter(({ status, body }) => status === 200 && body.data?.tag).length;
  expect(done).toBeGreaterThanOrEqual(told);
  await expectBooksToBalance(sql, workspace.id);
  await expectStoreToBeWhole(sql, workspace.id);
  for (const { milliseconds } of answers) expect(milliseconds).toBeLessThan(answerMillisecondsMax);
  expectNoPassword(begun.node.lines);
}

const statusesOf = (answers: readonly Answer[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => String(status))).map(([status, all]) => [
      status,
      all?.length ?? 0,
    ]),
  );

/** Raises an error of PostgreSQL's own in every nth insert into a table, at once or only at the commit. */
async function plantErrors(
  sql: SQL,
  table: string,
  code: string,
  every: number,
  isAtCommit: boolean,
): Promise<() => Promise<number>> {
  const name = `fault_${crypto.randomUUID().replaceAll("-", "")}`;
  // A sequence counts what is rolled back, too.
  await sql.unsafe(`create sequence ${name}`);
  await sql.unsafe(`create function ${name}() returns trigger language plpgsql security definer as $$ begin
    if nextval('${name}') % ${every} = 0 then raise exception 'planted' using errcode = '${code}'; end if; return new; end $$`);
  await sql.unsafe(
    isAtCommit
      ? `create constraint trigger ${name} after insert on ${table} deferrable initially deferred for each row execute function ${name}()`
      : `create trigger ${name} before insert on ${table} for each row execute function ${name}()`,
  );
  return async () => {
    const [row] = await sql.unsafe(`select last_value::int as count from ${name}`);
    return row.count;
  };
}

/** Measures from the server's return how long it takes until calls are served again, and goes on for a moment. */
async function expectRecovery(begun: Begun): Promise<void> {
  const took = await until(async () => (await begun.write()).status === 200, recoveryMilliseconds);
  expect(took).toBeLessThan(recoveryMilliseconds);
  await Bun.sleep(100);
}

async function freezeForLong(seconds: number) {
  const server = await startPrivatePostgres();
  const begun = await begin(server);
  const answers = await underLoad(begun, 8, () => freeze(server, seconds, begun));
  return { server, begun, answers };
}

async function freeze(server: PrivatePostgres, seconds: number, begun: Begun): Promise<void> {
  await server.freeze();
  try {
    await Bun.sleep(seconds * 1_000);
  } finally {
    server.thaw();
  }
  await expectRecovery(begun);
}

describe.skipIf(!isOnPostgres)(onPostgres("a transaction that PostgreSQL gives up"), () => {
  test.each([
    ["40001", "ledger", true, "at the commit"],
    ["40P01", "ledger", false, "at a statement that nobody waits for"],
    ["40001", "tags", false, "in the midst of the work"],
  ])(
    "%s on %s: it is run again as a whole, with one row and one charge for each call",
    async (code, table, isAtCommit) => {
      const begun = await begin(shared);
      const tries = await plantErrors(begun.sql(), table, code, 5, isAtCommit);
      const answers: Answer[] = [];
      for (let round = 0; round < 12 * scale; round += 1)
        answers.push(...(await Promise.all(Array.from({ length: 8 }, (_, number) => begun.write(number, `${round}`)))));
      expect(statusesOf(answers)).toEqual({ 200: answers.length });
      expect(await ledgerOf(begun.sql(), begun.workspace.id)).toHaveLength(answers.length);
      // Every fifth try was in vain, the further tries counted as well.
      const all = await tries();
      expect(all).toBeGreaterThan(answers.length);
      if (isolation === undefined) expect(all).toBe(answers.length + Math.floor(all / 5));
      await expectNoHalfWork(begun, answers);
      await begun.stop();
    },
  );

  test("a deadlock with a session of somebody else's: the call is run again when that session is done", async () => {
    const begun = await begin(shared);
    const { workspace, secretOf, node } = begun;
    const made: string[] = [];
    for (const title of ["one", "two"]) made.push((await begun.write(0, title)).body.data.tag.id);
    const [one = "", two = ""] = made.toSorted();
    const other = await begun.sql().reserve();
    // Looks for deadlocks later than the service's session, which is thus the one to give up.
    await other`set deadlock_timeout = '10s'`;
    await other`begin`;
    await other`select id from tags where id = ${two} for update`;
    const calling = node.call(secretOf(1), "PUT", "/tags", {
      body: { tags: [one, two].map((id) => ({ id, tagName: "changed" })) },
    });
    await until(async () => {
      const [waiting] = await shared.sql()`select count(*)::int as sessions from pg_stat_activity
        where datname = ${begun.database} and wait_event_type = 'Lock'`;
      return waiting.sessions === 1;
    }, 5_000);
    await other`update tags set tag_color = '#000' where id = ${one}`;
    await other`commit`;
    await other.release();
    const answer = await calling;
    expect(answer.status).toBe(200);
    expect(answer.body.metadata).toMatchObject({ updatedCount: 2, failedCount: 0 });
    const tags = await begun.sql()`select tag_name, tag_color from tags where workspace_id = ${workspace.id}`;
    expect(tags.map((row: { tag_name: string }) => row.tag_name)).toEqual(["changed", "changed"]);
    await expectNoHalfWork(begun, [answer]);
    await begun.stop();
  });

  test("one whose begin fails runs nothing: no statement becomes a transaction of its own", async () => {
    const begun = await begin(shared);
    const session = new SQL(shared.urlOf(begun.database), { max: 1 });
    const connection = await session.reserve();
    const transaction = new PostgresTransaction(connection, new V7Generator(), undefined);
    const beginning = { begin: "begin nothing", configuration: "1" };
    expect(await transaction.begin(beginning).then(String, (error) => error.errno)).toBe("42601");
    await connection.release();
    await session.close();
    await begun.stop();
  });

  test("one that is given up every time ends in 503, with nothing done or charged", async () => {
    const begun = await begin(shared);
    await plantErrors(begun.sql(), "ledger", "40001", 1, true);
    const answer = await begun.write();
    expect(answer).toMatchObject({ status: 503, body: { error: "unavailable" } });
    expect(await ledgerOf(begun.sql(), begun.workspace.id)).toEqual([]);
    await expectNoHalfWork(begun, [answer]);
    await begun.stop();
  });
});

describe.skipIf(!isOnPostgres)(onPostgres("a commit whose answer does not come"), () => {
  test.each([
    ["loses its answer", 200],
    ["never arrives", 200],
    ["is cut off under way", 200],
  ] as const)("%s: the caller is told what is so, and the work is done once", async (fate) => {
    const begun = await begin(shared, { hasProxy: true });
    // So that a commit takes longer than it takes to be cut off.
    if (fate === "is cut off under way") await plantSlowness(begun.sql(), "tags", 0.05);
    if (begun.proxy) begun.proxy.decide = (number) => (number % 3 === 0 ? fate : "passes");
    const answers: Answer[] = [];
    for (let round = 0; round < 4 * scale; round += 1)
      answers.push(...(await Promise.all(Array.from({ length: 8 }, (_, number) => begun.write(number, `${round}`)))));
    expect(statusesOf(answers)).toEqual({ 200: answers.length });
    expect(begun.proxy?.cuts()).toBeGreaterThan(answers.length / 4);
    expect(await ledgerOf(begun.sql(), begun.workspace.id)).toHaveLength(answers.length);
    await expectNoHalfWork(begun, answers);
    await begun.stop();
  });
});

/**
 * Commits until one waits for a replica: which one is waited for, the server's processes learn some time after the settings have it.
 * @returns that commit, which ends when nobody is waited for any more
 */
async function firstHeldCommit(server: PrivatePostgres): Promise<{ readonly commit: Promise<unknown> }> {
  const session = server.connect("postgres");
  const [{ pid }] = await session`select pg_backend_pid() as pid`;
  const isHeld = async () => {
    const [row] = await server.sql()`select wait_event = 'SyncRep' as held from pg_stat_activity where pid = ${pid}`;
    return row?.held === true;
  };
  for (;;) {
    let hasEnded = false;
    const commit = session`select pg_logical_emit_message(true, 'test', 'held')`.finally(() => {
      hasEnded = true;
    });
    await until(async () => hasEnded || (await isHeld()), recoveryMilliseconds);
    if (!hasEnded) return { commit: commit.finally(() => session.close()) };
  }
}

/** Lets each insert into the table take this long at its commit. */
async function plantSlowness(sql: SQL, table: string, seconds: number): Promise<void> {
  await sql.unsafe(
    `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(${seconds}); return new; end $$`,
  );
  await sql.unsafe(
    `create constraint trigger slow after insert on ${table} deferrable initially deferred for each row execute function slow()`,
  );
}
describe.skipIf(!isOnPostgres)(onPostgres("a server that goes away and comes back"), () => {
  test.each(["fast", "immediate"] as const)("it is shut down (%s) under load and started again", async (mode) => {
    const server = await startPrivatePostgres();
    const begun = await begin(server);
    const answers = await underLoad(begun, 8, async () => {
      await server.stop(mode);
      // While it is away, nobody waits long to be told so.
      await Bun.sleep(300);
      const refused = await begun.write();
      expect(refused).toMatchObject({ status: 503, body: { error: "unavailable" } });
      expect(refused.milliseconds).toBeLessThan(3_000);
      await server.start();
      begun.reconnect();
      await expectRecovery(begun);
    });
    expect(statusesOf(answers)[503]).toBeGreaterThan(0);
    await expectNoHalfWork(begun, answers);
    await begun.stop();
    await server.stop("immediate");
  });

  test("it is frozen for a second under load: all calls are answered as soon as it goes on", async () => {
    const server = await startPrivatePostgres();
    const begun = await begin(server);
    const answers = await underLoad(begun, 8, () => freeze(server, 1, begun));
    expect(statusesOf(answers)[503]).toBeUndefined();
    await expectNoHalfWork(begun, answers);
    await begun.stop();
    await server.stop("immediate");
  });

  test("all sessions are terminated again and again under load", async () => {
    const begun = await begin(shared);
    const answers = await underLoad(begun, 8, async () => {
      for (let round = 0; round < 10 * scale; round += 1) {
        await shared.sql()`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = ${begun.database} and usename = 'commonplace'`;
        await Bun.sleep(50);
      }
      await expectRecovery(begun);
    });
    console.log(`sessions terminated: ${JSON.stringify(statusesOf(answers))}`);
    await expectNoHalfWork(begun, answers);
    await begun.stop();
  });

  test("all connections are taken: 503, and calls are served as soon as there is one again", async () => {
    const server = await startPrivatePostgres({ settings: { max_connections: "15" } });
    const begun = await begin(server);
    begun.reconnect();
    await server.sql()`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'commonplace'`;
    const others: SQL[] = [];
    for (let isFree = true; isFree; ) {
      const other = server.connect("postgres");
      isFree = await other`select 1`.then(
        () => true,
        () => false,
      );
      others.push(other);
    }
    const answers = await Promise.all(Array.from({ length: 12 }, (_, number) => begun.write(number)));
    expect(statusesOf(answers)).toEqual({ 503: 12 });
    await Promise.all(others.map((other) => other.close()));
    await expectRecovery(begun);
    await expectNoHalfWork(begun, answers);
    await begun.stop();
    await server.stop("immediate");
  });

  test("it has become a standby, which can only be read: 503, until it is promoted", async () => {
    const server = await startPrivatePostgres();
    const begun = await begin(server);
    expect((await begun.write()).status).toBe(200);
    begun.reconnect();
    await server.stop("fast");
    writeFileSync(join(server.dataDirectory, "standby.signal"), "");
    await server.start();
    const answers = [await begun.write(), await begun.read()];
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    await server.sql()`select pg_promote()`;
    await expectRecovery(begun);
    await expectNoHalfWork(begun, answers);
    await begun.stop();
    await server.stop("immediate");
  });
});

// Side by side, because each of them waits for seconds for what does not come.
describe.skipIf(!isOnPostgres).concurrent(onPostgres("nobody waits without end"), () => {
  test.each(["loses its answer", "never arrives"] as const)(
    "%s, and the database stays away: 503 with Retry-After, and the books balance",
    async (fate) => {
      const begun = await begin(shared, { hasProxy: true });
      const { proxy } = begun;
      if (!proxy) throw new Error("no proxy");
      proxy.decide = () => {
        proxy.isReachable = false;
        return fate;
      };
      const answer = await begun.write();
      expect(answer.status).toBe(503);
      expect(await ledgerOf(begun.sql(), begun.workspace.id)).toHaveLength(fate === "never arrives" ? 0 : 1);
      // Whoever asks must not be told that nothing was done where that is not known.
      expect(answer.body.message).not.toContain("Nothing was changed");
      await expectNoHalfWork(begun, [answer]);
      proxy.decide = () => "passes";
      proxy.isReachable = true;
      await until(async () => (await begun.write()).status === 200, recoveryMilliseconds);
      await begun.stop();
    },
  );

  test("a commit that waits for a replica which does not come is not acknowledged, also when its row can be seen", async () => {
    const server = await startPrivatePostgres();
    const begun = await begin(server);
    const patience = { connection: 1_000, lock: 1_000, statement: 1_000, transaction: 1_000 };
    const database = await openPostgres(server.urlOf(begun.database), { connections: 2, patience });
    const { id } = begun.workspace;
    const rename = (name: string) =>
      database
        .transaction<string>(
          async (transaction) => {
            await transaction.run(sqlText`update workspaces set name = ${name} where id = ${id}`);
            return name;
          },
          undefined,
          async (transaction) => {
            transaction.lock("change", sqlText`select id from workspaces where id = ${id}`);
            const row = await transaction.first<{ name: string }>(
              sqlText`select name from workspaces where id = ${id}`,
            );
            return row?.name === name;
          },
        )
        .catch((error: Error) => error.name);
    const waitFor = async (replica: string) => {
      await server.sql().unsafe(`alter system set synchronous_standby_names = '${replica}'`);
      await server.sql()`select pg_reload_conf()`;
    };
    await waitFor("a_replica_that_is_gone");
    const held = await firstHeldCommit(server);
    expect(await rename("not replicated")).toBe("OutcomeUnknown");
    await waitFor("");
    await held.commit;
    expect(await rename("replicated")).toBe("replicated");
    await database.close();
    await begun.stop();
    await server.stop("immediate");
  });

  test("a server that is frozen for longer than anybody waits: 503 in time, and then calls are served again", async () => {
    const { server, begun, answers } = await frozenForLong;
    expect(statusesOf(answers)[503]).toBeGreaterThan(0);
    const slowest = Math.max(...answers.map(({ milliseconds }) => milliseconds));
    console.log(`frozen for 13 s: ${JSON.stringify(statusesOf(answers))}, slowest answer ${Math.round(slowest)} ms`);
    await expectNoHalfWork(begun, answers);
    await begun.stop();
    await server.stop("immediate");
  });

  test("a lock that somebody else holds is not waited for without end: 503, and the other keys are served", async () => {
    const begun = await begin(shared);
    const other = await begun.sql().reserve();
    await other`begin`;
    await other`select id from api_keys where id = ${begun.workspace.keys[0]?.id ?? ""} for update`;
    const waiting = begun.write(0);
    expect((await begun.write(1)).status).toBe(200);
    const answer = await waiting;
    expect(answer).toMatchObject({ status: 503, body: { error: "unavailable" } });
    expect(answer.milliseconds).toBeLessThan(4_500);
    await other`rollback`;
    await other.release();
    expect((await begun.write(0)).status).toBe(200);
    await expectNoHalfWork(begun, [answer]);
    await begun.stop();
  });

  test("a key whose calls are slow leaves connections to the others", async () => {
    const begun = await begin(shared);
    await begun.sql().unsafe(`create function slow_tag() returns trigger language plpgsql as $$ begin
      if new.tag_name = 'slow' then perform pg_sleep(0.5); end if; return new; end $$`);
    await begun.sql().unsafe("create trigger slow_tag before insert on tags for each row execute function slow_tag()");
    const neighbour = await makeWorkspace(begun.node.database);
    const slow = Promise.all(Array.from({ length: 20 }, () => begun.write(0, "slow")));
    const body = { tagName: "quick", tagColor: "#fff", teamId: neighbour.teamId };
    for (let number = 1; number <= 20; number += 1) {
      const answer = await begun.node.call(neighbour.key, "POST", "/tag", { body });
      expect(answer.status).toBe(200);
      expect(answer.milliseconds).toBeLessThan(1_500);
    }
    const answers = await slow;
    // They come in one after the other; who waits for too long is told so.
    expect(statusesOf(answers)[200]).toBeGreaterThanOrEqual(4);
    await expectNoHalfWork(begun, answers);
    await begun.stop();
  });

  test("a statement that takes too long is given up: 503, nothing is done", async () => {
    const begun = await begin(shared);
    await begun
      .sql()
      .unsafe(
        "create function slow_tag() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$",
      );
    await begun.sql().unsafe("create trigger slow_tag before insert on tags for each row execute function slow_tag()");
    const answer = await begun.write(0);
    expect(answer).toMatchObject({ status: 503, body: { error: "unavailable" } });
    expect(answer.milliseconds).toBeLessThan(7_000);
    expect((await begun.read(0)).status).toBe(404);
    await expectNoHalfWork(begun, [answer]);
    await begun.stop();
  });

  test("a transaction has the time-outs of calls, which end what is slow or forgotten on the server's side too", async () => {
    const begun = await begin(shared);
    const settings = sqlText`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`;
    const set = await begun.node.database.transaction((transaction) => transaction.first(settings));
    expect(set).toEqual({ statement: "5s", lock: "3s", idle: "5s" });
    await begun.stop();
  });

  test("work that forgets its transaction: the session is ended by the server, and nothing of it stays", async () => {
    const begun = await begin(shared);
    const patience = { connection: 1_000, lock: 200, statement: 200, transaction: 1_000 };
    const database = await openPostgres(shared.urlOf(begun.database), { connections: 2, patience });
    const forgetting = database.transaction(async (transaction) => {
      await transaction.run(sqlText`update workspaces set name = 'forgotten'`);
      await Bun.sleep(400);
      await transaction.run(sqlText`update workspaces set name = 'forgotten again'`);
    });
    expect(await forgetting.catch((error: Error) => error.name)).toBe("DatabaseUnavailable");
    const names = await begun.sql()`select distinct name from workspaces where id = ${begun.workspace.id}`;
    expect([...names]).toEqual([{ name: "Test workspace" }]);
    await database.close();
    await begun.stop();
  });
});
