// The results of a run as one table: each number with its baseline, and a bar with a mark at the target.
import type { Machine, Origin } from "./machine.ts";

/** A target for the service's own number, or for its ratio to the baseline. */
export type Aim =
  | { readonly of: "ratio"; readonly atLeast: number }
  | { readonly of: "ratio"; readonly atMost: number }
  | { readonly of: "service"; readonly atLeast: number }
  | { readonly of: "service"; readonly atMost: number };

export interface Result {
  readonly group: string;
  readonly name: string;
  readonly unit: "/s" | "snippets/s" | "ms" | "µs" | "MB" | "KB" | "B" | "";
  readonly service: number;
  /** Undefined where there is nothing to compare with. */
  readonly baseline?: number;
  /** The median of the rounds' ratios, if rounds come in pairs. */
  readonly ratio?: number;
  readonly aim?: Aim;
}

export interface Report extends Origin {
  readonly machine: Machine;
  readonly conditions: readonly string[];
  readonly results: readonly Result[];
}

/** The colors of the text; without a terminal all three do nothing. */
export interface Paint {
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly faint: (text: string) => string;
}

const code = (open: number) => (text: string) => `\x1b[${open}m${text}\x1b[0m`;
const plain = (text: string): string => text;
export const createPaint = (isColored: boolean): Paint =>
  isColored ? { good: code(32), bad: code(31), faint: code(2) } : { good: plain, bad: plain, faint: plain };

const barCells = 16;

/** The bar ends at the value. Its scale ends at twice the target, so that the mark in the middle is the target. */
export function formatBar(value: number, aim: number): string {
  const filled = Math.min(barCells, Math.round((value / (2 * aim)) * barCells));
  const cells = "█".repeat(filled).padEnd(barCells, "·");
  return `${cells.slice(0, barCells / 2)}│${cells.slice(barCells / 2)}`;
}

/** Three significant digits of a small number, all digits of a large one. */
const formatNumber = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString("en-US") : value.toPrecision(value < 1 ? 2 : 3);

function formatAim({ aim, service }: Result, ratio: number | undefined, { good, bad }: Paint): string {
  if (!aim) return "";
  const value = aim.of === "ratio" ? (ratio ?? Number.NaN) : service;
  const [target, isMet, sign] =
    "atLeast" in aim ? [aim.atLeast, value >= aim.atLeast, "≥"] : [aim.atMost, value <= aim.atMost, "≤"];
  const aimText = `${aim.of === "ratio" ? "ratio " : ""}${sign} ${target}`;
  return `${(isMet ? good : bad)(formatBar(value, target))}  ${isMet ? good("met   ") : bad("missed")}  ${aimText}`;
}

const columnsMax = 100;

/** Breaks a line between words. */
function wrap(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = `${lines.at(-1)} ${word}`.trim();
    if (line.length > columnsMax) lines.push(word);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

/** The report, line by line. */
export function formatReport({ machine, conditions, results }: Report, paint: Paint): string[] {
  const head = ["", "service", "baseline", "", "ratio"];
  const rows = results.map((result) => {
    const { baseline } = result;
    const ratio = result.ratio ?? (baseline === undefined ? undefined : result.service / baseline);
    const cells = [
      `  ${result.name}`,
      formatNumber(result.service),
      baseline === undefined ? "" : formatNumber(baseline),
      result.unit,
      ratio === undefined ? "" : ratio.toFixed(2),
    ];
    return { group: result.group, cells, aimText: formatAim(result, ratio, paint) };
  });
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map(({ cells }) => cells[column]?.length ?? 0)),
  );
  const isText = (column: number) => column === 0 || column === 3;
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => (isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ");
  const { cpu, cores, memoryGibibytes, system, bun, sqlite, fsyncMilliseconds, load } = machine;
  const facts = [
    `${cpu}, ${cores} cores, ${memoryGibibytes} GiB, ${system}`,
    `Bun ${bun}, SQLite ${sqlite}, fsync ${formatNumber(fsyncMilliseconds)} ms${load === undefined ? "" : `, load before the run ${load.toFixed(2)}`}`,
    ...conditions,
  ].flatMap(wrap);
  return [
    ...facts,
    "",
    `${line(head)}  target: the mark in the bar`,
    ...rows.flatMap(({ group, cells, aimText }, index) => [
      ...(rows[index - 1]?.group === group ? [] : [group]),
      `${line(cells)}  ${aimText}`.trimEnd(),
    ]),
  ].map((text, index) => (index < facts.length ? paint.faint(text) : text));
}
