// The help texts, derived from the table of commands, for a terminal of 80 columns.
import type { Argument, Command, Group, Option } from "./command.ts";
import { allOptions } from "./command-line.ts";
import { bold } from "./terminal/style.ts";

const columns = 80;

/** Commands by themselves, and each group once. */
export const firstWords = (commands: readonly Command[]): Group[] => [
  ...new Map(commands.map(({ name, summary, group = { name, summary } }) => [group.name, group])).values(),
];

/** The overview of all commands. */
export const formatOverview = (commands: readonly Command[]): string =>
  [
    "cpl: use your Commonplace snippets from the terminal.",
    "",
    `  ${bold("cpl COMMAND [OPTIONS]")}`,
    "",
    ...formatRows(firstWords(commands)),
    "",
    `Every command has --help, and all but ${withoutJson(commands)} have --json.`,
    "Start with cpl login.",
    "",
  ].join("\n");

/** The overview of a group. */
export const formatGroup = ({ name, summary }: Group, commands: readonly Command[]): string =>
  [
    `${summary}.`,
    "",
    `  ${bold(`cpl ${name} COMMAND [OPTIONS]`)}`,
    "",
    ...formatRows(commands.filter(({ group }) => group?.name === name)),
    "",
    `For the options of a command, run cpl ${name} COMMAND --help.`,
    "",
  ].join("\n");

function formatRows(rows: readonly Group[]): string[] {
  const width = Math.max(...rows.map(({ name }) => name.length));
  return rows.flatMap(({ name, summary }) =>
    wrap(summary.split(" "), `  ${name.padEnd(width)}  `, " ".repeat(width + 4)),
  );
}

const withoutJson = (commands: readonly Command[]): string =>
  commands
    .filter(({ isForPrograms }) => isForPrograms)
    .map(({ name }) => name)
    .join(" and ");

/** The help of one command. */
export function formatHelp(command: Command): string {
  const rows = [
    ...command.arguments.map(({ value, meaning }) => [value, meaning] as const),
    ...Object.entries<Option>(allOptions(command)).map(
      ([name, option]) => [spell(name, option), option.meaning] as const,
    ),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `${command.summary}.`,
    "",
    ...wrap(usageOf(command), "  ", "      ").map(bold),
    "",
    ...rows.flatMap(([name, meaning]) => wrap(meaning.split(" "), `  ${name.padEnd(width)}  `, " ".repeat(width + 4))),
    ...(command.notes ? ["", ...command.notes] : []),
    "",
  ].join("\n");
}

/** The parts of a command's usage, such as `cpl get`, `SHORTCUT|ID`, and `[--set NAME=VALUE]...`. */
export const usageOf = (command: Command): string[] => [
  `cpl ${command.name}`,
  ...command.arguments.map(spellArgument),
  ...Object.entries(command.options).map(
    ([name, option]) => `[${spell(name, option)}]${option.isRepeatable ? "..." : ""}`,
  ),
];

export const spell = (name: string, option: Option): string =>
  `--${name}${option.value === undefined ? "" : ` ${option.value}`}`;

function spellArgument({ value, isOptional, isRepeatable }: Argument): string {
  const spelled = isRepeatable ? `${value}...` : value;
  return isOptional ? `[${spelled}]` : spelled;
}

/** Breaks lines between the parts, at 80 columns. */
function wrap(parts: readonly string[], firstIndent: string, indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const part of parts) {
    const start = lines.length === 0 ? firstIndent : indent;
    if (line !== "" && start.length + line.length + 1 + part.length > columns) {
      lines.push(start + line);
      line = "";
    }
    line += line === "" ? part : ` ${part}`;
  }
  return [...lines, (lines.length === 0 ? firstIndent : indent) + line];
}
