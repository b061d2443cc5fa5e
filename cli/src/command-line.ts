// Parses a command line: which command it names, and the options and arguments that the command's row allows.
import { parseArgs } from "node:util";
import type { Command, ParsedOptions } from "./command.ts";
import { UsageError } from "./failures.ts";

/** Options of every command. */
export const commonOptions = {
  json: { meaning: "print JSON and nothing else" },
  help: { meaning: "print this help" },
} as const;

export interface Parsed {
  readonly words: readonly string[];
  readonly options: ParsedOptions;
}

/** @throws UsageError that names the option or argument and what is wrong with it */
export function parse(command: Command, line: readonly string[]): Parsed {
  const all = { ...command.options, ...commonOptions };
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
    // The messages of parseArgs have several sentences of advice; the first one names the option.
    const [first = ""] = (error instanceof Error ? error.message : String(error)).split(/\.(?:\s|$)/);
    throw new UsageError(first.replace(/^[A-Z]/, (letter) => letter.toLowerCase()).replaceAll("'", '"'), command.name);
  }
}

/** Why the first word is not a command. */
export const unknownCommand = (word: string): UsageError =>
  new UsageError(word.startsWith("-") ? "put the command before its options" : `unknown command "${word}"`);
