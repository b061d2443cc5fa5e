// PgBouncer in transaction mode in front of a PostgreSQL, if it is installed.
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAllTests } from "./cleanup.ts";
import { freePort } from "./ports.ts";
import { temporaryRoot } from "./temporary-root.ts";

/** The path of the executable; undefined if it is not installed. */
export const pgbouncer = Bun.which("pgbouncer") ?? ["/usr/sbin/pgbouncer"].find((path) => existsSync(path));

export interface PgbouncerOptions {
  readonly serverPort: number;
  readonly user: string;
  readonly password: string;
  /** A path owned by the server's user. PgBouncer runs as that user if this process is root, since it refuses to run as root. */
  readonly pathOfOwner: string;
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** Starts it until the last test or this process ends, however it ends. @returns its port */
export async function startPgbouncer(executable: string, options: PgbouncerOptions): Promise<number> {
  const port = freePort();
  const directory = mkdtempSync(join(temporaryRoot(), "commonplace-test-pooler-"));
  const [configuration, users] = [join(directory, "pgbouncer.ini"), join(directory, "users.txt")];
  writeFileSync(users, `"${options.user}" "${options.password}"\n`);
  const settings = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: users,
    pool_mode: "transaction",
    max_client_conn: 1_000,
    default_pool_size: 5,
    ...options.settings,
  };
  writeFileSync(
    configuration,
    [
      "[databases]",
      `* = host=127.0.0.1 port=${options.serverPort}`,
      "[pgbouncer]",
      ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
      "",
    ].join("\n"),
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const { uid, gid } = statSync(options.pathOfOwner);
    for (const path of [directory, configuration, users]) chownSync(path, uid, gid);
  }
  chmodSync(directory, 0o700);
  const owner = isRoot ? Bun.spawnSync(["stat", "-c", "%U", options.pathOfOwner]).stdout.toString().trim() : "";
  // A shell stops it when this process ends, with SIGKILL: other signals mean different things in different versions.
  const script = `"$@" > /dev/null 2>&1 & pid=$!; cat > /dev/null; kill -KILL $pid`;
  const words = [executable, "-q", ...(owner === "" ? [] : ["-u", owner]), configuration];
  const supervisor = Bun.spawn(["sh", "-c", script, "pgbouncer", ...words], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
  });
  afterAllTests(async () => {
    await supervisor.stdin.end();
    await supervisor.exited;
    rmSync(directory, { recursive: true, force: true });
  });
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isListening = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data: () => undefined } }).then(
      (socket) => {
        socket.end();
        return true;
      },
      () => false,
    );
    if (isListening) return port;
    await Bun.sleep(20);
  }
  throw new Error("PgBouncer did not start");
}
