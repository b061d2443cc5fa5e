// Several nodes on one PostgreSQL, in processes of their own: a load over all of them, and one limit for all.
import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type OperationName, operationNames } from "../../src/contract/operations.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import {
  expectExactBalances,
  makeLoad,
  never,
  type RecordedCall,
  scale,
  server,
  spawnNode,
  startNodes,
  startServer,
  writeAndReadElsewhere,
} from "../support/node-processes.ts";
import {
  callOn,
  expectConsistentBalances,
  expectConsistentLibrary,
  expectNoPassword,
  isOnPostgres,
  ledgerOf,
  makeWorkspace,
  onPostgres,
  openAdministration,
  type Target,
} from "../support/nodes.ts";
import type { ServiceProcess } from "../support/process.ts";
import { temporaryDirectory } from "../support/service.ts";

beforeAll(async () => {
  if (isOnPostgres) await startServer();
});

describe.skipIf(!isOnPostgres)(onPostgres("three nodes on one database"), () => {
  test(
    "under a mixed load of every operation, one node killed and one ended: no unit is lost, drawn twice, or free",
    async () => {
      const { database, administration, nodes, sql, stop } = await startNodes(3);
      try {
        const allowance = 1_000 * scale;
        const workspace = await makeWorkspace(administration, { allowance, keys: 4 });
        const neighbour = await makeWorkspace(administration, { allowance: 1_000_000, keys: 2 });
        const log: RecordedCall[] = [];
        const neighbourLog: RecordedCall[] = [];
        const written = new Map<string, string>();
        let living: ServiceProcess[] = [...nodes];
        let isOver = false;
        const clients = 12;
        const load = makeLoad(workspace, () => living, log);
        const neighbourLoad = makeLoad(neighbour, () => living, neighbourLog);
        const running = [
          ...Array.from({ length: clients - 4 }, () => load(() => isOver)),
          ...Array.from({ length: 2 }, () => neighbourLoad(() => isOver)),
          ...Array.from({ length: 2 }, () =>
            writeAndReadElsewhere(
              workspace,
              () => living,
              log,
              written,
              () => isOver,
            ),
          ),
        ];
        const answersReach = async (count: number) => {
          while (log.length < count) await Bun.sleep(1);
        };
        const [killed, ended] = nodes as [ServiceProcess, ServiceProcess, ServiceProcess];
        await answersReach(200 * scale);
        killed.kill("SIGKILL");
        living = living.filter((node) => node !== killed);
        await answersReach(400 * scale);
        living.push(await spawnNode(database));
        nodes.push(...living.slice(-1));
        await answersReach(600 * scale);
        living = living.filter((node) => node !== ended);
        ended.kill("SIGTERM");
        expect(await ended.ended).toBe(0);
        // Until the quota is used up, and a while longer.
        const isSpent = () => log.some(({ answer }) => answer?.body?.error === "quota_exceeded");
        while (!isSpent()) await Bun.sleep(5);
        await answersReach(log.length + 150);
        // Which operations are called is random. The neighbor's quota lasts until each has been carried out.
        const isMissing = (name: OperationName) =>
          ![...log, ...neighbourLog].some(({ operation, answer }) => operation === name && answer?.status === 200);
        while (operationNames.some(isMissing)) await Bun.sleep(20);
        isOver = true;
        await Promise.all(running);

        const untold = await expectExactBalances(sql, workspace.id, log, allowance);
        const untoldOfNeighbour = await expectExactBalances(sql, neighbour.id, neighbourLog, 1_000_000);
        const all = [...log, ...neighbourLog];
        // Only the killed node may lose responses: no more than were in flight. Calls sent to the stopped node as it closed were not executed.
        const lost = all.filter(({ answer, node }) => !answer && node === killed).length;
        expect(all.filter(({ answer, node }) => !answer && node !== killed && node !== ended)).toEqual([]);
        expect(lost).toBeLessThanOrEqual(clients);
        expect(untold + untoldOfNeighbour).toBeLessThanOrEqual(lost);
        expect(all.filter(({ answer }) => (answer?.status ?? 0) >= 500).map(({ answer }) => answer?.body)).toEqual([]);
        for (const { id } of [workspace, neighbour]) {
          await expectConsistentBalances(sql, id);
          await expectConsistentLibrary(sql, id);
        }
        // Every acknowledged snippet exists on every node.
        await administration.transaction((transaction) =>
          changeWorkspace(transaction, workspace.id, { monthly_requests: 1_000_000 }),
        );
        for (const node of living)
          for (const [id, title] of [...written].slice(-20))
            expect((await callOn(node, workspace.key, "GET", "/snippet", { query: { id } })).body.data.title).toBe(
              title,
            );
        const stored: { id: string; title: string }[] =
          await sql`select id, title from snippets where workspace_id = ${workspace.id}`;
        const titles = new Map(stored.map((row) => [row.id, row.title]));
        expect([...written].filter(([id, title]) => titles.get(id) !== title)).toEqual([]);
        expectNoPassword(nodes.map((node) => node.log()));
        const statuses = Object.groupBy(all, ({ answer }) => String(answer?.status ?? "none"));
        console.log(
          `3 nodes: ${all.length} calls (${Object.entries(statuses)
            .map(([status, calls]) => `${calls?.length} × ${status}`)
            .join(", ")}), ${untold + untoldOfNeighbour} charged calls of the killed node without an answer`,
        );
      } finally {
        await stop();
      }
    },
    180_000 * scale,
  );
});

/** A program whose clock is wrong by this much: a preloaded file changes it. */
function wrongClock(seconds: number): Record<string, string> {
  const path = join(temporaryDirectory(), "wrong-clock.ts");
  writeFileSync(
    path,
    `const RealDate = Date;
     const now = () => RealDate.now() + ${seconds} * 1000;
     globalThis.Date = new Proxy(RealDate, {
       construct: (target, given) => new target(...(given.length === 0 ? [now()] : given)),
       get: (target, name) => (name === "now" ? now : target[name]),
     });`,
  );
  return { BUN_OPTIONS: `--preload=${path}` };
}

describe.skipIf(!isOnPostgres)(onPostgres("one limit for all nodes"), () => {
  test("20 of 60 parallel calls are admitted by three nodes whose clocks are an hour apart; waiting Retry-After is enough", async () => {
    const database = await server.createDatabase();
    const administration = await openAdministration(server.urlOf(database));
    const sql = server.connect(database);
    const limit = { COMMONPLACE_REQUESTS_PER_MINUTE: "20" };
    const nodes = await Promise.all(
      [0, 3_600, -3_600].map((skew) => spawnNode(database, { ...limit, ...wrongClock(skew) })),
    );
    for (let round = 1; round <= 5 * scale; round += 1) {
      const workspace = await makeWorkspace(administration);
      const call = (node: number) =>
        callOn(nodes[node % 3] as Target, workspace.key, "GET", "/snippet", { query: { id: never } });
      const answers = await Promise.all(Array.from({ length: 60 }, (_, number) => call(number)));
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(20).fill(404), ...Array(40).fill(429)]);
      const ledger = await ledgerOf(sql, workspace.id);
      expect(ledger).toHaveLength(20);
      const [time] = await sql`select max(abs(extract(epoch from now() - admitted_at)))::float as away from ledger
        where workspace_id = ${workspace.id}`;
      // By the database's clock, not by a node's.
      expect(time.away).toBeLessThan(30);

      // Waiting makes the calls older: less than the reported time is too short, all of it is enough.
      const pass = (seconds: number) =>
        sql`update ledger set admitted_at = admitted_at - make_interval(secs => ${seconds}) where workspace_id = ${workspace.id}`;
      const told = answers
        .filter(({ status }) => status === 429)
        .map(({ headers }) => Number(headers.get("retry-after")));
      const wait = Math.max(...told);
      expect(wait).toBeLessThanOrEqual(60);
      await pass(wait - 20);
      expect((await call(round)).status).toBe(429);
      await pass(20);
      expect((await call(round + 1)).status).toBe(404);
      await expectConsistentBalances(sql, workspace.id);
    }
    for (const node of nodes) node.kill("SIGKILL");
    await Promise.all(nodes.map((node) => node.ended));
    await administration.close();
    await sql.close();
  });
});
