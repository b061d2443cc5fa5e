// Parts of messages to the person who imports a file.

/** `1 snippet`, `1,200 snippets`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;

const list = new Intl.ListFormat("en");
const [namesMax, nameLengthMax] = [8, 40];

/** What a file has many of: the first ones, each on one line. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).map(shortened);
  const more = names.length > namesMax ? [`${names.length - namesMax} more`] : [];
  return list.format([...shown, ...more]);
}

/** A piece of a text, short and on one line. */
export function shortened(text: string): string {
  const characters = [
    ...text
      .slice(0, 4 * nameLengthMax)
      .replaceAll(/[\s\p{Cc}]+/gu, " ")
      .trim(),
  ];
  return characters.length > nameLengthMax
    ? `${characters.slice(0, nameLengthMax - 1).join("")}…`
    : characters.join("");
}
