// Checks that prepared statements work: either the connection has a PostgreSQL session of its own, or the pooler tracks the statements of
// each client. It must be proven at the start, because a wrong pooler may work by luck while there is no load.
import { type ReservedSQL, SQL } from "bun";
import { DatabaseUnusable } from "./database.ts";
import { isDisconnection, isForeignSession, poolerAdvice } from "./postgres-failures.ts";

/** Creates a pool of one connection with this `application_name`. */
export type OpenConnection = (name: string, onclose: (error: Error | null) => void) => SQL;

/** The idle timeout set for the session, and when its connection is queried again if it did not end with the session. */
const [idleMilliseconds, probeEveryMilliseconds] = [500, 750];
const proofMilliseconds = 5_000;

/** @throws DatabaseUnusable when prepared statements do not work, or that could not be proven within a few seconds */
export async function refuseForeignSessions(open: OpenConnection): Promise<void> {
  const until = performance.now() + proofMilliseconds;
  while (performance.now() < until) if (await isProven(open, until)) return;
  throw new DatabaseUnusable(poolerAdvice);
}

/**
 * Any of three things proves it. The session was started with the name of this connection, which a pooler could only set later: there is
 * no pooler. Or the session, set to end when idle, ends the connection with it. Or a statement prepared in one session works in another.
 * @returns false when none happened in time, or the connection was lost. @throws DatabaseUnusable when the contrary was proven
 */
async function isProven(open: OpenConnection, until: number): Promise<boolean> {
  const name = `commonplace ${crypto.randomUUID()}`;
  const ended = Promise.withResolvers<boolean>();
  let idleSince = Number.POSITIVE_INFINITY;
  const pool = open(name, (error) => {
    // A session that ends during a response or right after it may have been shared by the pooler.
    if (isEndOfIdle(error) && performance.now() - idleSince >= idleMilliseconds / 2) ended.resolve(true);
  });
  // Unnamed statements do not depend on the session.
  if (pool.options.prepare === false) return true;
  const connection = await pool.reserve();
  // When other clients use all sessions, a response could take any time.
  const timer = setTimeout(() => void pool.close({ timeout: 0 }), Math.max(1, until - performance.now()));
  let first: SessionProbe | undefined;
  try {
    first = await probeSession(connection, name);
    if (first.is_own) return true;
    while (performance.now() < until) {
      idleSince = performance.now();
      if (await Promise.race([ended.promise, Bun.sleep(probeEveryMilliseconds).then(() => false)])) return true;
      idleSince = Number.POSITIVE_INFINITY;
      // In a transaction the driver cannot silently prepare a missing statement again.
      await connection.unsafe("begin");
      const { pid } = await probeSession(connection, name);
      await connection.unsafe("rollback");
      if (pid !== first.pid) return true;
    }
    return false;
  } catch (error) {
    if (isForeignSession(error)) throw new DatabaseUnusable(poolerAdvice, { cause: error });
    if (!isDisconnection(error)) throw error;
    if (first || performance.now() < until) return false;
    throw new DatabaseUnusable(`no response within ${proofMilliseconds / 1_000} s`, { cause: error });
  } finally {
    clearTimeout(timer);
    await pool.close({ timeout: 0 });
  }
}

interface SessionProbe {
  readonly token: string;
  readonly pid: number;
  readonly is_own: boolean;
}

/** Its text is unique, so that no other client's statement can answer it; it has a value, so that it is prepared. */
async function probeSession(connection: ReservedSQL, name: string): Promise<SessionProbe> {
  const [probe] = await connection.unsafe(
    `select '${name}' as token, pg_backend_pid() as pid, is_own,
       case when not is_own then set_config('idle_session_timeout', $1, false) end
     from (select exists (select from pg_settings
       where name = 'application_name' and setting = '${name}' and source = 'client') as is_own) session`,
    [String(idleMilliseconds)],
  );
  if (probe?.token !== name) throw new DatabaseUnusable(poolerAdvice);
  return probe;
}

const isEndOfIdle = (error: Error | null): boolean => error instanceof SQL.PostgresError && error.errno === "57P05";
