// The closing table of `npm run prove`: a row for each promise and engine.
import type { Origin } from "../bench/machine.ts";
import type { Paint } from "../bench/report.ts";
import type { EngineName, Outcome } from "./proof.ts";

/** How the run beside a planted fault ended. */
export type Seen = { readonly isSeen: true } | { readonly isSeen: false; readonly instead: string };

export interface Row {
  readonly id: string;
  readonly sentence: string;
  readonly engine: EngineName;
  readonly seed: number;
  /** Why it did not run; the rest is then undefined. */
  readonly skipped?: string;
  readonly outcome?: Outcome;
  readonly control?: Seen;
  readonly seconds?: number;
}

/** What `npm run prove -- --report FILE.json` writes. */
export interface ProofRun extends Origin {
  readonly machine: string;
  readonly minutes: number;
  readonly rows: readonly Row[];
}

export const isBroken = ({ skipped, outcome, control }: Row): boolean =>
  skipped === undefined && (outcome?.failure !== undefined || control?.isSeen !== true);

const heading = ["promise", "engine", "runs", "inputs", "failures", "seed", "control", "seconds"];
const numbered = new Set(["runs", "inputs", "failures", "seed", "seconds"]);
const count = (value: number | undefined): string => value?.toLocaleString("en-US") ?? "";

const cellsOf = (row: Row): string[] =>
  row.skipped !== undefined
    ? [row.id, row.engine, "", "", "", "", "", ""]
    : [
        row.id,
        row.engine,
        count(row.outcome?.runs),
        count(row.outcome?.inputs),
        row.outcome?.failure === undefined ? "0" : "1",
        String(row.seed),
        row.control?.isSeen ? "fault found" : "NOT FOUND",
        count(row.seconds),
      ];

/** The table, line by line. */
export function formatTable(rows: readonly Row[], { good, bad, faint }: Paint): string[] {
  const lines = [heading, ...rows.map(cellsOf)];
  const widths = heading.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        numbered.has(heading[column] ?? "") ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join("  ");
  const end = (row: Row): string => {
    if (row.skipped !== undefined) return faint(`skipped: ${row.skipped}`);
    return isBroken(row) ? bad("FAILED") : good(row.sentence);
  };
  return [faint(line(heading)), ...rows.map((row, index) => `${line(lines[index + 1] ?? [])}  ${end(row)}`)];
}
