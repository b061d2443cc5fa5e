// The webhook where Stripe reports payments. It has no session; the signature over the unchanged body authenticates it.
import { recordAuditEntry } from "../accounts/audit/audit.ts";
import { consoleErrors } from "../contract/console/errors.ts";
import { errors } from "../contract/errors.ts";
import type { PaymentRow } from "../metering/payments/payments.store.ts";
import { type ReportOutcome, settleReport } from "../metering/payments/payments.ts";
import type { PaymentReport } from "../metering/payments/provider.ts";
import { isSignedByStripe, readStripeEvent, type StripeEvent } from "../metering/payments/stripe.ts";
import type { Transaction } from "../platform/database/database.ts";
import { toRefusal } from "../platform/http/failure.ts";
import type { IncomingRequest } from "../platform/http/receive.ts";
import { jsonResponse, type OutgoingResponse, refusalResponse } from "../platform/http/respond.ts";
import type { ConsoleContext } from "./call.ts";

export const stripeHookPath = "/hooks/stripe";

const bodyBytesMax = 256 * 1024;
const provider = "stripe";

type HookDependencies = Pick<ConsoleContext, "config" | "database" | "clock" | "log" | "report">;

/** Answers a report. 200 only when its effect is durable: after any other answer, Stripe repeats the report. */
export async function handleStripeHook(
  context: HookDependencies,
  request: IncomingRequest,
  requestId: string,
): Promise<OutgoingResponse> {
  try {
    const event = await receive(context, request);
    if (event.kind === "other") return accepted(requestId);
    const { report, type } = event;
    const outcome = await context.database.transaction(async (transaction) => {
      const settled = await settleReport(transaction, provider, report);
      auditReport(transaction, report, settled, request.clientAddress);
      return settled;
    });
    const { kind } = outcome;
    if (kind === "unknown" || kind === "mismatch" || kind === "paid before")
      context.log.write("warn", "payment reported but not credited", {
        requestId,
        reason: kind,
        type,
        eventId: report.eventId,
        checkoutId: report.reference,
      });
    return accepted(requestId);
  } catch (error) {
    return refusalResponse(toRefusal(error, requestId, context.report), requestId);
  }
}

async function receive({ config, clock }: HookDependencies, request: IncomingRequest): Promise<StripeEvent> {
  if (!config.stripe) throw errors.pathUnknown();
  if (request.method !== "POST") throw errors.methodNotAllowed("POST");
  if ((request.bodyBytes ?? 0) > bodyBytesMax) throw errors.bodyTooLarge();
  const body = await request.readBody(bodyBytesMax);
  if (body === "too large") throw errors.bodyTooLarge();
  if (!isSignedByStripe(request.header("stripe-signature"), body, config.stripe.webhookSecret, clock()))
    throw consoleErrors.signatureInvalid();
  const event = readStripeEvent(body);
  if (!event) throw errors.invalid("The body is not a Stripe event");
  return event;
}

const accepted = (requestId: string): OutgoingResponse =>
  jsonResponse(200, { success: true, data: { message: "Received" } }, requestId);

/** Audits what a person may have to look at later, even if it changed nothing. */
function auditReport(
  transaction: Transaction,
  { eventId, reference, amountCents, currency }: PaymentReport,
  outcome: ReportOutcome,
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
  const { kind } = outcome;
  if (kind === "paid") record("payment.paid", outcome.payment, { status: "paid", credited: outcome.isCredited });
  if (kind === "failed") record("payment.failed", outcome.payment, { status: "failed" });
  if (kind === "mismatch") record("payment.mismatch", outcome.payment, { status: outcome.payment.status });
  if (kind === "paid before") record("payment.paid_again", outcome.payment, { status: outcome.payment.status });
}
