// Which thread goes first where there are too few processors.
import { getPriority, setPriority } from "node:os";

const stepsBelow = 5;
const lowestPriority = 19;

/** Called by a thread at its start: the one that answers all requests goes first. */
export function yieldToRequests(): void {
  // Elsewhere, it would be the priority of the whole process.
  if (process.platform !== "linux") return;
  try {
    setPriority(0, Math.min(lowestPriority, getPriority(0) + stepsBelow));
  } catch {
    // If the system forbids it, both have the same.
  }
}
