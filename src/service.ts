// Puts the parts together. The command line and the tests start the service with the same function.

import { join } from "node:path";
import { readExportLag } from "./accounts/audit/continuous-export.ts";
import { openInstanceKey } from "./accounts/sign-in/instance-key.ts";
import { createApi } from "./api/api.ts";
import { ChangeWaits } from "./api/change-waits.ts";
import { createCalls } from "./api/charge-call.ts";
import { forOrigins } from "./api/cross-origin.ts";
import { isMcpPath, mcpRoute } from "./api/mcp.ts";
import type { Config } from "./config.ts";
import { consoleRoute, isBrowserAtRoot, isConsolePath, redirectToConsole } from "./console/entry.ts";
import { docsRoute, isDocsPath } from "./docs/docs.ts";
import { listJobs } from "./jobs.ts";
import { LibraryChanges } from "./library/changes.ts";
import { ExportFiles, exportLimits } from "./library/export/export-files.ts";
import { FeedCursors } from "./library/feed/cursor.ts";
import { FormatThread, formatThreadName } from "./library/format-thread.ts";
import { FormatProcesses, formatProcessLimits } from "./library/import/format-processes.ts";
import { countExpiringSoon } from "./metering/alerts/expiry.ts";
import { FailedAuthentications } from "./metering/keys/failed-authentications.ts";
import { findNewestCall } from "./metering/keys/keys.store.ts";
import { RefusedRequests } from "./metering/keys/refused-requests.ts";
import { sumStorage } from "./metering/storage/storage.store.ts";
import { backupTimes } from "./operations/backup/schedule.ts";
import type { Metrics } from "./operations/metrics/metrics.ts";
import { type Database, type SteadyClock, steadyClock } from "./platform/database/database.ts";
import { openDatabase } from "./platform/database/open.ts";
import { Outages } from "./platform/database/outages.ts";
import { connectionsForReading, ReadingThread } from "./platform/database/reading-thread.ts";
import { callTimeouts, type Timeouts } from "./platform/database/timeouts.ts";
import { Demand } from "./platform/demand.ts";
import { type Patience, patience } from "./platform/http/body-in-pieces.ts";
import { Downloads } from "./platform/http/downloads.ts";
import { listen } from "./platform/http/listener.ts";
import { addressOf, originOf } from "./platform/http/origin.ts";
import { Probes, probeRoutes } from "./platform/http/probes.ts";
import type { FindRoute, Route } from "./platform/http/routes.ts";
import { Uploads } from "./platform/http/uploads.ts";
import { JobRuns } from "./platform/job-runs.ts";
import { type Pause, startJobs, type Wait } from "./platform/jobs.ts";
import { createLog, describeCause, type Log } from "./platform/log.ts";
import { recordStart } from "./platform/started-versions.ts";
import { dayMilliseconds } from "./platform/time.ts";
import { type CertificateWatch, watchCertificate } from "./platform/tls/certificate-watch.ts";
import { type Certificate, caPathFor, isHostOf, loadCertificate } from "./platform/tls/certificates.ts";
import { Turns } from "./platform/turns.ts";

/** The wait for load balancers plus the time for calls in flight after it. The whole shutdown takes less than 15 s. */
const shutdownSecondsMax = 12;

export interface Service {
  readonly database: Database;
  /** The one at the start. `certificates` has the current one. */
  readonly certificate: Certificate;
  readonly certificates: CertificateWatch;
  /** Where the operations are, without a slash at the end. */
  readonly baseUrl: string;
  /** What people type, without a path. */
  readonly origin: string;
  /** Where people administer; undefined where that is switched off. */
  readonly consoleUrl: string | undefined;
  readonly port: number;
  readonly httpPort: number | undefined;
  readonly metricsPort: number | undefined;
  readonly log: Log;
  /** Resolves when the service has to stop, because its database failed in a way that only a new start can settle. */
  readonly failed: Promise<Error>;
  /**
   * Finishes the calls in flight and closes the database.
   * @param drainSeconds how long calls are accepted before that, while /readyz says no
   */
  readonly stop: (drainSeconds?: number) => Promise<void>;
}

/** What tests replace. */
export interface ServiceOverrides {
  readonly clock?: SteadyClock;
  readonly log?: Log;
  /** How jobs wait for their next run. */
  readonly wait?: Wait;
  /** How sign-in waits for its delays. */
  readonly pause?: Pause;
  /** How long slow readers are waited for. */
  readonly patience?: Patience;
  /** How long a database server is waited for. */
  readonly timeouts?: Timeouts;
}

/** Starts the whole service. @throws OperatorError, DatabaseUnusable with one clear line */
export async function startService(
  config: Config,
  {
    clock: givenClock,
    log: givenLog,
    wait,
    pause,
    patience: givenPatience,
    timeouts = callTimeouts,
  }: ServiceOverrides = {},
): Promise<Service> {
  const log = givenLog ?? createLog(config.logLevel, { format: config.logFormat });
  const clock = givenClock ?? steadyClock();
  // A database server has its own clock, the same for all nodes.
  const isEmbedded = config.database.engine === "sqlite";
  const metrics = await openMetrics(config);
  const failure = Promise.withResolvers<Error>();
  const demand = new Demand();
  const turns = new Turns(demand.hasSmall);
  const thread = createReadingThread(config, givenClock !== undefined, log);
  const formatThread = new FormatThread(startFormatThread, log);
  const database = await openDatabase(config, {
    clock: isEmbedded ? clock : givenClock,
    timeouts,
    observer: metrics?.database,
    turns,
    thread,
    onStep: (step, fields) => {
      log.write("info", step, fields);
      log.flush();
    },
    onFailure: failure.resolve,
  });
  try {
    if (isEmbedded) await catchUp(clock, database, log);
    const instanceKey = await openInstanceKey(database, config.instanceKey);
    const certificate = await loadCertificate(config);
    const outages = new Outages(log, database);
    // A disk that is full or a server that only reads is no reason not to serve what can be read.
    await recordStart(database).catch((cause: unknown) => {
      if (!outages.absorb(cause, {})) throw cause;
    });
    const report = (requestId: string, cause: unknown) => {
      if (!outages.absorb(cause, { requestId }))
        log.write("error", "request failed", { requestId, cause: describeCause(cause) });
    };
    const probes = new Probes(database, report);
    const uploads = new Uploads();
    const downloads = new Downloads();
    const formats = new FormatProcesses(formatProcessLimits, formatThread);
    const reportExport = (cause: unknown) => log.write("error", "export failed", { cause: describeCause(cause) });
    const exports = new ExportFiles(config, reportExport, exportLimits, formatThread);
    const changes = new LibraryChanges();
    const refusedRequests = new RefusedRequests(database, clock);
    const failedAuthentications = new FailedAuthentications(clock);
    const feedCursors = new FeedCursors(instanceKey);
    const changeWaits = new ChangeWaits({ database, changes, feedCursors });
    const dependencies = {
      database,
      requestsPerMinute: config.requestsPerMinute,
      calls: createCalls(
        database,
        {
          requestsPerMinute: config.requestsPerMinute,
          trashDays: config.trashDays,
          storageBytesMax: config.storageBytesMax,
          feedCursors,
          report,
        },
        exports,
      ),
      failedAuthentications,
      refusedRequests,
      uploads,
      turns,
      downloads,
      formats,
      changes,
      changeWaits,
      report,
    };
    const api = createApi(dependencies, config.apiPath, () => ({
      origin,
      hasLocalCa: caPathFor(origin, certificate) !== undefined,
    }));
    const metricsPort = metrics?.listen({
      queues: () => [...database.queues(), refusedRequests.state, formatThread.state, formats.state, exports.state],
      engine: config.database.engine,
      database,
      auditExport: async () => (config.auditSink ? database.read(readExportLag) : { entries: 0, seconds: 0 }),
      expiringKeys: () => database.read(countExpiringSoon),
      storage: () => database.read((transaction) => sumStorage(transaction, config.storageBytesMax)),
      uploads,
      downloads,
      probes,
      certificate: () => certificates.current().cert,
    });
    // The console's addresses contain the port, which is known once the listener is open.
    let console: Route | undefined;
    let endStreams: (() => Promise<void>) | undefined;
    let mcp: Route | undefined;
    const probe = probeRoutes(probes);
    const apiForBrowsers = forOrigins(api, config.corsOrigins);
    const findRoute: FindRoute = (request) => {
      if (mcp && isMcpPath(request.path)) return mcp;
      if (console && isConsolePath(request.path)) return console;
      if (isDocsPath(request.path)) return docsRoute(request);
      if (console && isBrowserAtRoot(request)) return redirectToConsole;
      return probe(request) ?? apiForBrowsers(request);
    };
    const listener = listen(config, certificate, {
      findRoute,
      log,
      observer: metrics?.requests,
      isDraining: () => probes.isDraining,
      demand,
      patience: givenPatience ?? patience,
    });
    const host = certificate.hostName ?? addressOf(config.host);
    const origin = originOf(config, certificate.hostName, listener.port);
    mcp = mcpRoute({
      api: dependencies,
      findRoute: api,
      apiPath: config.apiPath,
      isOwnHost: (name) => isHostOf(certificates.current(), name) || name === new URL(origin).hostname,
      origin,
      log,
      observer: metrics?.requests,
    });
    if (config.isConsoleOn) {
      const loaded = import("./console/console.ts").then(({ openConsole }) =>
        openConsole({
          config,
          database,
          clock,
          instanceKey,
          origin,
          report,
          pause,
          failedAuthentications,
          uploads,
          downloads,
          formats,
          exports,
          turns,
          changes,
          feedCursors,
          backupTimes: () => (config.backup && isEmbedded ? backupTimes(config.backup.directory, clock()) : null),
          log,
          signIns: metrics?.signIns,
          baseUrl: `${origin}${config.apiPath}`,
          caPath: caPathFor(origin, certificate),
        }),
      );
      console = consoleRoute(loaded);
      endStreams = async () => (await loaded.catch(() => undefined))?.endStreams();
    }
    const certificates = watchCertificate(config, certificate, listener.applyCertificate, log);
    const jobs = listJobs({
      ...{ config, database, clock, origin, instanceKey, certificates, refusedRequests, log },
      webhooks: metrics?.webhooks,
    });
    const stopJobs = startJobs(jobs, {
      log,
      wait,
      observer: metrics?.jobs,
      isQuiet: demand.isQuiet,
      outages,
      runs: new JobRuns(database, jobs, { log, outages }),
    });
    return {
      database,
      certificate,
      certificates,
      baseUrl: `https://${host}:${listener.port}${config.apiPath}`,
      origin,
      consoleUrl: console && `${origin}/console`,
      port: listener.port,
      httpPort: listener.httpPort,
      metricsPort,
      log,
      failed: failure.promise,
      stop: async (drainSeconds = 0) => {
        probes.isDraining = true;
        changeWaits.end();
        await endStreams?.();
        await Bun.sleep(drainSeconds * 1_000);
        const stopListening = listener.stop(shutdownSecondsMax - drainSeconds);
        await Promise.all([stopListening, stopJobs()]);
        await refusedRequests.write().catch((cause) => {
          if (!outages.absorb(cause, {}))
            log.write("error", "refused requests were not recorded", { cause: describeCause(cause) });
        });
        metrics?.stop();
        outages.stop();
        formatThread.close();
        await database.close();
        log.flush();
      },
    };
  } catch (error) {
    metrics?.stop();
    await database.close();
    throw error;
  }
}

/** The executable is one file: its main module is also that of the threads, and loads the one that is named. */
const threadPath = (file: string) => (Bun.isStandaloneExecutable ? Bun.main : join(import.meta.dir, file));

const startFormatThread = () =>
  new Worker(threadPath("serve-formats.ts"), { ref: false, name: "formats", argv: [formatThreadName] });

/** @returns undefined where there are too few connections to the database server for two threads */
function createReadingThread(
  { database, databaseConnections }: Config,
  hasClock: boolean,
  log: Log,
): ReadingThread | undefined {
  const connections = database.engine === "postgres" ? connectionsForReading(databaseConnections) : 0;
  if (database.engine === "postgres" && connections === 0) return undefined;
  return new ReadingThread(threadPath("reading-thread.ts"), { database, connections, hasClock }, log);
}

/** The code is loaded only when metrics are on. */
async function openMetrics({ metricsHost, metricsPort }: Config): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { createMetrics } = await import("./operations/metrics/metrics.ts");
  return createMetrics(metricsHost, metricsPort);
}

/** Further ahead than this, it was the clock of the earlier calls that was wrong. */
const clockBehindMillisecondsMax = dayMilliseconds;

/** A clock that was set back while the service was down must not open the rate limit's window again: time goes on from the newest call. */
async function catchUp(clock: SteadyClock, database: Database, log: Log): Promise<void> {
  const newest = await database.read(findNewestCall);
  const behindMilliseconds = newest === undefined ? 0 : Date.parse(newest) - clock();
  if (behindMilliseconds <= 0) return;
  const isFollowed = behindMilliseconds <= clockBehindMillisecondsMax;
  log.write("warn", "system clock is behind the newest request", { behindMilliseconds, isFollowed });
  if (isFollowed) clock.catchUp(clock() + behindMilliseconds);
}
