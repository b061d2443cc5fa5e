// Puts the parts together. The command line and the tests start the service with the same function.

import { Probes } from "./api/probes.ts";
import { Uploads } from "./api/uploads.ts";
import type { Config } from "./config.ts";
import { type Administration, loading } from "./console/administration.ts";
import { FailedAuthentications } from "./metering/keys/failed-authentications.ts";
import { findNewestCall } from "./metering/keys/keys.store.ts";
import { foldLedger } from "./metering/quota/folding.ts";
import { startBackups } from "./operations/backup/schedule.ts";
import type { Metrics } from "./operations/metrics/metrics.ts";
import { type Clock, type Database, type SteadyClock, steadyClock } from "./platform/database/database.ts";
import { openDatabase } from "./platform/database/open.ts";
import { patienceOfCalls } from "./platform/database/timeouts.ts";
import { addressOf, originOf } from "./platform/http/origin.ts";
import { startRounds, type Wait } from "./platform/jobs.ts";
import { createLog, type Log } from "./platform/log.ts";
import { dayMilliseconds, hourSeconds } from "./platform/time.ts";
import { type CertificateWatch, watchCertificate } from "./platform/tls/certificate-watch.ts";
import { type Certificate, loadCertificate } from "./platform/tls/certificates.ts";
import { listen } from "./server.ts";

/** The wait for balancers and what calls in flight get after it, together: the whole end takes less than 15 s. */
const endSeconds = 12;

export interface Service {
  readonly database: Database;
  /** The one at the start; `certificates` knows today's. */
  readonly certificate: Certificate;
  readonly certificates: CertificateWatch;
  /** Where the operations are, without a slash at the end. */
  readonly baseUrl: string;
  /** Where people administer; undefined where that is switched off. */
  readonly consoleUrl: string | undefined;
  readonly port: number;
  readonly httpPort: number | undefined;
  readonly metricsPort: number | undefined;
  /**
   * Finishes the calls in flight and closes the database.
   * @param drainSeconds how long calls are accepted before that, while /readyz says no
   */
  readonly stop: (drainSeconds?: number) => Promise<void>;
}

export interface Surroundings {
  readonly clock?: SteadyClock;
  readonly log?: Log;
  /** How work beside the calls waits for its time. */
  readonly wait?: Wait;
}

/** Starts the whole service. @throws OperatorError, DatabaseUnusable with one clear line */
export async function startService(
  config: Config,
  { clock: givenClock, log, wait }: Surroundings = {},
): Promise<Service> {
  const journal = log ?? createLog(config.logLevel);
  const clock = givenClock ?? steadyClock();
  // A database server tells the time itself, one time for all nodes.
  const isEmbedded = config.database.engine === "sqlite";
  const metrics = await openMetrics(config);
  const database = await openDatabase(config, {
    clock: isEmbedded ? clock : givenClock,
    patience: patienceOfCalls,
    observer: metrics?.database,
  });
  try {
    if (isEmbedded) await catchUp(clock, database, journal);
    const certificate = await loadCertificate(config);
    const report = (requestId: string, cause: unknown) =>
      journal.write("error", "failure", { requestId, cause: describe(cause) });
    const probes = new Probes(database, report);
    const rooms = {
      database,
      requestsPerMinute: config.requestsPerMinute,
      failedAuthentications: new FailedAuthentications(clock),
      uploads: new Uploads(),
      metrics: metrics?.calls,
      report,
    };
    const metricsPort = metrics?.listen({
      engine: config.database.engine,
      database,
      uploads: rooms.uploads,
      probes,
      certificate: () => certificates.shown().cert,
    });
    // Its addresses hold the port, which is known once somebody listens.
    let administration: Administration | undefined;
    const house = {
      ...rooms,
      get console() {
        return administration;
      },
    };
    const listening = listen(config, certificate, house, probes, journal);
    const host = certificate.hostName ?? addressOf(config.host);
    const origin = originOf(config, certificate.hostName, listening.port);
    if (config.isConsoleOn)
      administration = loading(
        import("./console/console.ts").then(({ openConsole }) =>
          openConsole({
            ...{ config, database, clock, origin, report, wait, log: journal },
            baseUrl: `${origin}${config.basePath}`,
            caPath: certificate.caPath,
          }),
        ),
      );
    const certificates = watchCertificate(config, certificate, listening.show, journal);
    const stopFolding = keepFolding(database, config.ledgerDays, journal, wait);
    const stopBackups = keepBackups(config, clock, journal, wait);
    return {
      database,
      certificate,
      certificates,
      baseUrl: `https://${host}:${listening.port}${config.basePath}`,
      consoleUrl: administration && `${origin}/console`,
      port: listening.port,
      httpPort: listening.httpPort,
      metricsPort,
      stop: async (drainSeconds = 0) => {
        probes.isDraining = true;
        await Bun.sleep(drainSeconds * 1_000);
        const stopListening = listening.stop(endSeconds - drainSeconds);
        await Promise.all([stopListening, certificates.stop(), stopFolding(), stopBackups(), administration?.stop()]);
        metrics?.stop();
        await database.close();
        journal.flush();
      },
    };
  } catch (error) {
    metrics?.stop();
    await database.close();
    throw error;
  }
}

const foldingFirstAfterSeconds = 60;
const foldingEverySeconds = hourSeconds;

/** @returns what ends it */
function keepFolding(database: Database, days: number, journal: Log, wait?: Wait): () => Promise<void> {
  return startRounds(
    {
      // Nodes that start together do not fold together: they would wait for each other.
      firstAfterSeconds: foldingFirstAfterSeconds * (1 + Math.random()),
      everySeconds: foldingEverySeconds,
      round: async (mayGoOn) => {
        const { rows, before } = await foldLedger(database, days, mayGoOn);
        if (rows > 0) journal.write("info", "old usage was folded into daily totals", { rows, before });
      },
      onFailure: (cause) => journal.write("error", "old usage could not be folded", { cause: describe(cause) }),
    },
    wait,
  );
}

/** @returns what ends them */
function keepBackups({ backup, database }: Config, clock: Clock, log: Log, wait?: Wait): () => Promise<void> {
  if (!backup || database.engine !== "sqlite") return async () => {};
  return startBackups({ settings: backup, databasePath: database.path, clock, log }, wait);
}

/** Loaded only where somebody asks for figures: every other start does without that code. */
async function openMetrics({ metricsHost, metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { createMetrics } = await import("./operations/metrics/metrics.ts");
  return createMetrics(metricsHost, metricsPort);
}

/** Further ahead than this, it was the clock of the earlier calls that was wrong. */
const clockBehindMillisecondsMax = dayMilliseconds;

/** A clock that was set back while the service was down must not open the rate limit's window again: time goes on from the newest call. */
async function catchUp(clock: SteadyClock, database: Database, journal: Log): Promise<void> {
  const newest = await database.read(findNewestCall);
  const behindMilliseconds = newest === undefined ? 0 : Date.parse(newest) - clock();
  if (behindMilliseconds <= 0) return;
  const isFollowed = behindMilliseconds <= clockBehindMillisecondsMax;
  journal.write("warn", "the computer's clock is behind the newest call", { behindMilliseconds, isFollowed });
  if (isFollowed) clock.catchUp(clock() + behindMilliseconds);
}

const describe = (cause: unknown): string =>
  cause instanceof Error
    ? `${cause.stack ?? cause.message}${cause.cause ? `\n${describe(cause.cause)}` : ""}`
    : String(cause);
