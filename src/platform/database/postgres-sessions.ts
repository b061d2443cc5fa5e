// Whether what a connection has prepared is there when it is executed: because the connection has a session of PostgreSQL for itself, or
// because the pooler that deals sessions out knows the statements of each. It must be shown, so that neither load nor luck lets one by.
import { type ReservedSQL, SQL } from "bun";
import { DatabaseUnusable } from "./database.ts";
import { isDisconnection, isForeignSession, poolerAdvice } from "./postgres-failures.ts";

/** Makes a pool of one connection, with this `application_name`. */
export type OpenConnection = (name: string, onclose: (error: Error | null) => void) => SQL;

/** After so long an idle session ends, and after so long its connection is asked again, where it did not end with it. */
const [idleMilliseconds, askedAgainMilliseconds] = [500, 750];
const lookMilliseconds = 5_000;

/** @throws DatabaseUnusable where it is not so, or could not be shown within a few seconds */
export async function refuseForeignSessions(open: OpenConnection): Promise<void> {
  const until = performance.now() + lookMilliseconds;
  while (performance.now() < until) if (await isShown(open, until)) return;
  throw new DatabaseUnusable(poolerAdvice);
}

/**
 * Any of three things shows it. The session was begun under the name of this connection, which a pooler can only set later: so it is
 * where there is none. Or the session, told to end when it is idle, takes the connection along. Or a statement that was prepared in one
 * session is known in another.
 * @returns false where none did in time, or the connection was lost. @throws DatabaseUnusable where the contrary was shown
 */
async function isShown(open: OpenConnection, until: number): Promise<boolean> {
  const name = `commonplace ${crypto.randomUUID()}`;
  const ended = Promise.withResolvers<boolean>();
  let idleSince = Number.POSITIVE_INFINITY;
  const pool = open(name, (error) => {
    // A session that ends during an answer, or right behind it, may be one in which this connection was only a guest.
    if (isEndOfIdle(error) && performance.now() - idleSince >= idleMilliseconds / 2) ended.resolve(true);
  });
  // Statements without a name leave nothing behind.
  if (pool.options.prepare === false) return true;
  const connection = await pool.reserve();
  // Where others have all sessions, an answer would take as long as they do.
  const timer = setTimeout(() => void pool.close({ timeout: 0 }), Math.max(1, until - performance.now()));
  let first: Answer | undefined;
  try {
    first = await ask(connection, name);
    if (first.is_own) return true;
    while (performance.now() < until) {
      idleSince = performance.now();
      if (await Promise.race([ended.promise, Bun.sleep(askedAgainMilliseconds).then(() => false)])) return true;
      idleSince = Number.POSITIVE_INFINITY;
      // Within a transaction, where the driver can not prepare again in silence what is missing.
      await connection.unsafe("begin");
      const { pid } = await ask(connection, name);
      await connection.unsafe("rollback");
      if (pid !== first.pid) return true;
    }
    return false;
  } catch (error) {
    if (isForeignSession(error)) throw new DatabaseUnusable(poolerAdvice, { cause: error });
    if (!isDisconnection(error)) throw error;
    if (first || performance.now() < until) return false;
    throw new DatabaseUnusable(`no answer within ${lookMilliseconds / 1_000} s`, { cause: error });
  } finally {
    clearTimeout(timer);
    await pool.close({ timeout: 0 });
  }
}

interface Answer {
  readonly said: string;
  readonly pid: number;
  readonly is_own: boolean;
}

/** A statement like no other, so that another's under the same name does not pass for it; with a value, so that it is prepared. */
async function ask(connection: ReservedSQL, name: string): Promise<Answer> {
  const [answer] = await connection.unsafe(
    `select '${name}' as said, pg_backend_pid() as pid, is_own,
       case when not is_own then set_config('idle_session_timeout', $1, false) end
     from (select exists (select from pg_settings
       where name = 'application_name' and setting = '${name}' and source = 'client') as is_own) session`,
    [String(idleMilliseconds)],
  );
  if (answer?.said !== name) throw new DatabaseUnusable(poolerAdvice);
  return answer;
}

const isEndOfIdle = (error: Error | null): boolean => error instanceof SQL.PostgresError && error.errno === "57P05";
