// What Ctrl+C does: it ends the program, or asks a command that runs until then to finish.
import { exitStatus } from "../../../src/contract/exit-status.ts";
import { clearLine } from "./live-line.ts";
import { notice } from "./print.ts";

let advice: string | undefined;

function exit(): never {
  clearLine();
  if (advice !== undefined) notice(advice);
  process.exit(exitStatus.canceled);
}

let interrupt: () => void = exit;

/** Called once, when the program starts. */
export function listenForInterrupts(): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      const current = interrupt;
      // Whoever presses it twice does not want to wait.
      interrupt = exit;
      current();
    });
}

/** What to say if Ctrl+C ends the program from now on. */
export function adviseOnInterrupt(text: string | undefined): void {
  advice = text;
}

/** A signal that aborts with the next Ctrl+C, which then does not end the program. */
export function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  interrupt = () => controller.abort();
  return controller.signal;
}
