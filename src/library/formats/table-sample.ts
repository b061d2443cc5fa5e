// The beginning of a table, so that someone can see which column has which field, and choose others.
import { limits } from "../../contract/limits.ts";
import { type Column, columns, type FormatId } from "./format-ids.ts";
import type { InputFile } from "./input-file.ts";
import { beginningOf, delimiterOf, headingPlaces, isNamedTable, textExpanderColumns } from "./tables.ts";

export interface TableSample {
  readonly rows: readonly (readonly string[])[];
  /** What each column is read as; null for one that is left out. */
  readonly fields: readonly (Column | null)[];
  readonly hasHeadings: boolean;
}

/**
 * @param format that the file was read as, without a choice of columns
 * @returns undefined where it is no table
 */
export function sampleTable(file: InputFile, format: FormatId): TableSample | undefined {
  // A table without a heading that we know is a text.
  if (format !== "csv" && format !== "textexpander" && (format !== "text" || !isNamedTable(file))) return undefined;
  const rows = beginningOf(file, delimiterOf(file.text)).slice(0, limits.importPreviewRowsMax);
  const [first] = rows;
  const count = Math.min(
    limits.importPreviewColumnsMax,
    rows.reduce((most, { cells }) => Math.max(most, cells.length), 0),
  );
  if (!first || count < 2) return undefined;
  const places = format === "textexpander" ? textExpanderColumns : headingPlaces(first);
  return {
    rows: rows.map(({ cells }) => Array.from({ length: count }, (_, index) => beginningOfCell(cells[index]))),
    fields: Array.from({ length: count }, (_, index) => columns.find((column) => places.get(column) === index) ?? null),
    hasHeadings: format !== "textexpander",
  };
}

const beginningOfCell = (cell = ""): string => {
  const max = limits.importPreviewCellLengthMax;
  // A character has at most two units.
  return [...cell.slice(0, 2 * max)].slice(0, max).join("");
};
