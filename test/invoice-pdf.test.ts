// An invoice as PDF: what a bookkeeper needs is on it, whatever names people chose, and the same invoice gives the same bytes.
import { describe, expect, test } from "bun:test";
import { renderInvoice } from "../src/billing/invoice-pdf.ts";
import type { Invoice, InvoiceLine } from "../src/billing/invoices.ts";
import { changeWorkspace } from "../src/workspaces/workspaces.ts";
import { useUnits } from "./support/billing.ts";
import { startConsole } from "./support/console.ts";
import { readPdf } from "./support/pdf.ts";

const origin = "https://snippets.example.com";

const line = (description: string, units: number, paid?: { at: string; reference: string }): InvoiceLine => ({
  ...{ description, units, unit_price_microdollars: 100, amount_microdollars: units * 100 },
  ...{ is_paid: paid !== undefined, paid_at: paid?.at ?? null, reference: paid?.reference ?? null },
});

const invoice: Invoice = {
  workspace_id: "019a9d3c-0000-7000-8000-3f9a12c4d07b",
  workspace_name: "Babbage & Söhne GmbH",
  number: "INV-2026-03-3F9A12C4D07B",
  month: "2026-03",
  issued_at: "2026-04-01T00:00:00.000Z",
  lines: [
    line("Requests from the monthly allowance", 12_345),
    line("Add-on package 100K", 100_000, { at: "2026-03-12T10:00:00.000Z", reference: "bank 2041/7" }),
  ],
  ...{ total_cents: 1_123, paid_cents: 1_000, due_cents: 123, paid_at: null },
};

describe("an invoice", () => {
  test("says who bills whom for what, what is paid and what is due", async () => {
    const { text, pages } = readPdf(await renderInvoice(invoice, origin));
    expect(pages).toBe(1);
    const expected = [
      ...["Invoice", "snippets.example.com", origin, "Billed to", "Babbage & Söhne GmbH", invoice.workspace_id],
      ...["Invoice number", "INV-2026-03-3F9A12C4D07B", "Date of issue", "1 April 2026"],
      ...["Billing period", "1–31 March 2026 (UTC)", "$1.23 due"],
      ...["Description", "Units", "Unit price", "Amount (USD)", "State"],
      ...["Requests from the monthly allowance", "12,345", "$0.0001", "$1.2345", "due"],
      ...["Add-on package 100K", "Paid 12 March 2026, reference bank 2041/7", "100,000", "$10.00", "paid"],
      ...["Total", "$11.23", "Paid", "-$10.00", "Due (USD)", "$1.23"],
      ...["The price is 10 USD per 100,000 units", "rounded half up to whole cents, once", "in UTC", "Page 1 of 1"],
    ];
    for (const piece of expected) expect(text).toContain(piece);
  });

  test("that is paid says so", async () => {
    const paid = { ...invoice, due_cents: 0, paid_cents: 1_123, paid_at: "2026-04-03T00:00:00.000Z" };
    const { text } = readPdf(await renderInvoice(paid, origin));
    expect(text).toContain("paid in full, 3 April 2026");
    expect(text).not.toContain("to be paid on");
  });

  test("gives the same bytes each time, and other bytes when something else is true", async () => {
    const bytes = async (one: Invoice) => Buffer.from(await renderInvoice(one, origin)).toString("base64");
    const first = await bytes(invoice);
    // So many others that the first is set anew.
    const numbers = Array.from({ length: 20 }, (_, index) => `INV-${index}`);
    for (const number of numbers) expect(await bytes({ ...invoice, number })).not.toBe(first);
    expect(await bytes(invoice)).toBe(first);
  });

  test.each([
    ["long without a space", "W".repeat(100)],
    ["markup and control characters", "<script>alert(1)</script>\r\n\tTotal: $0.00\u2028\u202e(Tj) \\ ) endstream"],
    ["many writings", "Ελλάς Жуковский العربية 名前 😀 é"],
  ])("of a workspace whose name is %s has one page, within its margins", async (_, workspace_name) => {
    const { pages, pieces, places } = readPdf(await renderInvoice({ ...invoice, workspace_name }, origin));
    expect(pages).toBe(1);
    // A writing that the font does not have is a box, which says nothing of what it stands for.
    expect(pieces.some((piece) => /[\p{Cc}\p{Cf}]/u.test(piece.replaceAll("\0", "")))).toBe(false);
    for (const { x, width } of places) {
      expect(x).toBeGreaterThanOrEqual(55.9);
      expect(x + width).toBeLessThanOrEqual(595.28 - 55.9);
    }
  });

  test("of a hundred packages has as many pages as it takes, each with the head of the table", async () => {
    const packages = Array.from({ length: 100 }, (_, index) =>
      line("Add-on package 500K", 500_000, { at: "2026-03-12T10:00:00.000Z", reference: `R${index}`.padEnd(200, "x") }),
    );
    const { pages, pieces, text } = readPdf(await renderInvoice({ ...invoice, lines: packages }, origin));
    expect(pages).toBeGreaterThan(5);
    expect(pieces.filter((piece) => piece === "Description")).toHaveLength(pages);
    expect(pieces.filter((piece) => piece === "Add-on package 500K")).toHaveLength(100);
    expect(text).toContain(`Page ${pages} of ${pages}`);
  });
});

test("an invoice is downloaded from the console as a file with the invoice's number", async () => {
  const started = await startConsole({ at: "2026-03-31T12:00:00.000Z" });
  const owner = await started.person({ role: "owner" });
  await started.admin((transaction) => changeWorkspace(transaction, started.workspace.id, { name: "Ada & Co" }));
  await useUnits(started, 12_345);
  started.clock.advance(86_400);
  const query = new URLSearchParams({ workspaceId: started.workspace.id, month: "2026-03" });
  const response = await started.fetch(`${started.origin}/console/api/invoice/pdf?${query}`, {
    headers: { Cookie: owner.cookie },
  });
  const number = `INV-2026-03-${started.workspace.id.slice(-12).toUpperCase()}`;
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/pdf");
  expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${number}.pdf"`);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const { text } = readPdf(await response.bytes());
  for (const piece of ["Ada & Co", number, "$1.2345", new URL(started.origin).host]) expect(text).toContain(piece);
});
