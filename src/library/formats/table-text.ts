// Writes tables in CSV.
import { stringify } from "csv-stringify/sync";
import { Found } from "./found-codes.ts";
import { beginsFormula } from "./import-report.ts";
import type { Warning } from "./tree.ts";

/** A row. */
export type Cells = readonly string[];

/** The rows as a table. A cell with anything that could end a row for some reader is in quotes. */
export const tableText = (rows: readonly Cells[]): string =>
  stringify(
    rows.map((cells) => [...cells]),
    { quoted_match: /[\p{Cc}\p{Zl}\p{Zp}\ufeff]/u },
  );

/** An apostrophe would keep a spreadsheet from running them, and would become part of the texts when the file is imported. */
export function warnOfFormulas(rows: readonly Cells[]): Warning[] {
  const found = new Found();
  for (const cells of rows) found.add(cells.find((cell) => beginsFormula.test(cell)));
  return found.warning("cells that begin like a formula", "If you open the file in a spreadsheet, it may run them.");
}
