// The rows of the ledger, and the counts of refused requests, as a log: newest first, page by page. Each page follows an index from where
// the previous one ended.
import type { Transaction } from "../../platform/database/database.ts";
import { join, list, type Sql, sql } from "../../platform/database/sql.ts";
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

/** The row behind which a page begins. */
export type CallPosition = Pick<LogRow, "admitted_at" | "id">;

/** The position before the newest row. */
export const newestCall: CallPosition = {
  admitted_at: "2999-12-31T23:59:59.999Z",
  id: "ffffffff-ffff-ffff-ffff-ffffffffffff",
};

/** The position behind all rows from this moment on. */
export const callsFrom = (moment: string): CallPosition => ({
  admitted_at: moment,
  id: "00000000-0000-0000-0000-000000000000",
});

/** The position behind the oldest row. */
export const oldestCall = callsFrom("1000-01-01T00:00:00.000Z");

/** The part of the log behind one row, down to another or to the end. */
export interface LogRange {
  readonly after: CallPosition;
  readonly to: CallPosition | undefined;
}

/** The rows of the range, in the order of the primary key. */
function rowsOf(workspaceId: string, { from, before }: LogFilter, { after, to }: LogRange): Sql {
  const bounds = [
    sql`from ledger where workspace_id = ${workspaceId} and (admitted_at, id) < (${after.admitted_at}, ${after.id})`,
    ...(to ? [sql` and (admitted_at, id) >= (${to.admitted_at}, ${to.id})`] : []),
    ...(from === undefined ? [] : [sql` and admitted_at >= ${from}`]),
    ...(before === undefined ? [] : [sql` and admitted_at < ${before}`]),
  ];
  return join(bounds, "");
}

const newestFirst = sql`order by admitted_at desc, id desc`;

/** Lists the first calls of the range that match the filter. */
export async function listCalls(
  transaction: Transaction,
  workspaceId: string,
  filter: LogFilter,
  range: LogRange,
  limit: number,
): Promise<LogRow[]> {
  const { keyId, operation, status, requestId } = filter;
  const wanted = [
    ...(keyId === undefined ? [] : [sql` and key_id = ${keyId}`]),
    ...(operation === undefined ? [] : [sql` and operation = ${operation}`]),
    ...(status === undefined ? [] : [sql` and status = ${status}`]),
    ...(requestId === undefined ? [] : [sql` and id = ${requestId}`]),
  ];
  return transaction.all<LogRow>(
    sql`select l.id, l.key_id, l.operation, l.status, l.units, l.balance_after, l.team_id, l.admitted_at,
          l.error_code, l.error_message, l.duration_microseconds, l.client_address,
          (select k.name from api_keys k where k.workspace_id = l.workspace_id and k.id = l.key_id) as key_name,
          (select t.name from teams t where t.workspace_id = l.workspace_id and t.id = l.team_id) as team_name
        from (select * ${rowsOf(workspaceId, filter, range)}${join([sql``, ...wanted], "")} ${newestFirst} limit ${limit}) l
        ${newestFirst}`,
  );
}

/**
 * Finds the position of the row that is `distance` rows behind another one, whether it matches the filter or not, except for its days;
 * undefined where the log ends earlier. The distance comes from a subquery, because PostgreSQL would otherwise compare it with its
 * estimate of the log's length, and read and sort the whole log where the estimate is less.
 */
export const findPositionBehind = (
  transaction: Transaction,
  workspaceId: string,
  filter: LogFilter,
  after: CallPosition,
  distance: number,
): Promise<CallPosition | undefined> =>
  transaction.first<CallPosition>(
    sql`select admitted_at, id ${rowsOf(workspaceId, filter, { after, to: undefined })} ${newestFirst}
        limit 1 offset (select cast(${distance - 1} as bigint))`,
  );

/** The times of the oldest and the newest call of a workspace in the log; undefined without any. */
export async function findEnds(
  transaction: Transaction,
  workspaceId: string,
): Promise<{ oldest: string; newest: string } | undefined> {
  const calls = sql`select admitted_at from ledger where workspace_id = ${workspaceId}`;
  const row = await transaction.first<{ oldest: string | null; newest: string | null }>(
    sql`select (${calls} order by admitted_at limit 1) as oldest, (${calls} order by admitted_at desc limit 1) as newest`,
  );
  return row?.oldest && row.newest ? { oldest: row.oldest, newest: row.newest } : undefined;
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
