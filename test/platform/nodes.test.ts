// Several nodes on one PostgreSQL behave as one: exact balances under load and kills, one rate limit, one first start. The oracle is
// the clients' own log, held against the tables by plain SQL.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SQL } from "bun";
import { type OperationName, operationNames, operations } from "../../src/contract/operations.ts";
import { deactivateKey } from "../../src/metering/keys/keys.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { grantPackage } from "../../src/metering/quota/quota.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { schemaVersion } from "../../src/platform/database/migrate.ts";
import { cases } from "../support/cases.ts";
import {
  type Answer,
  callOn,
  expectBooksToBalance,
  expectNoPassword,
  expectStoreToBeWhole,
  isOnPostgres,
  type LedgerRow,
  ledgerOf,
  makeWorkspace,
  movedClock,
  onPostgres,
  openAdministration,
  startNode,
  type Target,
  until,
  type Workspace,
} from "../support/nodes.ts";
import { type PrivatePostgres, startPrivatePostgres } from "../support/private-postgres.ts";
import { type ServiceProcess, spawnService } from "../support/process.ts";
import { temporaryDirectory, text } from "../support/service.ts";
import { neverExisted, type Targets } from "../support/targets.ts";

const never = "00000000-0000-7000-8000-000000000000";

/** The long form: more of everything. */
const scale = Number(process.env.TEST_SCALE ?? 1);

let server: PrivatePostgres;
beforeAll(async () => {
  if (isOnPostgres) server = await startPrivatePostgres({ settings: { max_connections: "200" } });
});

const settingsOf = (database: string) => ({
  COMMONPLACE_LOG: "error",
  COMMONPLACE_DATABASE_URL: server.urlOf(database),
});
const spawnNode = (database: string, settings = {}) =>
  spawnService(temporaryDirectory(), { ...settingsOf(database), ...settings });

/** A database with nodes in processes of their own, the administrator's door, and plain SQL behind all of it. */
async function startNodes(count: number, settings = {}) {
  const database = await server.createDatabase();
  const administration = await openAdministration(server.urlOf(database));
  const nodes = await Promise.all(Array.from({ length: count }, () => spawnNode(database, settings)));
  const sql = server.connect(database);
  return {
    database,
    administration,
    nodes,
    sql,
    stop: async () => {
      for (const node of nodes) node.kill("SIGKILL");
      await Promise.all(nodes.map((node) => node.ended));
      await administration.close();
      await sql.close();
    },
  };
}

const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;

/** A call as its client noted it. */
interface Noted {
  readonly node: Target;
  readonly operation: OperationName;
  /** Undefined where no answer came. */
  readonly answer: Answer | undefined;
}

/** Makes calls of every operation at random, good ones and refused ones, one after the other until it is told to end. */
function makeLoad(workspace: Workspace, nodes: () => readonly Target[], log: Noted[]) {
  const secrets = [...workspace.keys.map((key) => key.secret), workspace.limitedKey];
  const pool: Targets[] = [];

  const call = async (
    node: Target,
    key: string,
    operation: OperationName,
    request: { query?: object; body?: unknown },
  ) => {
    const { method, path } = operations[operation];
    const query = request.query as Record<string, string> | undefined;
    const answer = await callOn(node, key, method, path, { query, body: request.body }).catch(() => undefined);
    log.push({ node, operation, answer });
    return answer;
  };

  /** Each step is made on another node: what one has acknowledged, all have. */
  const makeTargets = async (): Promise<void> => {
    const teamId = pick([workspace.teamId, workspace.otherTeamId]);
    const made = async (operation: OperationName, body: unknown) =>
      (await call(pick(nodes()), workspace.key, operation, { body }))?.body?.data;
    const folder = (await made("postFolder", { folderName: "A folder", folderColor: "#336699", teamId }))?.folder;
    const tag = (await made("postTag", { tagName: "A tag", tagColor: "#336699", teamId }))?.tag;
    if (!folder || !tag) return;
    const snippetId = (
      await made("postSnippet", {
        title: "A snippet",
        content: text("Its text"),
        teamId,
        folderId: folder.id,
        tagIds: [tag.id],
        additionalVariations: [{ variationName: "Second", content: text("Second text") }],
      })
    )?.snippetId;
    if (!snippetId) return;
    const read = await call(pick(nodes()), workspace.key, "getSnippet", { query: { id: snippetId } });
    const [first, second] = read?.body?.data?.variations ?? [];
    if (!second) return;
    const [variationId, secondVariationId] = [first.id, second.id];
    pool.push({ teamId, snippetId, variationId, secondVariationId, folderId: folder.id, tagId: tag.id });
  };

  const misuse: readonly ((targets: Targets) => [OperationName, { query?: object; body?: unknown }])[] = [
    () => ["postSnippet", { body: "{ not JSON" }],
    () => ["postTags", { body: { tags: [] } }],
    (on) => ["putFolder", { query: { folderId: on.folderId }, body: { parentFolderId: on.folderId } }],
    () => ["getSnippet", { query: { id: "no id" } }],
    (on) => ["deleteSnippetVariation", { body: { variationIds: [on.variationId, on.secondVariationId] } }],
    () => ["deleteSnippets", { query: { ids: Bun.randomUUIDv7() } }],
  ];

  return async (isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      if (pool.length < 4 || Math.random() < 0.05) await makeTargets();
      const on = pool.length === 0 || Math.random() < 0.1 ? neverExisted() : pick(pool);
      if (Math.random() < 0.15) await call(pick(nodes()), pick(secrets), ...pick(misuse)(on));
      const operation = pick(operationNames);
      await call(pick(nodes()), pick(secrets), operation, cases[operation].request(on));
    }
  };
}

/** Writes snippets that nobody else touches, and reads each on another node as soon as it was acknowledged. */
async function writeAndReadElsewhere(
  workspace: Workspace,
  nodes: () => readonly Target[],
  log: Noted[],
  written: Map<string, string>,
  isOver: () => boolean,
): Promise<void> {
  for (let number = 0; !isOver(); number += 1) {
    const [writer, reader] = [pick(nodes()), pick(nodes())];
    const title = `${crypto.randomUUID()}, ${number}`;
    const body = { title, content: text(title), teamId: workspace.teamId };
    const made = await callOn(writer, workspace.key, "POST", "/snippet", { body }).catch(() => undefined);
    log.push({ node: writer, operation: "postSnippet", answer: made });
    if (made?.status !== 200) continue;
    written.set(made.body.data.snippetId, title);
    const query = { id: made.body.data.snippetId };
    const read = await callOn(reader, workspace.key, "GET", "/snippet", { query }).catch(() => undefined);
    log.push({ node: reader, operation: "getSnippet", answer: read });
    if (read?.status === 200) expect(read.body.data.title).toBe(title);
    else expect(["no answer", "quota_exceeded"]).toContain(read === undefined ? "no answer" : read.body.error);
  }
}

/**
 * Sorted by what they say remains, every answer is the one before less its own cost; what is missing between two is exactly what the
 * ledger's other rows drew. @returns how many rows of the ledger no client was told of
 */
async function expectExactBalances(sql: SQL, workspaceId: string, log: readonly Noted[], allowance: number) {
  const rows = await ledgerOf(sql, workspaceId);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const answered = new Set<string>();
  const told: { remaining: number; cost: number; id: string }[] = [];
  for (const { operation, answer } of log) {
    if (!answer) continue;
    const row = byId.get(answer.requestId);
    const cost = Number(answer.headers.get("x-request-cost"));
    expect(row).toMatchObject({ operation, status: answer.status, units: cost });
    expect(answered.has(answer.requestId)).toBe(false);
    answered.add(answer.requestId);
    if (answer.status !== 200) continue;
    expect(row?.balance_after).toBe(answer.body.usage.remainingRequests);
    if (cost > 0) told.push({ remaining: answer.body.usage.remainingRequests, cost, id: answer.requestId });
  }
  told.sort((left, right) => right.remaining - left.remaining);
  const others: LedgerRow[] = rows.filter((row) => row.units > 0 && !told.some(({ id }) => id === row.id));
  let before = allowance;
  for (const { remaining, cost } of told) {
    const between = others.filter((row) => row.balance_after < before && row.balance_after >= remaining + cost);
    expect(remaining).toBe(before - cost - between.reduce((sum, row) => sum + row.units, 0));
    before = remaining;
  }
  return rows.filter((row) => !answered.has(row.id)).length;
}

describe.skipIf(!isOnPostgres)(onPostgres("three nodes on one database"), () => {
  test(
    "under a mixed load of every operation, one node killed and one ended: no unit is lost, drawn twice, or free",
    async () => {
      const { database, administration, nodes, sql, stop } = await startNodes(3);
      try {
        const allowance = 1_000 * scale;
        const workspace = await makeWorkspace(administration, { allowance, keys: 4 });
        const neighbour = await makeWorkspace(administration, { allowance: 1_000_000, keys: 2 });
        const log: Noted[] = [];
        const neighbourLog: Noted[] = [];
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
        // Until the quota has run out, and a while beyond.
        const isSpent = () => log.some(({ answer }) => answer?.body?.error === "quota_exceeded");
        while (!isSpent()) await Bun.sleep(5);
        await answersReach(log.length + 150);
        isOver = true;
        await Promise.all(running);

        const untold = await expectExactBalances(sql, workspace.id, log, allowance);
        const untoldOfNeighbour = await expectExactBalances(sql, neighbour.id, neighbourLog, 1_000_000);
        const all = [...log, ...neighbourLog];
        // Only the killed node owes answers: no more than were under way. What was sent to the ended one as it closed was not carried out.
        const lost = all.filter(({ answer, node }) => !answer && node === killed).length;
        expect(all.filter(({ answer, node }) => !answer && node !== killed && node !== ended)).toEqual([]);
        expect(lost).toBeLessThanOrEqual(clients);
        expect(untold + untoldOfNeighbour).toBeLessThanOrEqual(lost);
        expect(all.filter(({ answer }) => (answer?.status ?? 0) >= 500).map(({ answer }) => answer?.body)).toEqual([]);
        const made = new Set(all.filter(({ answer }) => answer?.status === 200).map(({ operation }) => operation));
        expect(operationNames.filter((name) => !made.has(name))).toEqual([]);
        for (const { id } of [workspace, neighbour]) {
          await expectBooksToBalance(sql, id);
          await expectStoreToBeWhole(sql, id);
        }
        // Every acknowledged snippet is there, on every node.
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
    60_000 * scale,
  );
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
    // Holds up whoever asks whether there is a workspace, until two ask at once.
    const holding = await sql.reserve();
    await holding`begin`;
    await holding`lock table workspaces in access exclusive mode`;
    const starting = Promise.all(Array.from({ length: 3 }, () => spawnNode(database)));
    await until(async () => {
      // Nobody waits for a lock for longer than 3 s.
      const [waiting] =
        await server.sql()`select count(*)::int as sessions, max(now() - query_start) > interval '2 s' as is_long
        from pg_stat_activity where datname = ${database} and wait_event_type = 'Lock'`;
      return waiting.sessions >= 2 || waiting.is_long;
    }, 10_000);
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
        await expectBooksToBalance(sql, workspace.id);
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
        await expectBooksToBalance(sql, workspace.id);
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
        for (const { id } of [one, two]) await expectBooksToBalance(sql, id);
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
      await expectBooksToBalance(sql, workspace.id);
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
        // A client that goes on is told to wait after 60 failed authentications.
        expect(later().filter((status) => status !== 401 && status !== 429)).toEqual([]);
        expect(calls.filter(({ answer }) => answer.status === 200).length).toBeGreaterThanOrEqual(9);
      }
      await expectBooksToBalance(sql, workspace.id);
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
      await expectBooksToBalance(sql, workspace.id);
      const months = await sql`select month from quota_months where workspace_id = ${workspace.id} order by month`;
      expect(months.length).toBeGreaterThanOrEqual(1);
      // Back to before the border for the next workspace.
      if (round === 1) expect(months.map((row: { month: string }) => row.month)).toEqual(["2027-01", "2027-02"]);
      for (const clock of clocks) clock.advance(-0.01);
    }
    await Promise.all(nodes.map((node) => node.stop()));
    await sql.close();
  });
});

/** A program whose clock is wrong by this much: what it loads before anything else sets it so. */
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
      // By the database's clock, not by that of a node.
      expect(time.away).toBeLessThan(30);

      // To wait is to let the calls grow older: too little is not enough, all of it is.
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
      await expectBooksToBalance(sql, workspace.id);
    }
    for (const node of nodes) node.kill("SIGKILL");
    await Promise.all(nodes.map((node) => node.ended));
    await administration.close();
    await sql.close();
  });
});
