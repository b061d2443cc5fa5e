// The rows of daily totals, each key's mark, and the calls after the marks.
import type { Transaction } from "../../platform/database/database.ts";
import { list, type Sql, sql } from "../../platform/database/sql.ts";
import { startOfDay, startOfNextDay } from "../../platform/time.ts";

/** The total of a day's calls with the same key, operation, status and team. The team is '' for none or several. */
export interface Total {
  readonly day: string;
  readonly key_id: string;
  readonly operation: string;
  readonly status: number;
  readonly team_id: string;
  readonly calls: number;
  readonly units: number;
}

/** Adds to a total, which another portion may have begun. */
export const addToTotal = (transaction: Transaction, workspaceId: string, total: Total): void =>
  transaction.send(
    sql`insert into usage_totals (workspace_id, day, key_id, operation, status, team_id, calls, units)
        values (${workspaceId}, ${total.day}, ${total.key_id}, ${total.operation}, ${total.status}, ${total.team_id},
          ${total.calls}, ${total.units})
        on conflict (workspace_id, day, key_id, operation, status, team_id)
        do update set calls = usage_totals.calls + excluded.calls, units = usage_totals.units + excluded.units`,
  );

export interface KeyPosition {
  readonly workspace_id: string;
  readonly id: string;
}

/** A key, the number of its calls, and how many of them are in the totals. */
export interface KeyProgress extends KeyPosition {
  readonly calls: number;
  readonly added: number;
}

/** Lists the next keys by workspace and id, deleted ones too. */
export async function listProgressAfter(
  transaction: Transaction,
  after: KeyPosition,
  limit: number,
): Promise<KeyProgress[]> {
  return transaction.all<KeyProgress>(
    sql`select k.workspace_id, k.id, k.call_count as calls, coalesce((
          select m.key_call from usage_marks m where m.workspace_id = k.workspace_id and m.key_id = k.id), 0) as added
        from (select workspace_id, id, call_count from api_keys where (workspace_id, id) > (${after.workspace_id}, ${after.id})
              order by workspace_id, id limit ${limit}) k
        order by k.workspace_id, k.id`,
  );
}

/** A key's newest call in the totals. Calls that are not in the totals have a higher number, and this moment or a later one. */
export interface Mark {
  readonly key_id: string;
  readonly key_call: number;
  readonly admitted_at: string;
}

/** The marks of these keys. A key without calls in the totals has none. */
export async function findMarks(
  transaction: Transaction,
  workspaceId: string,
  keyIds: readonly string[],
): Promise<Map<string, Mark>> {
  const rows = await transaction.all<Mark>(
    sql`select key_id, key_call, admitted_at from usage_marks
        where workspace_id = ${workspaceId} and key_id in ${list(keyIds)}`,
  );
  return new Map(rows.map((row) => [row.key_id, row]));
}

export const setMark = (transaction: Transaction, workspaceId: string, mark: Mark): void =>
  transaction.send(
    sql`insert into usage_marks (workspace_id, key_id, key_call, admitted_at)
        values (${workspaceId}, ${mark.key_id}, ${mark.key_call}, ${mark.admitted_at})
        on conflict (workspace_id, key_id) do update set key_call = excluded.key_call, admitted_at = excluded.admitted_at`,
  );

export interface UncountedCall {
  readonly key_call: number;
  readonly operation: string;
  readonly status: number;
  readonly team_id: string | null;
  readonly units: number;
  readonly admitted_at: string;
}

const callColumns = sql`key_call, operation, status, team_id, units, admitted_at`;

/** Lists the next calls of a key by time, along an index. */
export const listCallsByTime = (
  transaction: Transaction,
  workspaceId: string,
  mark: Mark,
  limit: number,
): Promise<UncountedCall[]> =>
  transaction.all<UncountedCall>(
    sql`select ${callColumns} from ledger
        where workspace_id = ${workspaceId} and key_id = ${mark.key_id} and admitted_at >= ${mark.admitted_at}
          and key_call > ${mark.key_call}
        order by admitted_at, key_call limit ${limit}`,
  );

/** Lists the next calls of a key by number, whatever their times. It reads all calls of the key. */
export const listCallsByNumber = (
  transaction: Transaction,
  workspaceId: string,
  mark: Mark,
  limit: number,
): Promise<UncountedCall[]> =>
  transaction.all<UncountedCall>(
    sql`select ${callColumns} from ledger
        where workspace_id = ${workspaceId} and key_id = ${mark.key_id} and key_call > ${mark.key_call}
        order by key_call limit ${limit}`,
  );

/** The number and the moment of the key's newest call. */
export async function findNewestCall(
  transaction: Transaction,
  workspaceId: string,
  keyId: string,
): Promise<Mark | undefined> {
  const row = await transaction.first<{ key_call: number; admitted_at: string | null }>(
    sql`select call_count as key_call, last_used_at as admitted_at from api_keys
        where workspace_id = ${workspaceId} and id = ${keyId}`,
  );
  if (!row || row.admitted_at === null) return undefined;
  return { key_id: keyId, key_call: row.key_call, admitted_at: row.admitted_at };
}

export type UsagePart = "operation" | "key" | "team";

export interface UsageSum {
  readonly day: string;
  /** Operation name, key id or team id; '' for no team or several. */
  readonly part: string;
  readonly calls: number;
  readonly units: number;
}

/** The columns of totals and of calls that identify a part, both as text. */
const parts: Readonly<Record<UsagePart, { total: Sql; call: Sql }>> = {
  operation: { total: sql`t.operation`, call: sql`l.operation` },
  key: { total: sql`cast(t.key_id as text)`, call: sql`cast(l.key_id as text)` },
  team: { total: sql`t.team_id`, call: sql`coalesce(cast(l.team_id as text), '')` },
};

/**
 * The calls that are in no total yet, from a moment on. It goes from the keys to the ledger: SQLite begins with the left side of a
 * `cross join`, and would otherwise read the whole ledger.
 */
const callsSince = (workspaceId: string, from: string): Sql => sql`
  (select k.workspace_id, k.id, coalesce(m.key_call, 0) as key_call, coalesce(m.admitted_at, k.created_at) as since
    from api_keys k left join usage_marks m on m.workspace_id = k.workspace_id and m.key_id = k.id
    where k.workspace_id = ${workspaceId} and k.call_count > coalesce(m.key_call, 0)) n
  cross join ledger l
  where l.workspace_id = n.workspace_id and l.key_id = n.id and l.admitted_at >= n.since and l.key_call > n.key_call
    and l.admitted_at >= ${from}`;

const dayOfCall = sql`to_char(l.admitted_at at time zone 'UTC', 'YYYY-MM-DD')`;

/**
 * Calls and units of each day and part, both days included. It is one statement, so that calls which are added to the totals meanwhile
 * count once.
 */
export async function sumUsage(
  transaction: Transaction,
  workspaceId: string,
  { from, to, by }: { from: string; to: string; by: UsagePart },
): Promise<UsageSum[]> {
  const { total, call } = parts[by];
  return transaction.all<UsageSum>(
    sql`select u.day, u.part, sum(u.calls) as calls, sum(u.units) as units from (
          select t.day, ${total} as part, sum(t.calls) as calls, sum(t.units) as units from usage_totals t
          where t.workspace_id = ${workspaceId} and t.day >= ${from} and t.day <= ${to} group by 1, 2
          union all
          select ${dayOfCall} as day, ${call} as part, count(*) as calls, sum(l.units) as units
          from ${callsSince(workspaceId, startOfDay(from))} and l.admitted_at < ${startOfNextDay(to)} group by 1, 2
        ) u group by u.day, u.part`,
  );
}

/** Counts the calls of each key since the beginning of a day. Keys without calls are left out. */
export async function callsOfKeys(
  transaction: Transaction,
  workspaceId: string,
  keyIds: readonly string[],
  fromDay: string,
): Promise<Map<string, number>> {
  if (keyIds.length === 0) return new Map();
  const rows = await transaction.all<{ key_id: string; calls: number }>(
    sql`select u.key_id, sum(u.calls) as calls from (
          select t.key_id, sum(t.calls) as calls from usage_totals t
          where t.workspace_id = ${workspaceId} and t.day >= ${fromDay} and t.key_id in ${list(keyIds)} group by t.key_id
          union all
          select l.key_id, count(*) as calls from ${callsSince(workspaceId, startOfDay(fromDay))}
            and n.id in ${list(keyIds)} group by l.key_id
        ) u group by u.key_id`,
  );
  return new Map(rows.map((row) => [row.key_id, row.calls]));
}
