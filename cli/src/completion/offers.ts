// What the shells complete, in terms that all of their scripts share.
import type { NameKind } from "../cached-names.ts";
import type { Command, Group, Option } from "../command.ts";
import { allOptions } from "../command-line.ts";
import { snippetArgument } from "../commands/get.ts";
import { Failure } from "../failures.ts";
import { firstWords } from "../help.ts";

/** Prints the script of a shell. */
export type Print = (commands: readonly Command[]) => string;

export const optionsOf = (command: Command): string[] => Object.keys(allOptions(command)).map((name) => `--${name}`);
export const groupsOf = (commands: readonly Command[]): Group[] =>
  firstWords(commands).filter(({ name }) => commands.some(({ group }) => group?.name === name));
/** What can follow the name of a group. */
export const inGroup = ({ name }: Pick<Group, "name">, commands: readonly Command[]): Group[] =>
  commands
    .filter(({ group }) => group?.name === name)
    .map((each) => ({ name: each.name.slice(name.length + 1), summary: each.summary }));
/** Whether the name of a group is a command, too: then, what follows it can also be an argument. */
export const isCommand = ({ name }: Group, commands: readonly Command[]): boolean =>
  commands.some((each) => each.name === name);

/** What the value of an option or argument is. */
export type Values =
  | "files"
  | "nothing"
  | "shortcuts"
  | { readonly names: NameKind }
  | { readonly words: readonly string[] };

export const argumentValues = ({ arguments: [first] }: Command): Values => valuesOf(first ?? {});

export function valuesOf({ value = "", choices }: Pick<Option, "value" | "choices">): Values {
  if (choices) return { words: choices };
  if (value === snippetArgument.value) return "shortcuts";
  const names = nameValues.get(value);
  return names ? { names } : fileValues.has(value) ? "files" : "nothing";
}
const fileValues: ReadonlySet<string> = new Set(["FILE", "DIRECTORY", "CSV"]);
const nameValues: ReadonlyMap<string, NameKind> = new Map([
  ["TEAM", "teams"],
  ["FOLDER", "folders"],
  ["PATH", "folders"],
  ["TAG", "tags"],
]);

/** The options that take a value, as a shell's `case` has them: by what the value is. */
export function valueCases(commands: readonly Command[], bodyOf: (values: Values) => string): string {
  const patterns = new Map<string, string[]>();
  for (const { name, options } of commands)
    for (const [option, row] of Object.entries<Option>(options)) {
      if (row.value === undefined) continue;
      const body = bodyOf(valuesOf(row));
      patterns.set(body, [...(patterns.get(body) ?? []), `"${name} --${option}"`]);
    }
  return [...patterns].map(([body, same]) => `    ${same.join("|")}) ${body}return ;;`).join("\n");
}

export const cached = (what: string): string => `cpl completion ${what} 2>/dev/null`;

/** For a shell. The texts are those of the table. */
export function quote(text: string): string {
  if (text.includes("\\")) throw new Failure("a text of the table has a backslash");
  return `'${text.replaceAll("'", "'\\''")}'`;
}
