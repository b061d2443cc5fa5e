// What an import left out or changed, as a table for spreadsheets.
import { stringify } from "csv-stringify/sync";

/** Where something is in a file, from line 1, and what about it. */
interface Note {
  readonly file: string | null;
  readonly line: number | null;
  readonly message: string;
}

/** @param problems what was not imported. @param warnings what was imported differently, or left out besides the snippets */
export const importReport = (problems: readonly Note[], warnings: readonly Note[]): string => {
  const rowOf = (kind: string) => (note: Note) => [kind, note.file, note.line, note.message];
  const rows = [...problems.map(rowOf("problem")), ...warnings.map(rowOf("warning"))];
  // A cell that begins like a formula is data: it gets an apostrophe before it.
  return stringify([["kind", "file", "line", "message"], ...rows], { escape_formulas: true });
};
