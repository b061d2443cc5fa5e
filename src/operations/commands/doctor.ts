// ./commonplace doctor: examines an instance, says what is wrong with it and how to mend that.
import program from "../../../package.json" with { type: "json" };
import type { Finding, Standing } from "../doctor/check.ts";
import type { Command } from "./command.ts";
import { wrap } from "./help.ts";
import { bold, printResult } from "./output.ts";
import { type Progress, progress } from "./progress.ts";

const [columnsDefault, columnsMax] = [80, 120];
/** How wide the columns before the text are. */
const columnsOf = { standing: 9, check: 22 };
/** The worst first. */
const standings: readonly Standing[] = ["problem", "warning", "ok"];

export const doctor: Command = {
  name: "doctor",
  summary: "Examine the instance, and say how to mend what is wrong",
  options: {},
  examinesSettings: true,
  notes: [
    "It only reads, also while the service runs. The whole database is read, which",
    "takes its time where that is large: about half a minute for a million snippets.",
    "",
    "Exit status 0 when there is no problem, warnings or not, else 1.",
  ],
  run: async (context) => {
    const { examineInstance } = await import("../doctor/doctor.ts");
    let bar: Progress | undefined;
    const findings = await examineInstance(context.environment, (check, done, total) => {
      bar ??= progress("Examining", total, "checks");
      bar.update(done, `Examining ${check}`);
    }).finally(() => bar?.end());
    const standing = standings.find((one) => findings.some((finding) => finding.standing === one)) ?? "ok";
    printResult(context, { version: program.version, standing, findings }, [
      // What is wrong stands at the end, where a terminal shows it.
      ...standings.toReversed().flatMap((one) => {
        const lines = findings.filter((finding) => finding.standing === one).flatMap(describe);
        return lines.length === 0 ? [] : [...lines, ""];
      }),
      bold(`${count(findings)}.`),
    ]);
    if (standing === "problem") process.exitCode = 1;
  },
};

function describe({ standing, check, says, mend }: Finding): string[] {
  const width = Math.min(columnsMax, process.stdout.columns || columnsDefault);
  const start = `${standing.padEnd(columnsOf.standing)}${check.padEnd(columnsOf.check)}`;
  const indent = " ".repeat(start.length);
  const [first = "", ...more] = wrap(says.split(" "), start, indent, width);
  const mending = mend === null ? [] : wrap(mend.split(" "), `${indent}> `, `${indent}  `, width);
  return [colored(standing) + first.slice(standing.length), ...more, ...mending];
}

const colors: Readonly<Record<Standing, number>> = { ok: 32, warning: 33, problem: 31 };

const colored = (standing: Standing): string =>
  process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[${colors[standing]}m${standing}\u001b[39m` : standing;

function count(findings: readonly Finding[]): string {
  const number = (standing: Standing) => findings.filter((finding) => finding.standing === standing).length;
  const plural = (many: number, one: string) => `${many || "no"} ${one}${many === 1 ? "" : "s"}`;
  return `${plural(number("problem"), "problem")}, ${plural(number("warning"), "warning")}, ${number("ok")} ok`;
}
