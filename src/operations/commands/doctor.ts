// ./commonplace doctor: examines an instance and reports what is wrong with it and what to do about it.
import { exitStatus } from "../../contract/exit-status.ts";
import { sourceCommit, version } from "../../platform/program.ts";
import type { Finding, Severity } from "../doctor/check.ts";
import type { Command } from "./command.ts";
import { wrap } from "./help.ts";
import { bold, inColor, printResult } from "./output.ts";
import { type ProgressBar, startProgressBar } from "./progress.ts";

const [columnsDefault, columnsMax] = [80, 120];
/** Widths of the columns before the text. */
const columnWidths = { severity: 9, check: 22 };
const worstFirst: readonly Severity[] = ["problem", "warning", "ok"];

export const doctor: Command = {
  name: "doctor",
  summary: "Check the instance and suggest fixes",
  options: {},
  examinesSettings: true,
  notes: [
    "Changes nothing, and can run while the service is running. It reads the whole",
    "database, which takes about half a minute for a million snippets.",
    "",
    "Exits with 3 if it finds problems, otherwise with 0, even if it finds warnings.",
  ],
  run: async (context) => {
    const { examineInstance } = await import("../doctor/doctor.ts");
    let bar: ProgressBar | undefined;
    const findings = await examineInstance(context.environment, (check, done, total) => {
      bar ??= startProgressBar("Checking", total, "checks");
      bar.update(done, `Checking ${check}`);
    }).finally(() => bar?.end());
    const worst = worstFirst.find((severity) => findings.some((finding) => finding.severity === severity)) ?? "ok";
    printResult(context, { version, commit: sourceCommit(), severity: worst, findings }, [
      // The worst findings come last, where a terminal shows them.
      ...worstFirst.toReversed().flatMap((severity) => {
        const lines = findings.filter((finding) => finding.severity === severity).flatMap(formatFinding);
        return lines.length === 0 ? [] : [...lines, ""];
      }),
      bold(`${formatCounts(findings)}.`),
    ]);
    if (worst === "problem") process.exitCode = exitStatus.attention;
  },
};

function formatFinding({ severity, check, message, remedy }: Finding): string[] {
  const width = Math.min(columnsMax, process.stdout.columns || columnsDefault);
  const start = `${severity.padEnd(columnWidths.severity)}${check.padEnd(columnWidths.check)}`;
  const indent = " ".repeat(start.length);
  const [first = "", ...others] = wrap(message.split(" "), start, indent, width);
  const advice = remedy === null ? [] : wrap(remedy.split(" "), `${indent}> `, `${indent}  `, width);
  return [colored(severity) + first.slice(severity.length), ...others, ...advice];
}

const colors = { ok: "green", warning: "yellow", problem: "red" } as const satisfies Record<Severity, string>;

const colored = (severity: Severity): string => inColor(colors[severity], severity);

function formatCounts(findings: readonly Finding[]): string {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  const plural = (many: number, one: string) =>
    `${many || (one === "problem" ? "No" : "no")} ${one}${many === 1 ? "" : "s"}`;
  return `${plural(count("problem"), "problem")}, ${plural(count("warning"), "warning")}, ${count("ok")} ok`;
}
