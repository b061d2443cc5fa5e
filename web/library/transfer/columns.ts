// Which column of a table has which field of a snippet.
import { textLimits } from "../../limits.ts";
import type { Preview } from "./import-run.ts";

export type Table = NonNullable<Preview["data"]["table"]>;
export type Field = NonNullable<Table["fields"][number]>;

/** What somebody chose. */
export interface ColumnFields {
  readonly fields: Table["fields"];
  readonly hasHeadings: boolean;
}

/** In the order of a list of choices. */
export const fieldNames: Readonly<Record<Field, string>> = {
  title: "Title",
  content: "Text",
  shortcut: "Shortcut",
  note: "Note",
  folder: "Folder",
  tags: "Tags",
  type: "Content type",
};

/** Gives a column a field, which no other column has then. */
export const withField = ({ fields, hasHeadings }: ColumnFields, at: number, field: Field | null): ColumnFields => ({
  hasHeadings,
  fields: fields.map((each, index) => (index === at ? field : each === field ? null : each)),
});

/**
 * The choice as a request has it. A heading says that the first row has headings. One that is cut, empty, a number, or there twice does not
 * name its column.
 */
export function columnsOf({ rows }: Table, { fields, hasHeadings }: ColumnFields): Partial<Record<Field, string>> {
  const headings = (rows[0] ?? []).map((cell) => cell.trim());
  const isName = (heading: string) =>
    heading.length > 0 &&
    [...heading].length < textLimits.importPreviewCellLengthMax &&
    !/^\d+$/.test(heading) &&
    headings.filter((each) => each.toLowerCase() === heading.toLowerCase()).length === 1;
  return Object.fromEntries(
    fields.flatMap((field, at) => {
      const heading = headings[at] ?? "";
      return field === null ? [] : [[field, hasHeadings && isName(heading) ? heading : String(at + 1)]];
    }),
  );
}
