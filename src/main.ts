// Parses the command line and runs a command: its result goes to standard output, its failure as one line to standard error.
import { commands } from "./commands.ts";
import { readConfig } from "./config.ts";
import { Refusal } from "./contract/errors.ts";
import { exitStatus } from "./contract/exit-status.ts";
import { inertLine } from "./contract/printable.ts";
import { exportWorkerCommand } from "./library/export/export-worker-command.ts";
import { formatThreadName } from "./library/format-thread.ts";
import { formatWorkerCommand } from "./library/import/format-worker-command.ts";
import { runBackupWorker, workerCommand } from "./operations/backup/worker.ts";
import {
  findCommand,
  findGroup,
  parseOptions,
  UsageError,
  unknownCommand,
} from "./operations/commands/command-line.ts";
import { formatHelp, formatOverview } from "./operations/commands/help.ts";
import { Interrupted, isForOperator } from "./platform/operator-error.ts";
import { version } from "./platform/program.ts";

async function main(words: readonly string[]): Promise<void> {
  const isHelp = words.length === 0 || words[0] === "help" || words.some((word) => word === "--help" || word === "-h");
  if (isHelp) return printHelp(words[0] === "help" ? words.slice(1) : words);
  if (words[0] === "--version") return write(`commonplace ${version}\n`);

  if (words[0] === workerCommand) return runBackupWorker(words[1]);
  // The parsers are loaded where they are needed.
  if (words[0] === formatWorkerCommand) return (await import("./library/import/format-worker.ts")).runFormatWorker();
  if (words[0] === exportWorkerCommand) return (await import("./library/export/export-worker.ts")).runExportWorker();

  const command = findCommand(commands, words);
  if (!command) throw unknownCommand(commands, words);
  const options = parseOptions(command, words.slice(command.name.split(" ").length));
  const data = options.text("data");
  const environment = { ...process.env, ...(data !== undefined && { COMMONPLACE_DATA_DIRECTORY: data }) };
  const config = readConfig(command.examinesSettings ? {} : environment);
  await command.run({ config, environment, options, isJson: options.isSet("json") });
}

function printHelp(words: readonly string[]): void {
  const command = findCommand(commands, words);
  const group = findGroup(commands, words[0]);
  write(command ? formatHelp(command) : formatOverview(group.length > 0 ? group : commands));
}

const write = (text: string): void => void process.stdout.write(text);

/** The text as one line, without control characters. Several sentences end with a period. */
function oneLine(text: string): string {
  const line = inertLine(text);
  return /\. [A-Z].*[^.?]$/.test(line) ? `${line}.` : line;
}

/** The text without its capital, since it follows the program's name; "API key" keeps its own. */
const inLowerCase = (text: string): string => text.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());

/** The message of an error that an operator can act on. Any other error is a defect and is printed with its stack. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return oneLine(String(error));
  if (error instanceof Refusal)
    return oneLine([inLowerCase(error.message), error.details.id].filter(Boolean).join(": "));
  return error instanceof UsageError || isForOperator(error) ? oneLine(error.message) : (error.stack ?? error.message);
}

function statusOf(error: unknown): number {
  if (error instanceof UsageError) return exitStatus.usage;
  return error instanceof Interrupted ? exitStatus.canceled : exitStatus.failure;
}

const helpFor = ({ topic }: UsageError): string => ["./commonplace", topic, "--help"].filter(Boolean).join(" ");

/** The service's log, which ends with this, is for programs unless it is read in a terminal. */
function printFailure(cause: string, hint: string | undefined): void {
  const isInLog = process.argv[2] === "serve" && !process.stderr.isTTY && process.env.COMMONPLACE_LOG_FORMAT !== "text";
  const line = { time: new Date().toISOString(), level: "error", message: "service ended", cause, hint };
  const text = `commonplace: ${cause}\n${hint === undefined ? "" : `Try: ${hint}\n`}`;
  process.stderr.write(isInLog ? `${JSON.stringify(line)}\n` : text);
}

async function run(): Promise<void> {
  // Only the service's own user may read what it writes, such as the database and the key of the certificate.
  process.umask(0o077);
  // The reader of the output may stop early: `./commonplace key list | head -1`.
  process.stdout.on("error", () => process.exit(exitStatus.failure));
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    printFailure(describeFailure(error), error instanceof UsageError ? helpFor(error) : undefined);
    process.exit(statusOf(error));
  }
}

// The executable is one file for all threads.
if (Bun.isMainThread) await run();
else if (process.argv[2] === formatThreadName) await import("./serve-formats.ts");
else await import("./reading-thread.ts");
