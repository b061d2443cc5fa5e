// Payments by Stripe: its checkout and its signed webhooks. Only Stripe's webhooks credit a payment, and each does so once.
import { describe, expect, test } from "bun:test";
import {
  deliver,
  paymentAuditEntries,
  type Report,
  reportBody,
  type StripeFixture,
  signatureOf,
  startStripe,
  stripeFixture,
  stripeSecrets,
} from "../support/billing.ts";
import { type StartedConsole, startConsole } from "../support/console.ts";
import { expectConsistentBalances } from "../support/quota-totals.ts";

const at = "2026-03-15T12:00:00.000Z";

/** A service with payments by Stripe, and an owner. */
const startPaid = async () => {
  const stripe = startStripe();
  const started = await startConsole({ at, config: { stripe: { ...stripeSecrets, apiUrl: stripe.apiUrl } } });
  const owner = await started.person({ role: "owner", name: "Grace Hopper" });
  const buy = (name = "100K", purchaseId: string = crypto.randomUUID()) =>
    owner.call("postPurchase", { body: { package: name, purchaseId } });
  const report = (given: Report) => deliver(started, reportBody(started.workspace.id, given));
  const statusOf = async (id: string) => {
    const { body } = await owner.call("getPayments");
    return body.data.find((payment: { id: string }) => payment.id === id)?.status;
  };
  return { stripe, started, owner, buy, report, statusOf };
};

/** A purchase whose checkout is open. */
const startBought = async () => {
  const paid = await startPaid();
  const { payment } = (await paid.buy()).body.data;
  return { ...paid, paymentId: payment.id as string, sessionId: payment.reference as string };
};

const warningsOf = ({ lines }: StartedConsole) =>
  lines.map((line) => JSON.parse(line)).filter(({ message }) => message === "payment reported but not credited");

describe("buying a package", () => {
  test("opens a checkout with the package's price and credits nothing", async () => {
    const { stripe, started, owner, buy } = await startPaid();
    const { status, body } = await buy("500K");
    const { payment } = body.data;
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: {
        payment: {
          id: expect.any(String),
          provider: "stripe",
          purpose: "package",
          subject: "500K",
          units: 500_000,
          amount_cents: 5_000,
          status: "open",
          reference: expect.stringMatching(/^cs_test_/),
          requested_by: "Grace Hopper",
          created_at: at,
          settled_at: null,
        },
        checkout_url: `https://checkout.stripe.com/c/pay/${payment.reference}`,
        credited: false,
      },
    });
    expect(await started.balance()).toBe(100_000);
    expect((await owner.call("getBilling")).body.data).toMatchObject({ provider: "stripe", open_cents: 0 });
    const [request, ...others] = stripe.requests;
    expect(others).toEqual([]);
    expect(request?.path).toBe("/v1/checkout/sessions");
    expect(Object.fromEntries(request?.form ?? [])).toEqual({
      mode: "payment",
      client_reference_id: payment.id,
      "metadata[payment_id]": payment.id,
      "metadata[workspace_id]": started.workspace.id,
      "line_items[0][quantity]": "1",
      "line_items[0][price_data][currency]": "usd",
      "line_items[0][price_data][unit_amount]": "5000",
      "line_items[0][price_data][product_data][name]": "500K add-on package: 500,000 units",
      success_url: `${started.origin}/console/w/${started.workspace.id}/billing?purchase=${payment.id}`,
      cancel_url: `${started.origin}/console/w/${started.workspace.id}/billing?purchase=cancelled`,
    });
    expect(request?.headers.get("authorization")).toBe("Bearer sk_test_nobody");
    expect(request?.headers.get("idempotency-key")).toBe(payment.id);
    expect(request?.headers.get("content-type")).toBe("application/x-www-form-urlencoded");
  });

  test("the same purchase again is the same checkout", async () => {
    const { stripe, buy, owner } = await startPaid();
    const purchaseId = crypto.randomUUID();
    const [first, second] = [await buy("100K", purchaseId), await buy("100K", purchaseId)];
    expect(second.body.data).toEqual(first.body.data);
    expect(stripe.requests.map(({ form }) => form.toString())).toEqual(
      Array(2).fill(stripe.requests[0]?.form.toString() ?? ""),
    );
    expect((await owner.call("getPayments")).body.data).toHaveLength(1);
  });

  test("what is paid is bought no more: the same purchase again leads to no checkout", async () => {
    const { buy, report } = await startPaid();
    const purchaseId = crypto.randomUUID();
    const { payment } = (await buy("100K", purchaseId)).body.data;
    await report({ paymentId: payment.id, sessionId: payment.reference });
    expect((await buy("100K", purchaseId)).body.data).toMatchObject({
      checkout_url: null,
      credited: false,
      payment: { status: "paid" },
    });
  });

  const isDown: readonly [string, () => Response][] = [
    ["fails", () => Response.json({ error: { type: "api_error" } }, { status: 500 })],
    ["refuses the key", () => Response.json({ error: { type: "invalid_request_error" } }, { status: 401 })],
    ["answers with a page", () => new Response("<html>", { status: 200 })],
    ["leads elsewhere", () => Response.redirect("http://127.0.0.1:1/", 302)],
    ["names an address that is none", () => Response.json({ id: "cs_test_1", url: "javascript:alert(1)" })],
  ];
  test.each(isDown)("when Stripe %s, the person is told, and may try the same again", async (_, answer) => {
    const { stripe, started, buy, owner } = await startPaid();
    const purchaseId = crypto.randomUUID();
    stripe.answerWith(answer);
    const { status, body } = await buy("100K", purchaseId);
    expect([status, body.error]).toEqual([502, "payment_provider_failed"]);
    expect(started.lines.join("\n")).toContain("could not create a checkout session");
    expect(started.lines.join("\n")).not.toContain(stripeSecrets.secretKey);
    stripe.answerWith(undefined);
    expect((await buy("100K", purchaseId)).body.data.checkout_url).toStartWith("https://checkout.stripe.com/");
    expect((await owner.call("getPayments")).body.data).toHaveLength(1);
  });

  test("when Stripe refuses for good, the payment has failed", async () => {
    const { stripe, started, buy, statusOf, owner } = await startPaid();
    stripe.answerWith(() => Response.json(stripeFixture("session-refused"), { status: 400 }));
    const { status, body } = await buy();
    expect([status, body.error]).toEqual([502, "payment_provider_failed"]);
    const [payment] = (await owner.call("getPayments")).body.data;
    expect(await statusOf(payment.id)).toBe("failed");
    expect(await started.balance()).toBe(100_000);
  });
});

describe("a report", () => {
  test("of a paid checkout credits the package", async () => {
    const { started, owner, report, paymentId, sessionId } = await startBought();
    started.clock.advance(60);
    const { status, body, headers } = await report({ paymentId, sessionId });
    expect({ status, body }).toEqual({ status: 200, body: { success: true, data: { message: "Received" } } });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(await started.balance()).toBe(200_000);
    expect((await owner.call("getPayments")).body.data).toMatchObject([
      { id: paymentId, status: "paid", reference: sessionId, settled_at: "2026-03-15T12:01:00.000Z" },
    ]);
    expect(await paymentAuditEntries(started)).toMatchObject([
      { action: "purchase.create", after: { credited: false } },
      {
        actor_kind: "payment",
        actor_name: "Stripe",
        action: "payment.paid",
        before: { status: "open", amount_cents: 1_000 },
        after: { status: "paid", credited: true, checkout: sessionId, amount_cents: 1_000, currency: "usd" },
      },
    ]);
    await expectConsistentBalances(started.rows, started.workspace.id);
  });

  test("brought 20 times at once credits once", async () => {
    const { started, report, paymentId, sessionId } = await startBought();
    const same = { paymentId, sessionId, eventId: "evt_same" } as const;
    const answers = await Promise.all(Array.from({ length: 20 }, () => report(same)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await started.balance()).toBe(200_000);
    expect((await paymentAuditEntries(started)).map(({ action }) => action)).toEqual([
      "purchase.create",
      "payment.paid",
    ]);
  });

  test("of the same checkout by 20 different events at once credits once", async () => {
    const { started, report, paymentId, sessionId } = await startBought();
    const answers = await Promise.all(Array.from({ length: 20 }, () => report({ paymentId, sessionId })));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await started.balance()).toBe(200_000);
    expect((await paymentAuditEntries(started)).map(({ action }) => action)).toEqual([
      "purchase.create",
      "payment.paid",
    ]);
    expect(warningsOf(started)).toEqual([]);
    await expectConsistentBalances(started.rows, started.workspace.id);
  });

  test("in a later month credits that month, whose invoice shows it as paid", async () => {
    const { started, report, paymentId, sessionId } = await startBought();
    started.clock.advance(20 * 86_400);
    await report({ paymentId, sessionId });
    expect(await started.balance()).toBe(200_000);
    started.clock.advance(30 * 86_400);
    const owner = await started.person({ role: "owner" });
    expect((await owner.call("getInvoices")).body.data).toMatchObject([
      { month: "2026-04", due_cents: 0, paid_cents: 1_000, lines: [{ is_paid: true, reference: sessionId }] },
    ]);
  });

  test("of a checkout whose money is on its way credits when it has come", async () => {
    const { started, report, paymentId, sessionId, statusOf } = await startBought();
    await report({ paymentId, sessionId, fixture: "checkout.session.completed.unpaid" });
    expect([await started.balance(), await statusOf(paymentId)]).toEqual([100_000, "open"]);
    await report({ paymentId, sessionId, fixture: "checkout.session.async_payment_succeeded" });
    expect([await started.balance(), await statusOf(paymentId)]).toEqual([200_000, "paid"]);
  });

  test.each(["checkout.session.expired", "checkout.session.async_payment_failed"] as const)(
    "%s: the payment has failed, and nothing is credited",
    async (fixture) => {
      const { started, report, paymentId, sessionId, statusOf } = await startBought();
      await report({ paymentId, sessionId, fixture });
      expect([await started.balance(), await statusOf(paymentId)]).toEqual([100_000, "failed"]);
      expect((await paymentAuditEntries(started)).map(({ action }) => action)).toEqual([
        "purchase.create",
        "payment.failed",
      ]);
    },
  );

  test("events come in any order: who paid has paid", async () => {
    const { started, report, paymentId, sessionId, statusOf } = await startBought();
    await report({ paymentId, sessionId, fixture: "checkout.session.expired" });
    await report({ paymentId, sessionId });
    await report({ paymentId, sessionId, fixture: "checkout.session.expired" });
    expect([await started.balance(), await statusOf(paymentId)]).toEqual([200_000, "paid"]);
  });

  test("that came before the answer about the checkout was stored credits too", async () => {
    const { stripe, started, buy, report } = await startPaid();
    stripe.answerWith(() => new Response(null, { status: 500 }));
    await buy();
    const [{ id: paymentId }] = await started
      .rows<{ id: string }>("select id from payments where workspace_id = ?", started.workspace.id)
      .then((rows) => rows as [{ id: string }]);
    await report({ paymentId, sessionId: "cs_test_lost" });
    expect(await started.balance()).toBe(200_000);
  });

  test.each([
    ["another amount", (event) => (event.data.object.amount_total = 1)],
    ["no amount", (event) => (event.data.object.amount_total = null)],
    ["another currency", (event) => (event.data.object.currency = "jpy")],
  ] satisfies [string, NonNullable<Report["change"]>][])(
    "with %s credits nothing; it is logged and audited",
    async (_, change) => {
      const { started, report, paymentId, sessionId, statusOf } = await startBought();
      expect((await report({ paymentId, sessionId, change })).status).toBe(200);
      expect([await started.balance(), await statusOf(paymentId)]).toEqual([100_000, "open"]);
      expect(warningsOf(started)).toMatchObject([{ level: "warn", reason: "mismatch", checkoutId: sessionId }]);
      expect((await paymentAuditEntries(started)).map(({ action }) => action)).toEqual([
        "purchase.create",
        "payment.mismatch",
      ]);
    },
  );

  test("of a payment that is not there, or in another workspace, is accepted, logged and credits nobody", async () => {
    const { started, report, paymentId, sessionId } = await startBought();
    const elsewhere = await started.admin(async (transaction) => {
      const { createWorkspace } = await import("../../src/accounts/workspaces/workspaces.ts");
      return createWorkspace(transaction, "Other", 5);
    });
    expect((await report({ paymentId: crypto.randomUUID(), sessionId })).status).toBe(200);
    const foreign = reportBody(elsewhere.id, { paymentId, sessionId });
    expect((await deliver(started, foreign)).status).toBe(200);
    expect(warningsOf(started).map(({ reason }) => reason)).toEqual(["unknown", "unknown"]);
    expect(await started.balance()).toBe(100_000);
  });

  test("paid again, by another checkout or after the operator recorded it, credits once and is written down", async () => {
    const { started, report, paymentId, sessionId } = await startBought();
    const operator = await started.person({ isOperator: true });
    const body = { purpose: "package", subject: paymentId, reference: "seen at the bank" };
    expect((await operator.call("postPayment", { body })).body.data).toMatchObject({ status: "paid" });
    expect(await started.balance()).toBe(200_000);
    expect((await report({ paymentId, sessionId })).status).toBe(200);
    expect(await started.balance()).toBe(200_000);
    expect(warningsOf(started)).toMatchObject([{ reason: "paid before" }]);
    expect((await paymentAuditEntries(started)).map(({ action }) => action)).toEqual([
      ...["purchase.create", "payment.record", "payment.paid_again"],
    ]);
  });

  test("that nobody waits for is accepted and changes nothing", async () => {
    const { started, report, paymentId } = await startBought();
    const fixtures: StripeFixture[] = ["payment_intent.succeeded"];
    for (const fixture of fixtures) expect((await report({ paymentId, fixture })).status).toBe(200);
    const noMetadata = reportBody(started.workspace.id, {
      paymentId,
      change: (event) => {
        event.data.object.metadata = {};
      },
    });
    expect((await deliver(started, noMetadata)).status).toBe(200);
    expect(await started.balance()).toBe(100_000);
  });
});

describe("the signature", () => {
  const seconds = Date.parse(at) / 1_000;

  test.each([
    ["no header", () => null],
    ["an empty one", () => ""],
    ["another secret", (body: string) => `t=${seconds},v1=${signatureOf(body, seconds, "whsec_other")}`],
    ["another body", (body: string) => `t=${seconds},v1=${signatureOf(`${body} `, seconds)}`],
    ["another time than was signed", (body: string) => `t=${seconds + 1},v1=${signatureOf(body, seconds)}`],
    ["a time too long ago", (body: string) => `t=${seconds - 301},v1=${signatureOf(body, seconds - 301)}`],
    ["a time too far ahead", (body: string) => `t=${seconds + 301},v1=${signatureOf(body, seconds + 301)}`],
    ["no time", (body: string) => `v1=${signatureOf(body, seconds)}`],
    ["two times", (body: string) => `t=${seconds},t=${seconds},v1=${signatureOf(body, seconds)}`],
    ["an older scheme only", (body: string) => `t=${seconds},v0=${signatureOf(body, seconds)}`],
    ["half a signature", (body: string) => `t=${seconds},v1=${signatureOf(body, seconds).slice(0, 32)}`],
    ["what is no signature", () => `t=${seconds},v1=zz,v1=`],
  ] satisfies [string, (body: string) => string | null][])(
    "with %s: 400, and nothing is credited",
    async (_, header) => {
      const { started, paymentId, sessionId } = await startBought();
      const body = reportBody(started.workspace.id, { paymentId, sessionId });
      const answer = await deliver(started, body, header(body));
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 400,
        body: {
          success: false,
          message: "The signature is invalid or too old",
          error: "invalid_signature",
          requestId: expect.any(String),
        },
      });
      expect(await started.balance()).toBe(100_000);
    },
  );

  test.each([
    ["at the edge of the past", (body: string) => `t=${seconds - 300},v1=${signatureOf(body, seconds - 300)}`],
    ["at the edge of the future", (body: string) => `t=${seconds + 300},v1=${signatureOf(body, seconds + 300)}`],
    [
      "beside that of an older secret",
      (body: string) =>
        `t=${seconds}, v0=00, v1=${signatureOf(body, seconds, "whsec_older")}, v1=${signatureOf(body, seconds)}`,
    ],
  ] satisfies [string, (body: string) => string][])("right %s is accepted", async (_, header) => {
    const { started, paymentId, sessionId } = await startBought();
    const body = reportBody(started.workspace.id, { paymentId, sessionId });
    expect((await deliver(started, body, header(body))).status).toBe(200);
    expect(await started.balance()).toBe(200_000);
  });
});

describe("the hook", () => {
  test("is not there without Stripe's settings", async () => {
    const started = await startConsole();
    const body = reportBody(started.workspace.id, { paymentId: crypto.randomUUID() });
    expect((await deliver(started, body)).status).toBe(404);
  });

  test("takes POST only, 256 KiB at most, and events only", async () => {
    const { started } = await startPaid();
    const other = await deliver(started, "", null, "GET");
    expect([other.status, other.headers.get("allow")]).toEqual([405, "POST"]);
    const large = `{"pad":"${"x".repeat(256 * 1_024)}"}`;
    expect((await deliver(started, large)).status).toBe(413);
    for (const body of ["", "{", "[]", '{"id":1}', "null"]) {
      const { status, body: answer } = await deliver(started, body);
      expect([status, answer.error]).toEqual([400, "invalid_request"]);
    }
  });

  test("does not say 200 before what follows is durable", async () => {
    const { started, report, paymentId, sessionId } = await startBought();
    const { engine } = await import("../support/engine.ts");
    const connection = await engine.connect(started.dataDirectory);
    for (const statement of engine.refuseInserts("quota_grants", "no grant today")) await connection.run(statement);
    const eventId = "evt_tried_again";
    const failed = await report({ paymentId, sessionId, eventId });
    expect(failed.status).toBeGreaterThanOrEqual(500);
    for (const statement of engine.allowInserts("quota_grants")) await connection.run(statement);
    await connection.close();
    expect((await report({ paymentId, sessionId, eventId })).status).toBe(200);
    expect(await started.balance()).toBe(200_000);
  });
});
