// Payments by hand: packages are credited when they are bought, and the operator records when the money arrives.
import { describe, expect, test } from "bun:test";
import { grantPackage } from "../../src/metering/quota/quota.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { giveCredit, paymentAuditEntries } from "../support/billing.ts";
import { useUnits } from "../support/charges.ts";
import { type StartedConsole, startConsole } from "../support/console.ts";
import { expectConsistentBalances } from "../support/quota-totals.ts";

/** Buyer and operator, with credit for everything that a test buys. */
const people = async (started: StartedConsole) => {
  await giveCredit(started);
  return {
    owner: await started.person({ role: "owner", name: "Grace Hopper" }),
    operator: await started.person({ isOperator: true, name: "Olive Operator" }),
  };
};

type Person = Awaited<ReturnType<StartedConsole["person"]>>;
const buy = (person: Person, name: string, purchaseId: string = crypto.randomUUID()) =>
  person.call("postPurchase", { body: { package: name, purchaseId } });
const record = (person: Person, purpose: string, subject: string, reference: string) =>
  person.call("postPayment", { body: { purpose, subject, reference } });

describe("buying a package", () => {
  test.each([
    ["100K", 100_000, 1_000],
    ["500K", 500_000, 5_000],
    ["1M", 1_000_000, 10_000],
  ])("%s credits %i units at once and leaves %i cents open", async (name, units, amount_cents) => {
    const started = await startConsole();
    const { owner } = await people(started);
    const before = await started.balance();
    const created_at = new Date(started.clock.now).toISOString();
    const { status, body } = await buy(owner, name);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          payment: {
            id: expect.any(String),
            provider: "manual",
            purpose: "package",
            subject: name,
            units,
            amount_cents,
            status: "open",
            reference: null,
            requested_by: "Grace Hopper",
            created_at,
            settled_at: null,
          },
          checkout_url: null,
          credited: true,
        },
      },
    });
    expect(await started.balance()).toBe(before + units);
    expect((await owner.call("getBilling")).body.data).toMatchObject({
      open_cents: amount_cents,
      this_month: { granted: 100_000 + units, used: 0, remaining: 100_000 + units },
    });
    expect(await paymentAuditEntries(started)).toEqual([
      {
        actor_kind: "person",
        actor_name: "Grace Hopper",
        action: "purchase.create",
        before: null,
        after: { package: name, amount_cents, provider: "manual", credited: true },
      },
    ]);
  });

  test("the same purchase sent 20 times at once is one: one credit, one payment, one act", async () => {
    const started = await startConsole();
    const { owner } = await people(started);
    const purchaseId = crypto.randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => buy(owner, "100K", purchaseId)));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(answers.filter(({ body }) => body.data.credited)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data.payment))).size).toBe(1);
    expect(await started.balance()).toBe(200_000);
    expect((await owner.call("getPayments")).body.data).toHaveLength(1);
    expect(await paymentAuditEntries(started)).toHaveLength(1);
    await expectConsistentBalances(started.rows, started.workspace.id);
  });

  test("20 different purchases at once are 20", async () => {
    const started = await startConsole();
    const { owner } = await people(started);
    await Promise.all(Array.from({ length: 20 }, () => buy(owner, "100K")));
    expect(await started.balance()).toBe(2_100_000);
    await expectConsistentBalances(started.rows, started.workspace.id);
  });

  test("the same purchase of another package is refused and changes nothing", async () => {
    const started = await startConsole();
    const { owner } = await people(started);
    const purchaseId = crypto.randomUUID();
    await buy(owner, "100K", purchaseId);
    const { status, body } = await buy(owner, "1M", purchaseId);
    expect([status, body.error]).toEqual([409, "purchase_id_used"]);
    expect(await started.balance()).toBe(200_000);
  });

  test("another workspace may choose the same purchaseId", async () => {
    const [one, other] = [await startConsole(), await startConsole()];
    const purchaseId = crypto.randomUUID();
    const bought = await Promise.all(
      [one, other].map(async (started) => buy((await people(started)).owner, "100K", purchaseId)),
    );
    expect(bought.map(({ body }) => body.data.credited)).toEqual([true, true]);
    expect(bought[0]?.body.data.payment.id).not.toBe(bought[1]?.body.data.payment.id);
  });

  test("an inactive subscription buys nothing that it could not use", async () => {
    const started = await startConsole();
    const { owner } = await people(started);
    await started.admin((transaction) =>
      transaction.run(sql`update workspaces set subscription = 'inactive' where id = ${started.workspace.id}`),
    );
    const { status, body } = await buy(owner, "100K");
    expect([status, body.error]).toEqual([409, "subscription_inactive"]);
    expect(await paymentAuditEntries(started)).toEqual([]);
  });
});

describe("the credit limit", () => {
  const credit = (limit_cents: number, open_cents: number) => ({
    limit_cents,
    open_cents,
    remaining_cents: Math.max(0, limit_cents - open_cents),
  });
  const creditOf = async (person: Person) => (await person.call("getBilling")).body.data.credit;
  const refusal = (price: string, remaining: string, limit: string) => [
    409,
    "credit_exceeded",
    `The package costs ${price}, but only ${remaining} of this workspace's ${limit} credit limit is left. Ask the operator of this service to raise the limit or to record payments`,
  ];
  const outcomeOf = ({ status, body }: Awaited<ReturnType<typeof buy>>) => [status, body.error, body.message];

  test("the credit limit is 0 at first, and a refused purchase changes nothing", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner" });
    expect(outcomeOf(await buy(owner, "100K"))).toEqual(refusal("$10.00", "$0.00", "$0.00"));
    expect(await creditOf(owner)).toEqual(credit(0, 0));
    expect(await started.balance()).toBe(100_000);
    expect((await owner.call("getPayments")).body.data).toEqual([]);
    expect(await paymentAuditEntries(started)).toEqual([]);
  });

  test("the credit limit is exact with 20 purchases at once; a repeat uses no more credit, and a payment allows another purchase", async () => {
    const started = await startConsole();
    const { owner, operator } = await people(started);
    const set = await operator.call("putCreditLimit", { body: { limitCents: 1_999 } });
    expect([set.status, set.body.data]).toEqual([200, credit(1_999, 0)]);
    const purchaseIds = Array.from({ length: 20 }, () => crypto.randomUUID());
    const answers = await Promise.all(purchaseIds.map((purchaseId) => buy(owner, "100K", purchaseId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect(await creditOf(owner)).toEqual(credit(1_999, 1_000));
    expect(await started.balance()).toBe(200_000);
    expect(outcomeOf(await buy(owner, "100K"))).toEqual(refusal("$10.00", "$9.99", "$19.99"));
    const bought = answers.findIndex(({ status }) => status === 200);
    const again = await buy(owner, "100K", purchaseIds[bought]);
    expect(again.status).toBe(200);
    const { id } = again.body.data.payment;
    await record(operator, "package", id, `bank ${id}`);
    expect((await buy(owner, "100K")).status).toBe(200);
    expect((await buy(owner, "100K")).status).toBe(409);
    expect(await creditOf(owner)).toEqual(credit(1_999, 1_000));
    await expectConsistentBalances(started.rows, started.workspace.id);
  });

  test("is set by the operator alone, who is not bound by it; below what is open, nothing more is bought", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner" });
    const operator = await started.person({ role: "owner", isOperator: true, name: "Olive Operator" });
    const set = (person: Person, limitCents: unknown) => person.call("putCreditLimit", { body: { limitCents } });
    expect((await set(owner, 5_000)).status).toBe(403);
    for (const wrong of [-1, 0.5, "1", 100_000_001, null]) expect((await set(operator, wrong)).status).toBe(400);
    expect((await buy(operator, "500K")).status).toBe(200);
    await set(operator, 4_000);
    expect(await creditOf(owner)).toEqual(credit(4_000, 5_000));
    expect(outcomeOf(await buy(owner, "100K"))).toEqual(refusal("$10.00", "$0.00", "$40.00"));
    const [entry] = await started.rows<{ actor_name: string; before: string; after: string }>(
      "select actor_name, before, after from audit_log where workspace_id = ? and action = 'credit_limit.change'",
      started.workspace.id,
    );
    expect(entry).toEqual({
      actor_name: "Olive Operator",
      before: '{"credit_limit":"$0.00"}',
      after: '{"credit_limit":"$40.00"}',
    });
  });
});

describe("recording that a package was paid", () => {
  test("makes it paid, once; the same again says the same", async () => {
    const started = await startConsole();
    const { owner, operator } = await people(started);
    const { id } = (await buy(owner, "100K")).body.data.payment;
    const reference = `bank ${id}`;
    const now = new Date(started.clock.now).toISOString();
    const answers = await Promise.all(Array.from({ length: 10 }, () => record(operator, "package", id, reference)));
    for (const { status, body } of answers)
      expect({ status, data: body.data }).toEqual({
        status: 200,
        data: {
          id,
          provider: "manual",
          purpose: "package",
          subject: "100K",
          units: 100_000,
          amount_cents: 1_000,
          status: "paid",
          reference,
          requested_by: "Grace Hopper",
          created_at: now,
          settled_at: now,
        },
      });
    expect(await started.balance()).toBe(200_000);
    expect((await owner.call("getBilling")).body.data.open_cents).toBe(0);
    expect((await paymentAuditEntries(started)).map(({ action, actor_name }) => [action, actor_name])).toEqual([
      ["purchase.create", "Grace Hopper"],
      ["payment.record", "Olive Operator"],
    ]);
  });

  test("with another reference it was paid before; a reference stands for one payment in the whole instance", async () => {
    const [started, elsewhere] = [await startConsole(), await startConsole()];
    const { owner, operator } = await people(started);
    const [first, second] = [(await buy(owner, "100K")).body.data, (await buy(owner, "100K")).body.data];
    const reference = `bank ${first.payment.id}`;
    await record(operator, "package", first.payment.id, reference);
    const again = await record(operator, "package", first.payment.id, "another");
    expect([again.status, again.body.error]).toEqual([409, "paid_before"]);
    const used = await record(operator, "package", second.payment.id, reference);
    expect([used.status, used.body.error]).toEqual([409, "reference_used"]);
    const others = await people(elsewhere);
    const third = (await buy(others.owner, "100K")).body.data;
    const abroad = await record(others.operator, "package", third.payment.id, reference);
    expect([abroad.status, abroad.body.error]).toEqual([409, "reference_used"]);
    expect((await owner.call("getBilling")).body.data.open_cents).toBe(1_000);
  });

  test("a payment of another workspace, one that is not there and what is no id look the same", async () => {
    const [started, elsewhere] = [await startConsole(), await startConsole()];
    const { operator } = await people(started);
    const foreign = (await buy((await people(elsewhere)).owner, "100K")).body.data.payment.id;
    for (const subject of [foreign, crypto.randomUUID(), "2026-02", "'; drop table payments"]) {
      const { status, body } = await record(operator, "package", subject, `x ${crypto.randomUUID()}`);
      expect({ status, body }).toEqual({
        status: 404,
        body: { success: false, message: "Payment not found", error: "payment_not_found", requestId: body.requestId },
      });
    }
  });

  test("is the operator's alone", async () => {
    const started = await startConsole();
    const { owner } = await people(started);
    const { id } = (await buy(owner, "100K")).body.data.payment;
    const { status, body } = await record(owner, "package", id, "I paid, honestly");
    expect([status, body.error]).toEqual([403, "forbidden"]);
  });
});

describe("recording that an invoice was paid", () => {
  const withInvoice = async () => {
    const started = await startConsole({ at: "2026-03-31T12:00:00.000Z" });
    const { owner } = await people(started);
    await useUnits(started, 12_350);
    await buy(owner, "100K");
    await started.admin((transaction) => grantPackage(transaction, started.workspace.id, "500K", "by command"));
    started.clock.advance(86_400);
    // The earlier session entered its password a day ago.
    const { operator } = await people(started);
    return { started, owner, operator };
  };

  test("says truly what is paid and what is due", async () => {
    const { started, owner } = await withInvoice();
    const { body } = await owner.call("getInvoices");
    expect(body.data).toEqual([
      {
        workspace_id: started.workspace.id,
        workspace_name: "Test workspace",
        number: null,
        month: "2026-03",
        issued_at: "2026-04-01T00:00:00.000Z",
        lines: [
          {
            description: "Units from the monthly allowance",
            units: 12_350,
            unit_price_microdollars: 100,
            amount_microdollars: 1_235_000,
            is_paid: false,
            paid_at: null,
            reference: null,
          },
          {
            description: "100K add-on package",
            units: 100_000,
            unit_price_microdollars: 100,
            amount_microdollars: 10_000_000,
            is_paid: false,
            paid_at: null,
            reference: null,
          },
          {
            description: "500K add-on package",
            units: 500_000,
            unit_price_microdollars: 100,
            amount_microdollars: 50_000_000,
            is_paid: true,
            paid_at: "2026-03-31T12:00:00.000Z",
            reference: "by command",
          },
        ],
        total_cents: 6_124,
        paid_cents: 5_000,
        due_cents: 1_124,
        paid_at: null,
      },
    ]);
    expect((await owner.call("getBilling")).body.data.open_cents).toBe(1_124);
  });

  test("settles all that was due on it, packages too, once however often it is said", async () => {
    const { started, owner, operator } = await withInvoice();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => record(operator, "invoice", "2026-03", "transfer 7")),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(answers[0]?.body.data).toMatchObject({
      purpose: "invoice",
      subject: "2026-03",
      units: null,
      amount_cents: 124,
      status: "paid",
      reference: "transfer 7",
      requested_by: "Olive Operator",
    });
    const invoice = (await owner.call("getInvoice", { query: { month: "2026-03" } })).body.data;
    expect(invoice).toMatchObject({
      total_cents: 6_124,
      paid_cents: 6_124,
      due_cents: 0,
      paid_at: "2026-04-01T12:00:00.000Z",
      lines: [{ reference: "transfer 7" }, { reference: "transfer 7" }, { reference: "by command" }],
    });
    const payments = (await owner.call("getPayments")).body.data;
    expect(payments.map((one: { amount_cents: number; status: string }) => [one.amount_cents, one.status])).toEqual([
      [124, "paid"],
      [1_000, "paid"],
    ]);
    expect((await owner.call("getBilling")).body.data.open_cents).toBe(0);
    expect((await paymentAuditEntries(started)).map(({ action }) => action)).toEqual([
      "purchase.create",
      "payment.record",
      "payment.record",
    ]);
  });

  test("two operators with different references at once: one of them counts", async () => {
    const { started, operator } = await withInvoice();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => record(operator, "invoice", "2026-03", `transfer ${index}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    // A reference that was not credited can be used for the right payment.
    const { owner } = await people(started);
    const { id } = (await buy(owner, "100K")).body.data.payment;
    const loser = answers.findIndex(({ status }) => status === 409);
    expect((await record(operator, "package", id, `transfer ${loser}`)).status).toBe(200);
  });

  test("a package that was paid before is not paid again with the invoice", async () => {
    const { owner, operator } = await withInvoice();
    const [{ id }] = (await owner.call("getPayments")).body.data;
    await record(operator, "package", id, "for the package");
    const { body } = await record(operator, "invoice", "2026-03", "for the rest");
    expect(body.data).toMatchObject({ amount_cents: 124, reference: "for the rest" });
    const { lines } = (await owner.call("getInvoice", { query: { month: "2026-03" } })).body.data;
    expect(lines.map((line: { reference: string }) => line.reference)).toEqual([
      "for the rest",
      "for the package",
      "by command",
    ]);
  });

  test("a month that is not over, one without usage and what is no month have no invoice", async () => {
    const { operator } = await withInvoice();
    for (const month of ["2026-04", "2026-02", "march", "0000-00"])
      expect((await record(operator, "invoice", month, "early")).body.error).toBe("invoice_not_found");
  });

  test("where nothing is due, nothing can be paid", async () => {
    const started = await startConsole({ at: "2026-03-31T12:00:00.000Z" });
    await useUnits(started, 49);
    started.clock.advance(86_400);
    const { operator } = await people(started);
    const { status, body } = await record(operator, "invoice", "2026-03", "transfer");
    expect([status, body.error]).toEqual([409, "nothing_due"]);
  });
});

test("payments are listed newest first, page by page", async () => {
  const started = await startConsole();
  const { owner } = await people(started);
  for (let index = 0; index < 5; index += 1) await buy(owner, "100K");
  const all = (await owner.call("getPayments")).body;
  expect(all.nextCursor).toBeNull();
  const seen: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { body }: { body: { data: { id: string }[]; nextCursor: string | null } } = await owner.call("getPayments", {
      query: { limit: 2, ...(cursor !== "" && { cursor }) },
    });
    seen.push(...body.data.map(({ id }) => id));
    cursor = body.nextCursor;
  }
  expect(seen).toEqual(all.data.map(({ id }: { id: string }) => id));
  for (const foreign of ["WzEsMl0", Buffer.from('["x","y"]').toString("base64url")])
    expect((await owner.call("getPayments", { query: { cursor: foreign } })).status).toBe(400);
});
