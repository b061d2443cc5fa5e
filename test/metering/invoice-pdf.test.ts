// An invoice as PDF: it has what accounting needs, whatever names people chose, and the same invoice gives the same bytes.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FontFile } from "../../src/config.ts";
import { renderInvoice } from "../../src/metering/billing/invoice-pdf.ts";
import type { InvoiceLine } from "../../src/metering/billing/invoices.ts";
import type { OpenedInvoice } from "../../src/metering/billing/issuing.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { useUnits } from "../support/charges.ts";
import { startConsole } from "../support/console.ts";
import { readPdf } from "../support/pdf.ts";
import { root } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const line = (description: string, units: number, paid?: { at: string; reference: string }): InvoiceLine => ({
  description,
  units,
  unit_price_microdollars: 100,
  amount_microdollars: units * 100,
  is_paid: paid !== undefined,
  paid_at: paid?.at ?? null,
  reference: paid?.reference ?? null,
});

const invoice: OpenedInvoice = {
  workspace_id: "019a9d3c-0000-7000-8000-3f9a12c4d07b",
  workspace_name: "babbage",
  number: "INV-000042",
  month: "2026-03",
  issued_at: "2026-04-01T00:00:00.000Z",
  lines: [
    line("Units from the monthly allowance", 12_345),
    line("100K add-on package", 100_000, { at: "2026-03-12T10:00:00.000Z", reference: "bank 2041/7" }),
  ],
  total_cents: 1_123,
  paid_cents: 1_000,
  due_cents: 123,
  paid_at: null,
  seller: {
    name: "Analytical Engines Ltd",
    address: ["5 Devonshire Street", "London W1W 5DT", "United Kingdom"],
    tax_id: "GB 123 4567 89",
    bank: [],
  },
  billed_to: { name: "Babbage & Söhne GmbH", address: ["Invalidenstraße 1", "10115 Berlin"], tax_id: "DE 999999999" },
  tax: null,
  net_cents: 1_123,
  tax_cents: 0,
};
const fontOf = (name: string): string => join(root, "node_modules/dejavu-fonts-ttf/ttf", name);

/** Several fonts in one file: a list of their offsets; table offsets count from the start of the file. */
function collectionOf(paths: readonly string[]): Uint8Array {
  const fonts = paths.map((path) => readFileSync(path));
  const head = Buffer.alloc(12 + 4 * fonts.length);
  head.write("ttcf");
  head.writeUInt32BE(0x00010000, 4);
  head.writeUInt32BE(fonts.length, 8);
  let at = head.length;
  for (const [index, font] of fonts.entries()) {
    head.writeUInt32BE(at, 12 + 4 * index);
    const tables = font.readUInt16BE(4);
    for (let table = 0; table < tables; table += 1) {
      const place = 12 + 16 * table + 8;
      font.writeUInt32BE(font.readUInt32BE(place) + at, place);
    }
    at += font.length;
  }
  return Buffer.concat([head, ...fonts]);
}

const render = async (one: OpenedInvoice, font?: FontFile) => readPdf(await renderInvoice(one, font));

describe("an invoice", () => {
  test("says who bills whom for what, what is paid and what is due", async () => {
    const { text, pages } = await render(invoice);
    expect(pages).toBe(1);
    expect(text).not.toContain(invoice.workspace_name);
    const expected = [
      ...["Analytical Engines Ltd\n5 Devonshire Street\nLondon W1W 5DT\nUnited Kingdom\nTax ID GB 123 4567 89"],
      ...["Bill to\nBabbage & Söhne GmbH\nInvalidenstraße 1\n10115 Berlin\nTax ID DE 999999999"],
      ...["Invoice", invoice.workspace_id, `Analytical Engines Ltd · ${invoice.number}`],
      ...["Invoice number", "INV-000042", "Date of issue", "April 1, 2026"],
      ...["Billing period", "March 1–31, 2026 (UTC)", "$1.23 due on receipt"],
      ...["Description", "Units", "Unit price", "Amount (USD)", "Status"],
      ...["Units from the monthly allowance", "12,345", "$0.0001", "$1.2345", "Due"],
      ...["100K add-on package", "Paid on March 12, 2026. Reference: bank 2041/7", "100,000", "$10.00", "Paid"],
      ...["Total", "$11.23", "Amount paid", "-$10.00", "Amount due", "$1.23"],
      ...[
        "Price: $10.00 per 100,000 units.",
        "Only the total is rounded, to the nearest cent (half up).",
        "in UTC",
        "Page 1 of 1",
      ],
    ];
    for (const piece of expected) expect(text).toContain(piece);
  });

  test("says the tax that it includes, and where to pay", async () => {
    const seller = { ...invoice.seller, bank: ["IBAN GB33 BUKB 2020 1555 5555 55", "BIC BUKBGB22"] };
    const tax = { name: "VAT", basis_points: 810 };
    const { text, pages } = await render({ ...invoice, seller, tax, net_cents: 1_039, tax_cents: 84 });
    expect(pages).toBe(1);
    for (const piece of [
      ...["Net", "$10.39", "VAT 8.1%", "$0.84", "Total", "$11.23"],
      "Prices include VAT 8.1%. The tax is calculated from the total and rounded to the nearest cent (half up).",
      "Pay to (payment reference: INV-000042)\nIBAN GB33 BUKB 2020 1555 5555 55\nBIC BUKBGB22",
    ])
      expect(text).toContain(piece);
  });

  test("that is paid says so", async () => {
    const paid = { ...invoice, due_cents: 0, paid_cents: 1_123, paid_at: "2026-04-03T00:00:00.000Z" };
    const { text } = await render(paid);
    expect(text).toContain("Paid on April 3, 2026");
    expect(text).not.toContain("on receipt");
  });

  test("gives the same bytes each time, and other bytes when something else is true", async () => {
    const bytes = async (one: OpenedInvoice) => Buffer.from(await renderInvoice(one, undefined)).toString("base64");
    const first = await bytes(invoice);
    // So many other invoices that the first one leaves the cache.
    const numbers = Array.from({ length: 20 }, (_, index) => `INV-${index}`);
    for (const number of numbers) expect(await bytes({ ...invoice, number })).not.toBe(first);
    expect(await bytes(invoice)).toBe(first);
  });

  test.each([
    ["long without a space", "W".repeat(100)],
    ["markup and control characters", "<script>alert(1)</script>\r\n\tTotal: $0.00\u2028\u202e(Tj) \\ ) endstream"],
    ["many writings", "Ελλάς Жуковский العربية é"],
    ["of letters that the font does not have", "名前🚀".repeat(20)],
  ])("of a customer whose name is %s has one page, within its margins", async (_, name) => {
    const { pages, pieces, places } = await render({ ...invoice, billed_to: { ...invoice.billed_to, name } });
    expect(pages).toBe(1);
    expect(pieces.some((piece) => /[\p{Cc}\p{Cf}]/u.test(piece))).toBe(false);
    for (const { x, width } of places) {
      expect(x).toBeGreaterThanOrEqual(55.9);
      expect(x + width).toBeLessThanOrEqual(595.28 - 55.9);
    }
  });

  test("whose names and addresses take all of a page goes on on the next", async () => {
    const name = "名前🚀".repeat(30);
    const party = { name, address: Array.from({ length: 6 }, () => name), tax_id: name };
    const { pages, places, text } = await render({ ...invoice, seller: { ...party, bank: [] }, billed_to: party });
    expect(pages).toBe(2);
    expect(text).toContain("$1.2345");
    for (const { y } of places) expect(y).toBeGreaterThan(0);
  });

  describe("in a writing that our font does not have", () => {
    // A font of the same package has this character; the built-in one does not.
    const [letter, font] = ["\u{1D49C}", { path: fontOf("DejaVuMathTeXGyre.ttf"), name: undefined }] as const;
    const named = (name: string) => ({ ...invoice, billed_to: { ...invoice.billed_to, name } });

    test("spells what it can not show, instead of boxes", async () => {
      const { text } = await render(named(`名前 ${letter}❤\ufe0f é`));
      expect(text).toContain("Bill to\n[U+540D][U+524D] [U+1D49C]❤ é\n");
    });

    test("is set in the operator's font, which is embedded, and spells what that does not have either", async () => {
      const { text } = await render(named(`${letter} & Sons 名`), font);
      expect(text).toContain(`Bill to\n${letter} & Sons [U+540D]\n`);
      const bytes = Buffer.from(await renderInvoice(named(letter), font)).toString("latin1");
      expect(bytes.match(/\/FontName \/\w+\+DejaVuMathTeXGyre-Regular/g)).toHaveLength(1);
      // An unused font is not embedded.
      expect(Buffer.from(await renderInvoice(invoice, font)).toString("latin1")).not.toContain("TeXGyre");
    });

    test("is set in one font of a collection", async () => {
      const path = join(temporaryDirectory(), "fonts.ttc");
      writeFileSync(path, collectionOf(["DejaVuSerif.ttf", "DejaVuMathTeXGyre.ttf"].map(fontOf)));
      const { text } = await render(named(letter), { path, name: "DejaVuMathTeXGyre-Regular" });
      expect(text).toContain(`Bill to\n${letter}\n`);
      await expect(render(named(letter), { path, name: "Another" })).rejects.toThrow(`the font ${path} cannot be used`);
    });

    test("is not made without a font that is set and can not be read; where none is needed, it is", async () => {
      const wrong = join(temporaryDirectory(), "font.ttf");
      await expect(renderInvoice(named(letter), { path: wrong, name: undefined })).rejects.toThrow(wrong);
      writeFileSync(wrong, "no font");
      await expect(renderInvoice(named(letter), { path: wrong, name: undefined })).rejects.toThrow(wrong);
      expect((await render(invoice, { path: wrong, name: undefined })).pages).toBe(1);
    });
  });

  test("of a hundred packages has as many pages as it takes, each with the head of the table", async () => {
    const packages = Array.from({ length: 100 }, (_, index) =>
      line("500K add-on package", 500_000, { at: "2026-03-12T10:00:00.000Z", reference: `R${index}`.padEnd(200, "x") }),
    );
    const { pages, pieces, text } = await render({ ...invoice, lines: packages });
    expect(pages).toBeGreaterThan(5);
    // The totals get their own page if they do not fit on the last one.
    expect([pages - 1, pages]).toContain(pieces.filter((piece) => piece === "Description").length);
    expect(pieces.filter((piece) => piece === "500K add-on package")).toHaveLength(100);
    expect(text).toContain(`Page ${pages} of ${pages}`);
  });
});

test("a draft is downloaded from the console as a file with its month", async () => {
  const started = await startConsole({ at: "2026-03-31T12:00:00.000Z" });
  const owner = await started.person({ role: "owner" });
  await started.admin((transaction) => changeWorkspace(transaction, started.workspace.id, { name: "Ada & Co" }));
  await useUnits(started, 12_345);
  started.clock.advance(86_400);
  const query = new URLSearchParams({ workspaceId: started.workspace.id, month: "2026-03" });
  const response = await started.fetch(`${started.origin}/console/api/invoice/pdf?${query}`, {
    headers: { Cookie: owner.cookie },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/pdf");
  expect(response.headers.get("content-disposition")).toBe(`attachment; filename="draft-2026-03.pdf"`);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const { text } = readPdf(await response.bytes());
  for (const piece of ["Ada & Co", "Draft invoice", "$1.2345", new URL(started.origin).host])
    expect(text).toContain(piece);
});
