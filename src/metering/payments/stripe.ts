// Stripe: its checkout page, and its signed reports about the outcome. It needs HTTPS and JSON, but no library.
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { StripeSettings } from "../../config.ts";
import { isUuid } from "../../contract/uuid.ts";
import { packages } from "../quota/quota.ts";
import type { PackagePayment } from "./payments.store.ts";
import { currency } from "./payments.ts";
import { type Checkout, CheckoutFailed, type PaymentProvider, type PaymentReport } from "./provider.ts";

const apiUrlDefault = "https://api.stripe.com";
/** Pins the shape of the responses that we read. */
const apiVersion = "2025-05-28.basil";
const timeoutSeconds = 10;

export const stripeProvider = (settings: StripeSettings): PaymentProvider => ({
  name: "stripe",
  openCheckout: (payment, returnUrl) => openCheckout(settings, payment, returnUrl),
});

async function openCheckout(settings: StripeSettings, payment: PackagePayment, returnUrl: string): Promise<Checkout> {
  const { apiUrl = apiUrlDefault, secretKey } = settings;
  let status: number;
  let answer: unknown;
  try {
    const response = await fetch(`${apiUrl}/v1/checkout/sessions`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${secretKey}`,
        "Content-Type": "application/x-www-form-urlencoded",
        "Stripe-Version": apiVersion,
        // Repeated for the same payment, Stripe returns the same checkout, for a day, which is as long as a checkout is open.
        "Idempotency-Key": payment.id,
      },
      body: checkoutForm(payment, returnUrl).toString(),
      redirect: "error",
      signal: AbortSignal.timeout(timeoutSeconds * 1_000),
    });
    status = response.status;
    answer = await response.json();
  } catch (cause) {
    throw new CheckoutFailed("Stripe did not respond", true, { cause });
  }
  const created = createdSession.safeParse(answer);
  if (status === 200 && created.success) return { reference: created.data.id, url: created.data.url };
  const refused = refusedRequest.safeParse(answer);
  const reason = refused.success ? refused.data.error.code || refused.data.error.type : "an unexpected response";
  // 401 and 403: the key is wrong, which the operator can fix. 409: the same request is in progress.
  const isFinal = status >= 400 && status < 500 && ![401, 403, 408, 409, 429].includes(status);
  throw new CheckoutFailed(`Stripe responded with ${status}: ${reason}`, !isFinal);
}

const createdSession = z.object({ id: z.string().regex(/^cs_\w{1,200}$/), url: z.url({ protocol: /^https$/ }) });
const refusedRequest = z.object({ error: z.object({ type: z.string().default(""), code: z.string().default("") }) });

/** All values come from the payment, because a repeated request must be identical. */
function checkoutForm({ workspace_id, id, subject, amount_cents }: PackagePayment, returnUrl: string): URLSearchParams {
  const units = packages[subject].toLocaleString("en-US");
  return new URLSearchParams({
    mode: "payment",
    client_reference_id: id,
    "metadata[payment_id]": id,
    "metadata[workspace_id]": workspace_id,
    "line_items[0][quantity]": "1",
    "line_items[0][price_data][currency]": currency,
    "line_items[0][price_data][unit_amount]": String(amount_cents),
    "line_items[0][price_data][product_data][name]": `${subject} add-on package: ${units} units`,
    success_url: `${returnUrl}?purchase=${id}`,
    cancel_url: `${returnUrl}?purchase=cancelled`,
  });
}

/** How far the time of a signature may differ from ours, in both directions. */
export const toleranceSeconds = 300;

/** Whether the body was signed with the secret a short time ago. `t=…,v1=…`: while a secret is replaced, there are several v1. */
export function isSignedByStripe(
  header: string | null,
  body: Uint8Array,
  webhookSecret: string,
  nowMilliseconds: number,
): boolean {
  const parts = (header ?? "").split(",").map((part) => part.split("=", 2));
  const [time, ...times] = parts.flatMap(([name, value]) => (name?.trim() === "t" ? [value ?? ""] : []));
  if (time === undefined || times.length > 0 || !/^\d{1,12}$/.test(time)) return false;
  if (Math.abs(nowMilliseconds / 1_000 - Number(time)) > toleranceSeconds) return false;
  const expected = createHmac("sha256", webhookSecret).update(`${time}.`).update(body).digest();
  const given = parts.flatMap(([name, value]) => (name?.trim() === "v1" ? [Buffer.from(value ?? "", "hex")] : []));
  return given.some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}

const event = z.object({
  id: z.string().regex(/^evt_\w{1,200}$/),
  type: z.string(),
  data: z.object({ object: z.unknown() }),
});
const session = z.object({
  id: z.string().regex(/^cs_\w{1,200}$/),
  object: z.literal("checkout.session"),
  payment_status: z.string(),
  amount_total: z.int().nullable(),
  currency: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
});

export type StripeEvent =
  | { readonly kind: "report"; readonly type: string; readonly report: PaymentReport }
  /** An event that does not concern us, such as another program's checkout with the same account. */
  | { readonly kind: "other"; readonly type: string; readonly eventId: string };

/** Parses a signed body. @returns undefined where it is no event of Stripe */
export function readStripeEvent(body: Uint8Array): StripeEvent | undefined {
  const read = event.safeParse(parseJson(body));
  if (!read.success) return undefined;
  const { id: eventId, type, data } = read.data;
  const other: StripeEvent = { kind: "other", type, eventId };
  const about = session.safeParse(data.object);
  if (!about.success) return other;
  const { id: reference, payment_status, amount_total, currency: paidIn, metadata } = about.data;
  const outcome = outcomeOf(type, payment_status);
  const { workspace_id: workspaceId = "", payment_id: paymentId = "" } = metadata ?? {};
  if (outcome === undefined || !isUuid(workspaceId) || !isUuid(paymentId)) return other;
  const report: PaymentReport = {
    eventId,
    workspaceId: workspaceId.toLowerCase(),
    paymentId: paymentId.toLowerCase(),
    reference,
    outcome,
    amountCents: amount_total ?? 0,
    currency: paidIn ?? "",
  };
  return { kind: "report", type, report };
}

/** A checkout may be completed before its payment, by bank debit for instance. Then a second event reports the payment. */
function outcomeOf(type: string, paymentStatus: string): PaymentReport["outcome"] | undefined {
  switch (type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded":
      return paymentStatus === "paid" ? "paid" : undefined;
    case "checkout.session.expired":
    case "checkout.session.async_payment_failed":
      return "failed";
    default:
      return undefined;
  }
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}
