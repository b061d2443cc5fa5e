// Reads the command line and runs a command: its result to standard output, its failure as one line to standard error.
import { parseArgs } from "node:util";
import { type Command, commands, type Given } from "./commands/commands.ts";
import { helpOf, helpOfAll } from "./commands/help.ts";
import { readConfig } from "./config.ts";
import { DatabaseUnavailable, DatabaseUnusable } from "./database/database.ts";
import { Refusal } from "./refusal.ts";

const exitFailure = 1;
const exitUsage = 2;

/** The command line itself can not be understood. */
class UsageError extends Error {}

async function main(words: readonly string[]): Promise<void> {
  const command = commands.find(({ name }) => name.split(" ").every((word, index) => words[index] === word));
  if (!command) {
    const isHelpAsked = words.length === 0 || words.includes("--help") || words[0] === "help";
    const group = commands.filter(({ name }) => name.split(" ")[0] === words[0]);
    if (!isHelpAsked) throw new UsageError(`there is no command "${words.slice(0, 2).join(" ")}"`);
    process.stdout.write(helpOfAll(group.length > 0 ? group : commands));
    return;
  }
  const { values, isJson } = readOptions(command, words.slice(command.name.split(" ").length));
  if (values.help) {
    process.stdout.write(helpOf(command));
    return;
  }
  const environment = { ...process.env, ...(values.data ? { COMMONPLACE_DATA: String(values.data) } : {}) };
  await command.run({ config: readConfig(environment), given: readGiven(command, values), isJson });
}

function readOptions(command: Command, words: readonly string[]) {
  const options = {
    help: { type: "boolean" },
    json: { type: "boolean" },
    data: { type: "string" },
    ...Object.fromEntries(
      Object.entries(command.options).map(([name, option]) => [
        name,
        { type: option.value === undefined ? "boolean" : "string", multiple: option.isRepeatable === true },
      ]),
    ),
  } as const;
  try {
    const { values } = parseArgs({ args: [...words], options, strict: true });
    return { values: values as Record<string, string | boolean | string[] | undefined>, isJson: values.json === true };
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split(". ")[0] ?? "") : String(error));
  }
}

/** The options as the command's table promises them: text for those with a value, true for the others. */
function readGiven(command: Command, values: Record<string, string | boolean | string[] | undefined>): Given {
  for (const [name, option] of Object.entries(command.options)) {
    if (option.isRequired && values[name] === undefined) throw new UsageError(`--${name} is required`);
    if (values[name] === "") throw new UsageError(`--${name} must not be empty`);
  }
  return {
    text: (name) => (typeof values[name] === "string" ? values[name] : undefined),
    required: (name) => String(values[name]),
    texts: (name) => (Array.isArray(values[name]) ? values[name] : []),
    isSet: (name) => values[name] === true,
    refuse: (message) => {
      throw new UsageError(message);
    },
  };
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const isExpected = [Refusal, UsageError, DatabaseUnusable, DatabaseUnavailable].some((kind) => error instanceof kind);
  const message =
    error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error);
  process.stderr.write(`commonplace: ${message}\n`);
  if (error instanceof UsageError) process.stderr.write("Try ./commonplace --help\n");
  process.exit(error instanceof UsageError ? exitUsage : exitFailure);
}
