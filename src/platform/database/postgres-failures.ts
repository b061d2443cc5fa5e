// What an error of PostgreSQL means for the transaction it came up in, told by its SQLSTATE and never by its text.
import { SQL } from "bun";
import { DatabaseUnavailable } from "./database.ts";

/** The transaction was rolled back through no fault of its own: the whole of it may be run again. */
export class TransactionLost extends DatabaseUnavailable {
  override name = "TransactionLost";
}

/** Serialization failure, completion unknown, deadlock. */
const conflicts = new Set(["40001", "40003", "40P01"]);

/** The connection is gone: by an administrator, a crash, a time-out while idle. Class 08 is the connection's own. */
const disconnections = /^(08...|57P01|57P02|57P05|25P03)$/;

/**
 * No room, no disk, damaged storage; a statement or a lock that took too long; starting up, only readable as a standby is, no such
 * database, not let in.
 */
const unavailabilities = /^(53...|58...|XX...|57014|55P03|57P03|57P04|25006|3D000|28...)$/;

/** A prepared statement that is not there, or is there already: another client's session stands behind this connection. */
const foreignSessions = new Set(["26000", "42P05"]);

/** What to do about it. */
export const poolerAdvice =
  "a connection pooler that does not keep prepared statements stands before PostgreSQL: add ?prepare=false to the URL";

/** The answer does not go with what was asked: it is that to another client's statement. Said by our side of the connection. */
const misreadings =
  /^ERR_POSTGRES_(EXPECTED|UNEXPECTED|INVALID_(MESSAGE|BINARY|BYTE|CHAR)|UNSUPPORTED_(ARRAY|BYTEA|INTEGER)|UNKNOWN_FORMAT)/;

export const isForeignSession = (error: unknown): boolean =>
  error instanceof SQL.PostgresError &&
  (error.errno === undefined ? misreadings.test(error.code) : foreignSessions.has(error.errno));

/** True where the transaction was aborted by an earlier statement, whose own error says why. */
export const isAborted = (error: unknown): boolean => error instanceof SQL.PostgresError && error.errno === "25P02";

/** True where the connection itself has ended, so that no answer to what was sent will come. */
export const isDisconnection = (error: unknown): boolean =>
  error instanceof SQL.PostgresError &&
  (error.errno === undefined ? error.code.startsWith("ERR_POSTGRES_CONNECTION") : disconnections.test(error.errno));

/** The error as the rest of the service knows it; what is no failure of the engine is left as it is. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof SQL.PostgresError)) return error;
  const { errno = "", message } = error;
  if (conflicts.has(errno) || isDisconnection(error)) return new TransactionLost(message, { cause: error });
  if (isForeignSession(error)) return new DatabaseUnavailable(poolerAdvice, { cause: error });
  if (errno === "" || unavailabilities.test(errno)) return new DatabaseUnavailable(message, { cause: error });
  return error;
}
