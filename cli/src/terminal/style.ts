// Colors on terminals only, and texts of others on one line.
import { inert } from "../../../src/contract/printable.ts";

/** Whether a stream shows colors: a terminal, unless NO_COLOR is set. */
const hasColors = (stream: { readonly isTTY?: boolean }): boolean => stream.isTTY === true && !process.env.NO_COLOR;

const styled = (text: string, begin: number, end: number, stream: { readonly isTTY?: boolean }): string =>
  hasColors(stream) ? `\u001b[${begin}m${text}\u001b[${end}m` : text;

export const bold = (text: string): string => styled(text, 1, 22, process.stdout);
export const dim = (text: string): string => styled(text, 2, 22, process.stdout);
export const inverse = (text: string): string => styled(text, 7, 27, process.stdout);
export const red = (text: string): string => styled(text, 31, 39, process.stdout);
export const green = (text: string): string => styled(text, 32, 39, process.stdout);
export const cyan = (text: string): string => styled(text, 36, 39, process.stdout);
/** For messages, which go to standard error. */
export const yellowNotice = (text: string): string => styled(text, 33, 39, process.stderr);

/** A text of others on one line of a terminal. */
export const oneLine = (text: string): string => inert(text.replace(/\s+/g, " ").trim());

/** How many columns a text takes: two for Chinese letters and many symbols, none for accents that follow their letter. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text)
    width += /[\p{Mn}\p{Me}\p{Cf}]/u.test(character)
      ? 0
      : /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u.test(
            character,
          )
        ? 2
        : 1;
  return width;
}

/** The text cut to a number of columns, with … at the cut. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let cut = "";
  let width = 0;
  for (const character of text) {
    width += widthOf(character);
    if (width > columns - 1) break;
    cut += character;
  }
  return `${cut}…`;
}

/** A line as several of at most so many columns, broken at spaces where possible. */
export function wrap(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<= )(?=[^ ])/)) {
    if (current !== "" && widthOf(current + word.trimEnd()) > columns) {
      lines.push(current.trimEnd());
      current = "";
    }
    for (const character of word) {
      if (widthOf(current + character) > columns && character !== " ") {
        lines.push(current);
        current = "";
      }
      current += character;
    }
  }
  return [...lines, current.trimEnd()];
}

export const pad = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - widthOf(text)));
