// Tables in CSV: with headings or chosen columns, and those of TextExpander, which have no headings.
import { CsvError, parse } from "csv-parse/sync";
import type { Code } from "./codes.ts";
import { DifferentNames, fileName } from "./file-names.ts";
import { eachFile, type Format, type ReadOptions, textFile } from "./format.ts";
import { type Column, columns } from "./format-ids.ts";
import { Found, firstText, warnOfInserted } from "./found-codes.ts";
import { type InputFile, lineStarts } from "./input-file.ts";
import { listed, shortened } from "./messages.ts";
import { folderNames, lost, snippetsByFolder, tagNames } from "./paths-of-tree.ts";
import { ReadError } from "./read-error.ts";
import { readLimits } from "./read-limits.ts";
import { type Cells, tableText, warnOfFormulas } from "./table-text.ts";
import type { TreeSnippet, Warning } from "./tree.ts";
import type { TreeBuilder } from "./tree-builder.ts";

interface Row {
  readonly cells: readonly string[];
  readonly line: number;
}

const delimiters = [",", ";", "\t"];

/** The character between cells: the one that is most frequent in the first line. */
export const delimiterOf = (text: string): string => {
  const line = /^[^\r\n]*/.exec(text.slice(0, 10_000))?.[0] ?? "";
  const counts = delimiters.map((delimiter) => line.split(delimiter).length);
  return delimiters[counts.indexOf(Math.max(...counts))] ?? ",";
};

function rowsOf(text: string, delimiter: string, to?: number): Row[] {
  // The types of the library do not say that `raw` changes what a row is.
  const found = parse(text, {
    delimiter,
    record_delimiter: rowEndOf(text),
    bom: true,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: 0,
    ...(to !== undefined && { to }),
  }) as unknown as { record: string[]; raw: string }[];
  let line = 1;
  return found.map(({ record, raw }) => {
    // Empty lines before a row belong to it.
    const start = line + lineEndsIn(/^[\r\n]*/.exec(raw)?.[0] ?? "");
    line += lineEndsIn(raw);
    return { cells: record, line: start };
  });
}

/** What ends the first row. The library's own search for it takes three copies for each character. */
function rowEndOf(text: string): string {
  let isQuoted = false;
  for (const [found] of text.matchAll(/"|\r\n|\n|\r/g)) {
    if (found === '"') isQuoted = !isQuoted;
    else if (!isQuoted) return found;
  }
  return "\n";
}

const lineEndsIn = (text: string): number => lineStarts(text).length - 1;

/** The first rows; none of what is not a table. */
export function beginningOf(file: InputFile, delimiter: string): Row[] {
  if (file.json !== undefined) return [];
  try {
    return rowsOf(file.text.slice(0, sampledCharacters), delimiter, sampledRows);
  } catch {
    return [];
  }
}
const sampledRows = 10;
/** Enough for the first row of a table, and little of a file that is none. */
const sampledCharacters = 1_000_000;

function readRows(file: InputFile, delimiter: string): Row[] {
  if (file.text.length > readLimits.csvBytesMax)
    throw new ReadError(`A table can be at most ${readLimits.csvBytesMax / 1024 / 1024} MiB.`, file.at());
  try {
    return rowsOf(file.text, delimiter);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === "number" ? error.lines : undefined;
    throw new ReadError(
      `Not a valid table: ${error.message.replace(/ (?:on|at) line \d+.*$/, "").toLowerCase()}.`,
      file.at(line),
    );
  }
}

/** The headings that mean a field, in lower case. */
const headings: Readonly<Record<Column, readonly string[]>> = {
  title: ["title", "name", "label"],
  shortcut: ["shortcut", "abbreviation", "keyword", "trigger", "prefix"],
  content: ["content", "text", "snippet", "body", "phrase", "expansion", "replacement"],
  note: ["note", "notes", "description"],
  folder: ["folder", "group", "collection", "category"],
  tags: ["tags", "tag", "labels"],
  type: ["type", "language"],
};

const headingOf = (cell: string): Column | undefined =>
  columns.find((column) => headings[column].includes(cell.trim().toLowerCase()));

const hasHeadings = (row: Row | undefined): boolean =>
  row?.cells.some((cell) => headingOf(cell) === "content") === true;

const tagSeparator = ", ";
const folderSeparator = " / ";

export const csv: Format = {
  name: "CSV",
  source: "docs/use/formats.md",
  claims: (file) => {
    const [first] = beginningOf(file, delimiterOf(file.text));
    return (first?.cells.length ?? 0) >= 2 && hasHeadings(first);
  },
  read: eachFile(readTable),
  write: (tree) => {
    const namesOf = folderNames(tree);
    const tagsOf = tagNames(tree);
    const rows = tree.snippets.map((snippet) => {
      const {
        title,
        shortcut,
        note,
        folder,
        variations: [first],
      } = snippet;
      return [
        title,
        shortcut ?? "",
        first?.content ?? "",
        note ?? "",
        namesOf(folder).join(folderSeparator),
        tagsOf(snippet).join(tagSeparator),
        first?.type ?? "",
      ];
    });
    const text = tableText([[...columns], ...rows]);
    return {
      files: [textFile("commonplace.csv", text)],
      warnings: [
        ...lost("CSV", tree, { note: true, tags: true, folders: true, nesting: true }),
        ...warnOfFormulas(rows),
      ],
    };
  },
};

function readTable(file: InputFile, into: TreeBuilder, options: ReadOptions): void {
  const [first, ...rest] = readRows(file, delimiterOf(file.text));
  if (!first) return;
  const chosen = options.columns ? chosenColumns(file, first, options.columns) : undefined;
  const places = chosen?.places ?? headingPlaces(first);
  if (!places.has("content"))
    throw new ReadError(
      chosen
        ? "Choose the column that contains the snippet text."
        : 'No column is named "content" or "text". Choose the column that contains the snippet text.',
      file.at(1),
    );
  const cellOf = (row: Row, column: Column): string => {
    const place = places.get(column);
    return place === undefined ? "" : (row.cells[place] ?? "");
  };
  const used = new Set(places.values());
  const withHeadings = chosen ? chosen.hasHeadings : true;
  for (const [index, cell] of first.cells.entries()) {
    const name = withHeadings && cell.trim() !== "" ? `column "${cell.slice(0, 100)}"` : `column ${index + 1}`;
    if (!used.has(index)) into.warn(file.at(1), `The ${name} is left out.`);
  }
  for (const row of withHeadings ? rest : [first, ...rest]) {
    warnOfMoreCells(file, row, first.cells.length, into);
    const split = (column: Column, separator: RegExp) =>
      cellOf(row, column)
        .split(separator)
        .map((each) => each.trim())
        .filter(Boolean);
    into.add(file.at(row.line), {
      title: cellOf(row, "title") || cellOf(row, "shortcut"),
      content: cellOf(row, "content"),
      shortcut: cellOf(row, "shortcut"),
      note: cellOf(row, "note"),
      type: cellOf(row, "type") || "plaintext",
      folder: split("folder", / \/ |›|\\/),
      tags: split("tags", /[,;]/),
    });
  }
}

/** A row with more cells than the others may be one whose text has a separator that is not in quotes. */
function warnOfMoreCells(file: InputFile, { cells, line }: Row, count: number, into: TreeBuilder): void {
  const more = cells.slice(count).filter((cell) => cell.trim() !== "");
  if (more.length > 0) into.warn(file.at(line), `More cells than columns. These are left out: ${listed(more)}`);
}

/** The fields of the columns by their headings, of several the first. */
export function headingPlaces(first: Row): ReadonlyMap<Column, number> {
  const places = new Map<Column, number>();
  for (const [index, cell] of first.cells.entries()) {
    const column = headingOf(cell);
    if (column && !places.has(column)) places.set(column, index);
  }
  return places;
}

/** Columns that someone chose, by heading or number. With a number only, the first row is a snippet like the others. */
function chosenColumns(file: InputFile, first: Row, chosen: NonNullable<ReadOptions["columns"]>) {
  let hasHeadings = false;
  const places = new Map<Column, number>();
  for (const column of columns) {
    const wanted = chosen[column];
    if (wanted === undefined) continue;
    const byHeading = first.cells.findIndex((cell) => cell.trim().toLowerCase() === wanted.trim().toLowerCase());
    const number = /^\d+$/.test(wanted) ? Number(wanted) - 1 : -1;
    if (byHeading >= 0) hasHeadings = true;
    const place = byHeading >= 0 ? byHeading : number;
    if (place < 0 || place >= first.cells.length)
      throw new ReadError(`The table has no column "${wanted}".`, file.at(1));
    places.set(column, place);
  }
  return { places, hasHeadings };
}

/** A snippet of TextExpander: its abbreviation, its text, and its label. */
const textExpanderDelimiter = ",";
const textExpanderCells = { min: 2, max: 3 };
export const textExpanderColumns: ReadonlyMap<Column, number> = new Map([
  ["shortcut", 0],
  ["content", 1],
  ["title", 2],
]);

const hasItsCells = (rows: readonly Row[]): boolean =>
  rows.length > 0 &&
  rows.every(({ cells }) => cells.length >= textExpanderCells.min && cells.length <= textExpanderCells.max);

export const isNamedTable = ({ path }: InputFile): boolean => /\.(?:csv|tsv)$/i.test(path);

/** Besides macros, `%%`, which is one percent sign in older versions. */
const textExpanderCode: Code = {
  name: "TextExpander codes",
  pattern: /%(?:(?:clipboard|fill[a-z]*|snippet|key|date|@)[:\w]*[^%\n]*%?|[%|<>^\\]|1?[aAbBdeHIjlmMpSyY](?![A-Za-z]))/,
};

/** Percent signs that are no codes. It is documented that older versions need them doubled, and not what current ones do with two of them. */
function warnOfPercentSigns(texts: readonly string[]): Warning[] {
  const found = new Found();
  for (const text of texts) if (!textExpanderCode.pattern.test(text)) found.add(/\S{0,20}%\S{0,20}/.exec(text)?.[0]);
  return found.warning("percent signs", "TextExpander for macOS, up to version 6.2.8, leaves out a single %.");
}

export const textExpander: Format = {
  name: "TextExpander",
  source: "https://textexpander.com/learn/using/snippets/import-snippets",
  claims: (file) => {
    const rows = beginningOf(file, textExpanderDelimiter);
    const isEach = hasItsCells(rows) && rows.every(({ cells }) => /^\S{1,50}$/.test(cells[0] ?? ""));
    // One line with a comma may be any text.
    return isEach && !hasHeadings(rows[0]) && (rows.length > 1 || isNamedTable(file));
  },
  codes: [textExpanderCode],
  alsoReads: (file) => isNamedTable(file) && hasItsCells(beginningOf(file, textExpanderDelimiter)),
  read: eachFile((file, into) => {
    for (const { cells, line } of readRows(file, textExpanderDelimiter)) {
      const [shortcut = "", content, label = ""] = cells;
      if (content === undefined) {
        into.leaveOut(file.at(line), `"${shortened(shortcut)}" has no text.`);
        continue;
      }
      warnOfMoreCells(file, { cells, line }, textExpanderCells.max, into);
      const isFormatted = /<\/?(?:p|div|span|b|i|br|a|ul|li)\b[^<>]*>/i.test(content);
      if (isFormatted) into.warn(file.at(line), "The text is formatted and is imported as HTML.");
      into.add(file.at(line), {
        title: label || shortcut,
        content,
        shortcut,
        type: isFormatted ? "html" : "plaintext",
        folder: [...file.folders, file.stem],
      });
    }
  }),
  write: (tree) => {
    const namesOf = folderNames(tree);
    const names = new DifferentNames();
    const rowOf = (snippet: TreeSnippet): Cells => [
      snippet.shortcut ?? snippet.title,
      firstText(snippet),
      snippet.title,
    ];
    const files = [...snippetsByFolder(tree)].map(([folder, snippets]) => {
      const rows = snippets.map(rowOf);
      return textFile(names.of(fileName(namesOf(folder).join(" - ") || "Commonplace"), ".csv"), tableText(rows));
    });
    const warnings = [
      ...lost("TextExpander", tree, { folders: true }),
      ...warnOfInserted("TextExpander", [textExpanderCode], tree.snippets),
      ...warnOfPercentSigns(tree.snippets.map(firstText)),
      ...warnOfFormulas(tree.snippets.map(rowOf)),
    ];
    return { files, warnings };
  },
};
