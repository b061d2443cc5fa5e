// The pages of an invoice: texts in columns, lines, page breaks and the font of each text.
//
// The font is DejaVu Sans, or the operator's font for a text with characters that DejaVu Sans lacks. A character that neither has is
// written as its code point, because an empty box would say nothing.
import plainFont from "dejavu-fonts-ttf/ttf/DejaVuSans.ttf" with { type: "file" };
import boldFont from "dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf" with { type: "file" };
import PDFDocument from "pdfkit";
import type { FontFile } from "../../config.ts";

export interface Style {
  readonly isBold?: boolean;
  readonly size?: number;
  readonly color?: string;
  readonly align?: "left" | "right";
}

export interface InvoiceDocumentOptions {
  readonly info: PDFKit.DocumentInfo;
  /** All texts that people wrote and that will be printed. */
  readonly texts: string;
  readonly font: FontFile | undefined;
  /** For texts whose style leaves them out. */
  readonly defaults: Required<Pick<Style, "size" | "color">>;
}

/** Each invoice uses the fonts as the first one read them: reading them takes half the time of an invoice. */
let loading: Promise<{ plain: FontSource; bold: FontSource }> | undefined;
const loadFonts = () => {
  loading ??= Promise.all([plainFont, boldFont].map(readFile)).then(([plain = Buffer.of(), bold = Buffer.of()]) => {
    const document = new PDFDocument({ font: asFontName(plain) });
    return { plain: openedFont(document), bold: openedFont(document.font(bold)) };
  });
  return loading;
};
const readFile = async (path: string): Promise<Buffer> => Buffer.from(await Bun.file(path).bytes());

interface OpenedFont {
  readonly hasGlyphForCodePoint: (point: number) => boolean;
}

type FontSource = Buffer | OpenedFont;
type FontName = "plain" | "bold" | "custom";

export class InvoiceDocument {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #defaults: InvoiceDocumentOptions["defaults"];
  readonly #ended: Promise<void>;
  readonly #portions: Uint8Array[] = [];
  #hasCustom = false;

  private constructor(plain: FontSource, { info, defaults }: InvoiceDocumentOptions) {
    this.#defaults = defaults;
    this.#pdf = new PDFDocument({
      size: "A4",
      // The caller decides row by row where a page ends.
      margin: 0,
      bufferPages: true,
      font: asFontName(plain),
      lang: "en-US",
      displayTitle: true,
      info,
    });
    this.#pdf.on("data", (portion: Uint8Array) => this.#portions.push(portion));
    this.#ended = new Promise((resolve, reject) => this.#pdf.on("end", resolve).on("error", reject));
  }

  /** @throws Error where the operator's font is needed and cannot be used */
  static async open(options: InvoiceDocumentOptions): Promise<InvoiceDocument> {
    const { plain, bold } = await loadFonts();
    const document = new InvoiceDocument(plain, options);
    document.#pdf.registerFont("plain", asFontName(plain)).registerFont("bold", asFontName(bold));
    // It may have many megabytes, and few invoices need it.
    const { font } = options;
    if (font && document.#missing("plain", inOneLine(options.texts)).size > 0) {
      try {
        document.#pdf.registerFont("custom", await readFile(font.path), font.name).font("custom");
      } catch (cause) {
        throw new Error(`the font ${font.path} cannot be used`, { cause });
      }
      document.#hasCustom = true;
    }
    return document;
  }

  /** Writes a text in a column, wrapped to its width and cut at the end of the page. @returns y below the text */
  write(text: string, x: number, y: number, width: number, style: Style = {}): number {
    const shown = this.#begin(text, style);
    const { color = this.#defaults.color, align = "left" } = style;
    const height = this.#pdf.page.height - y;
    if (height > this.#pdf.currentLineHeight())
      this.#pdf.fillColor(color).text(shown, x, y, { width, align, height, ellipsis: true });
    return y + this.#pdf.heightOfString(shown, { width });
  }

  heightOf(text: string, width: number, style: Style = {}): number {
    return this.#pdf.heightOfString(this.#begin(text, style), { width });
  }

  /** Draws a horizontal line. */
  rule(from: number, to: number, y: number, weight: number, color: string): void {
    this.#pdf.moveTo(from, y).lineTo(to, y).lineWidth(weight).strokeColor(color).stroke();
  }

  addPage(): void {
    this.#pdf.addPage({ size: "A4", margin: 0 });
  }

  /** Visits the pages again, once their number is known. */
  onEachPage(work: (page: number, pages: number) => void): void {
    const { start, count } = this.#pdf.bufferedPageRange();
    for (let index = 0; index < count; index += 1) {
      this.#pdf.switchToPage(start + index);
      work(index + 1, count);
    }
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    this.#pdf.end();
    await this.#ended;
    return new Uint8Array(Buffer.concat(this.#portions));
  }

  /** Selects font and size. @returns the text as they can show it */
  #begin(text: string, { isBold = false, size = this.#defaults.size }: Style): string {
    const line = inOneLine(text);
    const standard = isBold ? "bold" : "plain";
    const missing = this.#missing(standard, line);
    const missingInCustom = missing.size > 0 && this.#hasCustom ? this.#missing("custom", line) : missing;
    const isCustom = missingInCustom.size < missing.size;
    this.#pdf.font(isCustom ? "custom" : standard).fontSize(size);
    const lacks = isCustom ? missingInCustom : missing;
    return lacks.size === 0 ? line : [...line].map((one) => (lacks.has(one) ? codePointOf(one) : one)).join("");
  }

  /** The characters of a text that a font lacks. */
  #missing(name: FontName, line: string): ReadonlySet<string> {
    if (/^[ -~]*$/.test(line)) return nothing;
    const font = openedFont(this.#pdf.font(name));
    return new Set([...new Set(line)].filter((one) => !font.hasGlyphForCodePoint(one.codePointAt(0) ?? 0)));
  }
}

const nothing: ReadonlySet<string> = new Set();

/** Removes line breaks, tabs and invisible characters. */
const inOneLine = (text: string): string =>
  text
    .replaceAll(/\p{Variation_Selector}/gu, "")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();

const codePointOf = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;

/** The selected font. PDFKit stores it in this private field, and its version is pinned. */
const openedFont = (document: PDFKit.PDFDocument) =>
  (document as unknown as { readonly _font: { readonly font: OpenedFont } })._font.font;

/** PDFKit's types allow names only. It reads the fonts of names from files that the executable lacks, and it takes what it opened. */
const asFontName = (font: FontSource): string => font as unknown as string;
