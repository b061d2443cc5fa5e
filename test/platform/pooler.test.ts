// Through PgBouncer in transaction mode: the service does not depend on sessions, and a pooler that does not support prepared statements
// is detected at the start, before one statement could be confused with another.
import { beforeAll, describe, expect, test } from "bun:test";
import type { SQL } from "bun";
import { createTeam } from "../../src/accounts/workspaces/workspaces.ts";
import { operationNames, operations } from "../../src/contract/operations.ts";
import { needsImport } from "../support/case.ts";
import { cases } from "../support/cases.ts";
import {
  expectConsistentBalances,
  expectConsistentLibrary,
  expectNoPassword,
  isOnPostgres,
  ledgerOf,
  makeWorkspace,
  type Node,
  startNode,
  until,
} from "../support/nodes.ts";
import { pgbouncer, startPgbouncer } from "../support/pgbouncer.ts";
import { type PrivatePostgres, servicePassword, startPrivatePostgres } from "../support/private-postgres.ts";
import { text } from "../support/service.ts";
import { importedFile } from "../support/targets.ts";

const isHere = isOnPostgres && pgbouncer !== undefined;
const reason = isOnPostgres ? "PgBouncer is not installed" : "runs with TEST_ENGINE=postgres";
const title = (text: string) => (isHere ? text : `${text} (skipped: ${reason})`);
const version = pgbouncer && /[\d.]+/.exec(Bun.spawnSync([pgbouncer, "--version"]).stdout.toString())?.[0];
/** Versions from 1.21 on support their clients' prepared statements. */
const isKeeping = isHere && Bun.semver.satisfies(version ?? "", ">=1.21.0");

let server: PrivatePostgres;
let port: number;
beforeAll(async () => {
  if (!isHere) return;
  server = await startPrivatePostgres();
  port = await startPooler();
});

const startPooler = (settings: Readonly<Record<string, string | number>> = {}): Promise<number> =>
  startPgbouncer(pgbouncer ?? "", {
    serverPort: server.port,
    user: "commonplace",
    password: servicePassword,
    pathOfOwner: server.dataDirectory,
    settings: { ...(isKeeping && { max_prepared_statements: 0 }), ...settings },
  });
const pooled = (database: string, through = port) => `${server.urlOf(database, through)}?prepare=false`;

describe.skipIf(!isHere)(title("PgBouncer in transaction mode"), () => {
  test("two nodes share five sessions: every operation is served, and the books balance", async () => {
    const database = await server.createDatabase();
    const nodes = [await startNode(pooled(database)), await startNode(pooled(database))] as [Node, Node];
    const workspace = await makeWorkspace(nodes[0].database, { keys: 12 });
    let count = 0;
    const call = (operation: keyof typeof operations, request: { query?: Record<string, string>; body?: unknown }) => {
      count += 1;
      const { method, path } = operations[operation];
      const node = nodes[count % 2] as Node;
      return node.call(workspace.keys[count % 12]?.secret ?? "", method, path, request);
    };
    await Promise.all(
      operationNames.map(async (operation) => {
        // Of its own: what an export or a list costs depends on what is in the team.
        const { id: teamId } = await nodes[0].database.transaction((transaction) =>
          createTeam(transaction, workspace.id, operation),
        );
        const folder = await call("postFolder", { body: { folderName: "A", folderColor: "#fff", teamId } });
        const tag = await call("postTag", { body: { tagName: "A", tagColor: "#fff", teamId } });
        const [folderId, tagId] = [folder.body.data.folder.id, tag.body.data.tag.id];
        const made = await call("postSnippet", {
          body: {
            title: "A",
            content: text("A"),
            teamId,
            folderId,
            tagIds: [tagId],
            shortcut: tagId,
            additionalVariations: [{ variationName: "B", content: text("B") }],
          },
        });
        const snippetId = made.body.data.snippetId;
        const read = await call("getSnippet", { query: { id: snippetId } });
        const [variationId, secondVariationId] = read.body.data.variations.map(({ id }: { id: string }) => id);
        const trashed = await call("postSnippet", { body: { title: "B", content: text("B"), teamId } });
        const trashedSnippetId = trashed.body.data.snippetId;
        await call("deleteSnippet", { query: { id: trashedSnippetId } });
        const imported = needsImport(cases[operation])
          ? await call("postImport", { query: { teamId, folderId }, body: importedFile })
          : undefined;
        const on = {
          teamId,
          folderId,
          tagId,
          snippetId,
          trashedSnippetId,
          variationId,
          secondVariationId,
          shortcut: tagId,
          importId: imported?.body.data.importId ?? "",
        };
        const answer = await call(operation, cases[operation].request(on));
        expect({ operation, status: answer.status, cost: answer.headers.get("x-request-cost") }).toEqual({
          operation,
          status: 200,
          cost: String(cases[operation].units),
        });
      }),
    );
    const sql = server.connect(database);
    expect(await ledgerOf(sql, workspace.id)).toHaveLength(count);
    const [sessions] = await sql`select count(*)::int as number from pg_stat_activity
      where datname = current_database() and usename = 'commonplace'`;
    expect(sessions.number).toBeLessThanOrEqual(5);
    await expectConsistentBalances(sql, workspace.id);
    await expectConsistentLibrary(sql, workspace.id);
    for (const node of nodes) expectNoPassword(node.lines);
    await leavesNothing(sql);
    await Promise.all(nodes.map((node) => node.stop()));
    await sql.close();

    // The next client that gets one of these sessions finds it like new.
    async function leavesNothing(sql: SQL) {
      await sql.unsafe("create table seen (statement text, lock text, idle text, prepared int)");
      await sql.unsafe("grant all on seen to commonplace");
      const clients = Array.from({ length: 5 }, () => new Bun.SQL(pooled(database), { max: 1 }));
      await Promise.all(
        clients.map(async (client) => {
          const connection = await client.reserve();
          await connection.unsafe("begin");
          await connection.unsafe(`insert into seen select current_setting('statement_timeout'), current_setting('lock_timeout'),
            current_setting('idle_in_transaction_session_timeout'), (select count(*) from pg_prepared_statements)`);
          // Stays open until all five have a session.
          await Bun.sleep(100);
          await connection.unsafe("commit");
          await connection.release();
          await client.close();
        }),
      );
      const seen = await sql`select distinct statement, lock, idle, prepared from seen`;
      expect([...seen]).toEqual([{ statement: "0", lock: "0", idle: "0", prepared: 0 }]);
    }
  });

  test("the server behind it is stopped and started again: served within 5 s, with server_login_retry = 1", async () => {
    // Otherwise PgBouncer waits 15 s before it connects to the server again.
    const through = await startPooler({ server_login_retry: 1 });
    const database = await server.createDatabase();
    const node = await startNode(pooled(database, through));
    const workspace = await makeWorkspace(node.database);
    const call = () => node.call(workspace.key, "GET", "/tags", { query: { ids: workspace.id } });
    expect((await call()).status).toBe(200);
    await server.stop("fast");
    const calling = call();
    await server.start();
    await until(async () => (await call()).status === 200, 60_000);
    expect([200, 503]).toContain((await calling).status);
    await node.stop();
  });

  /** The message of a node's start if its URL lacks the parameter. */
  const startWithout = (database: string, through: number): Promise<string> =>
    startNode(server.urlOf(database, through)).then(
      async (node) => {
        await node.stop();
        return "it started";
      },
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const refusal = (database: string, through: number): string =>
    `DatabaseUnusable: PostgreSQL at 127.0.0.1:${through}/${database}: a connection pooler without support for prepared statements is in front of PostgreSQL: add ?prepare=false to the URL`;

  test.each([
    ["with the sessions it has at hand", {}],
    ["that goes round its sessions", { server_round_robin: 1 }],
    ["with one session", { default_pool_size: 1 }],
    ["with two sessions", { default_pool_size: 2 }],
    ["with twenty sessions", { default_pool_size: 20 }],
    ["that resets a session after each transaction", { server_reset_query_always: 1 }],
  ])(
    "a pooler %s, without prepare=false: the start is refused by one line that says what to do",
    async (_, settings) => {
      const database = await server.createDatabase();
      const through = await startPooler(settings);
      for (let attempt = 1; attempt <= 3; attempt += 1)
        expect(await startWithout(database, through)).toBe(refusal(database, through));
    },
  );

  test("the same while another node, which has the word, is under load; that one does not notice", async () => {
    const database = await server.createDatabase();
    // A separate PgBouncer: one that lost the server waits 15 s before it connects again.
    const through = await startPooler();
    const node = await startNode(pooled(database, through));
    const workspace = await makeWorkspace(node.database, { keys: 8 });
    const statuses = new Set<number>();
    let isOver = false;
    const calling = workspace.keys.map(async ({ secret }) => {
      while (!isOver) {
        const body = { tagName: "A", tagColor: "#fff", teamId: workspace.teamId };
        statuses.add((await node.call(secret, "POST", "/tag", { body })).status);
      }
    });
    const outcomes = new Set<string>();
    for (let attempt = 1; attempt <= 10; attempt += 1) outcomes.add(await startWithout(database, through));
    expect([...outcomes]).toEqual([refusal(database, through)]);
    isOver = true;
    await Promise.all(calling);
    expect([...statuses]).toEqual([200]);
    await node.stop();
  });

  test("the same where several nodes start together", async () => {
    const database = await server.createDatabase();
    const through = await startPooler();
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => startWithout(database, through)));
    expect([...new Set(outcomes)]).toEqual([refusal(database, through)]);
  });

  test("without a session to be had, the start does not hang", async () => {
    const database = await server.createDatabase();
    const through = await startPooler({ default_pool_size: 1 });
    const client = new Bun.SQL(pooled(database, through), { max: 1 });
    await client.begin(async (transaction) => {
      await transaction`select 1`;
      expect(await startWithout(database, through)).toBe(
        `DatabaseUnusable: PostgreSQL at 127.0.0.1:${through}/${database}: no response within 5 s`,
      );
    });
    await client.close();
  });

  /** Starts nodes together on URLs without the parameter, and lets them serve. */
  async function expectToServe(settings: Readonly<Record<string, string | number>>): Promise<void> {
    const database = await server.createDatabase();
    const url = server.urlOf(database, await startPooler(settings));
    const nodes = await Promise.all([1, 2, 3].map(() => startNode(url, { connections: 4 })));
    const workspace = await makeWorkspace((nodes[0] as Node).database);
    for (const node of nodes)
      expect((await node.call(workspace.key, "GET", "/tags", { query: { ids: workspace.id } })).status).toBe(200);
    await Promise.all(nodes.map((node) => node.stop()));
  }

  test("in session mode nothing is needed", () => expectToServe({ pool_mode: "session", default_pool_size: 20 }));

  test.skipIf(!isKeeping)("nor where it keeps prepared statements, as it can from 1.21 on", () =>
    expectToServe({ max_prepared_statements: 100 }),
  );
});
