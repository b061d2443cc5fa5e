// The rows of payments: what is to be paid, what was paid, and which reports of it are known.
import type { Transaction } from "../../platform/database/database.ts";
import { list, sql } from "../../platform/database/sql.ts";
import type { PackageName } from "../quota/quota.ts";

export interface PaymentRow {
  readonly workspace_id: string;
  readonly id: string;
  readonly provider: "manual" | "stripe";
  /** The checkout at the provider, or what the operator wrote down; null as long as there is neither. */
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
 * Whoever asks for the same at the same time waits here until it is known whether this one counts.
 * @returns false where there is such a payment already, of this id or of this invoice, and nothing was changed
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

/** The name of who asked for it is null where nobody did, or where they are gone. */
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

/** The payment as it stands when nobody else can change it any more. */
export function holdPayment(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<PaymentRow | undefined> {
  transaction.lock("change", sql`select id from payments where workspace_id = ${workspaceId} and id = ${id}`);
  return findPayment(transaction, workspaceId, id);
}

/** Those of them that are open, when nobody else can change them any more. */
export async function holdOpen(
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

/** The newest checkout at the provider, once it is known. One that was paid or given up meanwhile keeps its own. */
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

/** All that was not given up, oldest first: what invoices say of paid and due. */
export async function listStanding(transaction: Transaction, workspaceId: string): Promise<PaymentRow[]> {
  return transaction.all<PaymentRow>(
    sql`select ${columns} from payments where workspace_id = ${workspaceId} and status <> 'failed'
        order by created_at, id`,
  );
}

export interface PaymentPlace {
  readonly created_at: string;
  readonly id: string;
}

/** Newest first. */
export async function listPayments(
  transaction: Transaction,
  workspaceId: string,
  after: PaymentPlace | undefined,
  most: number,
): Promise<PaymentWithName[]> {
  const before = after
    ? sql`and (created_at, id) < (${after.created_at}, ${after.id})`
    : sql`and workspace_id = ${workspaceId}`;
  return transaction.all<PaymentWithName>(
    sql`select ${withName} from payments where workspace_id = ${workspaceId} ${before}
        order by created_at desc, id desc limit ${most}`,
  );
}

/** Remembers a report. Whoever brings the same at the same time waits. @returns false where it was known */
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
