// Shared by the billing tests: a fake Stripe that answers and sends webhooks.
import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { changeCreditLimit } from "../../src/metering/payments/credit.ts";
import { afterAllTests } from "./cleanup.ts";
import type { StartedConsole } from "./console.ts";
import type { RawAnswer } from "./service.ts";

/** Lets the workspace buy packages before it pays. */
export const giveCredit = ({ admin, workspace }: Pick<StartedConsole, "admin" | "workspace">, cents = 100_000_000) =>
  admin((transaction) => changeCreditLimit(transaction, workspace.id, cents));

/** The audit log entries about the workspace's payments, oldest first. */
export const paymentAuditEntries = async ({ rows, workspace }: StartedConsole) => {
  const found = await rows<{ actor_kind: string; actor_name: string; action: string; before: string; after: string }>(
    `select actor_kind, actor_name, action, before, after from audit_log
     where workspace_id = ? and target_kind = 'payment' order by id`,
    workspace.id,
  );
  return found.map(({ before, after, ...entry }) => ({
    ...entry,
    before: JSON.parse(before),
    after: JSON.parse(after),
  }));
};

export const stripeSecrets = { secretKey: "sk_test_nobody", webhookSecret: "whsec_nobody" } as const;

export type StripeFixture =
  | "session-created"
  | "session-refused"
  | "checkout.session.completed"
  | "checkout.session.completed.unpaid"
  | "checkout.session.async_payment_succeeded"
  | "checkout.session.async_payment_failed"
  | "checkout.session.expired"
  | "payment_intent.succeeded";

// biome-ignore lint/suspicious/noExplicitAny: a test changes whatever it wants in what Stripe sends.
export const stripeFixture = (name: StripeFixture): any =>
  JSON.parse(readFileSync(join(import.meta.dir, "../fixtures/stripe", `${name}.json`), "utf8"));

export interface StripeRequest {
  readonly path: string;
  readonly headers: Headers;
  readonly form: URLSearchParams;
}

/** The part of Stripe's API that the service uses. The same idempotency key gets the same session. */
export function startStripe() {
  const requests: StripeRequest[] = [];
  const sessions = new Map<string, string>();
  let respond: ((request: StripeRequest) => Response | Promise<Response>) | undefined;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const seen: StripeRequest = {
        path: new URL(request.url).pathname,
        headers: request.headers,
        form: new URLSearchParams(await request.text()),
      };
      requests.push(seen);
      if (respond) return respond(seen);
      const key = request.headers.get("idempotency-key") ?? "";
      const id = sessions.get(key) ?? `cs_test_${crypto.randomUUID().replaceAll("-", "")}`;
      sessions.set(key, id);
      return Response.json({ ...stripeFixture("session-created"), id, url: `https://checkout.stripe.com/c/pay/${id}` });
    },
  });
  afterAllTests(() => server.stop(true));
  return {
    apiUrl: `http://127.0.0.1:${server.port}`,
    requests,
    /** Sets how it answers from now on; undefined restores the default. */
    answerWith: (answer: typeof respond) => {
      respond = answer;
    },
  };
}

export const signatureOf = (body: string, seconds: number, secret: string = stripeSecrets.webhookSecret): string =>
  createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");

export interface Report {
  readonly fixture?: StripeFixture;
  readonly paymentId: string;
  /** Changes the event before it is signed. */
  // biome-ignore lint/suspicious/noExplicitAny: a test changes whatever it wants in what Stripe sends.
  readonly change?: (event: any) => void;
  readonly eventId?: string;
  readonly sessionId?: string;
}

/** The body of a webhook event about a payment of the workspace. */
export function reportBody(
  workspaceId: string,
  { fixture = "checkout.session.completed", paymentId, change, eventId, sessionId }: Report,
): string {
  const event = stripeFixture(fixture);
  event.id = eventId ?? `evt_${crypto.randomUUID().replaceAll("-", "")}`;
  const about = event.data.object;
  about.id = sessionId ?? about.id;
  about.client_reference_id = paymentId;
  about.metadata = { payment_id: paymentId, workspace_id: workspaceId };
  change?.(event);
  return JSON.stringify(event, null, 2);
}

/** Sends an event to the webhook, signed as Stripe does unless a signature is given. */
export async function deliver(
  { fetch, origin, clock }: StartedConsole,
  body: string,
  signature: string | null = `t=${clock.now / 1_000},v1=${signatureOf(body, clock.now / 1_000)}`,
  method = "POST",
): Promise<RawAnswer> {
  const response = await fetch(`${origin}/console/hooks/stripe`, {
    method,
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      ...(signature !== null && { "Stripe-Signature": signature }),
    },
    ...(method === "POST" && { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}
