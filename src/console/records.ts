// Records of the contract, made from the values of several rules.
import type { ConsoleResult } from "../contract/console/operations.ts";
import { findPayment, type PaymentWithName } from "../metering/payments/payments.store.ts";
import { isPackagePayment } from "../metering/payments/payments.ts";
import { packages, type Quota } from "../metering/quota/quota.ts";
import type { Transaction } from "../platform/database/database.ts";

export const toGrantRecord = ({ kind, units, remaining, reference, created_at }: Quota["grants"][number]) => ({
  kind,
  units,
  remaining,
  reference,
  created_at,
});

export type PaymentRecord = ConsoleResult<"getPayments">["data"][number];

export const toPaymentRecord = (row: PaymentWithName): PaymentRecord => ({
  id: row.id,
  provider: row.provider,
  purpose: row.purpose,
  subject: row.subject,
  units: isPackagePayment(row) ? packages[row.subject] : null,
  amount_cents: row.amount_cents,
  status: row.status,
  reference: row.reference,
  requested_by: row.requester,
  created_at: row.created_at,
  settled_at: row.settled_at,
});

/** @throws Error for a payment that does not exist */
export async function readPaymentRecord(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<PaymentRecord> {
  const row = await findPayment(transaction, workspaceId, id);
  if (!row) throw new Error(`payment ${id} does not exist`);
  return toPaymentRecord(row);
}
