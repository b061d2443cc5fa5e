// The usage page and the request log of the console over a large ledger, on both engines, compared with a query of the ledger itself.
import { readFileSync } from "node:fs";
import { hashOfToken, newToken, startOfToken } from "../src/accounts/people/token-secret.ts";
import { createTeam, createWorkspace } from "../src/accounts/workspaces/workspaces.ts";
import { type OperationName, operationNames } from "../src/contract/operations.ts";
import { createKey } from "../src/metering/keys/keys.ts";
import type { LedgerEntry } from "../src/metering/quota/quota.store.ts";
import { addToTotals } from "../src/metering/usage/totals.store.ts";
import type { Database } from "../src/platform/database/database.ts";
import { sql } from "../src/platform/database/sql.ts";
import { dayMilliseconds } from "../src/platform/time.ts";
import { type Engine, onBothEngines } from "./engines.ts";
import type { Plan } from "./plan.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { median } from "./statistics.ts";

const keys = 20;
const teams = 5;
const days = 30;
const rowsPerTransaction = 1_000;
const rounds = 15;
const millisecondsMax = 200;

interface Query {
  readonly name: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

const queriesOf = ({ keyIds: [keyId = ""], quietKeyId }: Workspace): readonly Query[] => [
  { name: "30 days by operation", path: "/usage", query: { by: "operation" } },
  { name: "30 days by key", path: "/usage", query: { by: "key" } },
  { name: "30 days by team", path: "/usage", query: { by: "team" } },
  { name: "log, newest", path: "/log", query: {} },
  { name: "log, a rare status", path: "/log", query: { status: "500" } },
  { name: `log, one of ${keys} keys`, path: "/log", query: { keyId } },
  { name: "log, a key with one request", path: "/log", query: { keyId: quietKeyId } },
];

export const measureConsole = (directory: string, { sizes }: Plan): Promise<Result[]> =>
  onBothEngines(directory, async (create) => measureEngine(await create("console"), sizes.at(-1) ?? 0));

async function measureEngine(engine: Engine, calls: number): Promise<Result[]> {
  const showCalls = (task: string, done: number) =>
    showProgress(
      `${task}, ${engine.name}`,
      `${done.toLocaleString("en-US")} of ${calls.toLocaleString("en-US")}`,
      done / calls,
    );
  const workspace = await engine.withDatabase(async (database) => {
    const workspace = await makeWorkspace(database);
    await insertCalls(database, workspace, calls, (done) => showCalls("Recording requests", done));
    return workspace;
  });
  await engine.refreshStatistics();
  const ledgerMilliseconds = await engine.withDatabase((database) => timeLedgerQuery(database, workspace.id));
  const server = await engine.startService();
  const ca = readFileSync(String(server.printed.ca), "utf8");
  const results: Result[] = [];
  for (const { name, path, query } of queriesOf(workspace)) {
    const search = new URLSearchParams({ workspaceId: workspace.id, ...query });
    const times: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      showProgress(`${name}, ${engine.name}`, `round ${round} of ${rounds}`);
      const startedAt = performance.now();
      const response = await fetch(`https://localhost:${server.port}/console/api${path}?${search}`, {
        headers: { Authorization: `Bearer ${workspace.token}` },
        tls: { ca },
      });
      await response.text();
      if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
      // The first round opens the connection and warms up the caches.
      if (round > 0) times.push(performance.now() - startedAt);
    }
    results.push({
      group: `Console, ${calls.toLocaleString("en-US")} requests, ${engine.name}, median`,
      name,
      unit: "ms",
      service: median(times),
      baseline: ledgerMilliseconds,
      aim: { of: "service", atMost: millisecondsMax },
    });
  }
  await server.stop();
  return results;
}

async function makeWorkspace(database: Database) {
  return database.transaction(async (transaction) => {
    const { id } = await createWorkspace(transaction, "Workspace", 1_000_000_000);
    const teamIds: string[] = [];
    for (let index = 0; index < teams; index += 1)
      teamIds.push((await createTeam(transaction, id, `Team ${index}`)).id);
    const keyIds: string[] = [];
    for (let index = 0; index < keys; index += 1)
      keyIds.push((await createKey(transaction, id, `Key ${index}`, "all")).id);
    const { id: quietKeyId } = await createKey(transaction, id, "Quiet", "all");
    const createdAt = new Date(Date.parse(transaction.now) - days * dayMilliseconds).toISOString();
    transaction.send(sql`update api_keys set created_at = ${createdAt} where workspace_id = ${id}`);
    return { id, teamIds, keyIds, quietKeyId, token: await makeToken(transaction, id) };
  });
}

type Workspace = Awaited<ReturnType<typeof makeWorkspace>>;

/** The access token of an owner. A call with it passes the same checks as one with a session cookie. */
async function makeToken(transaction: Parameters<Parameters<Database["transaction"]>[0]>[0], workspace_id: string) {
  const { now } = transaction;
  const person_id = transaction.newId();
  const secret = newToken();
  transaction.insert("people", [
    {
      id: person_id,
      name: "Owner",
      email: "owner@example.com",
      email_verified: true,
      image: null,
      two_factor_enabled: false,
      is_operator: false,
      created_at: now,
      updated_at: now,
    },
  ]);
  transaction.insert("memberships", [{ workspace_id, person_id, role: "owner", created_at: now }]);
  transaction.insert("access_tokens", [
    {
      id: transaction.newId(),
      workspace_id,
      person_id,
      name: "Bench",
      secret_hash: hashOfToken(secret),
      secret_start: startOfToken(secret),
      scopes: '{"workspace":"read"}',
      created_at: now,
      last_used_at: null,
      expires_at: new Date(Date.parse(now) + dayMilliseconds).toISOString(),
    },
  ]);
  return secret;
}

/** Inserts calls of all keys, operations and teams, spread evenly over the days; one in a thousand failed. */
async function insertCalls(
  database: Database,
  { id, keyIds, quietKeyId, teamIds }: Workspace,
  total: number,
  report: (done: number) => void,
): Promise<void> {
  const operationOf = (index: number): OperationName =>
    operationNames[(index * 7_919) % operationNames.length] ?? "getSnippet";
  let firstAt = 0;
  for (let done = 0; done < total; done += rowsPerTransaction) {
    await database.transaction(async (transaction) => {
      firstAt ||= Date.parse(transaction.now) - days * dayMilliseconds + 1_000;
      const rows = Array.from({ length: Math.min(rowsPerTransaction, total - done) }, (_, place) => {
        const index = done + place;
        return {
          workspace_id: id,
          id: Bun.randomUUIDv7(),
          key_id: index === total >> 1 ? quietKeyId : (keyIds[index % keys] ?? ""),
          key_call: Math.floor(index / keys) + 1,
          operation: operationOf(index),
          status: index % 1_000 === 0 ? 500 : 200,
          units: index % 3,
          balance_after: 0,
          team_id: teamIds[index % (teams + 1)] ?? null,
          error_code: index % 1_000 === 0 ? "internal_error" : null,
          error_message: index % 1_000 === 0 ? "The service failed to answer this call. It was not charged" : null,
          duration_microseconds: 1_500,
          client_address: "203.0.113.7",
          admitted_at: new Date(firstAt + (index / total) * (days * dayMilliseconds - 2_000)).toISOString(),
        } satisfies LedgerEntry;
      });
      transaction.insert("ledger", rows);
      addToTotals(transaction, rows);
    });
    report(done);
  }
  await database.transaction(async (transaction) => {
    transaction.send(
      sql`update api_keys set call_count = ${Math.ceil(total / keys)}, last_used_at = ${transaction.now} where workspace_id = ${id}`,
    );
  });
}

/** The time to sum up each day and operation without totals. */
async function timeLedgerQuery(database: Database, workspaceId: string): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const startedAt = performance.now();
    await database.read((transaction) =>
      transaction.all(
        sql`select to_char(admitted_at at time zone 'UTC', 'YYYY-MM-DD') as day, operation, count(*) as calls,
              sum(units) as units from ledger where workspace_id = ${workspaceId} group by 1, 2`,
      ),
    );
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
