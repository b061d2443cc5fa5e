// An invoice as PDF on A4: seller, buyer, month, lines with their arithmetic, paid and due amounts. The same invoice gives the same bytes.
import type { FontFile } from "../../config.ts";
import { dayInWords, monthInWords } from "../../platform/time.ts";
import { InvoiceDocument } from "./invoice-document.ts";
import type { Invoice, InvoiceLine } from "./invoices.ts";
import type { Party, Tax } from "./issuing.store.ts";
import type { OpenedInvoice } from "./issuing.ts";
import { exactUsd, priceInWords, usd } from "./price.ts";

/** In points. */
const margin = 56;
const bottomMargin = 84;
const pageWidth = 595.28;
const pageHeight = 841.89;
const right = pageWidth - margin;
const bottom = pageHeight - bottomMargin;
const rowGap = 7;

const sizes = { title: 24, seller: 13, text: 9.5, small: 8 } as const;
const colors = { text: "#15181e", muted: "#565c68", line: "#d5d8de" } as const;
/** The style of explanations. */
const muted = { size: sizes.small, color: colors.muted } as const;

/** Columns of the table of lines. All but the first are aligned right. */
const columns = [
  { title: "Description", x: margin, width: 215, align: "left" },
  { title: "Units", x: 275, width: 68, align: "right" },
  { title: "Unit price", x: 347, width: 62, align: "right" },
  { title: "Amount (USD)", x: 413, width: 78, align: "right" },
  { title: "Status", x: 497, width: right - 497, align: "right" },
] as const;

/** Rendering takes a tenth of a second in which no call is answered, and people open the same invoice again. */
const cachedMax = 16;
const cache = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** @param font the operator's font, for scripts that ours lacks */
export function renderInvoice(invoice: OpenedInvoice, font: FontFile | undefined): Promise<Uint8Array<ArrayBuffer>> {
  const cacheKey = JSON.stringify([invoice, font]);
  const known = cache.get(cacheKey);
  if (known) return known;
  const rendering = render(invoice, font);
  rendering.catch(() => cache.delete(cacheKey));
  const [oldest] = cache.keys();
  if (cache.size >= cachedMax && oldest !== undefined) cache.delete(oldest);
  cache.set(cacheKey, rendering);
  return rendering;
}

async function render(invoice: OpenedInvoice, font: FontFile | undefined): Promise<Uint8Array<ArrayBuffer>> {
  const document = await InvoiceDocument.open({
    info: {
      Title: titleOf(invoice),
      Author: invoice.seller.name,
      Subject: `Units used in ${monthInWords(invoice.month)}`,
      // The moment of issue, so that the same invoice gives the same bytes.
      CreationDate: new Date(invoice.issued_at),
    },
    texts: JSON.stringify(invoice),
    font,
    defaults: { size: sizes.text, color: colors.text },
  });
  let y = writeHeader(document, invoice);
  y = await writeLines(document, invoice, y);
  y = writeTotals(document, invoice, y);
  writeNotes(document, invoice, y);
  writeFooters(document, invoice);
  return document.bytes();
}

const rule = (document: InvoiceDocument, y: number, weight = 0.75, from = margin): void =>
  document.rule(from, right, y, weight, colors.line);

function writeHeader(document: InvoiceDocument, invoice: OpenedInvoice): number {
  const columnWidth = 235;
  const rightX = right - columnWidth;
  const { seller, billed_to } = invoice;
  document.write(invoice.number === null ? "Draft invoice" : "Invoice", margin, margin, columnWidth, {
    isBold: true,
    size: sizes.title,
  });
  let below = document.write(seller.name, rightX, margin + 4, columnWidth, {
    isBold: true,
    size: sizes.seller,
    align: "right",
  });
  for (const line of detailsOf(seller))
    below = document.write(line, rightX, below + 2, columnWidth, { color: colors.muted, align: "right" });

  const y = Math.max(below, margin + sizes.title) + 34;
  let left = document.write("Bill to", margin, y, columnWidth, muted);
  left = document.write(billed_to.name, margin, left + 3, columnWidth, { isBold: true });
  for (const line of detailsOf(billed_to)) left = document.write(line, margin, left + 2, columnWidth);
  left = document.write(`Workspace ${invoice.workspace_id}`, margin, left + 3, columnWidth, muted);

  const facts = [
    ["Invoice number", invoice.number ?? "None (draft)"],
    ["Date of issue", dayInWords(invoice.issued_at)],
    ["Billing period", periodOf(invoice.month)],
    ["Status", statusOf(invoice)],
  ] as const;
  let factsY = y;
  for (const [name, value] of facts) {
    document.write(name, rightX, factsY + 1, 84, muted);
    factsY = document.write(value, rightX + 84, factsY, columnWidth - 84, { align: "right" }) + 5;
  }
  return Math.max(left, factsY) + 28;
}

const titleOf = ({ number, month }: OpenedInvoice): string =>
  number === null ? `Draft invoice for ${monthInWords(month)}` : `Invoice ${number}`;

/** The lines below a name. */
const detailsOf = ({ address, tax_id }: Party): readonly string[] => [
  ...address,
  ...(tax_id === null ? [] : [`Tax ID ${tax_id}`]),
];

/** Calls are answered between portions of lines: an invoice with a thousand packages takes seconds. */
const portionLines = 5;

async function writeLines(document: InvoiceDocument, { lines }: Invoice, from: number): Promise<number> {
  // A very long address may fill the page.
  const isFull = from + 60 > bottom;
  if (isFull) document.addPage();
  let y = writeTableHeader(document, isFull ? margin : from);
  for (const [index, line] of lines.entries()) {
    if (index % portionLines === portionLines - 1) await new Promise((resolve) => setImmediate(resolve));
    const height = heightOf(document, line);
    if (y + height > bottom) {
      document.addPage();
      y = writeTableHeader(document, margin);
    }
    writeLine(document, line, y);
    y += height;
    rule(document, y - rowGap / 2, 0.5);
  }
  return y;
}

function writeTableHeader(document: InvoiceDocument, y: number): number {
  for (const { title, x, width, align } of columns) document.write(title, x, y, width, { ...muted, align });
  rule(document, y + 15);
  return y + 15 + rowGap;
}

const cellsOf = (line: InvoiceLine): readonly string[] => [
  line.description,
  line.units.toLocaleString("en-US"),
  exactUsd(line.unit_price_microdollars),
  exactUsd(line.amount_microdollars),
  line.is_paid ? "Paid" : "Due",
];

const noteOf = ({ is_paid, paid_at, reference }: InvoiceLine): string | undefined =>
  is_paid && paid_at !== null
    ? `Paid on ${dayInWords(paid_at)}${reference === null ? "" : `. Reference: ${reference}`}`
    : undefined;

function heightOf(document: InvoiceDocument, line: InvoiceLine): number {
  const [{ width }] = columns;
  const note = noteOf(line);
  const text = document.heightOf(line.description, width);
  return text + (note === undefined ? 0 : 2 + document.heightOf(note, width, muted)) + 2 * rowGap;
}

function writeLine(document: InvoiceDocument, line: InvoiceLine, y: number): void {
  let below = y;
  for (const [index, text] of cellsOf(line).entries()) {
    const column = columns[index];
    if (!column) continue;
    const end = document.write(text, column.x, y, column.width, { align: column.align });
    if (index === 0) below = end;
  }
  const note = noteOf(line);
  const [{ x, width }] = columns;
  if (note !== undefined) document.write(note, x, below + 2, width, muted);
}

function writeTotals(document: InvoiceDocument, invoice: OpenedInvoice, from: number): number {
  let y = from + 12;
  if (y + 130 > bottom) {
    document.addPage();
    y = margin;
  }
  const x = 347;
  const amount = 413;
  const rows = [
    ...(invoice.tax
      ? ([
          ["Net", invoice.net_cents, false],
          [formatTax(invoice.tax), invoice.tax_cents, false],
        ] as const)
      : []),
    ["Total", invoice.total_cents, false],
    ["Amount paid", -invoice.paid_cents, false],
    ["Amount due", invoice.due_cents, true],
  ] as const;
  for (const [name, cents, isBold] of rows) {
    if (isBold) rule(document, y - 4, 0.75, x);
    const below = document.write(name, x, y, 62 + 4, { isBold });
    y = Math.max(below, document.write(usd(cents === 0 ? 0 : cents), amount, y, 78, { isBold, align: "right" })) + 9;
  }
  return y;
}

/** VAT 19%, VAT 8.1%. */
export const formatTax = ({ name, basis_points }: Tax): string =>
  `${name} ${(basis_points / 100).toLocaleString("en-US", { maximumFractionDigits: 2 })}%`;

function writeNotes(document: InvoiceDocument, { lines, tax, seller, number }: OpenedInvoice, from: number): void {
  const isRounded = lines.some((line) => line.amount_microdollars % 10_000 !== 0);
  const notes = [
    `Price: ${priceInWords()}. Each amount is units × unit price, unrounded.`,
    ...(isRounded ? ["Only the total is rounded, to the nearest cent (half up)."] : []),
    ...(tax
      ? [
          `Prices include ${formatTax(tax)}. The tax is calculated from the total and rounded to the nearest cent (half up).`,
        ]
      : []),
    "All dates are in UTC. All amounts are in US dollars.",
  ];
  let y = from + 22;
  const width = right - margin;
  if (seller.bank.length > 0) {
    const lineCount = seller.bank.length + 1;
    if (y + 14 * lineCount > bottom) {
      document.addPage();
      y = margin;
    }
    y =
      document.write(number === null ? "Pay to" : `Pay to (payment reference: ${number})`, margin, y, width, muted) + 3;
    for (const line of seller.bank) y = document.write(line, margin, y, width) + 2;
    y += 14;
  }
  for (const note of notes) {
    if (y + 14 > bottom) {
      document.addPage();
      y = margin;
    }
    y = document.write(note, margin, y, width, muted) + 3;
  }
}

function writeFooters(document: InvoiceDocument, { number, seller }: OpenedInvoice): void {
  document.onEachPage((page, pages) => {
    const y = pageHeight - margin;
    rule(document, y - 10, 0.5);
    const half = (right - margin) / 2;
    document.write(`${seller.name} · ${number ?? "Draft"}`, margin, y, half + 100, muted);
    document.write(`Page ${page} of ${pages}`, right - half + 100, y, half - 100, { ...muted, align: "right" });
  });
}

/** March 1–31, 2026. */
const periodOf = (month: string): string => {
  const [year = 0, number = 1] = month.split("-").map(Number);
  const lastDay = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return `${monthInWords(month).replace(" ", ` 1–${lastDay}, `)} (UTC)`;
};

const statusOf = ({ due_cents, total_cents, paid_at }: Invoice): string => {
  if (due_cents > 0) return `${usd(due_cents)} due on receipt`;
  return total_cents === 0 || paid_at === null ? "Nothing due" : `Paid on ${dayInWords(paid_at)}`;
};
