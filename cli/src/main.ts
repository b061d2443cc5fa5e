// cpl: parses the command line and runs a command. Results go to standard output, everything else to standard error.
import { exitStatus } from "../../src/contract/exit-status.ts";
import { inertLine } from "../../src/contract/printable.ts";
import program from "../package.json" with { type: "json" };
import { parse } from "./command-line.ts";
import { findCommand, helpWords } from "./command-names.ts";
import { commands } from "./commands.ts";
import { connect } from "./connection.ts";
import { explain, UsageError } from "./failures.ts";
import { formatGroup, formatHelp, formatOverview } from "./help.ts";
import { Settings } from "./settings.ts";
import { listenForInterrupts } from "./terminal/interrupt.ts";
import { print, printBeside } from "./terminal/print.ts";

async function main(line: readonly string[]): Promise<void> {
  const [name = "help"] = line;
  if (name === "--version") return print(`cpl ${program.version}\n`);
  const isHelp = helpWords.includes(name);
  const { command, group, rest } = findCommand(commands, isHelp ? line.slice(1) : line);
  if (!command) return print(group ? formatGroup(group, commands) : formatOverview(commands));
  const beforeTexts = rest.slice(0, rest.includes("--") ? rest.indexOf("--") : undefined);
  if (isHelp || beforeTexts.includes("--help") || beforeTexts.includes("-h")) return print(formatHelp(command));
  const { words, options } = parse(command, rest);
  const settings = new Settings(process.env);
  await command.run({
    words,
    options,
    isJson: options.isSet("json"),
    settings,
    connect: async () => connect(settings.access(), settings.cacheDirectory, command.isOfflineAllowed === true),
  });
}

/** The message without control characters. Several sentences end with a period. */
function oneLine(text: string): string {
  const line = inertLine(text);
  return /\. [A-Z].*[^.?]$/.test(line) ? `${line}.` : line;
}

listenForInterrupts();
// The reader of the output may stop early: `cpl list | head -1`.
process.stdout.on("error", () => process.exit(exitStatus.failure));
try {
  await main(process.argv.slice(2));
} catch (error) {
  const { message, status } = explain(error);
  if (message !== "") printBeside(`cpl: ${oneLine(message)}\n`);
  if (error instanceof UsageError) printBeside(`Try: ${["cpl", error.command, "--help"].filter(Boolean).join(" ")}\n`);
  process.exitCode = status;
}
