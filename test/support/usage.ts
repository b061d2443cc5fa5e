// Past calls of a workspace, inserted as the service records them, and their totals by plain sums.

import { addToTotals, sumUsage, type UsagePart } from "../../src/metering/usage/totals.store.ts";
import type { Database, Transaction } from "../../src/platform/database/database.ts";
import { sql } from "../../src/platform/database/sql.ts";
import type { Rows } from "./engine.ts";

export interface LedgerCall {
  readonly at: string;
  readonly keyId: string;
  readonly operation?: string;
  readonly status?: number;
  readonly units?: number;
  readonly teamId?: string | null;
  /** Of a refused call. */
  readonly errorMessage?: string;
}

/** Keys must be older than their calls. */
const beforeAllCalls = "2026-01-01T00:00:00.000Z";

/** Inserts the calls in the given order, each with its key's next number. @returns their request IDs */
export async function insertLedgerCalls(
  transaction: Transaction,
  workspaceId: string,
  calls: readonly LedgerCall[],
): Promise<string[]> {
  const numbers = new Map<string, number>();
  const rows = [];
  for (const call of calls) {
    const { keyId, at, operation = "getSnippet", status = 200, units = 1, teamId = null } = call;
    const key_call = (numbers.get(keyId) ?? (await callCount(transaction, keyId))) + 1;
    numbers.set(keyId, key_call);
    rows.push({
      workspace_id: workspaceId,
      id: transaction.newId(),
      key_id: keyId,
      key_call,
      operation,
      status,
      units,
      balance_after: 0,
      admitted_at: at,
      team_id: teamId,
      error_code: status < 400 ? null : "invalid_request",
      error_message: status < 400 ? null : (call.errorMessage ?? "title is required"),
      duration_microseconds: 1_500,
      client_address: "203.0.113.7",
    });
  }
  transaction.insert("ledger", rows);
  addToTotals(transaction, rows);
  for (const [keyId, number] of numbers) {
    const last = calls.findLast((call) => call.keyId === keyId);
    await transaction.run(
      sql`update api_keys set call_count = ${number}, last_used_at = ${last?.at ?? transaction.now},
            created_at = ${beforeAllCalls} where id = ${keyId}`,
    );
  }
  return rows.map((row) => row.id);
}

async function callCount(transaction: Transaction, keyId: string): Promise<number> {
  transaction.lock("change", sql`select id from api_keys where id = ${keyId}`);
  const row = await transaction.first<{ calls: number }>(
    sql`select call_count as calls from api_keys where id = ${keyId}`,
  );
  return Number(row?.calls ?? 0);
}

/** The service's totals, as `day part` → `calls units`. */
export async function sumsOf(database: Database, workspaceId: string, by: UsagePart): Promise<Record<string, string>> {
  const span = { from: "2026-01-01", to: "2026-12-31", by };
  const sums = await database.read((transaction) => sumUsage(transaction, workspaceId, span));
  return Object.fromEntries(sums.map(({ day, part, calls, units }) => [`${day} ${part}`, `${calls} ${units}`]));
}

/** The same totals, added up call by call. */
export function plainSums(calls: readonly LedgerCall[], by: UsagePart): Record<string, string> {
  const sums = new Map<string, [number, number]>();
  for (const { at, operation = "getSnippet", keyId, teamId, units = 1 } of calls) {
    const name = `${at.slice(0, 10)} ${{ operation, key: keyId, team: teamId ?? "" }[by]}`;
    const [count, sum] = sums.get(name) ?? [0, 0];
    sums.set(name, [count + 1, sum + units]);
  }
  return Object.fromEntries([...sums].map(([name, [count, sum]]) => [name, `${count} ${sum}`]));
}

/** The number of calls in `usage_totals` alone. */
export async function totalCalls(rows: Rows, workspaceId: string): Promise<number> {
  const [row] = await rows<{ calls: number | null }>(
    "select sum(calls) as calls from usage_totals where workspace_id = ?",
    workspaceId,
  );
  return Number(row?.calls ?? 0);
}
