// How far the run is: one line that is written over, for who looks on; nothing where nobody does.
const isTerminal = process.stderr.isTTY;
const cells = 24;

/** Shows a step. @param share from 0 to 1, where the step knows it, becomes a bar */
export function showProgress(step: string, detail: string, share?: number): void {
  if (!isTerminal) return;
  const bar = share === undefined ? "" : `${"█".repeat(Math.round(share * cells)).padEnd(cells, "·")} `;
  process.stderr.write(`\r\x1b[K${step.padEnd(30)} ${bar}${detail}`);
}

/** Leaves an empty line behind. */
export function clearProgress(): void {
  if (isTerminal) process.stderr.write("\r\x1b[K");
}
