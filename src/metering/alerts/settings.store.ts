// The rows of alert settings: which alerts a workspace sends, and to whom. Each workspace has one.
import type { Transaction } from "../../platform/database/database.ts";
import { assignments, type Sql, sql, type Value } from "../../platform/database/sql.ts";

export interface SettingsRow {
  readonly is_quota_on: boolean;
  readonly is_expiry_on: boolean;
  readonly is_refusals_on: boolean;
  readonly refusals_max: number;
  /** Otherwise to the recipients. */
  readonly is_to_administrators: boolean;
  readonly webhook_url: string | null;
  readonly webhook_secret_start: string | null;
  readonly webhook_secret_sealed: string | null;
  readonly former_secret_sealed: string | null;
  readonly former_secret_until: string | null;
}

const columns = sql`is_quota_on, is_expiry_on, is_refusals_on, refusals_max, is_to_administrators, webhook_url, webhook_secret_start,
  webhook_secret_sealed, former_secret_sealed, former_secret_until`;

export async function findSettings(transaction: Transaction, workspaceId: string): Promise<SettingsRow | undefined> {
  const row = await transaction.first<SettingsRow>(
    sql`select ${columns} from alert_settings where workspace_id = ${workspaceId}`,
  );
  return (
    row && {
      ...row,
      is_quota_on: Boolean(row.is_quota_on),
      is_expiry_on: Boolean(row.is_expiry_on),
      is_refusals_on: Boolean(row.is_refusals_on),
      is_to_administrators: Boolean(row.is_to_administrators),
    }
  );
}

export const lockSettings = (transaction: Transaction, workspaceId: string): void =>
  transaction.lock("change", sql`select workspace_id from alert_settings where workspace_id = ${workspaceId}`);

export const updateSettings = (
  transaction: Transaction,
  workspaceId: string,
  changes: Readonly<Record<string, Value>>,
): void => transaction.send(sql`update alert_settings set ${assignments(changes)} where workspace_id = ${workspaceId}`);

/** Removes all webhooks, whose secrets cannot be read without the instance key. @returns how many */
export const removeWebhooks = (transaction: Transaction): Promise<number> =>
  transaction.run(
    sql`update alert_settings set webhook_url = null, webhook_secret_start = null, webhook_secret_sealed = null,
          former_secret_sealed = null, former_secret_until = null
        where webhook_url is not null`,
  );

/** Whether the alerts of a row `s` of the settings reach somebody. */
export const reachesSomebody = (hasMail: boolean): Sql =>
  hasMail
    ? sql`(s.webhook_url is not null
          or exists (select 1 from alert_recipients r where r.workspace_id = s.workspace_id)
          or (s.is_to_administrators = ${true} and exists (
            select 1 from memberships m where m.workspace_id = s.workspace_id and m.role in ('owner', 'admin'))))`
    : sql`s.webhook_url is not null`;

/** The addresses that were chosen. */
export async function listRecipients(transaction: Transaction, workspaceId: string): Promise<string[]> {
  const rows = await transaction.all<{ email: string }>(
    sql`select email from alert_recipients where workspace_id = ${workspaceId} order by email`,
  );
  return rows.map(({ email }) => email);
}

export function replaceRecipients(transaction: Transaction, workspaceId: string, emails: readonly string[]): void {
  transaction.send(sql`delete from alert_recipients where workspace_id = ${workspaceId}`);
  if (emails.length > 0)
    transaction.insert(
      "alert_recipients",
      emails.map((email) => ({ workspace_id: workspaceId, email })),
    );
}

/** The chosen addresses to send an alert to: not those of accounts that are disabled. */
export async function listReachableRecipients(transaction: Transaction, workspaceId: string): Promise<string[]> {
  const rows = await transaction.all<{ email: string }>(
    sql`select r.email from alert_recipients r where r.workspace_id = ${workspaceId}
          and not exists (select 1 from people p where p.email = r.email and p.disabled_at is not null)
        order by r.email`,
  );
  return rows.map(({ email }) => email);
}

/** The addresses of owners and admins whose accounts are not disabled. */
export async function listAdministrators(transaction: Transaction, workspaceId: string): Promise<string[]> {
  const rows = await transaction.all<{ email: string }>(
    sql`select p.email from memberships m join people p on p.id = m.person_id
        where m.workspace_id = ${workspaceId} and m.role in ('owner', 'admin') and p.disabled_at is null
        order by p.id`,
  );
  return rows.map(({ email }) => email);
}
