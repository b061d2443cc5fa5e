// The rows of the ledger as a log: newest first, page by page, each page a walk along an index from where the one before ended.
import type { Transaction } from "../../platform/database/database.ts";
import { join, sql } from "../../platform/database/sql.ts";

export interface LogFilter {
  readonly keyId?: string | undefined;
  readonly operation?: string | undefined;
  readonly status?: number | undefined;
  /** The first moment, and the first one after the last. */
  readonly from?: string | undefined;
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
}

/** Behind which row a page begins: by id in the log of all keys, by time and number in that of one. */
export type LogPlace = { readonly id: string } | { readonly admitted_at: string; readonly key_call: number };

/** Where the newest rows are. */
export const newestPlace = (filter: LogFilter): LogPlace =>
  filter.keyId === undefined
    ? { id: "ffffffff-ffff-ffff-ffff-ffffffffffff" }
    : { admitted_at: "9999-12-31T23:59:59.999Z", key_call: Number.MAX_SAFE_INTEGER };

/** The same of a row. */
export const placeOf = (filter: LogFilter, { id, admitted_at, key_call }: LogRow): LogPlace =>
  filter.keyId === undefined ? { id } : { admitted_at, key_call };

/** Where a page is looked for: behind one row, and down to another, or to the end of the log. */
export interface LogStretch {
  readonly after: LogPlace;
  readonly to: LogPlace | undefined;
}

/** The rows of the stretch, along one index. */
function rowsOf(workspaceId: string, { keyId, from, before }: LogFilter, { after, to }: LogStretch) {
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

/** The first calls of the stretch that fit. */
export async function listCalls(
  transaction: Transaction,
  workspaceId: string,
  filter: LogFilter,
  stretch: LogStretch,
  limit: number,
): Promise<LogRow[]> {
  const { rows, order } = rowsOf(workspaceId, filter, stretch);
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
          (select k.name from api_keys k where k.workspace_id = l.workspace_id and k.id = l.key_id) as key_name,
          (select t.name from teams t where t.workspace_id = l.workspace_id and t.id = l.team_id) as team_name
        from (select * ${rows}${join([sql``, ...wanted], "")} ${order} limit ${limit}) l ${order}`,
  );
}

/**
 * The row so many rows behind one, whether it fits or not; undefined where the log ends before. The distance comes out of a subquery, so
 * that PostgreSQL does not hold it against how many rows it takes the log to have: where that is less, it would read and sort all of them.
 */
export async function findPlace(
  transaction: Transaction,
  workspaceId: string,
  filter: LogFilter,
  after: LogPlace,
  distance: number,
): Promise<LogPlace | undefined> {
  const { rows, order } = rowsOf(workspaceId, filter, { after, to: undefined });
  const row = await transaction.first<LogRow>(
    sql`select id, admitted_at, key_call ${rows} ${order} limit 1 offset (select cast(${distance - 1} as bigint))`,
  );
  return row && placeOf(filter, row);
}
