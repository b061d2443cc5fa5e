// Comma-separated values (RFC 4180) for spreadsheets. Text that would begin a formula gets an apostrophe before it.

/** Full-width signs count as well: spreadsheets in some languages take them for a formula. */
const beginsFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

const cellOf = (value: string | number | null): string => {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = beginsFormula.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
};

/** One line with its line break. Text is quoted, numbers are not. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cellOf).join(",")}\r\n`;
