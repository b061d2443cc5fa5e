// Characters that move the cursor of a terminal, break a line, or change the order in which text is shown: a name must not have them, and what
// commands print has them only as visible signs. The command line tool uses this too.

/** Control characters, line and paragraph separators, and those that set the direction of text. */
export const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** Whether mail programs would make a link of a part of the text. Names are in emails to people who do not know who chose them. */
export const hasWebAddress = (text: string): boolean => /:\/\/|\bwww\./i.test(text.normalize("NFKC"));

/** Whether a text is shown as it is, on one line. */
export const isPrintable = (text: string): boolean => text.search(unprintable) < 0;

/** The same without line ends and tabs. */
const active = /[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** A text of others, to be shown on a terminal: what the terminal would act on becomes a visible sign. Line ends and tabs stay. */
export const inert = (text: string): string => text.replaceAll("\r\n", "\n").replace(active, "\ufffd");

/** The same on one line. */
export const inertLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(active, "\ufffd")
    .trim();

/** JSON with the same value, in which such characters are escaped. JSON itself escapes only some of them. */
export const printableJson = (value: unknown, indent = 0): string =>
  JSON.stringify(value, undefined, indent).replace(
    active,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
