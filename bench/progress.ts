// The progress of the run: on a terminal one line that is overwritten, elsewhere a line for each new step.
const isTerminal = process.stderr.isTTY;
const cells = 24;
let shownStep = "";

/** Shows a step. @param share from 0 to 1; shown as a bar */
export function showProgress(step: string, detail: string, share?: number): void {
  if (isTerminal) {
    const bar = share === undefined ? "" : `${"█".repeat(Math.round(share * cells)).padEnd(cells, "·")} `;
    process.stderr.write(`\r\x1b[K${step.padEnd(40)} ${bar}${detail}`);
  } else if (step !== shownStep) process.stderr.write(`${step} …\n`);
  shownStep = step;
}

/** Removes the line. */
export function clearProgress(): void {
  if (isTerminal) process.stderr.write("\r\x1b[K");
}
