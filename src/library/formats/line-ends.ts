// Characters that end a line for one program or another. A file whose lines mean something must not have one of them inside a line.

/** Besides Unix's: those of other systems, and the separators that Python's `splitlines` and YAML 1.1 take for line ends, too. */
const others = ["\r\n", "\r", "\v", "\f", "\u001c", "\u001d", "\u001e", "\u0085", "\u2028", "\u2029"];
const otherLineEnd = new RegExp(others.join("|"), "g");

export const hasOtherLineEnds = (text: string): boolean => text.search(otherLineEnd) >= 0;

/** The text with `\n` at the end of each line. */
export const withUnixLineEnds = (text: string): string => text.replaceAll(otherLineEnd, "\n");

/** The text on one line, without control characters. Spaces inside it stay as they are. */
export const onOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
