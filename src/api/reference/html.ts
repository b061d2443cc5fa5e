// Writes HTML: a template that escapes every value, so that nothing from the description can become markup.

/** Text that is markup already. Only this file makes it. */
export class Html {
  constructor(readonly markup: string) {}
}

export type Value = Html | string | number | undefined | false | readonly Value[];

/** Markup with its values escaped; undefined and false leave nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html =>
  new Html(parts.reduce((markup, part, index) => `${markup}${markupOf(values[index - 1])}${part}`));

/** One paragraph of the description: plain text with `code` and **strong** words. */
export const prose = (text: string): Html =>
  new Html(
    escaped(text)
      .replace(/`([^`]+)`/g, "<code>$1</code>")
      .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>"),
  );

function markupOf(value: Value): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.markup;
  return typeof value === "object" ? value.map(markupOf).join("") : escaped(String(value));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
