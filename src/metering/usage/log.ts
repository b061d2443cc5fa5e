// The request log: each call with its time, key, outcome, cost and the reason of the cost. It holds no text of snippets.
import type { z } from "zod";
import type { logEntry } from "../../contract/console/operations/usage.ts";
import { errors } from "../../contract/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { startOfDay, startOfNextDay } from "../../platform/time.ts";
import { explain, operationOf } from "./explanation.ts";
import {
  findPositionBehind,
  type LogFilter,
  type LogPosition,
  type LogRow,
  listCalls,
  newestPosition,
  positionOf,
} from "./log.store.ts";

export type LogEntry = z.output<typeof logEntry>;

/**
 * How many calls are searched for one page, step by step. The first step finds most pages. A filter that matches few calls continues with
 * the next page, so that no page takes long.
 */
const stepsOfPage: readonly number[] = [1_000, ...Array<number>(15).fill(20_000)];

export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** Null where the log ends. There may be a next page although this one is not full. */
  readonly next: LogPosition | null;
}

/** Lists the calls that match the filter, newest first. */
export async function readLog(
  transaction: Transaction,
  workspaceId: string,
  filter: LogFilter,
  { after: begin = newestPosition(filter), limit }: { after?: LogPosition | undefined; limit: number },
  steps = stepsOfPage,
): Promise<LogPage> {
  const found: LogRow[] = [];
  let after: LogPosition | undefined = begin;
  for (const distance of filter.requestId === undefined ? steps : [undefined]) {
    const to: LogPosition | undefined =
      distance === undefined ? undefined : await findPositionBehind(transaction, workspaceId, filter, after, distance);
    found.push(...(await listCalls(transaction, workspaceId, filter, { after, to }, limit + 1 - found.length)));
    const last = found[limit - 1];
    if (found.length > limit && last)
      return { entries: found.slice(0, limit).map(toEntry), next: positionOf(filter, last) };
    after = to;
    if (!after) break;
  }
  return { entries: found.map(toEntry), next: after ?? null };
}

/** The first moment of `from` and the first after `to`. @throws Refusal `invalid` */
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
