// Reads the command line and runs a command: its result to standard output, its failure as one line to standard error.
import program from "../package.json" with { type: "json" };
import { commands } from "./commands.ts";
import { readConfig } from "./config.ts";
import { Refusal } from "./contract/errors.ts";
import { runBackupWorker, workerCommand } from "./operations/backup/worker.ts";
import {
  findCommand,
  findGroup,
  parseOptions,
  UsageError,
  unknownCommand,
} from "./operations/commands/command-line.ts";
import { helpOf, helpOfAll } from "./operations/commands/help.ts";
import { DatabaseUnavailable, DatabaseUnusable } from "./platform/database/database.ts";
import { OperatorError } from "./platform/operator-error.ts";

const exitFailure = 1;
const exitUsage = 2;

async function main(words: readonly string[]): Promise<void> {
  const isHelp = words.length === 0 || words[0] === "help" || words.some((word) => word === "--help" || word === "-h");
  if (isHelp) return help(words[0] === "help" ? words.slice(1) : words);
  if (words[0] === "--version") return say(`commonplace ${program.version}\n`);

  if (words[0] === workerCommand) return runBackupWorker(words[1]);

  const command = findCommand(commands, words);
  if (!command) throw unknownCommand(commands, words);
  const options = parseOptions(command, words.slice(command.name.split(" ").length));
  const data = options.text("data");
  const environment = { ...process.env, ...(data !== undefined && { COMMONPLACE_DATA: data }) };
  const config = readConfig(command.examinesSettings ? {} : environment);
  await command.run({ config, environment, options, isJson: options.isSet("json") });
}

function help(words: readonly string[]): void {
  const command = findCommand(commands, words);
  const group = findGroup(commands, words[0]);
  say(command ? helpOf(command) : helpOfAll(group.length > 0 ? group : commands));
}

const say = (text: string): void => void process.stdout.write(text);

/** One line, whatever was in it. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, " ").trim();

/** What an operator can understand and act on. Everything else is a defect, of which the place in the code is told too. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  if (error instanceof Refusal) return oneLine([error.message, error.details.id].filter(Boolean).join(": "));
  const isExpected =
    [OperatorError, UsageError, DatabaseUnusable, DatabaseUnavailable].some((kind) => error instanceof kind) ||
    "syscall" in error;
  return isExpected ? oneLine(error.message) : (error.stack ?? error.message);
}

// What the service writes is for its own user alone: the database, the certificate's key.
process.umask(0o077);
// Whoever reads the output may stop reading: `./commonplace key list | head -1`.
process.stdout.on("error", () => process.exit(exitFailure));
try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`commonplace: ${explain(error)}\n`);
  if (error instanceof UsageError)
    process.stderr.write(`Try: ${["./commonplace", error.topic, "--help"].filter(Boolean).join(" ")}\n`);
  process.exit(error instanceof UsageError ? exitUsage : exitFailure);
}
