// Reads the words of a command line: which command, and what its table of options says of the rest.
import { parseArgs } from "node:util";
import { type Command, commands, type Given, type Option } from "./commands.ts";
import { commonOptions } from "./options.ts";

/** The command line can not be understood. */
export class UsageError extends Error {
  /** @param helpOf the command, or the first word of several, whose help tells more */
  constructor(
    message: string,
    readonly helpOf = "",
  ) {
    super(message);
  }
}

export const isHelp = (word: string): boolean => word === "--help" || word === "-h";

/** The command that the words begin with. */
export const findCommand = (words: readonly string[]): Command | undefined =>
  commands.find(({ name }) => name.split(" ").every((word, index) => words[index] === word));

/** The commands that begin with the first word. */
export const findGroup = (words: readonly string[]): readonly Command[] =>
  commands.filter(({ name }) => name.split(" ")[0] === words[0]);

/** Says why the words are no command. */
export function unknownCommand(words: readonly string[]): UsageError {
  const [first = "", second] = words;
  const verbs = findGroup(words).map(({ name }) => name.split(" ")[1]);
  if (verbs.length > 0) return new UsageError(`after "${first}" comes one of: ${verbs.join(", ")}`, first);
  if (first.startsWith("-")) return new UsageError("the command comes first, its options after it");
  return new UsageError(`there is no command "${second?.startsWith("-") === false ? `${first} ${second}` : first}"`);
}

/** @throws UsageError that names the option and what is wrong with it */
export function readOptions(command: Command, words: readonly string[]): Given {
  const options: Readonly<Record<string, Option>> = { ...command.options, ...commonOptions };
  const refuse = (message: string): never => {
    throw new UsageError(message, command.name);
  };
  const values = collect(options, words, refuse);
  for (const [name, { isRequired }] of Object.entries(options)) {
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
  options: Readonly<Record<string, Option>>,
  words: readonly string[],
  refuse: (message: string) => never,
): Map<string, string[]> {
  const types = Object.entries(options).map(([name, { value }]) => [name, { type: value ? "string" : "boolean" }]);
  const { tokens } = parseArgs({ args: [...words], options: Object.fromEntries(types), strict: false, tokens: true });
  const values = new Map<string, string[]>();
  let lastName = "";
  for (const token of tokens) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      // `--team A B` is `--team A --team B`.
      if (!options[lastName]?.isRepeatable) refuse(`"${token.value}" belongs to no option`);
      values.get(lastName)?.push(token.value);
      continue;
    }
    lastName = token.name;
    const option = options[token.name] ?? refuse(`${command}there is no option ${token.rawName}`);
    if (values.has(token.name) && !option.isRepeatable) refuse(`--${token.name} is given twice`);
    values.set(token.name, [...(values.get(token.name) ?? []), ...readValue(token, option, refuse)]);
  }
  return values;
}
