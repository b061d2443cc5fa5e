// Placeholders in texts: `Hello {{name}}`. Copying asks for their values. The pages, the command line, and agents follow the same rules.

/** Braces around a name of up to 60 characters on one line. White space around the name does not count. */
export const placeholderPattern = /\{\{[ \t]*([^{}\s](?:[^{}\r\n]{0,58}[^{}\s])?)[ \t]*\}\}/g;

/** A piece of a text: as it is, or a placeholder with its name. */
export interface Piece {
  readonly text: string;
  readonly placeholder: string | undefined;
}

/** Cuts a text at its placeholders. The pieces together are the text. */
export function cutAtPlaceholders(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: whole, 1: name, index } of text.matchAll(placeholderPattern)) {
    if (index > end) pieces.push({ text: text.slice(end, index), placeholder: undefined });
    pieces.push({ text: whole, placeholder: name });
    end = index + whole.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), placeholder: undefined });
  return pieces;
}

/** The names of the placeholders in a text, each once, in their order. */
export const placeholderNames = (text: string): readonly string[] => [
  ...new Set(Array.from(text.matchAll(placeholderPattern), ([, name]) => name ?? "")),
];

/**
 * Puts values in the place of placeholders. One without a value stays, so that it is noticed. A value is never read as a text with
 * placeholders itself.
 */
export const fillIn = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(placeholderPattern, (whole, name: string) => values.get(name) || whole);

/** What to say about placeholders that were copied without a value; undefined if each has one. */
export function describeEmpty(names: readonly string[], values: ReadonlyMap<string, string>): string | undefined {
  const empty = names.filter((name) => !values.get(name));
  if (empty.length === 0) return undefined;
  const named = empty.slice(0, namedMax).map((name) => `{{${name}}}`);
  const rest = empty.length > namedMax ? ` and ${formatCount(empty.length - namedMax)} more` : "";
  const subject = empty.length === 1 ? "1 placeholder is" : `${formatCount(empty.length)} placeholders are`;
  return `${subject} still empty: ${named.join(", ")}${rest}`;
}

const namedMax = 3;

const formatCount = (count: number): string => count.toLocaleString("en-US");
