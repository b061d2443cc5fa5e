// Parses a command line: which command it names, and the options that the command's table row allows.
import type { Command, Option, ParsedOptions } from "./command.ts";
import { commonOptions } from "./options.ts";

/** The command line makes no sense. */
export class UsageError extends Error {
  /** @param topic the command, or the first word of a group of commands, whose help explains more */
  constructor(
    message: string,
    readonly topic = "",
  ) {
    super(message);
  }
}

/** The command that the words begin with; of several, the longest: `backup verify` is not `backup`. */
export const findCommand = (commands: readonly Command[], words: readonly string[]): Command | undefined =>
  commands
    .filter(({ name }) => name.split(" ").every((word, index) => words[index] === word))
    .reduce<Command | undefined>(
      (found, one) => (found && found.name.length > one.name.length ? found : one),
      undefined,
    );

/** The commands whose first word this is. */
export const findGroup = (commands: readonly Command[], word: string | undefined): readonly Command[] =>
  commands.filter(({ name }) => name.split(" ")[0] === word);

/** Explains why the words name no command. */
export function unknownCommand(commands: readonly Command[], [first = "", second = ""]: readonly string[]): UsageError {
  const verbs = findGroup(commands, first).map(({ name }) => name.split(" ")[1]);
  if (verbs.length > 0) return new UsageError(`"${first}" must be followed by one of: ${verbs.join(", ")}`, first);
  if (first.startsWith("-")) return new UsageError("put the command before its options");
  return new UsageError(`unknown command "${second === "" || second.startsWith("-") ? first : `${first} ${second}`}"`);
}

/** Parses the words after the command's name. @throws UsageError that names the option and what is wrong with it */
export function parseOptions(command: Command, words: readonly string[]): ParsedOptions {
  const refuse = (message: string): never => {
    throw new UsageError(message, command.name);
  };
  const options = new Map<string, Option>(Object.entries({ ...command.options, ...commonOptions }));
  const [first] = words;
  const argument = command.argument && first !== undefined && !first.startsWith("-") ? first : undefined;
  const values = collectValues(options, argument === undefined ? words : words.slice(1), refuse);
  for (const [name, { isRequired }] of options) {
    if (isRequired && !values.has(name)) refuse(`--${name} is required`);
    if (values.get(name)?.includes("")) refuse(`--${name} cannot be empty`);
  }
  return {
    argument,
    text: (name) => values.get(name)?.[0],
    required: (name) => values.get(name)?.[0] ?? refuse(`--${name} is required`),
    texts: (name) => values.get(name) ?? [],
    isSet: (name) => values.has(name),
    refuse,
  };
}

/** The values of each option: none for a switch, several for a repeatable one. */
function collectValues(
  options: ReadonlyMap<string, Option>,
  words: readonly string[],
  refuse: (message: string) => never,
): Map<string, string[]> {
  const values = new Map<string, string[]>();
  let last: string | undefined;
  let isValueNext = false;
  for (const word of words) {
    if (word.startsWith("--") || (word.startsWith("-") && !isValueNext)) {
      if (isValueNext) refuse(`--${last} requires a value`);
      const [, name = word, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
      const option = options.get(name) ?? refuse(`unknown option ${word.split("=")[0]}`);
      if (values.has(name) && !option.isRepeatable) refuse(`--${name} can be given only once`);
      if (option.value === undefined && value !== undefined) refuse(`--${name} does not take a value`);
      values.set(name, [...(values.get(name) ?? []), ...(value === undefined ? [] : [value])]);
      [last, isValueNext] = [name, option.value !== undefined && value === undefined];
      continue;
    }
    // A repeatable option takes several values in a row: `--team A B` means `--team A --team B`.
    const isExpected = isValueNext || (last !== undefined && options.get(last)?.isRepeatable);
    if (last === undefined || !isExpected) return refuse(`unexpected argument "${word}"`);
    values.get(last)?.push(word);
    isValueNext = false;
  }
  return isValueNext ? refuse(`--${last} requires a value`) : values;
}
