// The rows of the audit log, as they are read.
import type { actorKinds } from "../../contract/console/operations/audit.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { type Sql, sql } from "../../platform/database/sql.ts";
import { beginning } from "../members/members.store.ts";

export interface AuditFilters {
  readonly actorId?: string | undefined;
  readonly actorKind?: AuditRow["actor_kind"] | undefined;
  /** The beginning of the action's name. */
  readonly action?: string | undefined;
  /** The id of what was changed. */
  readonly targetId?: string | undefined;
  /** The first moment. */
  readonly from?: string | undefined;
  /** The first moment after the last. */
  readonly before?: string | undefined;
}

export interface AuditRow {
  readonly id: string;
  readonly at: string;
  readonly actor_kind: (typeof actorKinds)[number];
  readonly actor_id: string | null;
  readonly actor_name: string;
  readonly client_address: string | null;
  readonly action: string;
  readonly target_kind: string;
  readonly target_id: string | null;
  readonly target_name: string | null;
  /** JSON. */
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Lists entries, newest first.
 * @param last time and id of the last entry of the previous page. @returns one more than the limit where there are more
 */
export const listAuditEntries = (
  transaction: Transaction,
  workspaceId: string,
  filters: AuditFilters,
  last: readonly string[] | undefined,
  limit: number,
): Promise<AuditRow[]> =>
  transaction.all<AuditRow>(
    sql`select id, at, actor_kind, actor_id, actor_name, client_address, action, target_kind, target_id, target_name,
          before, after
        from audit_log
        where workspace_id = ${workspaceId}
          and ${where(last, ([at = "", id = ""]) => sql`(at, id) < (${at}, ${id})`)}
          and ${matching(filters)}
        order by at desc, id desc limit ${limit + 1}`,
  );

export interface AuditPersonRow {
  readonly person_id: string;
  readonly name: string;
  /** Null for a person who is no member. */
  readonly email: string | null;
}

/** Lists the people who did something, by name. The index leads from each to the next, however much they did. */
export const listAuditPeople = (transaction: Transaction, workspaceId: string): Promise<AuditPersonRow[]> =>
  transaction.all<AuditPersonRow>(
    sql`with recursive actors (id) as (
          select min(actor_id) from audit_log where workspace_id = ${workspaceId}
          union all
          select (select min(actor_id) from audit_log where workspace_id = ${workspaceId} and actor_id > actors.id)
          from actors where actors.id is not null)
        select p.id as person_id, p.name, case when m.role is null then null else p.email end as email
        from actors join people p on cast(p.id as text) = actors.id
          left join memberships m on m.workspace_id = ${workspaceId} and m.person_id = p.id
        order by p.name, p.id`,
  );

/** The condition of the filters. */
export const matching = ({ actorId, actorKind, action, targetId, from, before }: AuditFilters): Sql =>
  sql`${where(from, (moment) => sql`at >= ${moment}`)}
      and ${where(before, (moment) => sql`at < ${moment}`)}
      and ${where(actorId, (id) => sql`actor_id = ${id}`)}
      and ${where(actorKind, (kind) => sql`actor_kind = ${kind}`)}
      and ${where(action, (text) => sql`action like ${beginning(text)} escape '!'`)}
      and ${where(targetId, (id) => sql`target_id = ${id}`)}`;

const where = <Given>(given: Given | undefined, condition: (given: Given) => Sql): Sql =>
  given === undefined ? sql`1 = 1` : condition(given);
