// The progress of the run, as one line that is overwritten. Nothing without a terminal.
const isTerminal = process.stderr.isTTY;
const cells = 24;

/** Shows a step. @param share from 0 to 1; shown as a bar */
export function showProgress(step: string, detail: string, share?: number): void {
  if (!isTerminal) return;
  const bar = share === undefined ? "" : `${"█".repeat(Math.round(share * cells)).padEnd(cells, "·")} `;
  process.stderr.write(`\r\x1b[K${step.padEnd(30)} ${bar}${detail}`);
}

/** Removes the line. */
export function clearProgress(): void {
  if (isTerminal) process.stderr.write("\r\x1b[K");
}
