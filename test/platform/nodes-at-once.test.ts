// What several nodes do at the same moment is done once.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { deactivateKey } from "../../src/metering/keys/keys.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { grantPackage } from "../../src/metering/quota/quota.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { schemaVersion } from "../../src/platform/database/migrate.ts";
import { never, pick, scale, server, spawnNode, startNodes, startServer } from "../support/node-processes.ts";
import {
  type Answer,
  callOn,
  expectConsistentBalances,
  isOnPostgres,
  makeWorkspace,
  movedClock,
  onPostgres,
  openAdministration,
  startNode,
  type Target,
  until,
} from "../support/nodes.ts";

beforeAll(async () => {
  if (isOnPostgres) await startServer();
});

describe.skipIf(!isOnPostgres)(onPostgres("what nodes do at once"), () => {
  test("many open an empty database at once: each migration runs once", async () => {
    for (let round = 1; round <= 3 * scale; round += 1) {
      const database = await server.createDatabase();
      const opened = await Promise.all(Array.from({ length: 8 }, () => openAdministration(server.urlOf(database))));
      const sql = server.connect(database);
      const [made] = await sql`select count(*)::int as migrations, max(version) as newest from schema_migrations`;
      expect(made).toEqual({ migrations: schemaVersion, newest: schemaVersion });
      await Promise.all([...opened.map((one) => one.close()), sql.close()]);
    }
  });

  test("three nodes start together: one first workspace, one first key, which is good on every node", async () => {
    const database = await server.createDatabase();
    await (await openAdministration(server.urlOf(database))).close();
    const sql = server.connect(database);
    // Blocks the query for an existing workspace until two nodes run it at once.
    const holding = await sql.reserve();
    await holding`begin`;
    await holding`lock table workspaces in access exclusive mode`;
    const starting = Promise.all(Array.from({ length: 3 }, () => spawnNode(database)));
    await until(async () => {
      // No session waits longer than 3 s for a lock.
      const [waiting] =
        await server.sql()`select count(*)::int as sessions, max(now() - query_start) > interval '2 s' as is_long
        from pg_stat_activity where datname = ${database} and wait_event_type = 'Lock'`;
      return waiting.sessions >= 2 || waiting.is_long;
    }, 180_000);
    await holding`commit`;
    await holding.release();
    const nodes = await starting;
    const first = nodes.filter((node) => node.announced.key);
    expect(first).toHaveLength(1);
    const [made] =
      await sql`select (select count(*)::int from workspaces) as workspaces, (select count(*)::int from teams) as teams,
      (select count(*)::int from api_keys) as keys`;
    expect(made).toEqual({ workspaces: 1, teams: 1, keys: 1 });
    const key = first[0]?.announced.key ?? "";
    for (const node of nodes)
      expect((await callOn(node, key, "GET", "/tags", { query: { ids: never } })).status).toBe(200);
    for (const node of nodes) node.kill("SIGKILL");
    await Promise.all(nodes.map((node) => node.ended));
    await sql.close();
  });

  describe("with three nodes", () => {
    let started: Awaited<ReturnType<typeof startNodes>>;
    beforeAll(async () => {
      if (isOnPostgres) started = await startNodes(3);
    });
    afterAll(() => started?.stop());

    test("one unit left and 36 parallel calls of 12 keys: exactly one is served", async () => {
      const { administration, nodes, sql } = started;
      const workspace = await makeWorkspace(administration, { allowance: 0, keys: 12 });
      for (let round = 1; round <= 10 * scale; round += 1) {
        await administration.transaction((transaction) =>
          changeWorkspace(transaction, workspace.id, { monthly_requests: round }),
        );
        const answers = await Promise.all(
          Array.from({ length: 36 }, (_, number) =>
            callOn(nodes[number % 3] as Target, workspace.keys[number % 12]?.secret ?? "", "POST", "/tag", {
              body: { tagName: `${round}`, tagColor: "#fff", teamId: workspace.teamId },
            }),
          ),
        );
        const kinds = answers.map(({ status, body }) => body.error ?? status).sort();
        expect(kinds).toEqual([200, ...Array(35).fill("quota_exceeded")]);
        expect(await sql`select id from tags where workspace_id = ${workspace.id}`).toHaveLength(round);
        await expectConsistentBalances(sql, workspace.id);
      }
    });

    test("a payment that is reported on several nodes at once is credited once", async () => {
      const { administration, database, sql } = started;
      const doors = [administration, await openAdministration(server.urlOf(database))];
      for (let round = 1; round <= 10 * scale; round += 1) {
        const workspace = await makeWorkspace(administration);
        const reports = await Promise.all(
          Array.from({ length: 6 }, (_, number) =>
            (doors[number % 2] as Database).transaction((transaction) =>
              grantPackage(transaction, workspace.id, "100K", `payment ${round}`),
            ),
          ),
        );
        expect(reports.filter(({ credited }) => credited)).toHaveLength(1);
        expect(reports.map(({ remaining }) => remaining)).toEqual(Array(6).fill(1_100_000));
        await expectConsistentBalances(sql, workspace.id);
      }
      await doors[1]?.close();
    });

    test("a payment reference that two workspaces report at once is credited to one of them", async () => {
      const { administration, sql } = started;
      for (let round = 1; round <= 5 * scale; round += 1) {
        const [one, two] = [await makeWorkspace(administration), await makeWorkspace(administration)];
        const outcomes = await Promise.allSettled(
          [one, two].map(({ id }) =>
            administration.transaction((transaction) => grantPackage(transaction, id, "500K", `shared ${round}`)),
          ),
        );
        expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
        for (const { id } of [one, two]) await expectConsistentBalances(sql, id);
      }
    });

    test("an allowance that is changed while calls draw from it: the books balance, and nothing is drawn twice", async () => {
      const { administration, nodes, sql } = started;
      const workspace = await makeWorkspace(administration, { allowance: 50, keys: 6 });
      let isOver = false;
      const calling = workspace.keys.map(async ({ secret }) => {
        while (!isOver) await callOn(pick(nodes), secret, "GET", "/snippet", { query: { id: never } });
      });
      for (let change = 1; change <= 25 * scale; change += 1)
        await administration.transaction((transaction) =>
          changeWorkspace(transaction, workspace.id, { monthly_requests: Math.floor(Math.random() * 200) }),
        );
      isOver = true;
      await Promise.all(calling);
      await expectConsistentBalances(sql, workspace.id);
    });

    test("a deactivated key: no call that starts after the deactivation was answered succeeds, on any node", async () => {
      const { administration, nodes, sql } = started;
      const workspace = await makeWorkspace(administration, { keys: 15 * scale });
      for (const key of workspace.keys) {
        const calls: { startedAt: number; answer: Answer }[] = [];
        let isOver = false;
        const calling = Array.from({ length: 9 }, async (_, client) => {
          while (!isOver) {
            const startedAt = performance.now();
            const node = nodes[client % 3] as Target;
            const answer = await callOn(node, key.secret, "GET", "/tags", { query: { ids: never } });
            calls.push({ startedAt, answer });
          }
        });
        while (calls.length < 18) await Bun.sleep(1);
        await administration.transaction((transaction) => deactivateKey(transaction, key.id));
        const deactivatedAt = performance.now();
        const later = () =>
          calls.filter(({ startedAt }) => startedAt > deactivatedAt).map(({ answer }) => answer.status);
        while (later().length < 9) await Bun.sleep(1);
        isOver = true;
        await Promise.all(calling);
        // After 60 failed authentications a client has to wait.
        expect(later().filter((status) => status !== 401 && status !== 429)).toEqual([]);
        expect(calls.filter(({ answer }) => answer.status === 200).length).toBeGreaterThanOrEqual(9);
      }
      await expectConsistentBalances(sql, workspace.id);
    });
  });

  test("the month ends while calls come in on three nodes whose clocks differ: each month has one grant", async () => {
    const database = await server.createDatabase();
    const url = server.urlOf(database);
    const sql = server.connect(database);
    const border = "2027-01-31T23:59:59.990Z";
    const clocks = [-15, 0, 15].map((skew) => movedClock(border, skew));
    const nodes = await Promise.all(clocks.map(({ clock }) => startNode(url, { clock })));
    const administration = (nodes[0] as (typeof nodes)[number]).database;
    for (let round = 1; round <= 5 * scale; round += 1) {
      const workspace = await makeWorkspace(administration, { allowance: 1_000, keys: 9 });
      const answers = await Promise.all(
        Array.from({ length: 90 }, (_, number) => {
          if (number % 9 === 0) for (const clock of clocks) clock.advance(0.001);
          const node = nodes[number % 3] as (typeof nodes)[number];
          return node.call(workspace.keys[number % 9]?.secret ?? "", "GET", "/snippet", { query: { id: never } });
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(90).fill(404));
      await expectConsistentBalances(sql, workspace.id);
      const months = await sql`select month from quota_months where workspace_id = ${workspace.id} order by month`;
      expect(months.length).toBeGreaterThanOrEqual(1);
      // Back to before the end of the month for the next workspace.
      if (round === 1) expect(months.map((row: { month: string }) => row.month)).toEqual(["2027-01", "2027-02"]);
      for (const clock of clocks) clock.advance(-0.01);
    }
    await Promise.all(nodes.map((node) => node.stop()));
    await sql.close();
  });
});
