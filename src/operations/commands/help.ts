// The help texts, derived from the table of commands, for a terminal of 80 columns.
import type { Command, Option } from "./command.ts";
import { commonOptions } from "./options.ts";
import { bold } from "./output.ts";

const columns = 80;

/** The overview of these commands. */
export function formatOverview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "Commonplace: the snippet service you host yourself.",
    "",
    `  ${bold("./commonplace COMMAND [OPTIONS]")}`,
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "Every command accepts --help, --json, and --data DIR. Most changes take effect",
    "immediately, even while the service is running.",
    "",
  ].join("\n");
}

/** The help of one command. */
export function formatHelp(command: Command): string {
  const rows = optionRows({ ...command, options: { ...command.options, ...commonOptions } });
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `${command.summary}.`,
    "",
    ...wrap([`./commonplace ${command.name}`, ...usageOf(command)], "  ", "      ").map(bold),
    "",
    ...rows.flatMap(([name, meaning]) => wrap(meaning.split(" "), `  ${name.padEnd(width)}  `, " ".repeat(width + 4))),
    ...(command.notes ? ["", ...command.notes] : []),
    "",
  ].join("\n");
}

/** What can follow the name of a command, such as `FILE`, `--workspace ID`, and `[--all-teams]`. */
export function usageOf({ argument, options }: Command): string[] {
  const words = argument ? [argument.isRequired ? argument.value : `[${argument.value}]`] : [];
  const spelled = Object.entries(options).map(([name, option]) => {
    const text = `${spell(name, option)}${option.isRepeatable ? " ..." : ""}`;
    return option.isRequired ? text : `[${text}]`;
  });
  return [...words, ...spelled];
}

/** The argument and the options of a command, and what they mean. */
export const optionRows = ({
  argument,
  options,
}: Pick<Command, "argument" | "options">): (readonly [spelled: string, meaning: string])[] => [
  ...(argument ? [[argument.value, argument.meaning] as const] : []),
  ...Object.entries(options).map(([name, option]) => [spell(name, option), option.meaning] as const),
];

const spell = (name: string, option: Option): string =>
  `--${name}${option.value === undefined ? "" : ` ${option.value}`}`;

/** Breaks lines between the parts, at `width` columns. */
export function wrap(parts: readonly string[], firstIndent: string, indent: string, width = columns): string[] {
  const lines: string[] = [];
  let line = "";
  for (const part of parts) {
    const start = lines.length === 0 ? firstIndent : indent;
    if (line !== "" && start.length + line.length + 1 + part.length > width) {
      lines.push(start + line);
      line = "";
    }
    line += line === "" ? part : ` ${part}`;
  }
  return [...lines, (lines.length === 0 ? firstIndent : indent) + line];
}
