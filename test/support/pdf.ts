// Reads the parts of PDF that the service writes: pages, and each piece of text with its position. It shares no code with the writer.
import { inflateSync } from "node:zlib";

export interface Piece {
  readonly text: string;
  /** Distance from the left and bottom edges of its page, in points. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface Pdf {
  readonly pages: number;
  readonly places: readonly Piece[];
  readonly pieces: readonly string[];
  /** All pieces, one per line. */
  readonly text: string;
}

interface Font {
  readonly letters: readonly string[];
  /** In thousandths of the font size. */
  readonly widths: readonly number[];
}

export function readPdf(bytes: Uint8Array): Pdf {
  const source = Buffer.from(bytes).toString("latin1");
  const objects = new Map(
    [...source.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)].map(([, id = "", body = ""]) => [id, body]),
  );
  const object = (id: string | undefined): string => objects.get(id ?? "") ?? "";
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\n/.test(body));
  const places = pages.flatMap((page) => {
    const resources = object(/\/Resources (\d+) 0 R/.exec(page)?.[1]);
    const fonts = new Map(
      [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = "", id]) => [name, readFont(object(id), object)]),
    );
    return readPieces(streamOf(object(/\/Contents (\d+) 0 R/.exec(page)?.[1])), fonts);
  });
  const pieces = places.map(({ text }) => text);
  return { pages: pages.length, places, pieces, text: pieces.join("\n") };
}

function streamOf(body: string): string {
  const from = body.indexOf("stream\n") + "stream\n".length;
  const raw = Buffer.from(body.slice(from, body.lastIndexOf("\nendstream")), "latin1");
  return inflateSync(raw).toString("latin1");
}

function readFont(body: string, object: (id: string | undefined) => string): Font {
  const map = streamOf(object(/\/ToUnicode (\d+) 0 R/.exec(body)?.[1]));
  const letters: string[] = [];
  for (const [, first = "", list = ""] of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g))
    for (const [index, [, hex = ""]] of [...list.matchAll(/<([0-9a-f ]*)>/g)].entries())
      letters[Number.parseInt(first, 16) + index] = fromUtf16(hex.replaceAll(" ", ""));
  const descendant = object(/\/DescendantFonts \[(\d+) 0 R\]/.exec(body)?.[1]);
  const widths = /\/W \[0 \[([^\]]*)\]\]/.exec(descendant)?.[1]?.split(" ").map(Number) ?? [];
  return { letters, widths };
}

const fromUtf16 = (hex: string): string =>
  String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)));

function readPieces(content: string, fonts: ReadonlyMap<string, Font>): Piece[] {
  return [...content.matchAll(/BT\n([\s\S]*?)\nET/g)].map(([, shown = ""]) => {
    const [, x = "", y = ""] = /1 0 0 1 ([\d.-]+) ([\d.-]+) Tm/.exec(shown) ?? [];
    const [, name = "", size = ""] = /\/(F\d+) ([\d.]+) Tf/.exec(shown) ?? [];
    const font = fonts.get(name);
    if (!font) throw new Error(`there is no font ${name}`);
    let text = "";
    let thousandths = 0;
    for (const [, hex, kerning] of (/\[(.*)\] TJ/s.exec(shown)?.[1] ?? "").matchAll(/<([0-9a-f]*)>|(-?[\d.]+)/g)) {
      if (kerning !== undefined) thousandths -= Number(kerning);
      for (const glyph of hex?.match(/.{4}/g) ?? []) {
        text += font.letters[Number.parseInt(glyph, 16)] ?? "";
        thousandths += font.widths[Number.parseInt(glyph, 16)] ?? 0;
      }
    }
    return { text, x: Number(x), y: Number(y), width: (thousandths * Number(size)) / 1_000 };
  });
}
