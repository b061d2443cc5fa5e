// An invoice as PDF, A4: who, whom, which month, each line with its arithmetic, what is paid and what is due. The same invoice gives the
// same bytes. Loaded when somebody first asks for one.

import plainFont from "dejavu-fonts-ttf/ttf/DejaVuSans.ttf" with { type: "file" };
import boldFont from "dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf" with { type: "file" };
import PDFDocument from "pdfkit";
import type { Invoice, InvoiceLine } from "./invoices.ts";
import { exactUsd, priceInWords, usd } from "./price.ts";

type Page = PDFKit.PDFDocument;

/** In points. */
const margin = 56;
const bottomMargin = 84;
const pageWidth = 595.28;
const pageHeight = 841.89;
const right = pageWidth - margin;
const bottom = pageHeight - bottomMargin;
const rowGap = 7;

const sizes = { title: 24, seller: 13, text: 9.5, small: 8 } as const;
const colours = { text: "#15181e", quiet: "#565c68", line: "#d5d8de" } as const;

/** Columns of the table of lines, from the left; all but the first stand to the right in their width. */
const columns = [
  { title: "Description", x: margin, width: 215, align: "left" },
  { title: "Units", x: 275, width: 68, align: "right" },
  { title: "Unit price", x: 347, width: 62, align: "right" },
  { title: "Amount (USD)", x: 413, width: 78, align: "right" },
  { title: "State", x: 497, width: right - 497, align: "right" },
] as const;

let loading: Promise<{ plain: Buffer; bold: Buffer }> | undefined;
const loadFonts = () => {
  loading ??= Promise.all([plainFont, boldFont].map((path) => Bun.file(path).bytes())).then(([plain, bold]) => ({
    plain: Buffer.from(plain ?? []),
    bold: Buffer.from(bold ?? []),
  }));
  return loading;
};

/** So many are kept: setting one takes a tenth of a second in which no call is answered, and people look at the same one again. */
const keptMax = 16;
const kept = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** @param origin the instance's address, which stands for who bills */
export function renderInvoice(invoice: Invoice, origin: string): Promise<Uint8Array<ArrayBuffer>> {
  const place = JSON.stringify([invoice, origin]);
  const known = kept.get(place);
  if (known) return known;
  const rendering = setInvoice(invoice, origin);
  // A failure is nothing to keep.
  rendering.catch(() => kept.delete(place));
  const [oldest] = kept.keys();
  if (kept.size >= keptMax && oldest !== undefined) kept.delete(oldest);
  kept.set(place, rendering);
  return rendering;
}

async function setInvoice(invoice: Invoice, origin: string): Promise<Uint8Array<ArrayBuffer>> {
  const { plain, bold } = await loadFonts();
  const document = new PDFDocument({
    size: "A4",
    // Where a page ends is decided here, row by row.
    margin: 0,
    bufferPages: true,
    // A standard font is looked for in files that a compiled program does not have. The type knows names only.
    font: plain as unknown as string,
    lang: "en-US",
    displayTitle: true,
    info: {
      Title: `Invoice ${invoice.number}`,
      Author: hostOf(origin),
      Subject: `Requests of ${invoice.month}`,
      // The moment of issue, so that the same invoice gives the same bytes.
      CreationDate: new Date(invoice.issued_at),
    },
  });
  document.registerFont("plain", plain).registerFont("bold", bold);
  const portions: Uint8Array[] = [];
  document.on("data", (portion: Uint8Array) => portions.push(portion));
  const ended = new Promise<void>((resolve, reject) => document.on("end", resolve).on("error", reject));
  let y = writeHead(document, invoice, origin);
  y = await writeLines(document, invoice, y);
  y = writeTotals(document, invoice, y);
  writeNotes(document, invoice, y);
  writeFeet(document, invoice, origin);
  document.end();
  await ended;
  return new Uint8Array(Buffer.concat(portions));
}

const hostOf = (origin: string): string => new URL(origin).host;

interface Style {
  readonly font?: "plain" | "bold";
  readonly size?: number;
  readonly colour?: string;
  readonly align?: "left" | "right";
}

/** Writes a text in a column, wrapped where it is too long. @returns the place below it */
function write(page: Page, text: string, x: number, y: number, width: number, style: Style = {}): number {
  const { font = "plain", size = sizes.text, colour = colours.text, align = "left" } = style;
  page.font(font).fontSize(size).fillColor(colour);
  const shown = inOneLine(text);
  page.text(shown, x, y, { width, align });
  return y + page.heightOfString(shown, { width });
}

/** What people wrote has no lines, tabs or invisible characters of its own on an invoice. */
const inOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();

const rule = (page: Page, y: number, weight = 0.75, from = margin): void => {
  page.moveTo(from, y).lineTo(right, y).lineWidth(weight).strokeColor(colours.line).stroke();
};

function writeHead(page: Page, invoice: Invoice, origin: string): number {
  const columnWidth = 235;
  const rightX = right - columnWidth;
  write(page, "Invoice", margin, margin, columnWidth, { font: "bold", size: sizes.title });
  let seller = write(page, hostOf(origin), rightX, margin + 4, columnWidth, {
    ...{ font: "bold", size: sizes.seller, align: "right" },
  });
  seller = write(page, origin, rightX, seller + 2, columnWidth, { colour: colours.quiet, align: "right" });

  const y = Math.max(seller, margin + sizes.title) + 34;
  let left = write(page, "Billed to", margin, y, columnWidth, { size: sizes.small, colour: colours.quiet });
  left = write(page, invoice.workspace_name, margin, left + 3, columnWidth, { font: "bold" });
  left = write(page, `Workspace ${invoice.workspace_id}`, margin, left + 3, columnWidth, {
    ...{ size: sizes.small, colour: colours.quiet },
  });

  const facts = [
    ["Invoice number", invoice.number],
    ["Date of issue", dayOf(invoice.issued_at)],
    ["Billing period", periodOf(invoice.month)],
    ["Payment", stateOf(invoice)],
  ] as const;
  let factsY = y;
  for (const [name, value] of facts) {
    write(page, name, rightX, factsY + 1, 84, { size: sizes.small, colour: colours.quiet });
    factsY = write(page, value, rightX + 84, factsY, columnWidth - 84, { align: "right" }) + 5;
  }
  return Math.max(left, factsY) + 28;
}

/** Calls are answered in between: whoever buys packages a thousand times has an invoice that takes seconds. */
const linesAtOnce = 5;

async function writeLines(page: Page, { lines }: Invoice, from: number): Promise<number> {
  let y = writeTableHead(page, from);
  for (const [index, line] of lines.entries()) {
    if (index % linesAtOnce === linesAtOnce - 1) await new Promise((goOn) => setImmediate(goOn));
    const height = heightOf(page, line);
    if (y + height > bottom) {
      page.addPage({ size: "A4", margin: 0 });
      y = writeTableHead(page, margin);
    }
    writeLine(page, line, y);
    y += height;
    rule(page, y - rowGap / 2, 0.5);
  }
  return y;
}

function writeTableHead(page: Page, y: number): number {
  for (const { title, x, width, align } of columns)
    write(page, title, x, y, width, { size: sizes.small, colour: colours.quiet, align });
  rule(page, y + 15);
  return y + 15 + rowGap;
}

const cellsOf = (line: InvoiceLine): readonly string[] => [
  line.description,
  line.units.toLocaleString("en-US"),
  exactUsd(line.unit_price_microdollars),
  exactUsd(line.amount_microdollars),
  line.is_paid ? "paid" : "due",
];

const noteOf = ({ is_paid, paid_at, reference }: InvoiceLine): string | undefined =>
  is_paid && paid_at !== null
    ? `Paid ${dayOf(paid_at)}${reference === null ? "" : `, reference ${inOneLine(reference)}`}`
    : undefined;

function heightOf(page: Page, line: InvoiceLine): number {
  page.font("plain").fontSize(sizes.text);
  const [{ width }] = columns;
  const text = page.heightOfString(line.description, { width });
  const note = noteOf(line);
  page.fontSize(sizes.small);
  return text + (note === undefined ? 0 : 2 + page.heightOfString(note, { width })) + 2 * rowGap;
}

function writeLine(page: Page, line: InvoiceLine, y: number): void {
  let below = y;
  for (const [index, text] of cellsOf(line).entries()) {
    const column = columns[index];
    if (!column) continue;
    const end = write(page, text, column.x, y, column.width, { align: column.align });
    if (index === 0) below = end;
  }
  const note = noteOf(line);
  const [{ x, width }] = columns;
  if (note !== undefined) write(page, note, x, below + 2, width, { size: sizes.small, colour: colours.quiet });
}

function writeTotals(page: Page, invoice: Invoice, from: number): number {
  let y = from + 12;
  if (y + 90 > bottom) {
    page.addPage({ size: "A4", margin: 0 });
    y = margin;
  }
  const x = 347;
  const amount = 413;
  const rows = [
    ["Total", invoice.total_cents, "plain"],
    ["Paid", -invoice.paid_cents, "plain"],
    ["Due (USD)", invoice.due_cents, "bold"],
  ] as const;
  for (const [name, cents, font] of rows) {
    if (font === "bold") rule(page, y - 4, 0.75, x);
    write(page, name, x, y, 62 + 4, { font });
    y = write(page, usd(cents === 0 ? 0 : cents), amount, y, 78, { font, align: "right" }) + 9;
  }
  return y;
}

function writeNotes(page: Page, { lines, due_cents }: Invoice, from: number): void {
  const isRounded = lines.some((line) => line.amount_microdollars % 10_000 !== 0);
  const notes = [
    `The price is ${priceInWords}: each amount is units × unit price, exactly.`,
    ...(isRounded ? ["The total is rounded half up to whole cents, once."] : []),
    ...(due_cents > 0 ? ["What is due is to be paid on the day of issue."] : []),
    "All dates and months are in UTC, amounts in US dollars.",
  ];
  let y = from + 22;
  const width = right - margin;
  for (const note of notes) {
    if (y + 14 > bottom) {
      page.addPage({ size: "A4", margin: 0 });
      y = margin;
    }
    y = write(page, note, margin, y, width, { size: sizes.small, colour: colours.quiet }) + 3;
  }
}

/** When it is known how many pages there are. */
function writeFeet(page: Page, { number }: Invoice, origin: string): void {
  const { start, count } = page.bufferedPageRange();
  for (let index = start; index < start + count; index += 1) {
    page.switchToPage(index);
    const y = pageHeight - margin;
    rule(page, y - 10, 0.5);
    const half = (right - margin) / 2;
    const style = { size: sizes.small, colour: colours.quiet };
    write(page, `${hostOf(origin)} · ${number}`, margin, y, half + 100, style);
    write(page, `Page ${index + 1} of ${count}`, right - half + 100, y, half - 100, { ...style, align: "right" });
  }
}

const months = "January February March April May June July August September October November December".split(" ");

/** 1 April 2026. */
const dayOf = (moment: string): string => {
  const [year, month, day] = moment.slice(0, 10).split("-").map(Number);
  return `${day} ${months[(month ?? 1) - 1]} ${year}`;
};

/** 1–31 March 2026. */
const periodOf = (month: string): string => {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return `1–${new Date(Date.UTC(year, number, 0)).getUTCDate()} ${months[number - 1]} ${year} (UTC)`;
};

const stateOf = ({ due_cents, total_cents, paid_at }: Invoice): string => {
  if (due_cents > 0) return `${usd(due_cents)} due`;
  return total_cents === 0 || paid_at === null ? "nothing due" : `paid in full, ${dayOf(paid_at)}`;
};
