// ./commonplace backup and restore: a copy of the database of a running service, and the way back from it.

import { describeKey, readInstanceKey } from "../../accounts/sign-in/instance-key.ts";
import type { Config } from "../../config.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { type CopyOptions, type CopyResult, makeBackup, restoreBackup } from "../backup/backup.ts";
import type { Phase, Step } from "../backup/progress.ts";
import { formatAmount, formatElapsed, formatMoment } from "../format.ts";
import type { Command } from "./command.ts";
import { formatFields, printResult } from "./output.ts";
import { type ProgressBar, startProgressBar } from "./progress.ts";

export const backupCommands: readonly Command[] = [
  {
    name: "backup",
    summary: "Back up the database, even while the service is running",
    options: {
      to: { value: "FILE", meaning: "File to create; an existing file is never overwritten", isRequired: true },
    },
    notes: [
      "A backup is a consistent copy, verified before it gets its final name.",
      "Requests are not interrupted. For scheduled backups, set",
      "COMMONPLACE_BACKUP_DIRECTORY.",
      "",
      "A backup does not contain the instance key: keep a copy of it elsewhere.",
      "",
      "SQLite only. Back up PostgreSQL with pg_dump: see docs/hosting.md.",
    ],
    run: async (context) => {
      const path = sqlitePath(context.config, "backed up with pg_dump");
      const result = await withProgress((options) => makeBackup(path, context.options.required("to"), options));
      printResult(context, result, [
        ...formatResult("backup", result),
        "",
        `Not in the backup: the instance key, ${describeKey(context.config.instanceKey)}`,
      ]);
    },
  },
  {
    name: "restore",
    summary: "Restore a backup into an empty data directory",
    options: { from: { value: "FILE", meaning: "File created by the backup command", isRequired: true } },
    notes: [
      "Refuses damaged files, and data directories that are not empty.",
      "",
      "SQLite only. Restore PostgreSQL with pg_restore: see docs/hosting.md.",
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
        ...(readInstanceKey(context.config.instanceKey) === undefined
          ? [`Next: copy the instance key to ${describeKey(context.config.instanceKey)}`]
          : ["Next: start the service with ./commonplace serve"]),
      ]);
    },
  },
];

function sqlitePath({ database }: Config, alternative: string): string {
  if (database.engine === "sqlite") return database.path;
  throw new OperatorError(`this command is for SQLite. PostgreSQL is ${alternative}: see docs/hosting.md`);
}

const formatResult = (what: string, result: CopyResult): string[] =>
  formatFields({
    [what]: result.path,
    size: formatAmount(result.bytes, "bytes"),
    took: formatElapsed(result.milliseconds),
    schema: result.schema_version,
    workspaces: result.rows.workspaces ?? 0,
    snippets: result.rows.snippets ?? 0,
    "newest request": result.newest_call === null ? "none" : formatMoment(result.newest_call),
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
