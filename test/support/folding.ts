// Past calls inserted directly into the tables, and what must remain of them after folding.

import { expect } from "bun:test";
import { createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { listInvoices } from "../../src/metering/billing/invoices.ts";
import { createKey, deactivateKey, deleteKey } from "../../src/metering/keys/keys.ts";
import { readQuota } from "../../src/metering/quota/quota.ts";
import { readUsage } from "../../src/metering/quota/usage.ts";
import { addToTotals } from "../../src/metering/usage/totals.store.ts";
import type { Database, Transaction } from "../../src/platform/database/database.ts";
import { Sql } from "../../src/platform/database/sql.ts";
import { firstBilledMonth } from "./first-billed-month.ts";
import type { Started } from "./service.ts";

export const days = 90;

export const at = "2026-06-10T15:30:00.000Z";

/** The start of the day that is 90 days before `at`: calls from here on stay in the ledger. */
export const retentionCutoff = "2026-03-12T00:00:00.000Z";

export const dayMilliseconds = 24 * 60 * 60 * 1_000;

export interface Call {
  readonly at: string;
  /** Index of one of the workspace's keys. */
  readonly key: number;
  readonly operation: string;
  readonly status: number;
  readonly units: number;
}

export interface PastCalls {
  readonly workspaceId: string;
  readonly keyIds: readonly string[];
  readonly calls: readonly Call[];
}

/** Creates a workspace with three keys, one of them deleted, and inserts these calls with the months that they were charged to. */
export const insertPastCalls = (database: Database, calls: readonly Call[]): Promise<PastCalls> =>
  database.transaction(async (transaction) => {
    const { id: workspaceId } = await createWorkspace(transaction, "Long in use", 1_000_000);
    const keyIds: string[] = [];
    for (const name of ["First", "Second", "Deleted"])
      keyIds.push((await createKey(transaction, workspaceId, name, "all")).id);
    await deactivateKey(transaction, keyIds[2] ?? "");
    await deleteKey(transaction, keyIds[2] ?? "");
    await insertMonths(transaction, workspaceId, calls);
    await insertCalls(transaction, workspaceId, keyIds, calls);
    return { workspaceId, keyIds, calls };
  });

export async function insertMonths(
  transaction: Transaction,
  workspace_id: string,
  calls: readonly Call[],
): Promise<void> {
  for (const [month, drawn] of sums(calls, (call) => call.at.slice(0, 7))) {
    const units = 50_000_000;
    const id = transaction.newId();
    await transaction.insert("quota_months", [{ workspace_id, month, balance: units - drawn.units }]);
    await transaction.insert("quota_grants", [
      { workspace_id, id, month, kind: "monthly", units, reference: null, created_at: transaction.now },
    ]);
  }
}

export const insertCalls = async (
  transaction: Transaction,
  workspace_id: string,
  keyIds: readonly string[],
  calls: readonly Call[],
): Promise<void> => {
  const rows = calls.map(({ at: admitted_at, key, operation, status, units }, key_call) => ({
    workspace_id,
    id: Bun.randomUUIDv7(),
    key_id: keyIds[key] ?? "",
    key_call,
    operation,
    status,
    units,
    team_id: null,
    balance_after: 0,
    admitted_at,
  }));
  transaction.insert("ledger", rows);
  addToTotals(transaction, rows);
};

export interface Sum {
  calls: number;
  units: number;
}

/** The oracle: plain sums, grouped by `nameOf`. */
export function sums<Row extends { units: number; calls?: number }>(
  rows: readonly Row[],
  nameOf: (row: Row) => string,
): Map<string, Sum> {
  const found = new Map<string, Sum>();
  for (const row of rows) {
    const sum = found.get(nameOf(row)) ?? { calls: 0, units: 0 };
    found.set(nameOf(row), { calls: sum.calls + (row.calls ?? 1), units: sum.units + row.units });
  }
  return found;
}

export interface DayRow extends Sum {
  day: string;
  key_id: string;
  operation: string;
  status: number;
}

export const dayName = ({ day, key_id, operation, status }: Omit<DayRow, keyof Sum>) =>
  [day, key_id, operation, status].join(" ");

/** The workspace's calls and daily totals, read without the code that folds. */
export async function tablesOf({ rows }: Pick<Started, "rows">, workspaceId: string) {
  const ledger = await rows<Omit<DayRow, "calls" | "day"> & { admitted_at: string }>(
    "select key_id, operation, status, units, admitted_at from ledger where workspace_id = ?",
    workspaceId,
  );
  const folded = await rows<DayRow>(
    `select day, key_id, operation, status, calls, units from usage_days
     where workspace_id = ? order by day, key_id, operation, status`,
    workspaceId,
  );
  const calls = ledger.map((row) => ({ ...row, day: row.admitted_at.slice(0, 10) }));
  return { ledger: calls, folded, together: sums([...calls, ...folded], dayName) };
}

/** What customers see: the usage of each month, the quota, and the invoices. */
export const readUsageAndInvoices = (database: Database, { workspaceId, calls }: PastCalls) =>
  database.transaction(async (transaction) => {
    const usage = [];
    for (const month of new Set(calls.map((call) => call.at.slice(0, 7))))
      usage.push(await readUsage(transaction, workspaceId, month));
    const invoices = await listInvoices(transaction, workspaceId, firstBilledMonth);
    return { usage, invoices, quota: await readQuota(transaction, workspaceId) };
  });

export const expectedDays = ({ keyIds, calls }: PastCalls) =>
  sums(calls, (call) => dayName({ ...call, day: call.at.slice(0, 10), key_id: keyIds[call.key] ?? "" }));

/** Fails unless every call is counted: recent ones in the ledger, older ones in a daily total. */
export async function expectFolded(started: Started, past: PastCalls): Promise<void> {
  const { ledger, folded, together } = await tablesOf(started, past.workspaceId);
  expect(together).toEqual(expectedDays(past));
  expect(ledger.map((row) => row.admitted_at).sort()).toEqual(
    past.calls
      .map((call) => call.at)
      .filter((moment) => moment >= retentionCutoff)
      .sort(),
  );
  expect(folded.filter((row) => row.day >= retentionCutoff.slice(0, 10))).toEqual([]);
}

/** `count` calls within a few days, at least one day before the cutoff. */
export const manyOldCalls = (count: number): Call[] =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(
      Date.parse(retentionCutoff) - dayMilliseconds - ((index * 7_919) % 10) * 8_640_000 - index,
    ).toISOString(),
    key: index % 3,
    operation: ["getSnippet", "postSnippets", "getTag"][index % 5] ?? "putSnippet",
    status: index % 11 === 0 ? 404 : 200,
    units: 1 + (index % 4),
  }));

/** The same database with another way to run a transaction. */
export const withTransaction = (database: Database, transaction: Database["transaction"]): Database => ({
  transaction,
  grouped: (create) => database.grouped(create),
  read: (work, opening) => database.read(work, opening),
  aside: (work, milliseconds, owner) => database.aside(work, milliseconds, owner),
  readLong: (read, input, options) => database.readLong(read, input, options),
  ping: () => database.ping(),
  pool: () => database.pool(),
  queues: () => database.queues(),
  close: () => database.close(),
});

/** Lets folding continue for this many transactions. */
export const atMost = (transactions: number) => {
  let left = transactions;
  return async () => {
    left -= 1;
    return left >= 0;
  };
};

/** The same database, except that statements with this text fail from the given one on. */
export const failing = (database: Database, text: string, from: number): Database => {
  let count = 0;
  const check = (statement: string) => {
    if (!statement.includes(text)) return;
    count += 1;
    if (count >= from) throw new Error("the process is gone");
  };
  const inside = (transaction: Transaction): Transaction =>
    new Proxy(transaction, {
      get(target, name) {
        const value = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return (...given: unknown[]) => {
          for (const query of given) if (query instanceof Sql) check(query.strings.join("?"));
          if (name === "add") check(`add to ${given[0]}`);
          return value.apply(target, given);
        };
      },
    });
  return withTransaction(database, (work, opening, isDone) =>
    database.transaction(
      async (transaction, row) => {
        const value = await work(inside(transaction), row);
        check("end of the transaction");
        return value;
      },
      opening,
      isDone,
    ),
  );
};
