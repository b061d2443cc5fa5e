// What an operator can understand and act on: a wrong setting, a damaged file, a port in use. A call of an API ends in a `Refusal` instead.

/** The message is one line, shown as it is. */
export class OperatorError extends Error {
  override name = "OperatorError";
}
