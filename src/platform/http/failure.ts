// Any error of a call as the refusal that the caller reads.
import { errors, Refusal } from "../../contract/errors.ts";
import { DatabaseTooSlow, DatabaseUnavailable, OutcomeUnknown, Overloaded } from "../database/database.ts";

/** Records a failure of our own; the caller only learns that there was one. */
export type ReportFailure = (requestId: string, cause: unknown) => void;

const retryAfterSeconds = 1;

/** @returns the refusal itself; for anything else, which is reported, one of 500 or 503 */
export function toRefusal(error: unknown, requestId: string, report: ReportFailure): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof Overloaded) return errors.overloaded(retryAfterSeconds);
  report(requestId, error);
  if (error instanceof DatabaseTooSlow) return errors.tooSlow(retryAfterSeconds);
  if (error instanceof OutcomeUnknown) return errors.outcomeUnknown(retryAfterSeconds);
  return error instanceof DatabaseUnavailable ? errors.unavailable(retryAfterSeconds) : errors.internal();
}
