// The console's operations about price, invoices and payments: the figures, and who may see and do what.
import { describe, expect, test } from "bun:test";
import type { Config } from "../../src/config.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { giveCredit } from "../support/billing.ts";
import { useUnits } from "../support/charges.ts";
import { type StartedConsole, startConsole } from "../support/console.ts";

const at = "2026-03-15T12:00:00.000Z";

/** No background job runs, so that only calls issue invoices. */
const never: Wait = (_, signal) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

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
          unit_price: "$10.00 per 100,000 units",
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
          credit: { limit_cents: 0, open_cents: 0, remaining_cents: 0 },
          billed_to: { name: "Test workspace", address: [], tax_id: null },
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
    await giveCredit(started);
    await owner.call("postPurchase", { body: { package: "100K", purchaseId: crypto.randomUUID() } });
    await useUnits(started, 7_050);
    const { this_month: soFar, open_cents } = (await owner.call("getBilling")).body.data;
    const preview = (await owner.call("getInvoicePreview")).body.data;
    expect(preview).toMatchObject({ month: "2026-03", number: null, total_cents: 1_050, due_cents: 1_050 });
    expect(soFar).toMatchObject({ used: 7_050, used_of_allowance: 5_000, amount_cents: 50, remaining: 97_950 });
    started.clock.advance(86_400);
    expect((await owner.call("getInvoice", { query: { month: "2026-03" } })).body.data).toEqual(preview);
    const [invoice] = (await owner.call("getInvoices")).body.data;
    expect(invoice.due_cents).toBe(soFar.amount_cents + open_cents);
    expect(invoice.lines[0]).toMatchObject({
      units: soFar.used_of_allowance,
      amount_microdollars: soFar.amount_microdollars,
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
});

describe("the sides of an invoice", () => {
  const seller = { name: "Analytical Engines Ltd", address: ["London"], tax_id: "GB 1", bank: [] };
  const details = { name: "Babbage & Söhne GmbH", address: ["Invalidenstraße 1", "10115 Berlin"], taxId: "DE 1" };
  const billedTo = { name: details.name, address: details.address, tax_id: "DE 1" };
  const month = "2026-01";

  /** A workspace with an invoice of January that has not been viewed. */
  const withInvoice = async (config: Partial<Config>) => {
    const started = await startConsole({ at: "2026-01-31T12:00:00.000Z", wait: never, config });
    await useUnits(started, 5);
    started.clock.advance(86_400);
    const owner = await started.person({ role: "owner" });
    const sides = async (of = month) => {
      const { seller, billed_to } = (await owner.call("getInvoice", { query: { month: of } })).body.data;
      return { seller, billed_to };
    };
    return { started, owner, sides };
  };

  test("are the instance's address and the workspace, where nothing else was said, and follow them", async () => {
    const { started, owner, sides } = await withInvoice({});
    const { origin } = started;
    const byAddress = { name: new URL(origin).host, address: [origin], tax_id: null, bank: [] };
    const billed_to = { name: "Test workspace", address: [], tax_id: null };
    expect(await sides()).toEqual({ seller: byAddress, billed_to });
    await owner.call("putWorkspace", { body: { name: "Renamed" } });
    expect(await sides()).toEqual({ seller: byAddress, billed_to: { ...billed_to, name: "Renamed" } });
  });

  test("are the seller of the settings, and whom the workspace says; that it was said stands in the audit log", async () => {
    const { owner, sides } = await withInvoice({ seller });
    const said = await owner.call("putBillingDetails", { body: details });
    expect([said.status, said.body.data]).toEqual([200, billedTo]);
    expect(await sides()).toEqual({ seller, billed_to: billedTo });
    expect((await owner.call("getBilling")).body.data.billed_to).toEqual(billedTo);
    await owner.call("putBillingDetails", { body: { ...details, name: "Söhne GmbH" } });
    expect((await owner.call("getAuditLog")).body.data).toMatchObject([
      { action: "billing_details.change", before: billedTo, after: { ...billedTo, name: "Söhne GmbH" } },
      { action: "billing_details.change", before: null, after: billedTo },
    ]);
  });

  test("stay as they were when the invoice was first opened, whatever is called otherwise since; others have the new", async () => {
    const { started, owner, sides } = await withInvoice({ seller });
    const { workspace, dataDirectory, service } = started;
    const first = { seller, billed_to: { name: "Test workspace", address: [], tax_id: null } };
    // Two concurrent calls read the same.
    expect(await Promise.all([sides(), sides(), sides()])).toEqual([first, first, first]);
    await owner.call("putWorkspace", { body: { name: "Renamed" } });
    await owner.call("putBillingDetails", { body: details });
    await useUnits(started, 5);
    expect(await sides()).toEqual(first);
    await service.stop();
    const moved = { ...seller, address: ["Manchester"] };
    const later = await startConsole({
      at: "2026-03-01T00:00:00.000Z",
      wait: never,
      config: { dataDirectory, seller: moved },
    });
    const again = await later.person({ role: "owner", workspaceId: workspace.id });
    const read = async (of: string) =>
      (await again.call("getInvoice", { query: { workspaceId: workspace.id, month: of } })).body.data;
    expect(await read(month)).toMatchObject(first);
    expect(await read("2026-02")).toMatchObject({ seller: moved, billed_to: billedTo });
  });

  test("are kept with the first PDF as well, and not by the list", async () => {
    const { started, owner, sides } = await withInvoice({ seller });
    await owner.call("getInvoices");
    await owner.call("getBilling");
    expect(await started.rows("select month from invoices")).toEqual([]);
    expect((await owner.call("getInvoicePdf", { query: { month } })).status).toBe(200);
    await owner.call("putBillingDetails", { body: details });
    expect((await sides()).billed_to.name).toBe("Test workspace");
  });

  test.each([
    [{ ...details, name: undefined }, "name is required"],
    [{ ...details, name: " " }, "name must not be blank"],
    [{ ...details, name: "two\nlines" }, "name must be one line without control characters"],
    [{ ...details, address: Array(7).fill("x") }, "address must have at most 6 items"],
    [{ ...details, address: ["x".repeat(101)] }, "address[0] must be 1 to 100 characters"],
    [{ ...details, taxId: undefined }, "taxId is required"],
    [{ ...details, taxId: "" }, "taxId must be 1 to 100 characters"],
  ])("%j: %s", async (body, message) => {
    const { person } = await startConsole();
    const { status, body: answer } = await (await person({ role: "owner" })).call("putBillingDetails", { body });
    expect([status, answer.message]).toEqual([400, message]);
  });

  test("are kept without the white space around them", async () => {
    const { person } = await startConsole();
    const body = { name: " Ada ", address: [" London "], taxId: null };
    expect((await (await person({ role: "admin" })).call("putBillingDetails", { body })).body.data).toEqual({
      name: "Ada",
      address: ["London"],
      tax_id: null,
    });
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
    await giveCredit(started);
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
