// How far the run is: one line that is written over, for who looks on; nothing where nobody does.
const isWatched = process.stderr.isTTY;
const cells = 24;

/** Shows a step. @param share from 0 to 1, where the step knows it, becomes a bar */
export function progress(step: string, detail: string, share?: number): void {
  if (!isWatched) return;
  const bar = share === undefined ? "" : `${"█".repeat(Math.round(share * cells)).padEnd(cells, "·")} `;
  process.stderr.write(`\r\x1b[K${step.padEnd(30)} ${bar}${detail}`);
}

/** Leaves an empty line behind. */
export function progressEnds(): void {
  if (isWatched) process.stderr.write("\r\x1b[K");
}
