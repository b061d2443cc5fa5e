// Shared by the tests of failing PostgreSQL servers: a node under load, faults to plant, and the checks afterwards.
import { expect } from "bun:test";
import type { SQL } from "bun";
import {
  type Answer,
  expectConsistentBalances,
  expectConsistentLibrary,
  expectNoPassword,
  ledgerOf,
  makeWorkspace,
  type NodeOptions,
  startNode,
  until,
} from "./nodes.ts";
import { startPostgresProxy } from "./postgres-proxy.ts";
import { type PrivatePostgres, startPrivatePostgres } from "./private-postgres.ts";

export const scale = Number(process.env.TEST_SCALE ?? 1);
export const never = "00000000-0000-7000-8000-000000000000";
/** The longest that any call may take, whatever the database does: 7 s for its transaction, 3 s to check a commit, and a margin. */
export const answerMillisecondsMax = 12_000;
/** How soon calls must be served again after the database is back. */
export const recoveryMilliseconds = 5_000;
/** The server that all these test files in a process share. */
export let shared: PrivatePostgres;
let starting: Promise<PrivatePostgres> | undefined;

export async function startShared(): Promise<void> {
  starting ??= startPrivatePostgres();
  shared = await starting;
}

/** Starts a node on a new database, with a workspace; optionally with a proxy between node and server. */
export async function startFixture(
  server: PrivatePostgres,
  options: NodeOptions & { readonly hasProxy?: boolean } = {},
) {
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

export type Fixture = Awaited<ReturnType<typeof startFixture>>;

/** Runs clients that write and read while `action` runs. @returns every response; a call without one fails the test */
export async function underLoad(
  fixture: Fixture,
  clients: number,
  action: (answers: readonly Answer[]) => Promise<void>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  let isOver = false;
  const calling = Array.from({ length: clients }, async (_, client) => {
    for (let number = 0; !isOver; number += 1) {
      const answer = await (number % 3 === 2 ? fixture.read(client) : fixture.write(client, `${client}.${number}`));
      answers.push(answer);
      // The pause leaves processor time for the service.
      await Bun.sleep(answer.status === 503 ? 20 : 2);
    }
  });
  await until(async () => answers.length > 2 * clients, 60_000);
  try {
    await action(answers);
  } finally {
    isOver = true;
    await Promise.all(calling);
  }
  return answers;
}

/** Work and charge are atomic: each tag has a ledger row, each successful write in the ledger has its tag, and every response is true. */
export async function expectAtomicCalls(fixture: Fixture, answers: readonly Answer[]): Promise<void> {
  const { workspace } = fixture;
  const sql = fixture.sql();
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
  const acknowledged = answers.filter(({ status, body }) => status === 200 && body.data?.tag).length;
  expect(done).toBeGreaterThanOrEqual(acknowledged);
  await expectConsistentBalances(sql, workspace.id);
  await expectConsistentLibrary(sql, workspace.id);
  for (const { milliseconds } of answers) expect(milliseconds).toBeLessThan(answerMillisecondsMax);
  expectNoPassword(fixture.node.lines);
}

export const statusesOf = (answers: readonly Answer[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ status }) => String(status))).map(([status, all]) => [
      status,
      all?.length ?? 0,
    ]),
  );

/** Raises a PostgreSQL error in every nth insert into a table, immediately or at commit. @returns a function that counts the inserts */
export async function plantErrors(
  sql: SQL,
  table: string,
  code: string,
  every: number,
  isAtCommit: boolean,
): Promise<() => Promise<number>> {
  const name = `fault_${crypto.randomUUID().replaceAll("-", "")}`;
  // A sequence also counts inserts that are rolled back.
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

/** Fails unless calls are served again within the limit; then waits a moment. */
export async function expectRecovery(fixture: Fixture): Promise<void> {
  const took = await until(async () => (await fixture.write()).status === 200, recoveryMilliseconds);
  expect(took).toBeLessThan(recoveryMilliseconds);
  await Bun.sleep(100);
}

export async function freezeForLong(seconds: number) {
  const server = await startPrivatePostgres();
  const fixture = await startFixture(server);
  const answers = await underLoad(fixture, 8, () => freeze(server, seconds, fixture));
  return { server, fixture, answers };
}

export async function freeze(server: PrivatePostgres, seconds: number, fixture: Fixture): Promise<void> {
  await server.freeze();
  try {
    await Bun.sleep(seconds * 1_000);
  } finally {
    server.thaw();
  }
  await expectRecovery(fixture);
}

/**
 * Commits until one waits for a replica: the server's processes apply the changed settings with a delay.
 * @returns that commit, which ends when it no longer waits for a replica
 */
export async function firstWaitingCommit(server: PrivatePostgres): Promise<{ readonly commit: Promise<unknown> }> {
  const session = server.connect("postgres");
  const [{ pid }] = await session`select pg_backend_pid() as pid`;
  const isWaiting = async () => {
    const [row] = await server.sql()`select wait_event = 'SyncRep' as waits from pg_stat_activity where pid = ${pid}`;
    return row?.waits === true;
  };
  for (;;) {
    let hasEnded = false;
    const commit = session`select pg_logical_emit_message(true, 'test', 'waiting')`.finally(() => {
      hasEnded = true;
    });
    await until(async () => hasEnded || (await isWaiting()), recoveryMilliseconds);
    if (!hasEnded) return { commit: commit.finally(() => session.close()) };
  }
}

/** Makes each insert into the table take this long at commit. */
export async function plantSlowness(sql: SQL, table: string, seconds: number): Promise<void> {
  await sql.unsafe(
    `create function slow() returns trigger language plpgsql as $$ begin perform pg_sleep(${seconds}); return new; end $$`,
  );
  await sql.unsafe(
    `create constraint trigger slow after insert on ${table} deferrable initially deferred for each row execute function slow()`,
  );
}
