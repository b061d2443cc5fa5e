// Where Stripe reports payments. It has no session: what counts is the signature over the body as it came.
import { recordAuditEntry } from "../accounts/audit/audit.ts";
import { consoleErrors } from "../contract/console/errors.ts";
import { errors } from "../contract/errors.ts";
import type { PaymentRow } from "../metering/payments/payments.store.ts";
import { type Settled, settleReport } from "../metering/payments/payments.ts";
import type { PaymentReport } from "../metering/payments/provider.ts";
import { isSignedByStripe, readStripeEvent, type StripeEvent } from "../metering/payments/stripe.ts";
import type { Transaction } from "../platform/database/database.ts";
import { toRefusal } from "../platform/http/failure.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { jsonResponse, type OutgoingResponse, refusalResponse } from "../platform/http/respond.ts";
import type { Instance } from "./call.ts";

export const stripeHookPath = "/hooks/stripe";

const bodyBytesMax = 256 * 1024;
const provider = "stripe";

type Surroundings = Pick<Instance, "config" | "database" | "clock" | "log" | "report">;

/** Answers a report. 200 only when what follows from it is durable: whatever else is said, Stripe brings it again. */
export async function answerStripeHook(
  instance: Surroundings,
  incoming: IncomingRequest,
  requestId: string,
): Promise<OutgoingResponse> {
  try {
    const event = await receive(instance, incoming);
    if (event.kind === "other") return accepted(requestId);
    const { report, type } = event;
    const settled = await instance.database.transaction(async (transaction) => {
      const outcome = await settleReport(transaction, provider, report);
      writeDown(transaction, report, outcome, incoming.clientAddress);
      return outcome;
    });
    const { kind } = settled;
    if (kind === "unknown" || kind === "mismatch" || kind === "paid before")
      instance.log.write("warn", "a payment was reported that can not be credited", {
        ...{ requestId, reason: kind, type, event: report.eventId, checkout: report.reference },
      });
    return accepted(requestId);
  } catch (error) {
    return refusalResponse(toRefusal(error, requestId, instance.report), requestId);
  }
}

async function receive({ config, clock }: Surroundings, incoming: IncomingRequest): Promise<StripeEvent> {
  if (!config.stripe) throw errors.pathUnknown();
  if (incoming.method !== "POST") throw errors.methodNotAllowed("POST");
  if ((incoming.bodyBytes ?? 0) > bodyBytesMax) throw errors.bodyTooLarge();
  const body = await incoming.readBody(bodyBytesMax);
  if (body === "too large") throw errors.bodyTooLarge();
  if (!isSignedByStripe(incoming.header("stripe-signature"), body, config.stripe.webhookSecret, clock()))
    throw consoleErrors.signatureInvalid();
  const event = readStripeEvent(body);
  if (!event) throw errors.invalid("The body is no event of Stripe's");
  return event;
}

const accepted = (requestId: string): OutgoingResponse =>
  jsonResponse(200, { success: true, data: { message: "Received" } }, requestId);

/** What somebody may have to look at later stands in the audit log, whether or not it changed something. */
function writeDown(
  transaction: Transaction,
  { eventId, reference, amountCents, currency }: PaymentReport,
  settled: Settled,
  clientAddress: string,
): void {
  const record = (action: string, payment: PaymentRow, after: Readonly<Record<string, unknown>>) =>
    recordAuditEntry(
      transaction,
      payment.workspace_id,
      { kind: "payment", id: eventId, name: "Stripe", clientAddress },
      {
        action,
        target: { kind: "payment", id: payment.id, name: payment.subject },
        before: { status: payment.status, amount_cents: payment.amount_cents },
        after: { ...after, checkout: reference, amount_cents: amountCents, currency },
      },
    );
  if (settled.kind === "paid")
    record("payment.paid", settled.payment, { status: "paid", credited: settled.isCredited });
  if (settled.kind === "failed") record("payment.failed", settled.payment, { status: "failed" });
  if (settled.kind === "mismatch") record("payment.mismatch", settled.payment, { status: settled.payment.status });
  if (settled.kind === "paid before") record("payment.paid_again", settled.payment, { status: settled.payment.status });
}
