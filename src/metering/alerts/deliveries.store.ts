// The rows of deliveries to webhooks, from queueing to removal.
import type { AlertType, DeliveryFailure, DeliveryState } from "../../contract/console/alerts.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { sql } from "../../platform/database/sql.ts";

export interface DueDelivery {
  readonly workspace_id: string;
  readonly id: string;
  readonly body: string;
  readonly tries: number;
  readonly give_up_at: string;
}

export interface DeliveryRow {
  readonly id: string;
  readonly type: AlertType;
  readonly state: DeliveryState;
  readonly tries: number;
  readonly created_at: string;
  readonly next_try_at: string;
  readonly last_try_at: string | null;
  readonly last_status: number | null;
  readonly last_failure: DeliveryFailure | null;
}

const columns = sql`id, type, state, tries, created_at, next_try_at, last_try_at, last_status, last_failure`;

/** The deliveries that are due, the oldest due time first, and only so many of one workspace. Those of deleted workspaces wait. */
export const listDue = (transaction: Transaction, limit: number, ofWorkspaceMax: number): Promise<DueDelivery[]> =>
  transaction.all<DueDelivery>(
    sql`select workspace_id, id, body, tries, give_up_at
        from (select workspace_id, id, body, tries, give_up_at, next_try_at,
            row_number() over (partition by workspace_id order by next_try_at, id) as place
          from webhook_deliveries where state = 'waiting' and next_try_at <= ${transaction.now}
            and exists (select 1 from workspaces w where w.id = webhook_deliveries.workspace_id and w.deleted_at is null)) d
        where place <= ${ofWorkspaceMax} order by next_try_at, id limit ${limit}`,
  );

/** Counts an attempt and sets the time of the next. @returns false when another node was first */
export async function claimDelivery(
  transaction: Transaction,
  { workspace_id, id, tries }: DueDelivery,
  nextTryAt: string,
): Promise<boolean> {
  const changed = await transaction.run(
    sql`update webhook_deliveries set tries = tries + 1, next_try_at = ${nextTryAt}, last_try_at = ${transaction.now}
        where workspace_id = ${workspace_id} and id = ${id} and tries = ${tries} and state = 'waiting'`,
  );
  return changed === 1;
}

/** Records the outcome of an attempt, unless a later one has begun. */
export const finishAttempt = (
  transaction: Transaction,
  { workspace_id, id, tries }: DueDelivery,
  outcome: { state: DeliveryState; status: number | null; failure: DeliveryFailure | null },
): void =>
  transaction.send(
    sql`update webhook_deliveries
        set state = ${outcome.state}, last_status = ${outcome.status}, last_failure = ${outcome.failure}
        where workspace_id = ${workspace_id} and id = ${id} and tries = ${tries + 1} and state = 'waiting'`,
  );

/** @returns whether there is such a delivery that does not wait already */
export async function queueAgain(
  transaction: Transaction,
  workspaceId: string,
  id: string,
  giveUpAt: string,
): Promise<boolean> {
  const changed = await transaction.run(
    sql`update webhook_deliveries
        set state = 'waiting', tries = 0, next_try_at = ${transaction.now}, give_up_at = ${giveUpAt}
        where workspace_id = ${workspaceId} and id = ${id} and state <> 'waiting'`,
  );
  return changed === 1;
}

export const findDelivery = (
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<DeliveryRow | undefined> =>
  transaction.first<DeliveryRow>(
    sql`select ${columns} from webhook_deliveries where workspace_id = ${workspaceId} and id = ${id}`,
  );

export async function hasWaiting(transaction: Transaction, workspaceId: string, type: AlertType): Promise<boolean> {
  const row = await transaction.first(
    sql`select id from webhook_deliveries
        where workspace_id = ${workspaceId} and type = ${type} and state = 'waiting' limit 1`,
  );
  return row !== undefined;
}

/** The last deliveries, newest first. */
export const listDeliveries = (transaction: Transaction, workspaceId: string, limit: number): Promise<DeliveryRow[]> =>
  transaction.all<DeliveryRow>(
    sql`select ${columns} from webhook_deliveries where workspace_id = ${workspaceId} order by id desc limit ${limit}`,
  );

export interface FailedRow {
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly webhook_url: string;
  readonly created_at: string;
  readonly last_status: number | null;
  readonly last_failure: DeliveryFailure | null;
}

/** Deliveries that failed at each attempt, and after which none of their workspace succeeded, the oldest first. Tests do not count. */
export const listFailing = (
  transaction: Transaction,
  { queuedBefore, triedSince }: { readonly queuedBefore: string; readonly triedSince: string },
): Promise<FailedRow[]> =>
  transaction.all<FailedRow>(
    sql`select d.workspace_id, w.name as workspace_name, s.webhook_url, d.created_at, d.last_status, d.last_failure
        from webhook_deliveries d
          join workspaces w on w.id = d.workspace_id join alert_settings s on s.workspace_id = d.workspace_id
        where d.state <> 'delivered' and d.tries > 0 and d.type <> 'test' and coalesce(d.last_failure, '') <> 'no_webhook'
          and d.created_at <= ${queuedBefore} and d.last_try_at >= ${triedSince}
          and s.webhook_url is not null and w.deleted_at is null
          and not exists (select 1 from webhook_deliveries e
            where e.workspace_id = d.workspace_id and e.state = 'delivered' and e.last_try_at >= d.last_try_at)
        order by d.created_at, d.id`,
  );

/** Ends the deliveries of a workspace that wait. */
export const endWaiting = (transaction: Transaction, workspaceId: string, failure: DeliveryFailure): void =>
  transaction.send(
    sql`update webhook_deliveries set state = 'failed', last_failure = ${failure}
        where workspace_id = ${workspaceId} and state = 'waiting'`,
  );

/** Removes the oldest deliveries of all workspaces. @returns how many */
export const removeDeliveriesBefore = (transaction: Transaction, moment: string, limit: number): Promise<number> =>
  transaction.run(
    sql`delete from webhook_deliveries where (workspace_id, id) in (
          select workspace_id, id from webhook_deliveries where created_at < ${moment} order by created_at limit ${limit})`,
  );
