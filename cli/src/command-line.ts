// Parses the options and arguments of a command line, as the row of its command allows them.
import { parseArgs } from "node:util";
import type { Command, Option, ParsedOptions } from "./command.ts";
import { unknownName } from "./command-names.ts";
import { UsageError } from "./failures.ts";

const help: Option = { meaning: "print this help" };
const json: Option = { meaning: "print JSON and nothing else" };

/** The options of a command, with those that others have too. */
export const allOptions = ({ options, isForPrograms }: Command): Readonly<Record<string, Option>> => ({
  ...options,
  ...(!isForPrograms && { json }),
  help,
});

export interface Parsed {
  readonly words: readonly string[];
  readonly options: ParsedOptions;
}

/** @throws UsageError that names the option or argument and what is wrong with it */
export function parse(command: Command, line: readonly string[]): Parsed {
  const all = allOptions(command);
  const { values, positionals } = split(command, line, all);
  const required = command.arguments.filter(({ isOptional }) => !isOptional);
  const missing = required[positionals.length];
  if (missing) throw new UsageError(`${missing.value} is required`, command.name);
  const isLastRepeatable = command.arguments.at(-1)?.isRepeatable === true;
  const surplus = isLastRepeatable ? undefined : positionals[command.arguments.length];
  if (surplus !== undefined) throw new UsageError(`unexpected argument "${surplus}"`, command.name);
  const texts = (name: string) => [values[name] ?? []].flat().map(String);
  return {
    words: positionals,
    options: {
      text: (name) => texts(name).at(-1),
      texts,
      isSet: (name) => values[name] !== undefined,
      count: (name, max) => {
        const [text] = texts(name);
        if (text === undefined) return undefined;
        const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
        if (count < 1 || count > max)
          throw new UsageError(
            `--${name} must be a whole number from 1 to ${max.toLocaleString("en-US")}`,
            command.name,
          );
        return count;
      },
    },
  };
}

function split(command: Command, line: readonly string[], all: Command["options"]) {
  try {
    return parseArgs({
      args: [...line],
      allowPositionals: true,
      options: Object.fromEntries(
        Object.entries(all).map(([name, { value, isRepeatable }]) => [
          name,
          { type: value === undefined ? ("boolean" as const) : ("string" as const), multiple: isRepeatable === true },
        ]),
      ),
    });
  } catch (error) {
    const { code, message } = error instanceof Error && "code" in error ? error : { code: undefined, message: "" };
    // Whatever is wrong, its message names the option, in quotation marks.
    const [, option = "", value] = /'(--?[\w-]+)(?:, --[\w-]+)?( <value>)?/.exec(message) ?? [];
    const name = option.slice(2);
    if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION")
      throw unknownName(
        "option",
        option,
        Object.keys(all).map((each) => `--${each}`),
        command.name,
      );
    if (code !== "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") throw error;
    const needsValue = value !== undefined || all[name]?.value !== undefined;
    throw new UsageError(
      needsValue
        ? `${option} needs a value. For a value that begins with a dash, write ${option}=-VALUE`
        : `${option} does not take a value`,
      command.name,
    );
  }
}
