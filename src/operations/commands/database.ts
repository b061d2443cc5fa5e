// ./commonplace database copy: moves an instance to another database, from SQLite to PostgreSQL or back.
import { dirname, resolve } from "node:path";
import { parseDatabaseUrl } from "../../config/parsers.ts";
import type { Config } from "../../config.ts";
import type { CopyStep } from "../../platform/database/copy.ts";
import type { Database } from "../../platform/database/database.ts";
import type { DatabaseLocation } from "../../platform/database/location.ts";
import { openDatabase } from "../../platform/database/open.ts";
import { redactUrl } from "../../platform/database/redact-url.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { formatNumber } from "../format.ts";
import { whenConnectionIsFree } from "../free-connection.ts";
import type { Command, CommandContext, ParsedOptions } from "./command.ts";
import { formatTable, printResult } from "./output.ts";
import { type ProgressBar, startProgressBar } from "./progress.ts";

export const databaseCommands: readonly Command[] = [
  {
    name: "database copy",
    summary: "Copy an instance to another database, which must be empty",
    options: {
      from: { value: "URL", meaning: "Source database; it is not changed", isRequired: true },
      to: { value: "URL", meaning: "Target: an empty database, or a file that does not exist yet", isRequired: true },
    },
    notes: [
      "A URL is sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME. To keep the password",
      "off the command line, set PGPASSWORD in the environment.",
      "",
      "Stop the service first. At the end, the command reads every table from both",
      "databases and compares them. This also detects changes to the source during the",
      "copy. The service does not start with a copy that is incomplete or does not",
      "match its source.",
    ],
    run: copy,
  },
];

async function copy(context: CommandContext): Promise<void> {
  const [from, to] = [readUrl(context.options, "from"), readUrl(context.options, "to")];
  const { copyDatabase } = await import("../../platform/database/copy.ts");
  const startedAt = performance.now();
  const bars = startStepBars();
  const open = () => openTarget(context.config, to);
  const tables = await copyDatabase({ from, to, open, onStep: bars.show }).finally(bars.end);
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  const rows = tables.reduce((sum, one) => sum + one.rows, 0);
  printResult(context, { from: formatLocation(from), to: formatLocation(to), rows, seconds, tables }, [
    ...formatTable(
      ["ROWS", "DIGEST (BOTH SIDES)", "TABLE"],
      tables.map((one) => [one.rows, one.digest, one.table]),
    ),
    "",
    `Copied ${formatNumber(rows)} rows in ${seconds} s. Source and target are identical.`,
    "",
    "Next: set COMMONPLACE_DATABASE_URL to the target, start the service, and run",
    "./commonplace doctor. Keep the source until you have checked the target.",
  ]);
}

/** @throws UsageError that does not repeat the URL, which may hold a password */
function readUrl(options: ParsedOptions, option: "from" | "to"): DatabaseLocation {
  try {
    return parseDatabaseUrl(options.required(option), `--${option}`);
  } catch (error) {
    if (error instanceof OperatorError) options.refuse(error.message);
    throw error;
  }
}

const openTarget = (config: Config, to: DatabaseLocation): Promise<Database> =>
  whenConnectionIsFree(() =>
    openDatabase({
      ...config,
      database: to,
      ...(to.engine === "sqlite" && { dataDirectory: dirname(resolve(to.path)) }),
    }),
  );

/** The URL without user and password. */
const formatLocation = (location: DatabaseLocation): string =>
  location.engine === "sqlite" ? `sqlite:${resolve(location.path)}` : `postgres://${redactUrl(location.url)}`;

/** A bar for each phase, whose label names the table in progress. */
function startStepBars() {
  let bar: ProgressBar | undefined;
  let phase: CopyStep["phase"] | undefined;
  return {
    show: (step: CopyStep) => {
      const label = `${step.phase} ${step.table}`;
      if (phase !== step.phase) {
        bar?.end();
        bar = startProgressBar(label, step.total, "rows");
      }
      phase = step.phase;
      bar?.update(step.done, label);
    },
    end: () => bar?.end(),
  };
}
