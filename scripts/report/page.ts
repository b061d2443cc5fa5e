// The page of a report on a release, as Markdown.
import type { Origin } from "../../bench/machine.ts";
import { createPaint, formatBar, formatReport } from "../../bench/report.ts";
import { isBroken, type Row } from "../../prove/report.ts";
import { formatAmount } from "../../src/operations/format.ts";
import type { ReleaseReport } from "./report.ts";

/** The page from its first to its last line. */
export function reportPage(report: ReleaseReport): string {
  const parts = [introduction(report), tests(report), proofs(report), benchmarks(report), release(report)];
  return `${parts.flatMap((part) => (part.length === 0 ? [] : [part.join("\n")])).join("\n\n")}\n`;
}

const introduction = ({ version }: ReleaseReport): string[] => [
  `# Report on ${version}`,
  "",
  "What was tested and measured for this release: with which programs, when, on which machine, and at which commit. `npm run report` writes this page from the",
  `results of the runs, which are in [${version}.json](${version}.json). What the numbers mean, and what limits them, is in [proofs](../how/proofs.md) and`,
  "[benchmarks](../how/benchmarks.md).",
];

function tests({ tests, tools }: ReleaseReport): string[] {
  const files = tests.reduce((sum, folder) => sum + folder.files, 0);
  const longest = Math.max(...tests.map(({ seconds }) => seconds.sqlite + seconds.postgres));
  const rows = tests.map(({ folder, files, seconds }) => [
    `\`${folder}\``,
    formatCount(files),
    formatCount(seconds.sqlite),
    formatCount(seconds.postgres),
    bar(seconds.sqlite + seconds.postgres, longest),
  ]);
  return [
    "## Tests",
    "",
    `\`npm test -- --all\` runs ${formatCount(files)} test files: those that use a database on SQLite and on PostgreSQL, all others once. The seconds are those of one`,
    "process, as they were recorded.",
    "",
    ...table(["folder", "files", "seconds, SQLite and once", "seconds, PostgreSQL", ""], rows),
    "",
    "The tests use these packages of others, and also programs that are installed on the machine, as [contributing](../../CONTRIBUTING.md#tests) says:",
    "",
    ...table(
      ["program", "version"],
      Object.entries(tools).map(([name, version]) => [name, version]),
    ),
  ];
}

function proofs({ proofs }: ReleaseReport): string[] {
  if (proofs === undefined) return [];
  const seeds = [...new Set(proofs.rows.filter(({ skipped }) => skipped === undefined).map(({ seed }) => seed))];
  const longest = Math.max(...proofs.rows.map(({ seconds }) => seconds ?? 0));
  return [
    "## Proofs",
    "",
    `${of(proofs)} ${proofs.minutes} minutes, ${seeds.length === 1 ? "seed" : "seeds"} ${seeds.join(", ")}. A proof whose result is "held" found no failure, and its control, a planted`,
    "fault, was found. Below the table is what the last long run of each promise did; one without a date is an earlier run, which did more.",
    "",
    `${proofs.machine}.`,
    "",
    ...table(
      ["promise", "engine", "runs", "requests or inputs", "result", "seconds", ""],
      proofs.rows.map((row) => [...cellsOf(row), bar(row.seconds ?? 0, longest)]),
    ),
    ...Object.entries(proofs.details ?? {}).flatMap(([id, text]) => [
      "",
      `### ${id}: ${proofs.rows.find((row) => row.id === id)?.sentence ?? ""}`,
      "",
      text,
    ]),
  ];
}

const cellsOf = (row: Row): string[] => [
  row.id,
  row.engine === "sqlite" ? "SQLite" : "PostgreSQL",
  row.outcome === undefined ? "" : formatCount(row.outcome.runs),
  row.outcome === undefined ? "" : formatCount(row.outcome.inputs),
  row.skipped !== undefined ? `skipped: ${row.skipped}` : isBroken(row) ? "**failed**" : "held",
  row.seconds === undefined ? "" : formatCount(row.seconds),
];

const benchmarks = ({ benchmarks }: ReleaseReport): string[] =>
  benchmarks.length === 0
    ? []
    : [
        "## Benchmarks",
        "",
        "Service and baseline were measured alternately in the same run. In the bars, the mark in the middle is the target.",
        ...benchmarks.flatMap((run) => [
          "",
          `### ${run.title}`,
          "",
          of(run),
          "",
          "```",
          ...formatReport(run, createPaint(false)),
          "```",
        ]),
      ];

function release({ release }: ReleaseReport): string[] {
  if (release === undefined) return [];
  const largest = Math.max(...release.files.map(({ bytes }) => bytes));
  return [
    "## Files of the release",
    "",
    `Built on ${on(release)} by \`npm run release\`.`,
    "",
    ...table(
      ["file", "size", ""],
      release.files.map(({ name, bytes }) => [`\`${name}\``, formatAmount(bytes, "bytes"), bar(bytes, largest)]),
    ),
  ];
}

const on = ({ date, commit }: Origin): string => `${date}${commit === undefined ? "" : `, at commit ${commit},`}`;
const of = (origin: Origin): string => `Run on ${on(origin).replace(/,$/, "")}.`;
const formatCount = (value: number): string => value.toLocaleString("en-US");
/** The whole width is the largest value. */
const bar = (value: number, largest: number): string => formatBar(value, largest / 2).replace("│", "");

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
