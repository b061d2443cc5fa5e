// Stripe: a checkout page that it serves, and its signed reports of what became of it. Nothing but HTTPS and JSON; no library.
import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { StripeSettings } from "../../config.ts";
import { isUuid } from "../../contract/uuid.ts";
import { packages } from "../quota/quota.ts";
import type { PackagePayment } from "./payments.store.ts";
import { currency } from "./payments.ts";
import { type Checkout, CheckoutFailed, type PaymentProvider, type PaymentReport } from "./provider.ts";

const apiUrlDefault = "https://api.stripe.com";
/** The answers that are read here have had this shape since long before, and keep it. */
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
        // The same payment asked for again is answered with the same checkout, for a day, which is as long as one is open.
        "Idempotency-Key": payment.id,
      },
      body: checkoutForm(payment, returnUrl).toString(),
      redirect: "error",
      signal: AbortSignal.timeout(timeoutSeconds * 1_000),
    });
    status = response.status;
    answer = await response.json();
  } catch (cause) {
    throw new CheckoutFailed("Stripe did not answer", true, { cause });
  }
  const created = createdSession.safeParse(answer);
  if (status === 200 && created.success) return { reference: created.data.id, url: created.data.url };
  const refused = refusedRequest.safeParse(answer);
  const reason = refused.success ? refused.data.error.code || refused.data.error.type : "an answer of another shape";
  // 401 and 403: the key is wrong, which the operator can mend. 409: the same is being asked for just now.
  const isFinal = status >= 400 && status < 500 && ![401, 403, 408, 409, 429].includes(status);
  throw new CheckoutFailed(`Stripe answered ${status}: ${reason}`, !isFinal);
}

const createdSession = z.object({ id: z.string().regex(/^cs_\w{1,200}$/), url: z.url({ protocol: /^https$/ }) });
const refusedRequest = z.object({ error: z.object({ type: z.string().default(""), code: z.string().default("") }) });

/** All of it follows from the payment: what is asked for again must be the same, word for word. */
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
    "line_items[0][price_data][product_data][name]": `Add-on package ${subject}: ${units} requests`,
    success_url: `${returnUrl}?purchase=${id}`,
    cancel_url: `${returnUrl}?purchase=cancelled`,
  });
}

/** A signature counts for so long, in both directions, as clocks differ. */
export const toleranceSeconds = 300;

/**
 * Whether the body comes from whoever knows the secret, and now. `t=…,v1=…`: while a secret is being replaced, there are several v1.
 */
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
  /** Nothing that is waited for here, such as a checkout of somebody else's with the same account. */
  | { readonly kind: "other"; readonly type: string; readonly eventId: string };

/** What a signed body says. @returns undefined where it is no event of Stripe's */
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
    ...{ eventId, workspaceId: workspaceId.toLowerCase(), paymentId: paymentId.toLowerCase(), reference, outcome },
    amountCents: amount_total ?? 0,
    currency: paidIn ?? "",
  };
  return { kind: "report", type, report };
}

/** A checkout may be completed before the money has come, by bank debit for instance: then a second event says whether it did. */
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
