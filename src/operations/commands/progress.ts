// A progress bar for commands that may take minutes: on standard error, only where a person looks at it.
import { formatAmount, formatDuration, formatNumber } from "../format.ts";

export interface ProgressBar {
  /** @param label from now on, where what is done changes */
  readonly update: (done: number, label?: string) => void;
  /** Takes the bar away, so that what is said next stands in a line of its own. */
  readonly end: () => void;
}

/** What a bar shows at one moment. */
export interface Progressed {
  readonly label: string;
  readonly done: number;
  /** 0 when nobody knows it: then there is no bar, and what was done is counted. */
  readonly total: number;
  /** "bytes" are told in kB, MB and GB; every other unit, such as "rows", is a word behind the number. */
  readonly unit: string;
  readonly elapsedMilliseconds: number;
}

const redrawMilliseconds = 100;
const columnsDefault = 80;
const barColumns = { min: 8, max: 40 };
/** A rate that rests on less than this says nothing yet. */
const rateAfterMilliseconds = 500;
const clearLine = "\r\u001b[K";

/** @param total what `update` counts up to */
export function startProgressBar(label: string, total: number, unit: string): ProgressBar {
  // A log file or a mail of cron is no place for a bar: without a terminal nothing is said.
  if (!process.stderr.isTTY || process.env.TERM === "dumb") return { update: () => undefined, end: () => undefined };
  const startedAt = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let shown = label;
  return {
    update: (done, label = shown) => {
      const now = performance.now();
      if (now - drawnAt < redrawMilliseconds && label === shown) return;
      [drawnAt, shown] = [now, label];
      // The terminal may have another width by now. Its last column stays free, as some break the line after it.
      const columns = (process.stderr.columns || columnsDefault) - 1;
      const progressed = { label, done, total, unit, elapsedMilliseconds: now - startedAt };
      process.stderr.write(`${clearLine}${progressLine(progressed, columns, terminalStyle())}`);
    },
    end: () => void process.stderr.write(clearLine),
  };
}

/** How the done and the open part of a bar are drawn. */
interface Style {
  readonly done: (columns: number) => string;
  readonly open: (columns: number) => string;
}

export const plainStyle: Style = { done: (columns) => "#".repeat(columns), open: (columns) => "-".repeat(columns) };

function terminalStyle(): Style {
  const { LC_ALL, LC_CTYPE, LANG, NO_COLOR } = process.env;
  if (NO_COLOR || !/utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "")) return plainStyle;
  return {
    done: (columns) => `\u001b[32m${"━".repeat(columns)}\u001b[39m`,
    open: (columns) => `\u001b[2m${"━".repeat(columns)}\u001b[22m`,
  };
}

/** The line that fits into so many columns: what is least needed is left out first. */
export function progressLine(progressed: Progressed, columns: number, style: Style = plainStyle): string {
  const { label, done, total, unit, elapsedMilliseconds } = progressed;
  const part = total > 0 ? Math.min(1, done / total) : 0;
  const rate = elapsedMilliseconds >= rateAfterMilliseconds ? (done / elapsedMilliseconds) * 1_000 : 0;
  const percent = total > 0 ? [`${String(Math.floor(part * 100)).padStart(3)} %`] : [];
  const left = rate > 0 && total > 0 ? [`${formatDuration(Math.max(0, total - done) / rate)} left`] : [];
  const whole = formatAmount(total, unit);
  const begun = unit === "bytes" ? formatAmount(done, unit) : formatNumber(done);
  const counted = [total > 0 ? `${begun} of ${whole}` : formatAmount(done, unit)];
  // A time has no speed.
  const speed = rate > 0 && unit !== "s" ? [`${formatAmount(rate, unit)}/s`] : [];

  const choices = [
    [...percent, ...counted, ...speed, ...left],
    [...percent, ...counted, ...left],
    [...percent, ...left],
  ];
  for (const words of [...choices, percent]) {
    const room = columns - [label, "", ...words].join("  ").length;
    if (total > 0 ? room < barColumns.min : room < 0) continue;
    if (total <= 0) return [label, ...words].join("  ");
    const width = Math.min(room, barColumns.max);
    const filled = Math.floor(part * width);
    return [label, style.done(filled) + style.open(width - filled), ...words].join("  ");
  }
  return [label, ...percent].join("  ").slice(0, columns);
}
