// State of the service that is read at each scrape: version, readiness, certificate, uploads.
import { X509Certificate } from "node:crypto";
import { Gauge, type Registry } from "prom-client";
import type { Database } from "../../platform/database/database.ts";
import type { QueueState } from "../../platform/fair-queue.ts";
import type { Probes } from "../../platform/http/probes.ts";
import type { InFlight } from "../../platform/in-flight.ts";
import { version } from "../../platform/program.ts";
import { addGauge } from "./gauge.ts";

export interface Sources {
  readonly engine: string;
  readonly database: Pick<Database, "pool">;
  readonly uploads: InFlight;
  readonly downloads: InFlight;
  /** What all workspaces store, and how many have little room left. */
  readonly storage: () => Promise<{ readonly bytes: number; readonly nearlyFull: number }>;
  /** Audit entries that wait for their export. */
  readonly auditExport: () => Promise<{ readonly entries: number; readonly seconds: number }>;
  /** How many keys expire within days. */
  readonly expiringKeys: () => Promise<number>;
  readonly queues: () => readonly QueueState[];
  readonly probes: Pick<Probes, "isDraining" | "isReady">;
  /** The certificate shown now, in PEM. */
  readonly certificate: () => string;
}

/** Part of the help of what the database says, and not the node. */
const ofInstance = "Every node reports the number of the whole instance: use max(), not sum().";

export function watchService(registry: Registry, sources: Sources): void {
  const { probes, uploads, downloads } = sources;
  addGauge(registry, "commonplace_draining", "1 while this node is shutting down, otherwise 0.", () =>
    Number(probes.isDraining),
  );
  addGauge(
    registry,
    "commonplace_ready",
    "1 if requests can be sent to this node: it is not shutting down, and its database responds. Otherwise 0.",
    async () => Number(await probes.isReady()),
  );
  addGauge(
    registry,
    "commonplace_certificate_expiry_timestamp_seconds",
    "When the certificate expires, in seconds since 1970.",
    () => Math.floor(Date.parse(new X509Certificate(sources.certificate()).validTo) / 1_000),
  );
  addGauge(registry, "commonplace_uploads_in_flight", "Large request bodies being read.", () => uploads.inFlight.count);
  addGauge(
    registry,
    "commonplace_upload_bytes_in_flight",
    "Bytes reserved for large request bodies.",
    () => uploads.inFlight.bytes,
  );
  addGauge(registry, "commonplace_downloads_in_flight", "Large responses being sent.", () => downloads.inFlight.count);
  addGauge(
    registry,
    "commonplace_download_bytes_in_flight",
    "Bytes reserved for large responses.",
    () => downloads.inFlight.bytes,
  );
  watchStorage(registry, sources.storage);
  watchKeys(registry, sources.expiringKeys);
  watchAuditExport(registry, sources.auditExport);
  watchQueues(registry, sources.queues);
  new Gauge({
    name: "commonplace_build_info",
    help: "Always 1; the labels are the version, the database engine, and the runtime.",
    labelNames: ["version", "engine", "bun"],
    registers: [registry],
  }).set({ version, engine: sources.engine, bun: Bun.version }, 1);
}

/** While the database is lost, it stays as it was. */
function watchKeys(registry: Registry, read: Sources["expiringKeys"]): void {
  new Gauge({
    name: "commonplace_keys_expiring",
    help: `Active API keys that expire within 3 days. ${ofInstance}`,
    registers: [registry],
    async collect() {
      const keys = await read().catch(() => undefined);
      if (keys !== undefined) this.set(keys);
    },
  });
}

/** While the database is lost, both stay as they were. */
function watchAuditExport(registry: Registry, read: Sources["auditExport"]): void {
  const add = (name: string, help: string, of: (lag: Awaited<ReturnType<Sources["auditExport"]>>) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const lag = await read().catch(() => undefined);
        if (lag) this.set(of(lag));
      },
    });
  add(
    "commonplace_audit_export_lag_seconds",
    `Age of the oldest audit entry that has not been exported yet; 0 if there is none. ${ofInstance}`,
    ({ seconds }) => seconds,
  );
  add(
    "commonplace_audit_export_pending_entries",
    `Audit entries that have not been exported yet; 0 without COMMONPLACE_AUDIT_EXPORT. ${ofInstance}`,
    ({ entries }) => entries,
  );
}

/** Both figures are read at once. While the database is lost, they stay as they were. */
function watchStorage(registry: Registry, read: Sources["storage"]): void {
  const nearlyFull = new Gauge({
    name: "commonplace_workspaces_nearly_full",
    help: `Workspaces that have used at least 90% of their storage limit. ${ofInstance}`,
    registers: [registry],
  });
  new Gauge({
    name: "commonplace_stored_bytes",
    help: `Bytes stored by all workspaces together. ${ofInstance}`,
    registers: [registry],
    async collect() {
      const storage = await read().catch(() => undefined);
      if (!storage) return;
      this.set(storage.bytes);
      nearlyFull.set(storage.nearlyFull);
    },
  });
}

function watchQueues(registry: Registry, queues: Sources["queues"]): void {
  const add = (name: string, help: string, of: (queue: QueueState) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["queue"],
      registers: [registry],
      collect() {
        for (const queue of queues()) this.set({ queue: queue.name }, of(queue));
      },
    });
  add("commonplace_queue_entries", "Entries waiting in each queue of the process.", ({ waiting }) => waiting);
  add(
    "commonplace_queue_capacity",
    "Maximum number of entries in each queue; beyond that, requests get 503.",
    ({ max }) => max,
  );
}
