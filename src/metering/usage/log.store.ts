// The rows of the ledger, and the counts of refused requests, as a log: newest first, page by page. Each page follows an index from where
// the previous one ended.
import type { Transaction } from "../../platform/database/database.ts";
import { join, list, sql } from "../../platform/database/sql.ts";
import type { RefusedRow } from "../keys/refused-requests.store.ts";
import type { RefusalReason } from "../keys/refused-requests.ts";

export interface LogFilter {
  readonly keyId?: string | undefined;
  readonly operation?: string | undefined;
  readonly status?: number | undefined;
  /** The first moment. */
  readonly from?: string | undefined;
  /** The first moment after the last. */
  readonly before?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface LogRow {
  readonly id: string;
  readonly key_id: string;
  readonly key_call: number;
  readonly key_name: string;
  readonly operation: string;
  readonly status: number;
  readonly units: number;
  readonly balance_after: number;
  readonly team_id: string | null;
  readonly team_name: string | null;
  readonly admitted_at: string;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly duration_microseconds: number | null;
  readonly client_address: string | null;
}

/** The row behind which a page begins: its id in the log of all keys, its time and number in the log of one key. */
export type CallPosition = { readonly id: string } | { readonly admitted_at: string; readonly key_call: number };

/** The position before the newest row. */
export const newestCall = (filter: LogFilter): CallPosition =>
  filter.keyId === undefined
    ? { id: "ffffffff-ffff-ffff-ffff-ffffffffffff" }
    : { admitted_at: "9999-12-31T23:59:59.999Z", key_call: Number.MAX_SAFE_INTEGER };

/** The position behind the oldest row. */
export const oldestCall = (filter: LogFilter): CallPosition =>
  filter.keyId === undefined
    ? { id: "00000000-0000-0000-0000-000000000000" }
    : { admitted_at: "1000-01-01T00:00:00.000Z", key_call: 0 };

/** The position of a row. */
export const callPositionOf = (
  filter: LogFilter,
  { id, admitted_at, key_call }: Pick<LogRow, "id" | "admitted_at" | "key_call">,
): CallPosition => (filter.keyId === undefined ? { id } : { admitted_at, key_call });

/** The part of the log behind one row, down to another or to the end. */
export interface LogRange {
  readonly after: CallPosition;
  readonly to: CallPosition | undefined;
}

/** The rows of the range, in the order of one index. */
function rowsOf(workspaceId: string, { keyId, from, before }: LogFilter, { after, to }: LogRange) {
  if ("id" in after) {
    const end = to && "id" in to ? sql` and id >= ${to.id}` : sql``;
    return {
      rows: sql`from ledger where workspace_id = ${workspaceId} and id < ${after.id}${end}`,
      order: sql`order by id desc`,
    };
  }
  const bounds = [
    sql` and (admitted_at, key_call) < (${after.admitted_at}, ${after.key_call})`,
    ...(to && "key_call" in to ? [sql` and (admitted_at, key_call) >= (${to.admitted_at}, ${to.key_call})`] : []),
    ...(from === undefined ? [] : [sql` and admitted_at >= ${from}`]),
    ...(before === undefined ? [] : [sql` and admitted_at < ${before}`]),
  ];
  return {
    rows: sql`from ledger where workspace_id = ${workspaceId} and key_id = ${keyId ?? null}${join(bounds, "")}`,
    order: sql`order by admitted_at desc, key_call desc`,
  };
}

/** Lists the first calls of the range that match the filter. */
export async function listCalls(
  transaction: Transaction,
  workspaceId: string,
  filter: LogFilter,
  range: LogRange,
  limit: number,
): Promise<LogRow[]> {
  const { rows, order } = rowsOf(workspaceId, filter, range);
  const { operation, status, from, before, requestId } = filter;
  const wanted = [
    ...(operation === undefined ? [] : [sql` and operation = ${operation}`]),
    ...(status === undefined ? [] : [sql` and status = ${status}`]),
    ...(from === undefined ? [] : [sql` and admitted_at >= ${from}`]),
    ...(before === undefined ? [] : [sql` and admitted_at < ${before}`]),
    ...(requestId === undefined ? [] : [sql` and id = ${requestId}`]),
  ];
  return transaction.all<LogRow>(
    sql`select l.id, l.key_id, l.key_call, l.operation, l.status, l.units, l.balance_after, l.team_id, l.admitted_at,
          l.error_code, l.error_message, l.duration_microseconds, l.client_address,
          (select k.name from api_keys k where k.workspace_id = l.workspace_id and k.id = l.key_id) as key_name,
          (select t.name from teams t where t.workspace_id = l.workspace_id and t.id = l.team_id) as team_name
        from (select * ${rows}${join([sql``, ...wanted], "")} ${order} limit ${limit}) l ${order}`,
  );
}

/**
 * Finds the position and the time of the row that is `distance` rows behind another one, whether it matches the filter or not; undefined where the log ends earlier.
 * The distance comes from a subquery, because PostgreSQL would otherwise compare it with its estimate of the log's length, and read and
 * sort the whole log where the estimate is less.
 */
export async function findPositionBehind(
  transaction: Transaction,
  workspaceId: string,
  filter: LogFilter,
  after: CallPosition,
  distance: number,
): Promise<{ position: CallPosition; at: string } | undefined> {
  const { rows, order } = rowsOf(workspaceId, filter, { after, to: undefined });
  const row = await transaction.first<Pick<LogRow, "id" | "admitted_at" | "key_call">>(
    sql`select id, admitted_at, key_call ${rows} ${order} limit 1 offset (select cast(${distance - 1} as bigint))`,
  );
  return row && { position: callPositionOf(filter, row), at: row.admitted_at };
}

/** The row of refused requests behind which a page begins. Their order is by minute, then by key and reason. */
export type RefusedPosition = Pick<RefusedRow, "minute" | "key_id" | "reason">;

/** The position behind all rows whose minute begins after this time. */
export const refusedUpTo = (minute: string): RefusedPosition => ({
  minute,
  key_id: "ffffffff-ffff-ffff-ffff-ffffffffffff",
  reason: "",
});

export const newestRefused = refusedUpTo("9999-12-31T23:59:00.000Z");

export type RefusedLogRow = RefusedRow & { readonly reason: RefusalReason; readonly key_name: string };

/** Lists the first rows of refused requests behind a position that match the filter. Their time is the start of their minute. */
export async function listRefused(
  transaction: Transaction,
  workspaceId: string,
  { keyId, from, before }: Pick<LogFilter, "keyId" | "from" | "before">,
  {
    after,
    reasons,
    newerThan,
  }: { after: RefusedPosition; reasons: readonly RefusalReason[]; newerThan: string | undefined },
  limit: number,
): Promise<RefusedLogRow[]> {
  const wanted = [
    ...(keyId === undefined ? [] : [sql` and key_id = ${keyId}`]),
    ...(from === undefined ? [] : [sql` and minute >= ${from}`]),
    ...(before === undefined ? [] : [sql` and minute < ${before}`]),
    ...(newerThan === undefined ? [] : [sql` and minute > ${newerThan}`]),
  ];
  return transaction.all<RefusedLogRow>(
    sql`select r.workspace_id, r.key_id, r.minute, r.reason, r.requests, r.client_address,
          (select k.name from api_keys k where k.workspace_id = r.workspace_id and k.id = r.key_id) as key_name
        from (select * from refused_requests
          where workspace_id = ${workspaceId} and (minute, key_id, reason) < (${after.minute}, ${after.key_id}, ${after.reason})
            and reason in ${list(reasons)}${join([sql``, ...wanted], "")}
          order by minute desc, key_id desc, reason desc limit ${limit}) r
        order by r.minute desc, r.key_id desc, r.reason desc`,
  );
}
