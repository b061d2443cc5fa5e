// The console's operations about price, invoices and payments: the figures, and who may see and do what.
import { describe, expect, test } from "bun:test";
import { changeWorkspace } from "../src/workspaces/workspaces.ts";
import { useUnits } from "./support/billing.ts";
import { type StartedConsole, startConsole } from "./support/console.ts";

const at = "2026-03-15T12:00:00.000Z";

describe("billing", () => {
  test("says the price, the packages and what this month costs so far", async () => {
    const started = await startConsole({ at });
    const owner = await started.person({ role: "owner" });
    await useUnits(started, 12_345);
    const { status, body } = await owner.call("getBilling");
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          provider: "manual",
          unit_price: "10 USD per 100,000 units",
          monthly_requests: 100_000,
          packages: [
            { name: "100K", units: 100_000, price_cents: 1_000 },
            { name: "500K", units: 500_000, price_cents: 5_000 },
            { name: "1M", units: 1_000_000, price_cents: 10_000 },
          ],
          this_month: {
            month: "2026-03",
            granted: 100_000,
            used: 12_345,
            remaining: 87_655,
            used_of_allowance: 12_345,
            unit_price_microdollars: 100,
            amount_microdollars: 1_234_500,
            amount_cents: 123,
            grants: [{ kind: "monthly", units: 100_000, remaining: 87_655, reference: null, created_at: at }],
            ends_at: "2026-04-01T00:00:00.000Z",
          },
          open_cents: 0,
        },
      },
    });
  });

  test("what this month costs so far is what its invoice says", async () => {
    const started = await startConsole({ at: "2026-03-31T12:00:00.000Z" });
    const owner = await started.person({ role: "owner" });
    await started.admin((transaction) =>
      changeWorkspace(transaction, started.workspace.id, { monthly_requests: 5_000 }),
    );
    await owner.call("postPurchase", { body: { package: "100K", purchaseId: crypto.randomUUID() } });
    await useUnits(started, 7_050);
    const { this_month: soFar, open_cents } = (await owner.call("getBilling")).body.data;
    expect(soFar).toMatchObject({ used: 7_050, used_of_allowance: 5_000, amount_cents: 50, remaining: 97_950 });
    started.clock.advance(86_400);
    const [invoice] = (await owner.call("getInvoices")).body.data;
    expect(invoice.due_cents).toBe(soFar.amount_cents + open_cents);
    expect(invoice.lines[0]).toMatchObject({
      ...{ units: soFar.used_of_allowance, amount_microdollars: soFar.amount_microdollars },
    });
  });

  test("an invoice of a month that is not over, or of a month without usage, is not there", async () => {
    const started = await startConsole({ at });
    const owner = await started.person({ role: "owner" });
    await useUnits(started, 5);
    expect((await owner.call("getInvoices")).body.data).toEqual([]);
    for (const month of ["2026-03", "2026-02", "1999-12"]) {
      const { status, body } = await owner.call("getInvoice", { query: { month } });
      expect([status, body.error]).toEqual([404, "invoice_not_found"]);
      expect((await owner.call("getInvoicePdf", { query: { month } })).status).toBe(404);
    }
    for (const month of ["2026-13", "March", "2026-3", "2026-03-01", "../../etc/passwd"])
      expect((await owner.call("getInvoice", { query: { month } })).status).toBe(400);
  });

  test("the numbers of invoices are unique and stay as they are", async () => {
    const started = await startConsole({ at: "2026-01-31T12:00:00.000Z" });
    const numbers = async (): Promise<string[]> =>
      (await (await started.person({ role: "owner" })).call("getInvoices")).body.data.map(
        ({ number }: { number: string }) => number,
      );
    await useUnits(started, 5);
    started.clock.advance(86_400);
    const [first] = await numbers();
    await useUnits(started, 5);
    started.clock.advance(28 * 86_400);
    const later = await numbers();
    expect(later).toHaveLength(2);
    expect(later[1]).toBe(first as string);
    expect(new Set(later).size).toBe(2);
  });
});

describe("who may", () => {
  const standings: readonly [string, Parameters<StartedConsole["person"]>[0], number, number, number][] = [
    ["an owner", { role: "owner" }, 200, 200, 403],
    ["an admin", { role: "admin" }, 200, 200, 403],
    ["a member", { role: "member" }, 403, 403, 403],
    ["the operator", { isOperator: true }, 200, 403, 200],
    ["a stranger", {}, 404, 404, 404],
  ];
  test.each(standings)("%s: read, buy, record", async (_, options, read, buy, record) => {
    const started = await startConsole();
    const buyer = await started.person({ role: "owner" });
    const purchase = { package: "100K", purchaseId: crypto.randomUUID() };
    const { id } = (await buyer.call("postPurchase", { body: purchase })).body.data.payment;
    const person = await started.person(options);
    for (const name of ["getBilling", "getInvoices", "getPayments"] as const)
      expect((await person.call(name)).status).toBe(read);
    const another = { package: "100K", purchaseId: crypto.randomUUID() };
    expect((await person.call("postPurchase", { body: another })).status).toBe(buy);
    const payment = { purpose: "package", subject: id, reference: `transfer ${id}` };
    expect((await person.call("postPayment", { body: payment })).status).toBe(record);
  });

  test("buying and recording ask for the password again", async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner", isOperator: true, confirmedMinutesAgo: 16 });
    const body = { package: "100K", purchaseId: crypto.randomUUID() };
    expect((await owner.call("postPurchase", { body })).body.error).toBe("confirmation_required");
    const payment = { purpose: "invoice", subject: "2026-02", reference: "x" };
    expect((await owner.call("postPayment", { body: payment })).body.error).toBe("confirmation_required");
    expect(await started.balance()).toBe(100_000);
  });
});

describe("wrong input", () => {
  test.each([
    [{}, "package is required"],
    [{ package: "2M", purchaseId: crypto.randomUUID() }, "package must be one of 100K, 500K, 1M"],
    [{ package: "100K" }, "purchaseId is required"],
    [{ package: "100K", purchaseId: "1" }, "purchaseId must be a UUID"],
  ])("%j: %s", async (body, message) => {
    const { person } = await startConsole();
    const answer = await (await person({ role: "owner" })).call("postPurchase", { body });
    expect([answer.status, answer.body.message]).toEqual([400, message]);
  });

  test.each([
    [{ purpose: "gift", subject: "2026-02", reference: "x" }, 400],
    [{ purpose: "invoice", subject: "", reference: "x" }, 400],
    [{ purpose: "invoice", subject: "2026-02", reference: " " }, 400],
    [{ purpose: "invoice", subject: "2026-02", reference: "x".repeat(201) }, 400],
    [{ purpose: "invoice", subject: "2026-02", reference: "x", amount: 1 }, 400],
  ])("%j: %i", async (body, status) => {
    const { person } = await startConsole();
    const answer = await (await person({ isOperator: true })).call("postPayment", { body });
    expect(answer.status).toBe(status);
  });
});
