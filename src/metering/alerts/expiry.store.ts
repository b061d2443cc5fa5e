// The rows of keys that expire soon, and of the alerts that were sent for them.
import type { Transaction } from "../../platform/database/database.ts";
import { type Sql, sql } from "../../platform/database/sql.ts";
import { reachesSomebody } from "./settings.store.ts";

export interface ExpiringKey {
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly expires_at: string;
}

const isExpiring = ({ from, to }: { from: string; to: string }): Sql =>
  sql`k.is_active = ${true} and k.deleted_at is null and k.expires_at > ${from} and k.expires_at <= ${to}`;

/** The active keys that expire in this time and whose alert reaches somebody, but of which none was sent for so many days. */
export const listUnwarned = (
  transaction: Transaction,
  days: number,
  time: { from: string; to: string },
  hasMail: boolean,
  limit: number,
): Promise<ExpiringKey[]> =>
  transaction.all<ExpiringKey>(
    sql`select k.workspace_id, w.name as workspace_name, k.id, k.name, k.created_at, k.expires_at
        from api_keys k join workspaces w on w.id = k.workspace_id join alert_settings s on s.workspace_id = w.id
        where ${isExpiring(time)} and w.deleted_at is null and s.is_expiry_on = ${true} and ${reachesSomebody(hasMail)}
          and not exists (select 1 from key_warnings g
            where g.workspace_id = k.workspace_id and g.key_id = k.id and g.expires_at = k.expires_at and g.days = ${days})
        order by k.expires_at, k.id limit ${limit}`,
  );

/** Records an alert. @returns false where it was sent already */
export async function insertWarning(
  transaction: Transaction,
  { workspace_id, id, expires_at }: ExpiringKey,
  days: number,
): Promise<boolean> {
  const inserted = await transaction.run(
    sql`insert into key_warnings (workspace_id, key_id, expires_at, days, created_at)
        values (${workspace_id}, ${id}, ${expires_at}, ${days}, ${transaction.now})
        on conflict (workspace_id, key_id, expires_at, days) do nothing`,
  );
  return inserted === 1;
}

/** How many active keys expire in this time. */
export async function countExpiring(transaction: Transaction, time: { from: string; to: string }): Promise<number> {
  const row = await transaction.first<{ keys: number }>(
    sql`select count(*) as keys from api_keys k where ${isExpiring(time)}`,
  );
  return row?.keys ?? 0;
}
