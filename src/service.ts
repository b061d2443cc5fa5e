// Puts the parts together. The command line and the tests start the service with the same function.
import { existsSync, mkdirSync, statSync } from "node:fs";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { type Clock, type Database, DatabaseUnusable, type SteadyClock, steadyClock } from "./database/database.ts";
import { openSqlite } from "./database/sqlite.ts";
import { type Certificate, loadCertificate } from "./http/certificates.ts";
import { createLog, type Log } from "./http/log.ts";
import { listen } from "./http/server.ts";
import { Uploads } from "./http/uploads.ts";
import { FailedAuthentications } from "./keys/failed-authentications.ts";
import { findNewestCall } from "./keys/keys.store.ts";

/** Calls in flight at the end get this long; the whole end takes less than 15 s. */
const graceSeconds = 12;

export interface Service {
  readonly database: Database;
  readonly certificate: Certificate;
  /** Where the operations are, without a slash at the end. */
  readonly baseUrl: string;
  readonly port: number;
  readonly httpPort: number | undefined;
  /** Finishes the calls in flight and closes the database. */
  readonly stop: () => Promise<void>;
}

export interface Surroundings {
  readonly clock?: SteadyClock;
  readonly log?: Log;
}

/** Starts the whole service. @throws Refusal, DatabaseUnusable with one clear line */
export async function startService(
  config: Config,
  { clock = steadyClock(), log }: Surroundings = {},
): Promise<Service> {
  const journal = log ?? createLog(config.logLevel);
  const database = await openDatabase(config, clock);
  try {
    await catchUp(clock, database, journal);
    // In a transaction, whose lock keeps two first starts on one data directory from making two certificates at once.
    const certificate = await database.transaction(() => loadCertificate(config));
    const rooms = {
      database,
      requestsPerMinute: config.requestsPerMinute,
      failedAuthentications: new FailedAuthentications(clock),
      uploads: new Uploads(),
      report: (requestId: string, cause: unknown) =>
        journal.write("error", "failure", { requestId, cause: describe(cause) }),
    };
    const listening = listen(config, certificate, rooms, journal);
    return {
      database,
      certificate,
      baseUrl: `https://${certificate.hostName ?? addressOf(config.host)}:${listening.port}${config.basePath}`,
      port: listening.port,
      httpPort: listening.httpPort,
      stop: async () => {
        await listening.stop(graceSeconds);
        await database.close();
        journal.flush();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Further ahead than this, it was the clock of the earlier calls that was wrong. */
const clockBehindMillisecondsMax = 24 * 60 * 60 * 1_000;

/** A clock that was set back while the service was down must not open the rate limit's window again: time goes on from the newest call. */
async function catchUp(clock: SteadyClock, database: Database, journal: Log): Promise<void> {
  const newest = await database.read(findNewestCall);
  const behindMilliseconds = newest === undefined ? 0 : Date.parse(newest) - clock();
  if (behindMilliseconds <= 0) return;
  const isFollowed = behindMilliseconds <= clockBehindMillisecondsMax;
  journal.write("warn", "the computer's clock is behind the newest call", { behindMilliseconds, isFollowed });
  if (isFollowed) clock.catchUp(clock() + behindMilliseconds);
}

/** How a client on this computer names the address that is listened on. */
function addressOf(host: string): string {
  if (["0.0.0.0", "::", "127.0.0.1", "::1"].includes(host)) return "localhost";
  return isIPv6(host) ? `[${host}]` : host;
}

/** @param mustExist refuses to make a new database: for commands that only make sense on one */
export async function openDatabase(
  config: Pick<Config, "dataDirectory" | "databaseUrl">,
  clock: Clock = steadyClock(),
  mustExist = false,
): Promise<Database> {
  if (!mustExist) makeDataDirectory(config.dataDirectory);
  return openSqlite(config.databaseUrl ?? join(config.dataDirectory, "commonplace.db"), clock, mustExist);
}

function makeDataDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const isFile = existsSync(path) && statSync(path).isFile();
    const reason = error instanceof Error ? error.message.split(", ")[0] : error;
    throw new DatabaseUnusable(`the data directory ${path} ${isFile ? "is a file" : `can not be made: ${reason}`}`);
  }
}

const describe = (cause: unknown): string =>
  cause instanceof Error
    ? `${cause.stack ?? cause.message}${cause.cause ? `\n${describe(cause.cause)}` : ""}`
    : String(cause);
