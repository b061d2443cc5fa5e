// Comma-separated values (RFC 4180) that a spreadsheet takes for what they are: text that would begin a formula gets an apostrophe before it.

/** The signs in their full width count as well, where a spreadsheet is set to a language that writes them so. */
const beginsFormula = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

const cellOf = (value: string | number | null): string => {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = beginsFormula.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
};

/** One line with its end. Numbers stand as they are, all text is quoted. */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cellOf).join(",")}\r\n`;
