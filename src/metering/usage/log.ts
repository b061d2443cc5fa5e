// The request log: what was asked when and by whom, what became of it, and what it cost and why. No text of people's is in it.
import type { z } from "zod";
import type { logEntry } from "../../contract/console/records.ts";
import { errors } from "../../contract/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { startOfDay, startOfNextDay } from "../../platform/time.ts";
import { explain, operationOf } from "./explanation.ts";
import { findPlace, type LogFilter, type LogPlace, type LogRow, listCalls, newestPlace, placeOf } from "./log.store.ts";

export type LogEntry = z.output<typeof logEntry>;

/**
 * So many calls are looked through for one page, in steps: most pages are found in the first. A filter that fits few calls goes on with
 * the next page, so that none takes long, however long the log is.
 */
const stepsOfPage: readonly number[] = [1_000, ...Array<number>(15).fill(20_000)];

export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** Null where the log ends. There may be a next page although this one is not full. */
  readonly next: LogPlace | null;
}

/** The calls that fit, newest first. */
export async function readLog(
  transaction: Transaction,
  workspaceId: string,
  filter: LogFilter,
  { after: begin = newestPlace(filter), limit }: { after?: LogPlace | undefined; limit: number },
  steps = stepsOfPage,
): Promise<LogPage> {
  const found: LogRow[] = [];
  let after: LogPlace | undefined = begin;
  for (const distance of filter.requestId === undefined ? steps : [undefined]) {
    const to: LogPlace | undefined =
      distance === undefined ? undefined : await findPlace(transaction, workspaceId, filter, after, distance);
    found.push(...(await listCalls(transaction, workspaceId, filter, { after, to }, limit + 1 - found.length)));
    const last = found[limit - 1];
    if (found.length > limit && last)
      return { entries: found.slice(0, limit).map(toEntry), next: placeOf(filter, last) };
    after = to;
    if (!after) break;
  }
  return { entries: found.map(toEntry), next: after ?? null };
}

/** Days in UTC as moments. @throws Refusal 400 naming the field */
export function momentsOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  if (from !== undefined && to !== undefined && from > to) throw errors.invalid("from must not be after to");
  return {
    from: from && startOfDay(from),
    before: to && startOfNextDay(to),
  };
}

function toEntry(row: LogRow): LogEntry {
  const { method = "", path = "" } = operationOf(row.operation) ?? {};
  return {
    id: row.id,
    at: row.admitted_at,
    key_id: row.key_id,
    key_name: row.key_name,
    operation: row.operation,
    method,
    path,
    team_id: row.team_id,
    team_name: row.team_name,
    status: row.status,
    units: row.units,
    balance_after: row.balance_after,
    explanation: explain(row),
  };
}
