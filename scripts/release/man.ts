// Writes manual pages in the language of man(7).

export interface Manual {
  readonly name: string;
  readonly summary: string;
  readonly paragraphs: readonly string[];
  readonly commands: readonly ManualCommand[];
  /** Exit statuses and their meaning. */
  readonly statuses: readonly Row[];
  /** Environment variables and their meaning. */
  readonly environment: readonly Row[];
}

export interface ManualCommand {
  readonly name: string;
  readonly summary: string;
  /** What can follow the name, each part unbroken. */
  readonly usage: readonly string[];
  readonly rows: readonly Row[];
  /** Lines as a terminal shows them. */
  readonly notes: readonly string[];
}

type Row = readonly [term: string, meaning: string];

/** @param date in seconds since 1970 */
export function manPage(manual: Manual, version: string, date: number): string {
  const { name, summary, paragraphs, commands, statuses, environment } = manual;
  const day = new Date(date * 1_000).toISOString().slice(0, "YYYY-MM-DD".length);
  return [
    `.TH ${name.toUpperCase()} 1 "${day}" "Commonplace ${version}" "User Commands"`,
    ".SH NAME",
    `${name} \\- ${plain(summary)}`,
    ".SH SYNOPSIS",
    `.B ${name}`,
    "\\fICOMMAND\\fR [\\fIOPTIONS\\fR]",
    ".SH DESCRIPTION",
    paragraphs.map(plain).join("\n.PP\n"),
    ".SH COMMANDS",
    ...commands.flatMap((command) => chapter(name, command)),
    ".SH EXIT STATUS",
    ...statuses.flatMap(definition),
    ".SH ENVIRONMENT",
    ...environment.flatMap(definition),
    "",
  ].join("\n");
}

const chapter = (program: string, { name, summary, usage, rows, notes }: ManualCommand): string[] => [
  `.SS ${plain(name)}`,
  `${plain(summary)}.`,
  ".PP",
  // Not hyphenated, and not spread over the line.
  ".nh\n.ad l",
  `\\fB${literal(`${program} ${name}`)}\\fR ${usage.map((part) => literal(part).replaceAll(" ", "\\ ")).join(" ")}`,
  ".hy\n.ad b",
  ...rows.flatMap(definition),
  ...(notes.length > 0 ? [".PP", ".nf", ...notes.map(literal), ".fi"] : []),
];

const definition = ([term, meaning]: Row): string[] => [".TP", `\\fB${literal(term)}\\fR`, plain(meaning)];

/** Text that is not a request of the language, even if it begins like one. */
const plain = (text: string): string => text.replaceAll("\\", "\\e").replace(/^(?=[.'])/, "\\&");

/** Text that readers copy: hyphens, quotation marks, and carets stay as they are. */
const literal = (text: string): string =>
  plain(text)
    .replaceAll("-", "\\-")
    .replaceAll("'", "\\(aq")
    .replaceAll("^", "\\(ha")
    .replaceAll("~", "\\(ti")
    .replaceAll("`", "\\(ga");
