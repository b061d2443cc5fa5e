// Classifies errors of PostgreSQL by SQLSTATE, never by text.
import { SQL } from "bun";
import { DatabaseUnavailable } from "./database.ts";

/** The transaction was rolled back through no fault of its own and may be run again. */
export class TransactionLost extends DatabaseUnavailable {
  override name = "TransactionLost";
}

/** Serialization failure, completion unknown, deadlock. */
const conflicts = new Set(["40001", "40003", "40P01"]);

/** The connection ended: by an administrator, a crash, an idle timeout. Class 08 is about connections. */
const disconnections = /^(08...|57P01|57P02|57P05|25P03)$/;

/**
 * Out of resources, disk full, damaged storage; statement or lock timeout; starting up, read-only standby, no such database, login
 * rejected.
 */
const unavailabilities = /^(53...|58...|XX...|57014|55P03|57P03|57P04|25006|3D000|28...)$/;

/** A prepared statement is missing or exists already: the pooler gave this connection another client's session. */
const foreignSessions = new Set(["26000", "42P05"]);

/** What to do about it. */
export const poolerAdvice =
  "a connection pooler without support for prepared statements is in front of PostgreSQL: add ?prepare=false to the URL";

/** The response does not match the statement, because it answers another client's. Reported by our driver. */
const mismatchCodes =
  /^ERR_POSTGRES_(EXPECTED|UNEXPECTED|INVALID_(MESSAGE|BINARY|BYTE|CHAR)|UNSUPPORTED_(ARRAY|BYTEA|INTEGER)|UNKNOWN_FORMAT)/;

export const isForeignSession = (error: unknown): boolean =>
  error instanceof SQL.PostgresError &&
  (error.errno === undefined ? mismatchCodes.test(error.code) : foreignSessions.has(error.errno));

/** True when an earlier statement aborted the transaction; its own error says why. */
export const isAborted = (error: unknown): boolean => error instanceof SQL.PostgresError && error.errno === "25P02";

/**
 * What PostgreSQL finds before it writes the commit to its log: a violated constraint, a conflict, an error of a deferred trigger, a timeout.
 * When writing the log fails (classes 53, 58, XX), the server restarts, and its recovery may still find the commit.
 */
const refusedCommits = /^(2....|40001|40002|40P01|42...|44...|55...|57014|P0...)$/;

/** True when the server has certainly rolled back instead of committing. */
export const isRefusedCommit = (error: unknown): boolean =>
  error instanceof SQL.PostgresError && refusedCommits.test(error.errno ?? "");

/** True when the connection has ended, so that no response will come. */
export const isDisconnection = (error: unknown): boolean =>
  error instanceof SQL.PostgresError &&
  (error.errno === undefined ? error.code.startsWith("ERR_POSTGRES_CONNECTION") : disconnections.test(error.errno));

/** True when the server, or one of the causes, says that it accepts no more connections. */
export const isServerFull = (error: unknown): boolean =>
  (error instanceof SQL.PostgresError && error.errno === "53300") ||
  (error instanceof Error && error.cause !== undefined && isServerFull(error.cause));

/** The error as the rest of the service knows it; an error that is no failure of the engine is returned unchanged. */
export function failureOf(error: unknown): unknown {
  if (!(error instanceof SQL.PostgresError)) return error;
  const { errno = "", message } = error;
  if (conflicts.has(errno) || isDisconnection(error)) return new TransactionLost(message, { cause: error });
  if (isForeignSession(error)) return new DatabaseUnavailable(poolerAdvice, { cause: error });
  if (errno === "" || unavailabilities.test(errno)) return new DatabaseUnavailable(message, { cause: error });
  return error;
}
