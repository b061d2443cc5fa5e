// A file that cannot be read at all, or not from some place on.
import type { Place } from "./tree.ts";

/** The message is for the person who gave the file: it says what is wrong with it. */
export class ReadError extends Error {
  override readonly name = "ReadError";
  constructor(
    message: string,
    readonly place?: Place,
  ) {
    super(message);
  }
}
