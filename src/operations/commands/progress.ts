// A progress bar for commands that may take minutes, on standard error if that is a terminal.
import { formatAmount, formatDuration, formatNumber } from "../format.ts";
import { hasUnicode } from "./output.ts";

export interface ProgressBar {
  /** @param label replaces the label from now on */
  readonly update: (done: number, label?: string) => void;
  /** Clears the bar, so that the next output starts on an empty line. */
  readonly end: () => void;
}

/** What a bar shows at one moment. */
export interface ProgressState {
  readonly label: string;
  readonly done: number;
  /** 0 if it is unknown: then there is no bar, only the count. */
  readonly total: number;
  /** "bytes" are shown as KB, MB or GB; any other unit, such as "rows", follows the number. */
  readonly unit: string;
  readonly elapsedMilliseconds: number;
}

const redrawMilliseconds = 100;
const columnsDefault = 80;
const barColumns = { min: 8, max: 40 };
/** A rate measured over less time means nothing yet. */
const rateAfterMilliseconds = 500;
const clearLine = "\r\u001b[K";

/** @param total what `update` counts up to */
export function startProgressBar(label: string, total: number, unit: string): ProgressBar {
  // A bar does not belong in a log file or in a mail of cron.
  if (!process.stderr.isTTY || process.env.TERM === "dumb") return { update: () => undefined, end: () => undefined };
  const startedAt = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let shown = label;
  return {
    update: (done, label = shown) => {
      const now = performance.now();
      if (now - drawnAt < redrawMilliseconds && label === shown) return;
      [drawnAt, shown] = [now, label];
      // The width may have changed. Some terminals break the line after the last column, so it stays free.
      const columns = (process.stderr.columns || columnsDefault) - 1;
      const state = { label, done, total, unit, elapsedMilliseconds: now - startedAt };
      process.stderr.write(`${clearLine}${progressLine(state, columns, terminalStyle())}`);
    },
    end: () => void process.stderr.write(clearLine),
  };
}

/** How the finished and the remaining part of a bar are drawn. */
interface Style {
  readonly done: (columns: number) => string;
  readonly remaining: (columns: number) => string;
}

export const plainStyle: Style = {
  done: (columns) => "#".repeat(columns),
  remaining: (columns) => "-".repeat(columns),
};

function terminalStyle(): Style {
  if (process.env.NO_COLOR || !hasUnicode()) return plainStyle;
  return {
    done: (columns) => `\u001b[32m${"━".repeat(columns)}\u001b[39m`,
    remaining: (columns) => `\u001b[2m${"━".repeat(columns)}\u001b[22m`,
  };
}

/** The line of a bar, at most this many columns wide; the least important parts are left out first. */
export function progressLine(state: ProgressState, columns: number, style: Style = plainStyle): string {
  const { label, done, total, unit, elapsedMilliseconds } = state;
  const part = total > 0 ? Math.min(1, done / total) : 0;
  const rate = elapsedMilliseconds >= rateAfterMilliseconds ? (done / elapsedMilliseconds) * 1_000 : 0;
  const percent = total > 0 ? [`${String(Math.floor(part * 100)).padStart(3)}%`] : [];
  const left = rate > 0 && total > 0 ? [`${formatDuration(Math.max(0, total - done) / rate)} left`] : [];
  const whole = formatAmount(total, unit);
  const finished = unit === "bytes" ? formatAmount(done, unit) : formatNumber(done);
  const counted = [total > 0 ? `${finished} of ${whole}` : formatAmount(done, unit)];
  // Seconds have no rate.
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
    return [label, style.done(filled) + style.remaining(width - filled), ...words].join("  ");
  }
  return [label, ...percent].join("  ").slice(0, columns);
}
