// What an import left out or changed, as a table for spreadsheets. The pages make it too.

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
  return [["kind", "file", "line", "message"], ...rows].map((cells) => `${cells.map(cellOf).join(",")}\n`).join("");
};

/** Full-width signs count as well: spreadsheets in some languages take them for a formula. */
export const beginsFormula = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** A cell that begins like a formula is data: it gets an apostrophe before it. */
function cellOf(value: string | number | null): string {
  const text = String(value ?? "");
  const safe = beginsFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
