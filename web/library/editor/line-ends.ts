// The editor keeps a text as lines. A text that is opened and saved must be the same, whatever its lines end with.

/**
 * How to cut a text into lines without losing anything: at CRLF where every line ends with it, and at LF where line ends are mixed, so
 * that a CR is a character like others. Undefined where the text has no CR.
 */
export function lineSeparatorOf(text: string): "\r\n" | "\n" | undefined {
  if (!text.includes("\r")) return undefined;
  return /\r(?!\n)|(?<!\r)\n/.test(text) ? "\n" : "\r\n";
}

/** Pasted text gets the line ends of the text around it. */
export const withLineEnds = (pasted: string, separator: string): string => pasted.replace(/\r\n?|\n/g, separator);
