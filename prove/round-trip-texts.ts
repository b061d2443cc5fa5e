// The texts of P11, and their bytes in the tables.
import { engine } from "../test/support/engine.ts";
import type { Started } from "../test/support/service.ts";

export const contentLengthMax = 1_000_000;

/** Every text field: its shortest and its longest. Written by hand, never taken from the contract. */
export const fields = {
  title: [1, 200],
  note: [0, 5_000],
  shortcut: [0, 100],
  content: [0, contentLengthMax],
  variationName: [1, 100],
  variationContent: [0, contentLengthMax],
  folderName: [1, 1_000],
  folderColor: [1, 100],
  tagName: [1, 1_000],
  tagColor: [1, 100],
} as const;
export type Field = keyof typeof fields;
export type Texts = Record<Field, string>;
export const fieldNames = Object.keys(fields) as Field[];

export interface Ids {
  readonly snippets: string[];
  readonly folders: string[];
  readonly tags: string[];
}

/** Compares with the bytes in the tables. */
export async function proveBytes(started: Started, ids: Ids, texts: readonly Texts[]): Promise<void> {
  const { hex } = engine;
  const read = async (table: string, key: string, of: readonly string[], columns: readonly string[]) => {
    const marks = of.map(() => "?").join(", ");
    const rows = await started.rows<Record<string, string>>(
      `select ${key} as id, ${columns.map((column) => `${hex(column)} as ${column}`).join(", ")} from ${table}
       where workspace_id = ? and ${key} in (${marks})`,
      started.workspace.id,
      ...of,
    );
    return new Map(rows.map((row) => [row.id ?? "", row]));
  };
  const tables: readonly [string, string, readonly string[], Partial<Record<Field, string>>][] = [
    [
      "snippets",
      "id",
      ids.snippets,
      { title: "title", note: "snippet_note", shortcut: "shortcut", content: "content" },
    ],
    ["variations", "snippet_id", ids.snippets, { variationName: "name", variationContent: "content" }],
    ["folders", "id", ids.folders, { folderName: "folder_name", folderColor: "folder_color" }],
    ["tags", "id", ids.tags, { tagName: "tag_name", tagColor: "tag_color" }],
  ];
  for (const [table, key, of, columns] of tables) {
    const rows = await read(table, key, of, Object.values(columns));
    for (const [index, sent] of texts.entries())
      for (const [name, column] of Object.entries(columns) as [Field, string][]) {
        const stored = rows.get(of[index] ?? "")?.[column];
        if (stored !== Buffer.from(sent[name]).toString("hex").toUpperCase())
          throw new Error(
            `${table}.${column} does not hold the UTF-8 bytes of ${JSON.stringify(sent[name].slice(0, 300))}`,
          );
      }
  }
}
