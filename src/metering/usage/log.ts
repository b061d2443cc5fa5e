// The request log: each admitted request with its time, key, outcome, cost and the reason of the cost, and counts of the requests that were
// not admitted. It holds no text of snippets.
import type { z } from "zod";
import type { logEntry } from "../../contract/console/operations/usage.ts";
import { errors } from "../../contract/errors.ts";
import { momentOfId } from "../../contract/uuid.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { addMinutes, addSeconds, dayOf, minuteOf, shiftDay, startOfDay, startOfNextDay } from "../../platform/time.ts";
import { explain, operationOf } from "./explanation.ts";
import {
  type CallPosition,
  callsFrom,
  findEnds,
  findPositionBehind,
  type LogFilter,
  type LogRow,
  listCalls,
  listRefused,
  newestCall,
  newestRefused,
  oldestCall,
  type RefusedLogRow,
  type RefusedPosition,
  refusedUpTo,
} from "./log.store.ts";
import { reasonsOf, refusalOf, refusalStatuses } from "./refusals.ts";
import { findNewestDay } from "./totals.store.ts";

export type LogEntry = z.output<typeof logEntry>;

/**
 * How many calls are searched for one page, step by step. The first step finds most pages. A filter that matches few calls continues with
 * the next page, so that no page takes long.
 */
const stepsOfPage: readonly number[] = [1_000, ...Array<number>(15).fill(20_000)];

/** Where a page begins in each of the two lists that the log merges. */
export interface LogPosition {
  readonly calls: CallPosition;
  readonly refused: RefusedPosition;
}

export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** Null where the log ends. There may be a next page although this one is not full. */
  readonly next: LogPosition | null;
}

/** Lists what matches the filter, newest first. A row of refused requests comes after the calls of its minute. */
export async function readLog(
  transaction: Transaction,
  workspaceId: string,
  filter: LogFilter,
  { after: begin, limit }: { after?: LogPosition | undefined; limit: number },
  steps = stepsOfPage,
): Promise<LogPage> {
  const beginOfCalls = begin?.calls ?? newestCall;
  const beginOfRefused = begin?.refused ?? newestRefused;
  const { calls, searchedTo } = await findCalls(transaction, workspaceId, filter, beginOfCalls, limit + 1, steps);
  const refusedFilter = refusedFilterOf(filter, calls);
  const reasons = refusedFilter ? reasonsOf(refusedFilter) : [];
  const refused =
    !refusedFilter || reasons.length === 0
      ? []
      : await listRefused(
          transaction,
          workspaceId,
          refusedFilter,
          { after: beginOfRefused, reasons, newerThan: searchedTo?.admitted_at },
          limit + 1,
        );
  const rows = merge(calls, refused);
  const page = rows.slice(0, limit);
  const entries = page.map((row) => (isCall(row) ? toEntry(row) : toCountingEntry(row)));
  if (rows.length <= limit && !searchedTo) return { entries, next: null };
  const shownCalls = page.filter(isCall);
  const isAllShown = shownCalls.length === calls.length;
  const lastCall = shownCalls.at(-1);
  return {
    entries,
    next: {
      calls: isAllShown
        ? (searchedTo ?? oldestCall)
        : lastCall
          ? { admitted_at: lastCall.admitted_at, id: lastCall.id }
          : beginOfCalls,
      refused: oldestOf([
        beginOfRefused,
        ...page.map((row) => (isCall(row) ? refusedUpTo(row.admitted_at) : row)),
        ...(rows.length <= limit && searchedTo ? [refusedUpTo(searchedTo.admitted_at)] : []),
      ]),
    },
  };
}

/** A request ID contains the moment at which the request arrived. It may be counted up to this much later. */
const countedAfterSeconds = 5;

/**
 * Which counts of refused requests a filter lists. They have no request ID, so where no call has the ID, they are those of its minute.
 * @returns undefined for none
 */
function refusedFilterOf(filter: LogFilter, calls: readonly LogRow[]): LogFilter | undefined {
  const { requestId, from, before } = filter;
  if (requestId === undefined) return filter;
  const arrivedAt = momentOfId(requestId);
  if (calls.length > 0 || arrivedAt === undefined) return undefined;
  const first = minuteOf(arrivedAt);
  const end = addMinutes(minuteOf(addSeconds(arrivedAt, countedAfterSeconds)), 1);
  return {
    ...filter,
    from: from !== undefined && from > first ? from : first,
    before: before !== undefined && before < end ? before : end,
  };
}

/**
 * Finds the first calls that match the filter.
 * @returns also how far the log was searched; undefined where it was searched to its end, or where enough was found
 */
async function findCalls(
  transaction: Transaction,
  workspaceId: string,
  filter: LogFilter,
  begin: CallPosition,
  limit: number,
  steps: readonly number[],
): Promise<{ calls: LogRow[]; searchedTo?: CallPosition }> {
  const calls: LogRow[] = [];
  // Requests that were not admitted are not in the ledger.
  if (filter.status !== undefined && refusalStatuses.has(filter.status)) return { calls };
  const { keyId } = filter;
  let after = begin;
  for (const distance of filter.requestId === undefined ? steps : [undefined]) {
    if (keyId !== undefined) {
      const newest = await findNewestOfKey(transaction, workspaceId, keyId, after);
      if (!newest) return { calls };
      after = newest;
    }
    const to =
      distance === undefined ? undefined : await findPositionBehind(transaction, workspaceId, filter, after, distance);
    calls.push(...(await listCalls(transaction, workspaceId, filter, { after, to }, limit - calls.length)));
    if (!to || calls.length === limit) return { calls };
    after = to;
  }
  return { calls, searchedTo: after };
}

/** Days whose totals are looked up at once. */
const daysAtOnce = 64;

/** Passes the days without calls of a key. @returns where its calls begin behind a position; undefined where there are no more */
async function findNewestOfKey(
  transaction: Transaction,
  workspaceId: string,
  keyId: string,
  after: CallPosition,
): Promise<CallPosition | undefined> {
  const ends = await findEnds(transaction, workspaceId);
  if (!ends) return undefined;
  const oldest = dayOf(ends.oldest);
  let day = dayOf(after.admitted_at < ends.newest ? after.admitted_at : ends.newest);
  while (day >= oldest) {
    const last = day;
    const days = Array.from({ length: daysAtOnce }, (_, index) => shiftDay(last, -index));
    const found = await findNewestDay(transaction, workspaceId, keyId, days);
    if (found !== undefined) {
      const end = startOfNextDay(found);
      return end < after.admitted_at ? callsFrom(end) : after;
    }
    day = shiftDay(last, -daysAtOnce);
  }
  return undefined;
}

type Row = LogRow | RefusedLogRow;

const isCall = (row: Row): row is LogRow => "admitted_at" in row;

/** Both lists in one, by time. */
function merge(calls: readonly LogRow[], refused: readonly RefusedLogRow[]): Row[] {
  const rows: Row[] = [];
  let next = 0;
  for (const call of calls) {
    for (let row = refused[next]; row && row.minute > call.admitted_at; row = refused[next]) {
      rows.push(row);
      next += 1;
    }
    rows.push(call);
  }
  return [...rows, ...refused.slice(next)];
}

const oldestOf = (positions: readonly RefusedPosition[]): RefusedPosition =>
  positions
    .map(({ minute, key_id, reason }) => ({ minute, key_id, reason }))
    .reduce((left, right) => (textOf(right) < textOf(left) ? right : left));

const textOf = ({ minute, key_id, reason }: RefusedPosition): string => `${minute} ${key_id} ${reason}`;

/** The first moment of `from` and the first after `to`. @throws Refusal `invalid` */
export function momentsOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  if (from !== undefined && to !== undefined && from > to) throw errors.invalid('"from" must not be later than "to"');
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
    requests: 1,
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
    error_code: row.error_code,
    error_message: row.error_message,
    duration_microseconds: row.duration_microseconds,
    client_address: row.client_address,
    explanation: explain(row),
  };
}

/** Requests that were not admitted: nothing was done, so there is no operation, no cost and no balance. */
function toCountingEntry(row: RefusedLogRow): LogEntry {
  const { status, code, message, explanation } = refusalOf(row.reason);
  return {
    id: null,
    at: row.minute,
    requests: row.requests,
    key_id: row.key_id,
    key_name: row.key_name,
    operation: "",
    method: "",
    path: "",
    team_id: null,
    team_name: null,
    status,
    units: 0,
    balance_after: null,
    error_code: code,
    error_message: message,
    duration_microseconds: null,
    client_address: row.client_address,
    explanation,
  };
}
