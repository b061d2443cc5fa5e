// Several nodes on one PostgreSQL: starts them, makes and records calls, and checks the tables afterwards.
import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type SQL, sleep } from "bun";
import { createTeam, createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { readConfig } from "../../src/config.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import {
  type Database,
  type SteadyClock,
  steadyClock,
  type Transaction,
} from "../../src/platform/database/database.ts";
import { openPostgres } from "../../src/platform/database/postgres.ts";
import { PostgresTransaction } from "../../src/platform/database/postgres-transaction.ts";
import { commandTimeouts } from "../../src/platform/database/timeouts.ts";
import type { Log } from "../../src/platform/log.ts";
import { startService } from "../../src/service.ts";
import { testInstanceKey } from "./instance-key.ts";
import { servicePassword } from "./private-postgres.ts";
import { bodyOf, temporaryDirectory } from "./service.ts";

/** These tests need PostgreSQL. */
export const isOnPostgres = process.env.TEST_ENGINE === "postgres";
export const onPostgres = (title: string): string =>
  isOnPostgres ? title : `${title} (skipped: runs with TEST_ENGINE=postgres)`;

/**
 * A planted fault: skips every lock whose statement contains this text, in this process's services and direct database access. The tests
 * of what those locks protect must then fail.
 */
const leftOut = process.env.TEST_WITHOUT_LOCK;
const everyId = Object.assign(new Set<string>(), { has: () => true });
if (leftOut) {
  const { lockVisible } = PostgresTransaction.prototype;
  PostgresTransaction.prototype.lockVisible = async function (purpose, query) {
    return query.strings.join("?").includes(leftOut) ? everyId : lockVisible.call(this, purpose, query);
  };
}

/** TEST_ISOLATION=serializable runs this process's writes at that level, where PostgreSQL aborts many more transactions. */
export const isolation = process.env.TEST_ISOLATION;
if (isolation) {
  const { begin } = PostgresTransaction.prototype;
  PostgresTransaction.prototype.begin = function (beginning, opening) {
    return begin.call(
      this,
      { ...beginning, begin: beginning.begin.replace("read committed", isolation) },
      opening,
    ) as never;
  };
}

/** What a client sees of a call. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and asserts on it.
  readonly body: any;
  readonly requestId: string;
  readonly milliseconds: number;
}

export interface Request {
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where calls are sent: a node in its own process or in this one. */
export interface Target {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
}

/** Makes one call. Rejects if there is no response. */
export async function callOn(target: Target, key: string, method: string, path: string, request: Request = {}) {
  const startedAt = performance.now();
  const search = new URLSearchParams(request.query ?? {}).toString();
  const response = await target.fetch(`${target.baseUrl}${path}${search && `?${search}`}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...request.headers },
    ...(request.body !== undefined && {
      body: typeof request.body === "string" ? request.body : JSON.stringify(request.body),
    }),
  });
  const text = await response.text();
  const answer: Answer = {
    status: response.status,
    headers: response.headers,
    body: bodyOf(text, response) ?? text,
    requestId: response.headers.get("x-request-id") ?? "",
    milliseconds: performance.now() - startedAt,
  };
  return answer;
}

/** A node in this process, with its own connections. */
export interface Node extends Target {
  readonly lines: readonly string[];
  readonly database: Database;
  readonly call: (key: string, method: string, path: string, request?: Request) => Promise<Answer>;
  readonly stop: () => Promise<void>;
}

export interface NodeOptions {
  readonly connections?: number;
  readonly requestsPerMinute?: number;
  /** Replaces the database's clock. */
  readonly clock?: SteadyClock;
}

export async function startNode(url: string, options: NodeOptions = {}): Promise<Node> {
  const lines: string[] = [];
  const log: Log = {
    write: (level, message, fields) => lines.push(JSON.stringify({ level, message, ...fields })),
    flush: () => undefined,
  };
  const dataDirectory = temporaryDirectory();
  const service = await startService(
    {
      ...readConfig({
        COMMONPLACE_DATA_DIRECTORY: dataDirectory,
        COMMONPLACE_HTTPS_PORT: "0",
        COMMONPLACE_HTTP_PORT: "off",
      }),
      database: { engine: "postgres", url },
      instanceKey: { given: testInstanceKey, path: "" },
      databaseConnections: options.connections ?? 10,
      requestsPerMinute: options.requestsPerMinute ?? 1_000_000,
    },
    { ...(options.clock && { clock: options.clock }), log },
  );
  const ca = readFileSync(join(dataDirectory, "tls/ca.crt"), "utf8");
  const trustingFetch = ((input: string | URL, init?: RequestInit) =>
    fetch(input, { ...init, tls: { ca } })) as typeof fetch;
  const target = { baseUrl: service.baseUrl, fetch: trustingFetch };
  return {
    ...target,
    lines,
    database: service.database,
    call: (key, method, path, request) => callOn(target, key, method, path, request),
    stop: service.stop,
  };
}

/** A steady clock with this skew that only the test advances. */
export function movedClock(at: string, skewMilliseconds = 0) {
  const time = { now: Date.parse(at) + skewMilliseconds };
  return {
    clock: steadyClock(
      () => time.now,
      () => time.now,
    ),
    advance: (seconds: number) => {
      time.now += seconds * 1_000;
    },
  };
}

/** Direct database access, as commands have it. */
export const openAdministration = (url: string): Promise<Database> =>
  openPostgres(url, { connections: 2, timeouts: commandTimeouts });

export interface Workspace {
  readonly id: string;
  readonly teamId: string;
  readonly otherTeamId: string;
  /** Reach all teams. */
  readonly keys: readonly { readonly id: string; readonly secret: string }[];
  /** Reaches the first team only. */
  readonly limitedKey: string;
  /** The secret of the first key. */
  readonly key: string;
}

export const makeWorkspace = (
  administration: Database,
  { allowance = 1_000_000, keys = 1 }: { allowance?: number; keys?: number } = {},
): Promise<Workspace> =>
  administration.transaction(async (transaction: Transaction) => {
    const workspace = await createWorkspace(transaction, "Test workspace", allowance);
    const team = await createTeam(transaction, workspace.id, "Own team");
    const other = await createTeam(transaction, workspace.id, "Other team");
    const made = [];
    for (let number = 1; number <= keys; number += 1)
      made.push(await createKey(transaction, workspace.id, `Key ${number}`, "all"));
    const limited = await createKey(transaction, workspace.id, "One team", [team.id]);
    return {
      id: workspace.id,
      teamId: team.id,
      otherTeamId: other.id,
      keys: made.map(({ id, secret }) => ({ id, secret })),
      limitedKey: limited.secret,
      key: made[0]?.secret ?? "",
    };
  });

export interface LedgerRow {
  readonly id: string;
  readonly operation: string;
  readonly status: number;
  readonly units: number;
  readonly balance_after: number;
}

export const ledgerOf = async (sql: SQL, workspaceId: string): Promise<LedgerRow[]> =>
  sql`select id, operation, status, units::int as units, balance_after::int as balance_after from ledger
      where workspace_id = ${workspaceId} order by balance_after desc, id`;

/** Fails unless grants - ledger = balance >= 0 in every month, each month has one monthly grant, and the keys' call counts match the ledger. */
export async function expectConsistentBalances(sql: SQL, workspaceId: string): Promise<void> {
  const months: { month: string; balance: number; granted: number; monthly: number; drawn: number }[] = await sql`
    select m.month, m.balance::int as balance,
      (select coalesce(sum(g.units), 0)::int from quota_grants g
        where g.workspace_id = m.workspace_id and g.month = m.month) as granted,
      (select count(*)::int from quota_grants g
        where g.workspace_id = m.workspace_id and g.month = m.month and g.kind = 'monthly') as monthly,
      (select coalesce(sum(l.units), 0)::int from ledger l where l.workspace_id = m.workspace_id
        and to_char(l.admitted_at at time zone 'UTC', 'YYYY-MM') = m.month) as drawn
    from quota_months m where m.workspace_id = ${workspaceId}`;
  for (const { month, balance, granted, monthly, drawn } of months) {
    expect({ month, balance, monthly }).toEqual({ month, balance: granted - drawn, monthly: 1 });
    expect(balance).toBeGreaterThanOrEqual(0);
  }
  const [outside] =
    await sql`select count(*)::int as rows from ledger l where l.workspace_id = ${workspaceId} and not exists
    (select 1 from quota_months m where m.workspace_id = l.workspace_id
      and m.month = to_char(l.admitted_at at time zone 'UTC', 'YYYY-MM'))`;
  expect(outside.rows).toBe(0);
  const miscounted = await sql`select k.id from api_keys k where k.workspace_id = ${workspaceId} and
    (k.call_count <> (select count(*) from ledger l where l.workspace_id = k.workspace_id and l.key_id = k.id)
      or k.call_count <> (select coalesce(max(l.key_call), 0) from ledger l where l.workspace_id = k.workspace_id and l.key_id = k.id))`;
  expect([...miscounted]).toEqual([]);
}

/** Fails unless each snippet's first variation is the first and its count right, content is the newest version, tags are known, what is in the trash is nowhere else, there are no cycles, and no link crosses teams. */
export async function expectConsistentLibrary(sql: SQL, workspaceId: string): Promise<void> {
  const findings = {
    miscountedVariations: await sql`select s.id from snippets s where s.workspace_id = ${workspaceId}
      and s.variation_count <> 1 + (select count(*) from variations v
        where v.workspace_id = s.workspace_id and v.snippet_id = s.id)`,
    firstIsNotFirst: await sql`select v.id from variations v
      join snippets s on s.workspace_id = v.workspace_id and s.id = v.snippet_id
      where v.workspace_id = ${workspaceId} and v.variant_order_index <= s.variant_order_index`,
    contentIsNotNewest: await sql`
      with current_versions as (
        select id as snippet_id, coalesce(variation_number, variant_order_index) as number, version_id, coalesce(changed_at, created_at) as changed_at
        from snippets where workspace_id = ${workspaceId}
        union all select snippet_id, coalesce(variation_number, variant_order_index), version_id, changed_at from variations
        where workspace_id = ${workspaceId})
      select f.snippet_id, f.id from former_versions f
      left join current_versions c on c.snippet_id = f.snippet_id and c.number = f.variation_number
      where f.workspace_id = ${workspaceId}
        and ((c.version_id is not null and (f.changed_at, f.id) < (c.changed_at, c.version_id)) is not true)`,
    unmarkedTags: await sql`select s.id from snippets s where s.workspace_id = ${workspaceId} and not s.has_tags
      and exists (select 1 from snippet_tags t where t.workspace_id = s.workspace_id and t.snippet_id = s.id)`,
    inFolderOfOtherTeam:
      await sql`select s.id from snippets s join folders f on f.workspace_id = s.workspace_id and f.id = s.folder_id
      where s.workspace_id = ${workspaceId} and f.team_id <> s.team_id`,
    underTagOfOtherTeam:
      await sql`select s.id from snippet_tags t join snippets s on s.workspace_id = t.workspace_id and s.id = t.snippet_id
      join tags g on g.workspace_id = t.workspace_id and g.id = t.tag_id
      where t.workspace_id = ${workspaceId} and (g.team_id <> s.team_id or t.snippet_created_at <> s.created_at)`,
    inLibraryAndTrash:
      await sql`select s.id from snippets s join trashed_snippets t on t.workspace_id = s.workspace_id and t.id = s.id
      where s.workspace_id = ${workspaceId}`,
    folderCycles: await cycles(sql, workspaceId, "folders", "parent_folder_id"),
    tagCycles: await cycles(sql, workspaceId, "tags", "parent_tag_id"),
  };
  expect(Object.fromEntries(Object.entries(findings).map(([name, rows]) => [name, [...rows]]))).toEqual({
    miscountedVariations: [],
    firstIsNotFirst: [],
    unmarkedTags: [],
    contentIsNotNewest: [],
    inFolderOfOtherTeam: [],
    underTagOfOtherTeam: [],
    inLibraryAndTrash: [],
    folderCycles: [],
    tagCycles: [],
  });
}

const cycles = (sql: SQL, workspaceId: string, table: string, parent: string): Promise<{ id: string }[]> =>
  sql.unsafe(
    `with recursive upwards as (
       select id as start, ${parent} as id, 1 as place from ${table} where workspace_id = $1
       union all
       select u.start, g.${parent}, u.place + 1 from ${table} g join upwards u on g.workspace_id = $1 and g.id = u.id
       where u.place < 1000 and u.id <> u.start)
     select distinct start as id from upwards where id = start`,
    [workspaceId],
  );

/** Fails if the log contains a database password. */
export function expectNoPassword(lines: readonly string[]): void {
  for (const spelling of [servicePassword, encodeURIComponent(servicePassword), btoa(servicePassword)])
    expect(lines.filter((line) => line.includes(spelling))).toEqual([]);
}

/** Polls until the condition is true. @returns how many milliseconds that took */
export async function until(condition: () => Promise<boolean>, withinMilliseconds: number): Promise<number> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > withinMilliseconds) throw new Error(`not within ${withinMilliseconds} ms`);
    await sleep(20);
  }
  return performance.now() - startedAt;
}
