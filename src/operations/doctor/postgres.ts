// The checks of a PostgreSQL: whether it can be reached, stores durably, and lets the service do its work.
import type { Transaction } from "../../platform/database/database.ts";
import { redactUrl } from "../../platform/database/redact-url.ts";
import { formatNumber } from "../format.ts";
import { isLoopback } from "../local-service.ts";
import { type Check, listSome, ok, problem, type Verdict, warning } from "./check.ts";
import * as store from "./postgres.store.ts";
import type { StoredData } from "./stored-data.ts";

const versions = { oldest: 15, newest: 18 };
const clockMillisecondsMax = 1_000;
const transactionMinutesMax = 60;
/** In transactions. PostgreSQL stops accepting writes at 2,100 million. */
const transactionAgeMax = 1_000_000_000;

/** A check that one row of the database answers. */
const rowCheck = <Row>(
  check: Omit<Check<StoredData>, "examine">,
  read: (transaction: Transaction) => Promise<Row | undefined>,
  judge: (row: Row, data: StoredData) => Verdict,
): Check<StoredData> => ({
  ...check,
  examine: async (data) => {
    const row = await data.read(read);
    return row ? judge(row, data) : problem("the database did not respond");
  },
});

export const postgresChecks: readonly Check<StoredData>[] = [
  {
    name: "database",
    question: "Can the database be reached?",
    remedy: "Start PostgreSQL, or correct COMMONPLACE_DATABASE_URL (host, port, name, user, and password).",
    examine: async ({ config, read }) => {
      const [host = "", database = ""] =
        config.database.engine === "postgres" ? redactUrl(config.database.url).split("/") : [];
      const place = `${database} at ${host}`;
      const startedAt = performance.now();
      try {
        await read(store.ping);
      } catch (error) {
        return problem(`${place}: ${error instanceof Error ? error.message : error}`, { isFinal: true });
      }
      return ok(`${place}, reached in ${Math.ceil(performance.now() - startedAt)} ms`);
    },
  },
  rowCheck(
    {
      name: "encryption",
      question: "Is the connection to the database encrypted?",
      remedy: "Add ?sslmode=verify-full to COMMONPLACE_DATABASE_URL, and turn on TLS in PostgreSQL: ssl = on.",
    },
    store.readEncryption,
    ({ is_encrypted }, { config: { database } }) => {
      if (is_encrypted) return ok("the connection is encrypted");
      const host = database.engine === "postgres" ? new URL(database.url).hostname : "";
      return isLoopback(host)
        ? ok("not encrypted, but the database is on this machine")
        : warning(`the connection to ${host} is not encrypted`);
    },
  ),
  rowCheck(
    {
      name: "PostgreSQL",
      question: `Is the server version between ${versions.oldest} and ${versions.newest}?`,
      remedy: `Upgrade PostgreSQL to ${versions.newest}.`,
    },
    store.readServerVersion,
    ({ number, name }) => {
      if (number < versions.oldest) return problem(`${name} is too old`);
      const remedy = "Update Commonplace if a newer version exists. This one was tested with PostgreSQL 15 to 18.";
      return number > versions.newest ? warning(`${name} is newer than the tested versions`, { remedy }) : ok(name);
    },
  ),
  rowCheck(
    {
      name: "encoding",
      question: "Can the database store every character?",
      remedy: "Create a database with encoding 'UTF8' template template0, then run ./commonplace database copy.",
    },
    store.readEncoding,
    ({ encoding }) => (encoding === "UTF8" ? ok(encoding) : problem(`the encoding is ${encoding}, but must be UTF8`)),
  ),
  rowCheck(
    {
      name: "durability",
      question: "Is committed data written to disk?",
      remedy: "Turn the settings on in postgresql.conf or for the role and the database, then reload PostgreSQL.",
    },
    store.readDurability,
    (settings) => {
      const off = Object.entries(settings).filter(([, value]) => value === "off");
      return off.length > 0
        ? problem(`turned off: ${listSome(off.map(([name]) => name))}`)
        : ok(`fsync and full_page_writes on, synchronous_commit ${settings.synchronous_commit}`);
    },
  ),
  rowCheck(
    {
      name: "replication",
      question: "Would the newest requests survive the loss of this server?",
      remedy:
        "Set synchronous_standby_names, such as 'ANY 1 (db_2, db_3)': see /docs/operate/high-availability on the service.",
    },
    store.readReplication,
    judgeReplication,
  ),
  rowCheck(
    {
      name: "write access",
      question: "Does the server accept writes?",
      remedy: "Point COMMONPLACE_DATABASE_URL to the primary, or set default_transaction_read_only to off.",
    },
    store.readRecovery,
    ({ is_standby, read_only }) => {
      if (is_standby) return problem("the server is a read-only standby");
      return read_only === "on" ? problem("default_transaction_read_only is on") : ok("the server is a primary");
    },
  ),
  {
    name: "clocks",
    question: "Are the clocks of this machine and the database in sync?",
    remedy: "Synchronize both with chrony or systemd-timesyncd. Limits are based on the database's clock.",
    examine: ({ read }) =>
      read(async (transaction) => {
        const before = Date.now();
        const clock = await store.readClock(transaction);
        const after = Date.now();
        if (!clock) return problem("the database did not respond");
        // The database read its clock at some moment between the two.
        const aheadMilliseconds = Math.round(clock.milliseconds - (before + after) / 2);
        const apart = Math.abs(aheadMilliseconds);
        const message = `${aheadMilliseconds >= 0 ? "the database is ahead" : "this machine is ahead"} by ${apart} ms`;
        return apart - (after - before) / 2 > clockMillisecondsMax ? warning(message) : ok(message);
      }),
  },
  rowCheck(
    {
      name: "connections",
      question: "Are enough connections available for this node?",
      remedy: "Raise max_connections, lower COMMONPLACE_DATABASE_CONNECTIONS, or add PgBouncer.",
    },
    store.readConnections,
    ({ allowed, used }, { config: { databaseConnections } }) => {
      const message = `${used} of ${allowed} in use; a node opens up to ${databaseConnections}`;
      return databaseConnections > allowed || used > allowed * 0.9 ? warning(message) : ok(message);
    },
  ),
  rowCheck(
    {
      name: "privileges",
      question: "Can the role read and write every table, and migrate the schema?",
      remedy:
        "Make the role the owner of the database and its tables: alter database … owner to …, reassign owned by … to ….",
    },
    store.readPrivileges,
    ({ role, schema, may_create, refused, foreign }) => {
      if (schema === null) return problem(`the role ${role} cannot use any schema`);
      if (refused)
        return problem(`the role ${role} lacks read or write privileges on ${listSome(refused.split(", "))}`);
      if (!may_create) return problem(`the role ${role} cannot create tables in the schema ${schema}`);
      return foreign
        ? warning(`the role ${role} does not own ${listSome(foreign.split(", "))}, so it cannot migrate them`)
        : ok(`the role ${role} owns all tables in the schema ${schema}`);
    },
  ),
  rowCheck(
    {
      name: "indexes",
      question: "Are all indexes and constraints valid?",
      remedy: "For an index: reindex index …. For a constraint: alter table … validate constraint ….",
    },
    store.readInvalidIndexes,
    ({ invalid }) => (invalid ? problem(`invalid: ${listSome(invalid.split(", "))}`) : ok("all are valid")),
  ),
  rowCheck(
    {
      name: "vacuum",
      question: "Can autovacuum do its work?",
      remedy: "Turn on autovacuum. End sessions that stay in a transaction: select pg_terminate_backend(…).",
    },
    store.readVacuum,
    ({ minutes, age, autovacuum }) => {
      if (autovacuum === "off") return warning("autovacuum is off");
      if (age > transactionAgeMax)
        return problem(`the oldest unfrozen transaction ID is ${formatNumber(age)} transactions old`);
      return minutes !== null && minutes > transactionMinutesMax
        ? warning(`a session has been idle in a transaction for ${Math.round(minutes)} minutes`)
        : ok("autovacuum is on, and nothing blocks it");
    },
  ),
];

function judgeReplication({
  synchronous_commit,
  names,
  connected,
  waited_for,
  is_visible,
}: store.Replication): Verdict {
  const standbys = connected === 1 ? "1 standby" : `${connected} standbys`;
  if (names === "")
    return connected === 0
      ? ok("no standby: commits wait for the disk of this server only")
      : warning(`${standbys}, but commits wait for none: if this server is lost, so are its newest requests`);
  if (synchronous_commit === "local" || synchronous_commit === "off")
    return warning(`commits do not wait for ${names}, because synchronous_commit is ${synchronous_commit}`, {
      remedy: "Set synchronous_commit to on.",
    });
  if (waited_for !== null) return ok(`commits wait for ${names}; connected: ${waited_for}`);
  if (connected > 0 && !is_visible)
    return ok(`commits wait for ${names}; to see whether it is connected, grant pg_read_all_stats to the role`);
  return problem(`commits wait for ${names}, but no such standby is connected`, {
    remedy: "Start the standby. If this server alone is enough for now, reset synchronous_standby_names.",
  });
}
