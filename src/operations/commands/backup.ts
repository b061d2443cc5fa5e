// ./commonplace backup and restore: a copy of the database of a running service, and the way back from it.

import type { Config } from "../../config.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { type CopyOptions, type CopyResult, makeBackup, restoreBackup } from "../backup/backup.ts";
import type { Phase, Step } from "../backup/progress.ts";
import { formatAmount, formatDuration, formatMoment } from "../format.ts";
import type { Command } from "./command.ts";
import { formatFields, printResult } from "./output.ts";
import { type ProgressBar, startProgressBar } from "./progress.ts";

export const backupCommands: readonly Command[] = [
  {
    name: "backup",
    summary: "Write a backup of the running service's database",
    options: { to: { value: "FILE", meaning: "The file to make; one that exists is not replaced", isRequired: true } },
    notes: [
      "The copy is of one moment, and checked before it gets its name. Calls go on",
      "meanwhile. COMMONPLACE_BACKUP_DIRECTORY makes backups by schedule.",
      "",
      "For SQLite; PostgreSQL is backed up with pg_dump, see docs/hosting.md.",
    ],
    run: async (context) => {
      const path = sqlitePath(context.config, "backed up with pg_dump");
      const result = await withProgress((options) => makeBackup(path, context.options.required("to"), options));
      printResult(context, result, formatResult("backup", result));
    },
  },
  {
    name: "restore",
    summary: "Make the database from a backup, in an empty data directory",
    options: { from: { value: "FILE", meaning: "A file that backup has made", isRequired: true } },
    notes: [
      "A damaged file is refused, and so is a data directory with anything in it.",
      "",
      "For SQLite; PostgreSQL is restored with pg_restore, see docs/hosting.md.",
    ],
    run: async (context) => {
      const from = context.options.required("from");
      const target = {
        dataDirectory: context.config.dataDirectory,
        databasePath: sqlitePath(context.config, "restored with pg_restore"),
      };
      const result = await withProgress((options) => restoreBackup(from, target, options));
      printResult(context, result, [
        ...formatResult("database", result),
        "",
        "The service can be started: ./commonplace serve",
      ]);
    },
  },
];

function sqlitePath({ database }: Config, alternative: string): string {
  if (database.engine === "sqlite") return database.path;
  throw new OperatorError(`PostgreSQL is ${alternative}: docs/hosting.md says how`);
}

const formatResult = (what: string, result: CopyResult): string[] =>
  formatFields({
    [what]: result.path,
    size: formatAmount(result.bytes, "bytes"),
    took: `${formatDuration(result.milliseconds / 1_000)} min`,
    schema: result.schema_version,
    workspaces: result.rows.workspaces ?? 0,
    snippets: result.rows.snippets ?? 0,
    "newest call": formatMoment(result.newest_call),
    sha256: result.sha256,
  });

/** Shows the progress of the work, which Ctrl-C aborts in order. */
async function withProgress<T>(work: (options: CopyOptions) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => interruption.abort());
  const bars = startPhaseBars();
  try {
    return await work({ onStep: bars.show, signal: interruption.signal });
  } finally {
    bars.end();
  }
}

const secondsTick = 1_000;

/** A bar for each phase, one after the other. A phase without a total only shows how long it has taken. */
function startPhaseBars(): { readonly show: (step: Step) => void; readonly end: () => void } {
  let phase: Phase | undefined;
  let bar: ProgressBar | undefined;
  let ticking: ReturnType<typeof setInterval> | undefined;
  const end = () => {
    clearInterval(ticking);
    bar?.end();
  };
  return {
    show: (step) => {
      if (step.phase !== phase) {
        end();
        phase = step.phase;
        bar = startProgressBar(step.phase, step.total, step.total > 0 ? "bytes" : "s");
        if (step.total === 0) ticking = countSeconds(bar);
      }
      bar?.update(step.done);
    },
    end,
  };
}

function countSeconds(bar: ProgressBar): ReturnType<typeof setInterval> {
  let seconds = 0;
  return setInterval(() => {
    seconds += 1;
    bar.update(seconds);
  }, secondsTick);
}
