// The numbers of invoices have no gaps, whoever issues at once and whatever fails; and the tax that an invoice includes.
import { describe, expect, test } from "bun:test";
import { createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { listInvoices } from "../../src/metering/billing/invoices.ts";
import { type Issuer, issueInvoices, openInvoice, taxCents } from "../../src/metering/billing/issuing.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { drawUnits } from "../support/charges.ts";
import { startConsole } from "../support/console.ts";
import { firstBilledMonth } from "../support/first-billed-month.ts";

const seller = { name: "Analytical Engines Ltd", address: ["London"], tax_id: "GB 1", bank: [] };
const issuer: Issuer = { seller, tax: null, numberPrefix: "INV-", isNamed: true, billedFrom: firstBilledMonth };
const month = "2026-01";

const never: Wait = (_, signal) =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** Workspaces with units used in January, one without, and only calls and the test issue invoices. */
async function start(count: number) {
  const started = await startConsole({ at: "2026-01-31T12:00:00.000Z", wait: never });
  const { admin, service } = started;
  const workspaces = await admin(async (transaction) => {
    const made = [];
    for (let index = 0; index < count; index += 1) {
      const { id } = await createWorkspace(transaction, `Customer ${index}`, 1_000);
      await drawUnits(transaction, id, index + 1);
      made.push(id);
    }
    await createWorkspace(transaction, "Used nothing", 1_000);
    return made;
  });
  started.clock.advance(86_400);
  const open = (workspaceId: string, by = issuer) =>
    admin((transaction) => openInvoice(transaction, workspaceId, month, by));
  const issueAll = (by = issuer) => issueInvoices(service.database, by);
  const numbers = async () =>
    (
      await started.rows<{ number_prefix: string; number: number }>(
        "select number_prefix, number from invoices order by 1, 2",
      )
    ).map((row) => `${row.number_prefix}${row.number}`);
  return { ...started, workspaces, open, issueAll, numbers };
}

const upTo = (count: number, prefix = "INV-") => Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);

describe("numbers of invoices", () => {
  test("invoice numbers have no gaps and no duplicates when jobs and requests issue invoices at once", async () => {
    const { workspaces, open, issueAll, numbers } = await start(12);
    const calls = [...workspaces, ...workspaces].map((id) => open(id));
    const [opened] = await Promise.all([Promise.all(calls), issueAll(), issueAll()]);
    await issueAll();
    expect((await numbers()).sort()).toEqual(upTo(12).sort());
    for (const [index, invoice] of opened.entries())
      expect(invoice?.number).toBe(opened[(index + 12) % 24]?.number as string);
    expect(await issueAll()).toBe(0);
  });

  test("are not lost where the transaction that issues fails", async () => {
    const { admin, workspaces, open, numbers } = await start(3);
    const [first = "", second = "", third = ""] = workspaces;
    await open(first);
    const failing = admin(async (transaction) => {
      expect((await openInvoice(transaction, second, month, issuer))?.number).toBe("INV-000002");
      throw new Error("the node was lost");
    });
    await expect(failing).rejects.toThrow("the node was lost");
    expect((await open(third))?.number).toBe("INV-000002");
    expect((await open(second))?.number).toBe("INV-000003");
    expect(await numbers()).toEqual(upTo(3));
  });

  test("numbers start again with another prefix, and an issued invoice keeps its number, seller, tax, and date", async () => {
    const { admin, workspaces, open, issueAll, numbers, clock } = await start(3);
    const [first = "", second = ""] = workspaces;
    const issued = await open(first);
    expect(issued).toMatchObject({ number: "INV-000001", issued_at: "2026-02-01T12:00:00.000Z", seller, tax: null });
    clock.advance(86_400);
    const other: Issuer = {
      seller: { ...seller, name: "Difference Engines Ltd" },
      tax: { name: "VAT", basis_points: 2_000 },
      numberPrefix: "DE-",
      isNamed: true,
      billedFrom: firstBilledMonth,
    };
    expect(await open(first, other)).toEqual(issued);
    expect(await open(second, other)).toMatchObject({ number: "DE-000001", tax: other.tax, seller: other.seller });
    expect(await issueAll(other)).toBe(1);
    expect(await numbers()).toEqual([...upTo(2, "DE-"), "INV-1"]);
    const [listed] = await admin((transaction) => listInvoices(transaction, first, firstBilledMonth));
    expect(listed).toMatchObject({ number: "INV-000001", issued_at: "2026-02-01T12:00:00.000Z" });
  });

  test("are not taken while the settings name no seller", async () => {
    const { workspaces, open, issueAll, numbers } = await start(1);
    const unnamed = { ...issuer, isNamed: false };
    expect(await issueAll(unnamed)).toBe(0);
    expect((await open(workspaces[0] ?? "", unnamed))?.number).toBeNull();
    expect(await numbers()).toEqual([]);
  });
});

describe("tax", () => {
  test.each([
    [0, 1_900, 0],
    [1, 1_900, 0],
    [3, 1_900, 0],
    [4, 1_900, 1],
    [1_123, 810, 84],
    [11_900, 1_900, 1_900],
    // Exactly half a cent is rounded up.
    [3, 2_000, 1],
    [123_456_789_012, 2_500, 24_691_357_802],
  ])("%i cents that include %i basis points contain %i cents", (total, basis_points, cents) => {
    expect(taxCents(total, { name: "VAT", basis_points })).toBe(cents);
  });
});
