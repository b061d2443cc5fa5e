// No call waits forever for a PostgreSQL that is slow, frozen or down: a correct response or a 503 in time, never partial work.
import { beforeAll, describe, expect, test } from "bun:test";
import { openPostgres } from "../../src/platform/database/postgres.ts";
import { sql as sqlText } from "../../src/platform/database/sql.ts";
import { isOnPostgres, ledgerOf, makeWorkspace, onPostgres, until } from "../support/nodes.ts";
import {
  expectAtomicCalls,
  firstWaitingCommit,
  freezeForLong,
  recoveryMilliseconds,
  shared,
  startFixture,
  startShared,
  statusesOf,
} from "../support/postgres-failures.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";

/** The slowest test by far, which mostly waits: it starts before all others and is checked after them. */
let frozenForLong: ReturnType<typeof freezeForLong>;

beforeAll(async () => {
  if (!isOnPostgres) return;
  await startShared();
  frozenForLong = freezeForLong(13);
  frozenForLong.catch(() => undefined);
});

// Concurrently, because each of them waits several seconds for a timeout.
describe.skipIf(!isOnPostgres).concurrent(onPostgres("nobody waits without end"), () => {
  test.each(["loses its answer", "never arrives"] as const)(
    "%s, and the database stays away: 503 with Retry-After, and the books balance",
    async (fate) => {
      const fixture = await startFixture(shared, { hasProxy: true });
      const { proxy } = fixture;
      if (!proxy) throw new Error("no proxy");
      proxy.decide = () => {
        proxy.isReachable = false;
        return fate;
      };
      const answer = await fixture.write();
      expect(answer.status).toBe(503);
      expect(await ledgerOf(fixture.sql(), fixture.workspace.id)).toHaveLength(fate === "never arrives" ? 0 : 1);
      // A response must not say that nothing was done if that is unknown.
      expect(answer.body.message).not.toContain("Nothing was changed");
      await expectAtomicCalls(fixture, [answer]);
      proxy.decide = () => "passes";
      proxy.isReachable = true;
      await until(async () => (await fixture.write()).status === 200, recoveryMilliseconds);
      await fixture.stop();
    },
  );

  test("a commit that waits for a replica which does not come is not acknowledged, also when its row can be seen", async () => {
    const server = await startPrivatePostgres();
    const fixture = await startFixture(server);
    const timeouts = { connection: 1_000, lock: 1_000, statement: 1_000, transaction: 1_000 };
    const database = await openPostgres(server.urlOf(fixture.database), { connections: 2, timeouts });
    const { id } = fixture.workspace;
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
    /** On a busy machine, a transaction may not reach its commit in time: nothing is done then, and it is tried again. */
    const outcomeOf = async (name: string) => {
      let outcome = "";
      await until(async () => {
        outcome = await rename(name);
        return outcome !== "DatabaseUnavailable";
      }, 180_000);
      return outcome;
    };
    await waitFor("a_replica_that_is_gone");
    const held = await firstWaitingCommit(server);
    expect(await outcomeOf("not replicated")).toBe("OutcomeUnknown");
    await waitFor("");
    await held.commit;
    expect(await outcomeOf("replicated")).toBe("replicated");
    await database.close();
    await fixture.stop();
    await server.stop("immediate");
  });

  test("a server that is frozen for longer than anybody waits: 503 in time, and then calls are served again", async () => {
    const { server, fixture, answers } = await frozenForLong;
    expect(statusesOf(answers)[503]).toBeGreaterThan(0);
    const slowest = Math.max(...answers.map(({ milliseconds }) => milliseconds));
    console.log(`frozen for 13 s: ${JSON.stringify(statusesOf(answers))}, slowest answer ${Math.round(slowest)} ms`);
    await expectAtomicCalls(fixture, answers);
    await fixture.stop();
    await server.stop("immediate");
  });

  test("a lock that somebody else holds is not waited for without end: 503, and the other keys are served", async () => {
    const fixture = await startFixture(shared);
    const other = await fixture.sql().reserve();
    await other`begin`;
    await other`select id from api_keys where id = ${fixture.workspace.keys[0]?.id ?? ""} for update`;
    const waiting = fixture.write(0);
    expect((await fixture.write(1)).status).toBe(200);
    const answer = await waiting;
    expect(answer).toMatchObject({ status: 503, body: { error: "unavailable" } });
    expect(answer.milliseconds).toBeLessThan(4_500);
    await other`rollback`;
    await other.release();
    expect((await fixture.write(0)).status).toBe(200);
    await expectAtomicCalls(fixture, [answer]);
    await fixture.stop();
  });

  test("a key whose calls are slow leaves connections to the others", async () => {
    const fixture = await startFixture(shared);
    await fixture.sql().unsafe(`create function slow_tag() returns trigger language plpgsql as $$ begin
      if new.tag_name = 'slow' then perform pg_sleep(0.5); end if; return new; end $$`);
    await fixture
      .sql()
      .unsafe("create trigger slow_tag before insert on tags for each row execute function slow_tag()");
    const neighbour = await makeWorkspace(fixture.node.database);
    const slow = Promise.all(Array.from({ length: 20 }, () => fixture.write(0, "slow")));
    const body = { tagName: "quick", tagColor: "#fff", teamId: neighbour.teamId };
    for (let number = 1; number <= 20; number += 1) {
      const answer = await fixture.node.call(neighbour.key, "POST", "/tag", { body });
      expect(answer.status).toBe(200);
      expect(answer.milliseconds).toBeLessThan(1_500);
    }
    const answers = await slow;
    // They are admitted one after another; those that wait too long are refused.
    expect(statusesOf(answers)[200]).toBeGreaterThanOrEqual(4);
    await expectAtomicCalls(fixture, answers);
    await fixture.stop();
  });

  test("a statement that takes too long is given up: 503, nothing is done", async () => {
    const fixture = await startFixture(shared);
    await fixture
      .sql()
      .unsafe(
        "create function slow_tag() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$",
      );
    await fixture
      .sql()
      .unsafe("create trigger slow_tag before insert on tags for each row execute function slow_tag()");
    const answer = await fixture.write(0);
    expect(answer).toMatchObject({ status: 503, body: { error: "unavailable" } });
    expect(answer.milliseconds).toBeLessThan(7_000);
    expect((await fixture.read(0)).status).toBe(404);
    await expectAtomicCalls(fixture, [answer]);
    await fixture.stop();
  });

  test("a transaction has the time-outs of calls, which end what is slow or forgotten on the server's side too", async () => {
    const fixture = await startFixture(shared);
    const settings = sqlText`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`;
    const set = await fixture.node.database.transaction((transaction) => transaction.first(settings));
    expect(set).toEqual({ statement: "5s", lock: "3s", idle: "5s" });
    await fixture.stop();
  });

  test("work that forgets its transaction: the session is ended by the server, and nothing of it stays", async () => {
    const fixture = await startFixture(shared);
    const timeouts = { connection: 1_000, lock: 200, statement: 200, transaction: 1_000 };
    const database = await openPostgres(shared.urlOf(fixture.database), { connections: 2, timeouts });
    const forgetting = database.transaction(async (transaction) => {
      await transaction.run(sqlText`update workspaces set name = 'forgotten'`);
      await Bun.sleep(400);
      await transaction.run(sqlText`update workspaces set name = 'forgotten again'`);
    });
    expect(await forgetting.catch((error: Error) => error.name)).toBe("DatabaseUnavailable");
    const names = await fixture.sql()`select distinct name from workspaces where id = ${fixture.workspace.id}`;
    expect([...names]).toEqual([{ name: "Test workspace" }]);
    await database.close();
    await fixture.stop();
  });
});
