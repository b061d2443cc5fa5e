// The background jobs of a service: one row for each. How they run, stop, and are logged and recorded is platform/jobs.ts.

import { removeOldEntries } from "./accounts/audit/chain.ts";
import { exportWaiting } from "./accounts/audit/continuous-export.ts";
import { deleteExpired } from "./accounts/people/cleanup.ts";
import { recordCountedAttempts } from "./accounts/sign-in/evidence.ts";
import { deleteOldOutcomes } from "./api/idempotency.ts";
import type { Config } from "./config.ts";
import { deleteOldActivity } from "./library/activity-cleanup.ts";
import { deleteOverTime } from "./library/empty-trash.ts";
import { deleteOldChanges } from "./library/feed/cleanup.ts";
import { indexPending } from "./library/search/indexing.ts";
import { deleteEndedVersions } from "./library/version-retention.ts";
import { removeDeletedWorkspaces } from "./library/workspace/removal.ts";
import { removeDeletedTeams } from "./library/workspace/team-removal.ts";
import { type DeliveryObserver, removeOldDeliveries, sendDueDeliveries } from "./metering/alerts/deliveries.ts";
import { warnOfExpiries } from "./metering/alerts/expiry.ts";
import { warnOfQuotas } from "./metering/alerts/quota.ts";
import { warnOfRefusals } from "./metering/alerts/refusals.ts";
import { webhookSealingKey } from "./metering/alerts/signature.ts";
import { issueInvoices, issuerOf } from "./metering/billing/issuing.ts";
import { deleteRefused, type RefusedRequests } from "./metering/keys/refused-requests.ts";
import { foldLedger } from "./metering/quota/folding.ts";
import { createBackoff, openSink } from "./operations/audit-sink.ts";
import { backupJob } from "./operations/backup/schedule.ts";
import { createPost } from "./operations/webhook-post.ts";
import type { Clock, Database } from "./platform/database/database.ts";
import type { Job } from "./platform/jobs.ts";
import type { Log } from "./platform/log.ts";
import { sendDueMails } from "./platform/mail/sender.ts";
import { openTransport } from "./platform/mail/transport.ts";
import { hourSeconds } from "./platform/time.ts";
import type { CertificateWatch } from "./platform/tls/certificate-watch.ts";

export interface JobSources {
  readonly config: Config;
  readonly database: Database;
  /** The time of day that backups are named after. */
  readonly clock: Clock;
  /** `https://host[:port]`, for links in mail. */
  readonly origin: string;
  readonly instanceKey: string;
  readonly certificates: Pick<CertificateWatch, "check">;
  readonly refusedRequests: Pick<RefusedRequests, "write">;
  readonly webhooks?: DeliveryObserver | undefined;
  readonly log: Log;
}

/** The jobs that these settings require. */
export function listJobs(sources: JobSources): Job[] {
  const {
    config,
    database,
    clock,
    origin,
    instanceKey,
    certificates,
    refusedRequests,
    webhooks: observer,
    log,
  } = sources;
  const {
    backup,
    mail,
    isConsoleOn,
    auditSink,
    auditDays,
    ledgerDays,
    trashDays,
    versions,
    seller,
    billedFrom,
    database: location,
  } = config;
  const exportBackoff = createBackoff(clock);
  const send = mail && isConsoleOn ? openTransport(mail) : undefined;
  const post = createPost({ allowedHosts: config.webhookHosts });
  const sealingKey = webhookSealingKey(instanceKey);
  const table: readonly (Job | false | undefined)[] = [
    {
      // Shows renewed certificate files to new connections, and warns before the end of the one shown.
      name: "certificates",
      everySeconds: 2,
      firstAfterSeconds: 1,
      lock: "none",
      isInRealTime: true,
      run: async () => void (await certificates.check()),
    },
    {
      // Writes the counts of requests that were not admitted.
      name: "refusals",
      everySeconds: 5,
      firstAfterSeconds: 5,
      lock: "none",
      run: async () => void (await refusedRequests.write()),
    },
    {
      // Folds ledger rows that are older than the retention into daily totals, and deletes counts of refused requests of that age.
      name: "folding",
      everySeconds: hourSeconds,
      firstAfterSeconds: 60,
      lock: "workspace row",
      run: async ({ yieldToCalls }) => {
        const { rows, before } = await foldLedger(database, ledgerDays, yieldToCalls);
        await deleteRefused(database, before, yieldToCalls);
        return rows > 0 ? { rows, before } : undefined;
      },
    },
    {
      // Deletes outcomes that were kept for repeats of their requests, when their time is over.
      name: "idempotency",
      everySeconds: hourSeconds,
      firstAfterSeconds: 75,
      lock: "none",
      run: async ({ yieldToCalls }) => {
        const outcomes = await deleteOldOutcomes(database, yieldToCalls);
        return outcomes > 0 ? { outcomes } : undefined;
      },
    },
    {
      // Deletes changes that the feed no longer lists.
      name: "changes",
      everySeconds: hourSeconds,
      firstAfterSeconds: 120,
      lock: "none",
      run: async ({ yieldToCalls }) => {
        const rows = await deleteOldChanges(database, yieldToCalls);
        return rows > 0 ? { rows } : undefined;
      },
    },
    trashDays !== undefined && {
      // Deletes snippets whose time in the trash is over.
      name: "trash",
      everySeconds: hourSeconds,
      firstAfterSeconds: 90,
      lock: "none",
      run: async ({ yieldToCalls }) => {
        const snippets = await deleteOverTime(database, trashDays, yieldToCalls);
        return snippets > 0 ? { snippets } : undefined;
      },
    },
    {
      // Removes deleted teams and workspaces that can no longer be restored.
      name: "removal",
      everySeconds: hourSeconds,
      firstAfterSeconds: 135,
      lock: "none",
      run: async ({ yieldToCalls }) => {
        const teams = await removeDeletedTeams(database, yieldToCalls);
        const workspaces = await removeDeletedWorkspaces(database, yieldToCalls);
        return teams + workspaces > 0 ? { teams, workspaces } : undefined;
      },
    },
    (versions.keep !== undefined || versions.days !== undefined) && {
      // Deletes former versions whose time is over.
      name: "versions",
      everySeconds: hourSeconds,
      firstAfterSeconds: 105,
      lock: "none",
      run: async ({ yieldToCalls }) => {
        const deleted = await deleteEndedVersions(database, versions, yieldToCalls);
        return deleted > 0 ? { versions: deleted } : undefined;
      },
    },
    {
      // Moves what was written to the search index.
      name: "search",
      everySeconds: 1,
      firstAfterSeconds: 1,
      lock: "workspace row",
      run: async ({ signal, pace }) => {
        const goOn = () => !signal.aborted;
        const changes = await indexPending({ database, pace, goOn });
        return changes > 0 ? { changes } : undefined;
      },
    },
    auditSink && {
      // Exports audit entries. After a failure, it waits longer each time.
      name: "audit_export",
      everySeconds: 5,
      firstAfterSeconds: 5,
      lock: "chain row",
      due: { isDue: exportBackoff.isDue, askedEverySeconds: 5 },
      run: async ({ signal }) => {
        const send = openSink(auditSink);
        const entries = await exportBackoff.run(() => exportWaiting(database, send, () => !signal.aborted));
        return entries > 0 ? { entries } : undefined;
      },
      describeFailure: (cause) => (cause instanceof Error ? cause.message : "unknown"),
    },
    auditDays !== undefined && {
      // Removes audit entries whose time is over.
      name: "audit",
      everySeconds: hourSeconds,
      firstAfterSeconds: 110,
      lock: "chain row",
      run: async ({ yieldToCalls }) => {
        const entries = await removeOldEntries(database, auditDays, yieldToCalls);
        return entries > 0 ? { entries } : undefined;
      },
    },
    isConsoleOn && {
      // Removes sessions, links, invitations, tokens and mails whose time is over, and what people did in the library long ago.
      name: "cleanup",
      everySeconds: hourSeconds,
      firstAfterSeconds: 120,
      lock: "none",
      run: async ({ yieldToCalls }) => {
        const rows = (await deleteExpired(database, yieldToCalls)) + (await deleteOldActivity(database, yieldToCalls));
        return rows > 0 ? { rows } : undefined;
      },
    },
    isConsoleOn && {
      // Audits attempts to sign in that were counted, once their minute is over.
      name: "attempts",
      everySeconds: 30,
      firstAfterSeconds: 15,
      lock: "attempt row",
      run: async () => {
        const entries = await recordCountedAttempts(database);
        return entries > 0 ? { entries } : undefined;
      },
    },
    send && {
      // Sends the mails that are due.
      name: "mail",
      everySeconds: 5,
      firstAfterSeconds: 5,
      lock: "mail row",
      run: async ({ signal }) => {
        const sent = await sendDueMails({ database, log, send }, signal);
        return sent > 0 ? { sent } : undefined;
      },
      // Its message may repeat an address.
      describeFailure: (cause) => (cause instanceof Error ? cause.name : "unknown"),
    },
    seller &&
      billedFrom !== undefined && {
        // Issues the invoices of finished months.
        name: "invoices",
        everySeconds: hourSeconds,
        firstAfterSeconds: 30,
        lock: "number row",
        run: async ({ yieldToCalls }) => {
          const issued = await issueInvoices(database, issuerOf(config, origin), yieldToCalls);
          return issued > 0 ? { issued } : undefined;
        },
      },
    {
      // Raises alerts: 80 % and 100 % of a month's quota, keys that expire, and many refused requests.
      name: "alerts",
      everySeconds: 60,
      firstAfterSeconds: 60,
      lock: "warning row",
      run: async ({ yieldToCalls }) => {
        const context = { origin, hasMail: send !== undefined, billedFrom };
        const alerts =
          (await warnOfQuotas(database, context, yieldToCalls)) +
          (await warnOfExpiries(database, context, yieldToCalls)) +
          (await warnOfRefusals(database, context, yieldToCalls));
        await removeOldDeliveries(database);
        return alerts > 0 ? { alerts } : undefined;
      },
    },
    {
      // Sends alerts to webhooks.
      name: "webhooks",
      everySeconds: 5,
      firstAfterSeconds: 5,
      lock: "delivery row",
      run: async ({ signal }) => {
        const delivered = await sendDueDeliveries({ database, log, post, sealingKey, observer }, signal);
        return delivered > 0 ? { delivered } : undefined;
      },
    },
    // PostgreSQL is backed up with its own tools.
    backup &&
      location.engine === "sqlite" &&
      backupJob({ settings: backup, encryption: config.backupEncryption, databasePath: location.path, clock }),
  ];
  return table.filter((row) => row !== undefined && row !== false);
}
