// What an operator can understand and act on: a wrong setting, a damaged file, a port in use. A call of an API ends in a `Refusal` instead.
import { DatabaseUnavailable, DatabaseUnusable } from "./database/database.ts";

/** The message is one line, shown as it is. */
export class OperatorError extends Error {
  override name = "OperatorError";
}

/** The operator stopped the work, such as with Ctrl+C. */
export class Interrupted extends OperatorError {}

/** True for an error whose message tells an operator enough. Any other error is a defect, whose stack is needed. */
export const isForOperator = (error: Error): boolean =>
  [OperatorError, DatabaseUnusable, DatabaseUnavailable].some((kind) => error instanceof kind) || "syscall" in error;

/** The message of an error that an operator can act on; the stack of a defect. */
export function describeForOperator(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return isForOperator(error) ? error.message : (error.stack ?? error.message);
}
