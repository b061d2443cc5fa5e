// A progress bar for what takes several requests, on standard error if that is a terminal.
import { formatCount } from "./print.ts";
import { fit } from "./style.ts";

const barColumns = 30;
const columnsDefault = 80;
const clearLine = "\r\u001b[K";

export interface Progress {
  readonly update: (done: number, total: number) => void;
  /** Clears the bar, so that the next output starts on an empty line. */
  readonly end: () => void;
}

export function startProgress(label: string): Progress {
  // A bar does not belong in a log file.
  if (!process.stderr.isTTY || process.env.TERM === "dumb") return { update: () => undefined, end: () => undefined };
  return {
    update: (done, total) => {
      const part = total > 0 ? Math.min(1, done / total) : 1;
      const filled = Math.floor(part * barColumns);
      const bar = "━".repeat(filled) + "─".repeat(barColumns - filled);
      const line = `${label}  ${bar}  ${Math.floor(part * 100)}%  ${formatCount(done)} of ${formatCount(total)}`;
      // Some terminals break the line after the last column, so it stays free.
      process.stderr.write(clearLine + fit(line, (process.stderr.columns || columnsDefault) - 1));
    },
    end: () => void process.stderr.write(clearLine),
  };
}
