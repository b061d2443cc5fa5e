// How far a command is that takes several requests, or one long one.
import { clearLine, hasLiveLine, liveColumns, showLine } from "./live-line.ts";
import { formatCount } from "./print.ts";
import { widthOf } from "./style.ts";

const barColumns = { most: 30, least: 8 };
const redrawMilliseconds = 100;
const shownBytesMin = 100_000;
const gap = "  ";

export interface Progress {
  readonly update: (done: number, total: number) => void;
  /** For a total that is not known. */
  readonly received: (bytes: number) => void;
  /** Clears the line. */
  readonly end: () => void;
}

/** @param label what is happening, such as "Importing" */
export function startProgress(label: string): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY;
  showLine(`${label}...`);
  return {
    update: (done, total) => showLine(progressLine(label, done, total, liveColumns())),
    received: (bytes) => {
      const isSoon = performance.now() - drawnAt < redrawMilliseconds;
      if (!hasLiveLine() || isSoon || bytes < shownBytesMin) return;
      drawnAt = performance.now();
      showLine(`${label} ... ${(bytes / 1_000_000).toFixed(1)} MB`);
    },
    end: clearLine,
  };
}

/** On a narrow terminal, the bar is shorter or left out. */
export function progressLine(label: string, done: number, total: number, columns: number): string {
  const part = total > 0 ? Math.min(1, done / total) : 1;
  const numbers = `${Math.floor(part * 100)}%${gap}${formatCount(done)} of ${formatCount(total)}`;
  // The numbers grow, and the bar keeps its length.
  const widest = `100%${gap}${formatCount(total)} of ${formatCount(total)}`;
  const room = Math.min(barColumns.most, columns - widthOf(label + gap + gap + widest));
  if (room < barColumns.least) return label + gap + numbers;
  const filled = Math.floor(part * room);
  return label + gap + "━".repeat(filled) + "─".repeat(room - filled) + gap + numbers;
}
