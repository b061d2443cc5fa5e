// ./commonplace backup and restore: a copy of the database of a running service, and the way back from it.

import { describeKey, readInstanceKey } from "../../accounts/sign-in/instance-key.ts";
import { isRecipient } from "../../config/age-recipient.ts";
import type { BackupEncryption, Config } from "../../config.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { type CopyOptions, type CopyResult, makeBackup, restoreBackup, verifyBackup } from "../backup/backup.ts";
import type { BackupKey } from "../backup/encryption.ts";
import type { Phase, Step } from "../backup/progress.ts";
import { describeEncryption } from "../doctor/backups.ts";
import { formatAmount, formatElapsed, formatMoment } from "../format.ts";
import type { Command, ParsedOptions } from "./command.ts";
import { formatFields, printResult } from "./output.ts";
import { type ProgressBar, startProgressBar } from "./progress.ts";

/** The options of what reads a backup. */
const backupSource = {
  from: { value: "FILE", meaning: "File created by the backup command", isRequired: true },
  identity: { value: "FILE", meaning: "File with the private key (from age-keygen) that decrypts the backup" },
  "passphrase-file": { value: "FILE", meaning: "File with the passphrase for an encrypted backup" },
} as const;

export const backupCommands: readonly Command[] = [
  {
    name: "backup",
    summary: "Back up the database, even while the service is running",
    options: {
      to: { value: "FILE", meaning: "File to create; an existing file is never overwritten", isRequired: true },
      recipient: { value: "age1…", meaning: "Public key to encrypt the backup with", isRepeatable: true },
      "passphrase-file": { value: "FILE", meaning: "File with a passphrase to encrypt the backup with" },
    },
    notes: [
      "A backup is a consistent copy, verified before it gets its final name.",
      "Requests are not interrupted. For scheduled backups, set",
      "COMMONPLACE_BACKUP_DIRECTORY.",
      "",
      "Without --recipient and --passphrase-file, a backup is encrypted (in age format)",
      "only if COMMONPLACE_BACKUP_RECIPIENTS or COMMONPLACE_BACKUP_PASSPHRASE_FILE is",
      "set.",
      "",
      "A backup does not contain the instance key: keep a copy of it elsewhere.",
      "",
      "SQLite only. Back up PostgreSQL with pg_dump: see /docs/operate/backup on the",
      "service.",
    ],
    run: async (context) => {
      const path = sqlitePath(context.config, "backed up with pg_dump");
      const encryption = readEncryption(context.options) ?? context.config.backupEncryption;
      const result = await withProgress((options) =>
        makeBackup(path, context.options.required("to"), { ...options, encryption }),
      );
      printResult(context, { ...result, encryption: encryption?.kind ?? null }, [
        ...formatResult("backup", result),
        "",
        `The backup is ${describeEncryption(encryption)}.`,
        "",
        `Not in the backup: the instance key, ${describeKey(context.config.instanceKey)}`,
      ]);
    },
  },
  {
    name: "backup verify",
    summary: "Verify a backup by restoring it into a temporary file",
    options: backupSource,
    notes: [
      "Decrypts the backup if it is encrypted, reads all of it, and runs the same",
      "checks as a restore. The temporary file is created in the data directory and",
      "removed at the end.",
    ],
    run: async (context) => {
      const from = context.options.required("from");
      const key = readKey(context.options);
      const result = await withProgress((options) =>
        verifyBackup(from, context.config.dataDirectory, { ...options, key }),
      );
      printResult(context, { ...result, is_encrypted: key !== undefined }, [
        ...formatResult("backup", result),
        "",
        `The backup is complete, undamaged, and ${key ? "encrypted" : "not encrypted"}.`,
      ]);
    },
  },
  {
    name: "restore",
    summary: "Restore a backup into an empty data directory",
    options: backupSource,
    notes: [
      "Refuses damaged files and data directories that are not empty.",
      "",
      "SQLite only. Restore PostgreSQL with pg_restore: see /docs/operate/backup on the",
      "service.",
    ],
    run: async (context) => {
      const from = context.options.required("from");
      const target = {
        dataDirectory: context.config.dataDirectory,
        databasePath: sqlitePath(context.config, "restored with pg_restore"),
      };
      const key = readKey(context.options);
      const result = await withProgress((options) => restoreBackup(from, target, { ...options, key }));
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

/** How the options say to encrypt; undefined where they say nothing. */
function readEncryption(options: ParsedOptions): BackupEncryption | undefined {
  const recipients = options.texts("recipient");
  const path = options.text("passphrase-file");
  if (recipients.length > 0 && path !== undefined)
    return options.refuse("use --recipient or --passphrase-file, not both");
  if (!recipients.every(isRecipient)) return options.refuse("--recipient must be an age public key, such as age1…");
  if (recipients.length > 0) return { kind: "recipients", recipients };
  return path === undefined ? undefined : { kind: "passphrase", path };
}

function readKey(options: ParsedOptions): BackupKey | undefined {
  const [identity, passphrase] = [options.text("identity"), options.text("passphrase-file")];
  if (identity !== undefined && passphrase !== undefined)
    return options.refuse("use --identity or --passphrase-file, not both");
  if (identity !== undefined) return { kind: "identities", path: identity };
  return passphrase === undefined ? undefined : { kind: "passphrase", path: passphrase };
}

function sqlitePath({ database }: Config, alternative: string): string {
  if (database.engine === "sqlite") return database.path;
  throw new OperatorError(
    `this command is for SQLite. PostgreSQL is ${alternative}: see /docs/operate/backup on the service`,
  );
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
