// A line on standard error that changes while a command works, if that is a terminal. Everything else that is printed replaces it.
import { fit } from "./style.ts";

const columnsDefault = 80;
const clearing = "\r\u001b[K";
let isShown = false;

/** A line that changes does not belong in a log file. */
export const hasLiveLine = (): boolean => process.stderr.isTTY === true && process.env.TERM !== "dumb";

/** Some terminals break the line after the last column, so it stays free. */
export const liveColumns = (): number => (process.stderr.columns || columnsDefault) - 1;

export function showLine(text: string): void {
  if (!hasLiveLine()) return;
  process.stderr.write(clearing + fit(text, liveColumns()));
  isShown = true;
}

export const isLineShown = (): boolean => isShown;

export function clearLine(): void {
  if (isShown) process.stderr.write(clearing);
  isShown = false;
}
