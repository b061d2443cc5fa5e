// Without a first month to bill, an instance shows no price and sells nothing, while units and quota work as always.
import { expect, test } from "bun:test";
import { consoleOperationNames, consoleOperations } from "../../src/contract/console/operations.ts";
import { warnOfQuotas } from "../../src/metering/alerts/quota.ts";
import { listInvoices } from "../../src/metering/billing/invoices.ts";
import { issueInvoices, issuerOf } from "../../src/metering/billing/issuing.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { useUnits } from "../support/charges.ts";
import { startConsole } from "../support/console.ts";

const never: Wait = (_, signal) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
const seller = { name: "Seller", address: [], tax_id: null, bank: [] };

const start = (billedFrom: string | undefined, at = "2026-03-15T12:00:00.000Z") =>
  startConsole({ at, wait: never, config: { billedFrom, seller, mail } });
type StartedHere = Awaited<ReturnType<typeof start>>;

const month = "2026-02";
const id = "0198c0de-0000-7000-8000-000000000000";
/** A valid request of each operation that has a query or a body. */
const inputs: Readonly<Record<string, { query?: Record<string, string>; body?: unknown }>> = {
  putBillingDetails: { body: { name: "Buyer", address: [], taxId: null } },
  postPurchase: { body: { package: "100K", purchaseId: id } },
  putCreditLimit: { body: { limitCents: 1_000 } },
  getInvoice: { query: { month } },
  getInvoicePdf: { query: { month } },
  postPayment: { body: { purpose: "invoice", subject: month, reference: "transfer 1" } },
};
const billingNames = consoleOperationNames.filter((name) => consoleOperations[name].area === "Billing");

test("while billing is off, every operation of billing is refused, for owners and operators", async () => {
  const started = await start(undefined);
  const owner = await started.person({ role: "owner", isOperator: true });
  for (const name of billingNames) {
    const { status, body } = await owner.call(name, inputs[name] ?? {});
    expect({ name, status, body }).toMatchObject({
      name,
      status: 409,
      body: { success: false, error: "billing_off", message: "Billing is off on this service" },
    });
  }
  const { data } = (await owner.call("getSession")).body;
  expect(data.is_billing_on).toBe(false);
  const [{ actions }] = data.memberships;
  expect(actions).toContain("usage.read");
  for (const action of ["billing.read", "billing.buy", "payment.record"]) expect(actions).not.toContain(action);
});

test("while billing is off, a stranger and a member learn no more than while it is on", async () => {
  const started = await start(undefined);
  const member = await started.person({ role: "member" });
  const stranger = await started.person();
  expect((await member.call("getBilling")).status).toBe(403);
  expect((await stranger.call("getBilling")).status).toBe(404);
});

test("a quota alert names the operator while billing is off, and the billing page while it is on", async () => {
  const linesOf = async (billedFrom: string | undefined) => {
    const started = await start(billedFrom);
    await started.person({ role: "owner" });
    await useUnits(started, 80_000);
    const origin = "https://snippets.example.com";
    expect(await warnOfQuotas(started.service.database, { origin, hasMail: true, billedFrom })).toBe(1);
    const [{ body } = { body: "" }] = await started.rows<{ body: string }>("select body from mails");
    return body;
  };
  const off = await linesOf(undefined);
  expect(off).toContain("To get more units now, ask the operator of this service to raise the monthly allowance.");
  expect(off).not.toMatch(/package|billing/);
  expect(await linesOf("2026-03")).toContain("To add units now, buy an add-on package:\nhttps://snippets.example.com/");
});

const issue = ({ service }: StartedHere, billedFrom: string | undefined) =>
  issueInvoices(
    service.database,
    issuerOf({ seller, tax: null, invoicePrefix: "INV-", billedFrom }, "https://snippets.example.com"),
  );

test("months before the first month to bill are never billed, and the first one is billed whole", async () => {
  const started = await start("2026-03", "2026-01-15T12:00:00.000Z");
  const { admin, clock, workspace } = started;
  // A session does not last from month to month.
  const owner = () => started.person({ role: "owner" });
  const invoices = () => admin((transaction) => listInvoices(transaction, workspace.id, "2026-03"));
  const isOn = async () => (await (await owner()).call("getSession")).body.data.is_billing_on;
  const nextMonth = async () => {
    await useUnits(started, 10);
    clock.advance(30 * 86_400);
  };
  await nextMonth();
  expect({ now: new Date(clock.now).toISOString().slice(0, 7), isOn: await isOn() }).toEqual({
    now: month,
    isOn: false,
  });
  await nextMonth();
  expect(await isOn()).toBe(true);
  expect([await issue(started, "2026-03"), await invoices()]).toEqual([0, []]);
  await nextMonth();
  expect(await issue(started, "2026-03")).toBe(1);
  expect(await invoices()).toMatchObject([{ month: "2026-03", number: "INV-000001", total_cents: 0 }]);
  expect((await (await owner()).call("getInvoice", { query: { month } })).status).toBe(404);
});

test("an issued invoice remains when billing is turned off", async () => {
  const started = await start("2026-03");
  await useUnits(started, 50_000);
  started.clock.advance(30 * 86_400);
  expect(await issue(started, "2026-03")).toBe(1);
  const listed = await started.admin((transaction) => listInvoices(transaction, started.workspace.id, undefined));
  expect(listed).toMatchObject([{ month: "2026-03", number: "INV-000001", due_cents: 500 }]);
  await useUnits(started, 50_000);
  started.clock.advance(30 * 86_400);
  expect(await issue(started, undefined)).toBe(0);
});
