// ./commonplace audit …: the entries of the audit logs for other programs.
import { openSync } from "node:fs";
import { noWorkspace } from "../../accounts/audit/audit.ts";
import { exportAllEntries } from "../../accounts/audit/export.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { startOfDay } from "../../platform/time.ts";
import { formatNumber } from "../format.ts";
import type { Command, ParsedOptions } from "./command.ts";
import { inPortions } from "./database-access.ts";
import { printResult } from "./output.ts";
import { recordCommand } from "./record.ts";

export const auditCommands: readonly Command[] = [
  {
    name: "audit export",
    summary: "Write the audit logs of this instance to a JSON Lines file",
    options: {
      to: { value: "FILE", meaning: "File to create; an existing file is never overwritten", isRequired: true },
      since: { value: "YYYY-MM-DD", meaning: "Only entries from this day on (UTC)" },
    },
    notes: [
      "One entry per line, grouped by workspace, each with its number and its hash.",
      "The page /docs/how/security on the service describes the format. Only you can",
      "read the file.",
    ],
    run: async (context) => {
      const path = context.options.required("to");
      const since = readDay(context.options, "since");
      const sink = openPrivate(path);
      const entries = await inPortions(context, async (database) => {
        await database.transaction(async (transaction) =>
          recordCommand(transaction, noWorkspace, {
            action: "audit.export",
            target: { kind: "audit_log", id: null, name: null },
            ...(since !== undefined && { after: { from: since } }),
          }),
        );
        let lines = 0;
        for await (const portion of exportAllEntries(database, { from: since && startOfDay(since) })) {
          sink.write(portion);
          await sink.flush();
          lines += portion.split("\n").length - 1;
        }
        await sink.end();
        return lines;
      });
      printResult(context, { entries, path }, [
        `Wrote ${formatNumber(entries)} ${entries === 1 ? "entry" : "entries"} to ${path}.`,
      ]);
    },
  },
];

/** A file that only its owner may read. It is never overwritten. */
function openPrivate(path: string) {
  try {
    return Bun.file(openSync(path, "wx", 0o600)).writer();
  } catch (error) {
    const reason =
      error instanceof Error && "code" in error && error.code === "EEXIST" ? "it already exists" : String(error);
    throw new OperatorError(`cannot write ${path}: ${reason}`);
  }
}

function readDay(options: ParsedOptions, option: string): string | undefined {
  const text = options.text(option);
  const isDay = text === undefined || (/^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)));
  return isDay ? text : options.refuse(`--${option} must be a date, such as 2026-01-31`);
}
