// The rows of payments, due and paid, and of the reports that were received.
import type { Transaction } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import type { PackageName } from "../quota/quota.ts";

export interface PaymentRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly provider: "manual" | "stripe";
  /** The checkout at the provider, or the operator's reference; null while there is neither. */
  readonly reference: string | null;
  readonly purpose: "package" | "invoice";
  /** The package, or the invoice's month. */
  readonly subject: string;
  readonly amount_cents: number;
  readonly status: "open" | "paid" | "failed";
  readonly requested_by: string | null;
  readonly created_at: string;
  readonly settled_at: string | null;
}

export interface PackagePayment extends PaymentRow {
  readonly purpose: "package";
  readonly subject: PackageName;
}

const columns = sql`workspace_id, id, provider, reference, purpose, subject, amount_cents, status, requested_by,
  created_at, settled_at`;

/**
 * Inserts a payment. A simultaneous insert of the same payment waits for this one.
 * @returns false where a payment of this id or of this invoice exists, and nothing was changed
 */
export async function insertPayment(transaction: Transaction, row: PaymentRow): Promise<boolean> {
  const inserted = await transaction.run(
    sql`insert into payments (${columns})
        values (${row.workspace_id}, ${row.id}, ${row.provider}, ${row.reference}, ${row.purpose}, ${row.subject},
          ${row.amount_cents}, ${row.status}, ${row.requested_by}, ${row.created_at}, ${row.settled_at})
        on conflict do nothing`,
  );
  return inserted === 1;
}

/** `requester` is the name of the person who requested it; null without one, and for a deleted person. */
export type PaymentWithName = PaymentRow & { readonly requester: string | null };
const withName = sql`${columns}, (select name from people where people.id = requested_by) as requester`;

export async function findPayment(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<PaymentWithName | undefined> {
  return transaction.first<PaymentWithName>(
    sql`select ${withName} from payments where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Locks a payment and reads it. */
export function lockForPaymentChange(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<PaymentRow | undefined> {
  transaction.lock("change", sql`select id from payments where workspace_id = ${workspaceId} and id = ${id}`);
  return findPayment(transaction, workspaceId, id);
}

/** Locks those of the payments that are open and reads them. */
export async function lockForOpenPayments(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<PaymentRow[]> {
  const open = sql`from payments where workspace_id = ${workspaceId} and id in ${list(ids)} and status = 'open' order by id`;
  transaction.lock("change", sql`select id ${open}`);
  return transaction.all<PaymentRow>(sql`select ${columns} ${open}`);
}

export async function findInvoicePayment(
  transaction: Transaction,
  workspaceId: string,
  month: string,
): Promise<PaymentRow | undefined> {
  return transaction.first<PaymentRow>(
    sql`select ${columns} from payments
        where workspace_id = ${workspaceId} and subject = ${month} and purpose = 'invoice' and status <> 'failed'`,
  );
}

export interface CreditRow {
  readonly limit_cents: number;
  /** Of packages that were credited before they were paid, and are not paid yet. */
  readonly open_cents: number;
}

/** The credit of a workspace; undefined where there is no such workspace. */
export const findCredit = (transaction: Transaction, workspaceId: string): Promise<CreditRow | undefined> =>
  transaction.first<CreditRow>(
    sql`select w.credit_limit_cents as limit_cents,
          (select coalesce(sum(amount_cents), 0) from payments p
           where p.workspace_id = w.id and p.purpose = 'package' and p.provider = 'manual' and p.status = 'open') as open_cents
        from workspaces w where w.id = ${workspaceId}`,
  );

export const updateCreditLimit = (transaction: Transaction, workspaceId: string, cents: number): void =>
  transaction.send(sql`update workspaces set credit_limit_cents = ${cents} where id = ${workspaceId}`);

/** Stores the newest checkout at the provider. A payment that was settled meanwhile keeps its own. */
export const setReference = (transaction: Transaction, workspaceId: string, id: string, reference: string): void =>
  transaction.send(
    sql`update payments set reference = ${reference}
        where workspace_id = ${workspaceId} and id = ${id} and status = 'open'`,
  );

export const settlePayment = (
  transaction: Transaction,
  { workspace_id, id }: PaymentRow,
  status: "paid" | "failed",
  reference: string | null,
): void =>
  transaction.send(
    sql`update payments set status = ${status}, reference = ${reference}, settled_at = ${transaction.now}
        where workspace_id = ${workspace_id} and id = ${id}`,
  );

/** Lists the open and paid payments, oldest first. */
export async function listOpenAndPaid(transaction: Transaction, workspaceId: string): Promise<PaymentRow[]> {
  return transaction.all<PaymentRow>(
    sql`select ${columns} from payments where workspace_id = ${workspaceId} and status <> 'failed'
        order by created_at, id`,
  );
}

export interface PaymentPosition {
  readonly created_at: string;
  readonly id: string;
}

/** Lists payments, newest first. @param after the last payment of the previous page */
export async function listPayments(
  transaction: Transaction,
  workspaceId: string,
  after: PaymentPosition | undefined,
  limit: number,
): Promise<PaymentWithName[]> {
  const before = after
    ? sql`and (created_at, id) < (${after.created_at}, ${after.id})`
    : sql`and workspace_id = ${workspaceId}`;
  return transaction.all<PaymentWithName>(
    sql`select ${withName} from payments where workspace_id = ${workspaceId} ${before}
        order by created_at desc, id desc limit ${limit}`,
  );
}

/** Stores a report. A simultaneous insert of the same report waits for this one. @returns false where it was known */
export async function insertEvent(
  transaction: Transaction,
  provider: PaymentRow["provider"],
  eventId: string,
): Promise<boolean> {
  const inserted = await transaction.run(
    sql`insert into payment_events (provider, event_id, received_at) values (${provider}, ${eventId}, ${transaction.now})
        on conflict (provider, event_id) do nothing`,
  );
  return inserted === 1;
}
