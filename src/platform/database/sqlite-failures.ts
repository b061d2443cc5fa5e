// Classifies errors of SQLite by their code, never by text.
import { SQLiteError } from "bun:sqlite";

/** Full, damaged, locked, or a disk error. */
const engineFailures = /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|NOMEM|READONLY|BUSY|LOCKED|CANTOPEN|PROTOCOL)/;

/** Locked, full before the last page of the commit was in the log, or a violated constraint. */
const refusedCommits = /^SQLITE_(BUSY|LOCKED|FULL|CONSTRAINT)/;

/** True when the engine failed, and not the statement. */
export const isEngineFailure = (error: unknown): error is SQLiteError =>
  error instanceof SQLiteError && engineFailures.test(error.code ?? "");

/**
 * True when SQLite has certainly rolled back instead of committing. After any other failure, such as that of a flush, the commit may be in
 * the log, where the next start finds it.
 */
export const isRefusedCommit = (error: unknown): boolean =>
  error instanceof SQLiteError && refusedCommits.test(error.code ?? "");
