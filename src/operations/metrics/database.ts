// Metrics of the database: commits and their batches, retries, failures, and the connection pool.
import { Counter, Histogram, type Registry } from "prom-client";
import type { Database, DatabaseObserver, Pool } from "../../platform/database/database.ts";
import { addGauge } from "./gauge.ts";

const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const commitBucketsSeconds = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export function observeDatabase(registry: Registry): DatabaseObserver {
  const registers = [registry];
  const batchSize = new Histogram({
    name: "commonplace_commit_batch_size",
    help: "Transactions that shared a commit. SQLite groups all transactions; PostgreSQL groups only requests that read.",
    buckets: batchBuckets,
    registers,
  });
  const commitDuration = new Histogram({
    name: "commonplace_commit_duration_seconds",
    help: "Duration of the commit alone, including the wait for the disk or for replicas.",
    buckets: commitBucketsSeconds,
    registers,
  });
  const retries = new Counter({
    name: "commonplace_transaction_retries_total",
    help: "Transactions retried after a deadlock, a conflict, or a lost connection.",
    registers,
  });
  const failures = new Counter({
    name: "commonplace_database_failures_total",
    help: "Transactions and health checks that failed because the database was unavailable.",
    registers,
  });
  return {
    committed(transactions, milliseconds) {
      batchSize.observe(transactions);
      commitDuration.observe(milliseconds / 1_000);
    },
    retried: () => retries.inc(),
    unavailable: () => failures.inc(),
  };
}

/** On SQLite, which has no pool, all three are 0, so that dashboard and alerts are the same for both engines. */
export function watchPool(registry: Registry, database: Pick<Database, "pool">): void {
  const add = (name: string, help: string, read: (pool: Pool) => number) =>
    addGauge(registry, name, help, () => {
      const pool = database.pool();
      return pool ? read(pool) : 0;
    });
  add("commonplace_database_connections_in_use", "Connections with an active transaction.", (pool) => pool.inUse);
  add("commonplace_database_connections_limit", "Maximum connections of this node.", (pool) => pool.max);
  add("commonplace_database_connection_waiters", "Transactions waiting for a connection.", (pool) => pool.waiting);
}
