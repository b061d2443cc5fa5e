// The paper that an invoice is set on: texts in columns, rules and pages, and which font each text is set in.
//
// That is DejaVu Sans, or the operator's font for a text that DejaVu Sans lacks letters of. What neither has is written as its code point,
// because a box says nothing of what it stands for.
import plainFont from "dejavu-fonts-ttf/ttf/DejaVuSans.ttf" with { type: "file" };
import boldFont from "dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf" with { type: "file" };
import PDFDocument from "pdfkit";
import type { FontFile } from "../../config.ts";

export interface Style {
  readonly isBold?: boolean;
  readonly size?: number;
  readonly colour?: string;
  readonly align?: "left" | "right";
}

export interface PaperOptions {
  readonly info: PDFKit.DocumentInfo;
  /** All that people wrote and that will stand on it. */
  readonly texts: string;
  readonly font: FontFile | undefined;
  /** Of a text whose style does not say it. */
  readonly usual: Required<Pick<Style, "size" | "colour">>;
}

let loading: Promise<{ plain: Buffer; bold: Buffer }> | undefined;
const loadFonts = () => {
  loading ??= Promise.all([plainFont, boldFont].map(readFile)).then(([plain, bold]) => ({
    plain: plain ?? Buffer.of(),
    bold: bold ?? Buffer.of(),
  }));
  return loading;
};
const readFile = async (path: string): Promise<Buffer> => Buffer.from(await Bun.file(path).bytes());

type FontName = "plain" | "bold" | "own";

export class Paper {
  readonly #document: PDFKit.PDFDocument;
  readonly #usual: PaperOptions["usual"];
  readonly #ended: Promise<void>;
  readonly #portions: Uint8Array[] = [];
  #hasOwn = false;

  private constructor(plain: Buffer, { info, usual }: PaperOptions) {
    this.#usual = usual;
    this.#document = new PDFDocument({
      size: "A4",
      // Where a page ends is decided row by row.
      margin: 0,
      bufferPages: true,
      // A standard font is looked for in files that a compiled program does not have. The type knows names only.
      font: plain as unknown as string,
      lang: "en-US",
      displayTitle: true,
      info,
    });
    this.#document.on("data", (portion: Uint8Array) => this.#portions.push(portion));
    this.#ended = new Promise((resolve, reject) => this.#document.on("end", resolve).on("error", reject));
  }

  /** @throws Error where the operator's font is needed and can not be used */
  static async open(options: PaperOptions): Promise<Paper> {
    const { plain, bold } = await loadFonts();
    const paper = new Paper(plain, options);
    paper.#document.registerFont("plain", plain).registerFont("bold", bold);
    // It may have many megabytes, and few invoices need it.
    const { font } = options;
    if (font && paper.#missing("plain", inOneLine(options.texts)).size > 0) {
      try {
        paper.#document.registerFont("own", await readFile(font.path), font.name).font("own");
      } catch (cause) {
        throw new Error(`the font ${font.path} can not be used`, { cause });
      }
      paper.#hasOwn = true;
    }
    return paper;
  }

  /** Writes a text in a column, wrapped where it is too long, and cut where the paper ends. @returns the place below it */
  write(text: string, x: number, y: number, width: number, style: Style = {}): number {
    const shown = this.#begin(text, style);
    const { colour = this.#usual.colour, align = "left" } = style;
    const height = this.#document.page.height - y;
    if (height > this.#document.currentLineHeight())
      this.#document.fillColor(colour).text(shown, x, y, { width, align, height, ellipsis: true });
    return y + this.#document.heightOfString(shown, { width });
  }

  heightOf(text: string, width: number, style: Style = {}): number {
    return this.#document.heightOfString(this.#begin(text, style), { width });
  }

  /** A line across. */
  rule(from: number, to: number, y: number, weight: number, colour: string): void {
    this.#document.moveTo(from, y).lineTo(to, y).lineWidth(weight).strokeColor(colour).stroke();
  }

  addPage(): void {
    this.#document.addPage({ size: "A4", margin: 0 });
  }

  /** Goes through the pages once more, when it is known how many there are. */
  onEachPage(work: (page: number, pages: number) => void): void {
    const { start, count } = this.#document.bufferedPageRange();
    for (let index = 0; index < count; index += 1) {
      this.#document.switchToPage(start + index);
      work(index + 1, count);
    }
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    this.#document.end();
    await this.#ended;
    return new Uint8Array(Buffer.concat(this.#portions));
  }

  /** Chooses font and size. @returns the text as it can be shown with them */
  #begin(text: string, { isBold = false, size = this.#usual.size }: Style): string {
    const line = inOneLine(text);
    const usual = isBold ? "bold" : "plain";
    const missing = this.#missing(usual, line);
    const missingOfOwn = missing.size > 0 && this.#hasOwn ? this.#missing("own", line) : missing;
    const isOwn = missingOfOwn.size < missing.size;
    this.#document.font(isOwn ? "own" : usual).fontSize(size);
    const lacks = isOwn ? missingOfOwn : missing;
    return lacks.size === 0 ? line : [...line].map((one) => (lacks.has(one) ? codePointOf(one) : one)).join("");
  }

  /** The characters of a text that a font does not have. */
  #missing(name: FontName, line: string): ReadonlySet<string> {
    if (/^[ -~]*$/.test(line)) return nothing;
    const font = openedFont(this.#document.font(name));
    return new Set([...new Set(line)].filter((one) => !font.hasGlyphForCodePoint(one.codePointAt(0) ?? 0)));
  }
}

const nothing: ReadonlySet<string> = new Set();

/** What people wrote has no lines, tabs or invisible characters of its own on an invoice. */
const inOneLine = (text: string): string =>
  text
    .replaceAll(/\p{Variation_Selector}/gu, "")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();

const codePointOf = (character: string): string =>
  `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`;

/** The font that was chosen last. The library keeps it under this name, and its version is pinned. */
const openedFont = (document: PDFKit.PDFDocument) =>
  (document as unknown as { readonly _font: { readonly font: { hasGlyphForCodePoint: (point: number) => boolean } } })
    ._font.font;
