// Parts of messages to the person who imports a file.

/** `1 snippet`, `1,200 snippets`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;

const list = new Intl.ListFormat("en");
const [namesMax, nameLengthMax] = [8, 40];

/** What a file has many of: the first ones, each on one line. */
export const listed = (names: readonly string[]): string => joined(names.map(shortened));

/** The same with names that are short already. */
export function joined(names: readonly string[]): string {
  const shown = names.slice(0, namesMax);
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

/** The only snippet by its title, or how many there are. */
export const namedOrCounted = (titles: readonly string[]): string =>
  titles.length === 1 ? `"${titles[0]}"` : `${counted(titles.length, "snippet")}, such as "${titles[0]}"`;

/** Says which settings in notes an export leaves out, because the tool would not understand them, or take them for something else. */
export function leftOutSettings(
  tool: string,
  settings: readonly { readonly name: string; readonly title: string }[],
): { message: string }[] {
  if (settings.length === 0) return [];
  const names = settings.map(({ name, title }) => `${name} of "${shortened(title)}"`);
  return [{ message: `Settings in notes that ${tool} would not understand are left out: ${listed(names)}.` }];
}
