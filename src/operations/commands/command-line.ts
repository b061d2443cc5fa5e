// Reads the words of a command line: which command they name, and what its table of options says of the rest.
import { type Command, commands, type Given, type Option } from "./commands.ts";
import { commonOptions } from "./options.ts";

/** The command line can not be understood. */
export class UsageError extends Error {
  /** @param topic the command, or the first word of several, whose help tells more */
  constructor(
    message: string,
    readonly topic = "",
  ) {
    super(message);
  }
}

/** The command that the words begin with. */
export const findCommand = (words: readonly string[]): Command | undefined =>
  commands.find(({ name }) => name.split(" ").every((word, index) => words[index] === word));

/** The commands whose first word this is. */
export const findGroup = (word: string | undefined): readonly Command[] =>
  commands.filter(({ name }) => name.split(" ")[0] === word);

/** Says why the words name no command. */
export function unknownCommand([first = "", second = ""]: readonly string[]): UsageError {
  const verbs = findGroup(first).map(({ name }) => name.split(" ")[1]);
  if (verbs.length > 0) return new UsageError(`"${first}" needs one of these after it: ${verbs.join(", ")}`, first);
  if (first.startsWith("-")) return new UsageError("the command comes first, its options after it");
  return new UsageError(
    `there is no command "${second === "" || second.startsWith("-") ? first : `${first} ${second}`}"`,
  );
}

/** @throws UsageError that names the option and what is wrong with it */
export function readOptions(command: Command, words: readonly string[]): Given {
  const refuse = (message: string): never => {
    throw new UsageError(message, command.name);
  };
  const options = new Map<string, Option>(Object.entries({ ...command.options, ...commonOptions }));
  const values = collect(options, words, refuse);
  for (const [name, { isRequired }] of options) {
    if (isRequired && !values.has(name)) refuse(`--${name} is required`);
    if (values.get(name)?.includes("")) refuse(`--${name} must not be empty`);
  }
  return {
    text: (name) => values.get(name)?.[0],
    required: (name) => values.get(name)?.[0] ?? refuse(`--${name} is required`),
    texts: (name) => values.get(name) ?? [],
    isSet: (name) => values.has(name),
    refuse,
  };
}

/** The values of each option that was given: none for a switch, several for one that may be repeated. */
function collect(
  options: ReadonlyMap<string, Option>,
  words: readonly string[],
  refuse: (message: string) => never,
): Map<string, string[]> {
  const values = new Map<string, string[]>();
  let last: string | undefined;
  let isValueNext = false;
  for (const word of words) {
    if (word.startsWith("--") || (word.startsWith("-") && !isValueNext)) {
      if (isValueNext) refuse(`--${last} needs a value`);
      const [, name = word, value] = /^--([^=]+)(?:=(.*))?$/s.exec(word) ?? [];
      const option = options.get(name) ?? refuse(`there is no option ${word.split("=")[0]}`);
      if (values.has(name) && !option.isRepeatable) refuse(`--${name} is given twice`);
      if (option.value === undefined && value !== undefined) refuse(`--${name} takes no value`);
      values.set(name, [...(values.get(name) ?? []), ...(value === undefined ? [] : [value])]);
      [last, isValueNext] = [name, option.value !== undefined && value === undefined];
      continue;
    }
    // A repeatable option takes several values in a row: `--team A B` is `--team A --team B`.
    const isExpected = isValueNext || (last !== undefined && options.get(last)?.isRepeatable);
    if (last === undefined || !isExpected) return refuse(`"${word}" belongs to no option`);
    values.get(last)?.push(word);
    isValueNext = false;
  }
  return isValueNext ? refuse(`--${last} needs a value`) : values;
}
