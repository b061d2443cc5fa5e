// The help texts, made from the table of commands.
import type { Command, Option } from "./commands.ts";

const common: Readonly<Record<string, Option>> = {
  data: { value: "DIR", meaning: "Data directory (default ./data, or COMMONPLACE_DATA)" },
  json: { meaning: "One JSON value on standard output and nothing else" },
  help: { meaning: "This text" },
};

export function helpOfAll(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "Commonplace: the snippet service that teams run themselves.",
    "",
    "  ./commonplace COMMAND [OPTIONS]",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "Every command has --help, --json and --data DIR. Commands act on a running service with its next call.",
    "",
  ].join("\n");
}

export function helpOf(command: Command): string {
  const options = { ...command.options, ...common };
  const spelled = Object.entries(options).map(([name, option]) => ({
    text: spell(name, option),
    meaning: option.meaning,
  }));
  const width = Math.max(...spelled.map(({ text }) => text.length));
  const usage = Object.entries(command.options).map(([name, option]) => {
    const text = `${spell(name, option)}${option.isRepeatable ? " ..." : ""}`;
    return option.isRequired ? text : `[${text}]`;
  });
  return [
    `${command.summary}.`,
    "",
    `  ./commonplace ${[command.name, ...usage].join(" ")}`,
    "",
    ...spelled.map(({ text, meaning }) => `  ${text.padEnd(width)}  ${meaning}`),
    ...(command.more ? ["", command.more] : []),
    "",
  ].join("\n");
}

const spell = (name: string, option: Option): string =>
  `--${name}${option.value === undefined ? "" : ` ${option.value}`}`;
