// The formats of imports and exports, by their names. What reads and writes them is in `library/formats/`.

/** The more specific ones first. */
export const formatIds = [
  "commonplace",
  "alfred",
  "raycast",
  "textblaze",
  "bytestash",
  "snipo",
  "gists",
  "masscode",
  "vscode",
  "espanso",
  "jetbrains",
  "ultisnips",
  "snipmate",
  "markdown",
  "csv",
  "textexpander",
  "text",
] as const;
export type FormatId = (typeof formatIds)[number];

/** Those of tools that have no way to import a file. */
const readOnly = ["bytestash", "snipo", "gists", "masscode"] as const satisfies readonly FormatId[];
export type WritableFormatId = Exclude<FormatId, (typeof readOnly)[number]>;

/** Those that an export can have. */
export const writableFormatIds = formatIds.filter(
  (id): id is WritableFormatId => !(readOnly as readonly FormatId[]).includes(id),
);

export const isFormatId = (id: string): id is FormatId => (formatIds as readonly string[]).includes(id);

/** The fields of a snippet that a table can have. */
export const columns = ["title", "shortcut", "content", "note", "folder", "tags", "type"] as const;
export type Column = (typeof columns)[number];

/** Which column of a table has which field: its heading or its number, from 1. */
export type ColumnChoice = Readonly<Partial<Record<Column, string>>>;

/** @param texts such as `title=Name`. @returns undefined where one of them is anything else, or names a field again */
export function readColumns(texts: readonly string[]): ColumnChoice | undefined {
  const chosen = new Map<Column, string>();
  for (const text of texts) {
    const [field, ...rest] = text.split("=");
    const column = columns.find((each) => each === field?.trim());
    const wanted = rest.join("=").trim();
    if (!column || wanted === "" || chosen.has(column)) return undefined;
    chosen.set(column, wanted);
  }
  // In the order of the table, so that the same choice is the same text.
  const entries = columns.flatMap((column) => {
    const wanted = chosen.get(column);
    return wanted === undefined ? [] : [[column, wanted] as const];
  });
  return Object.fromEntries(entries);
}
