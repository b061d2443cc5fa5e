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
