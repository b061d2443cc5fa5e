// PgBouncer in transaction mode before a PostgreSQL, where it is installed.
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAllTests } from "./cleanup.ts";
import { freePort } from "./ports.ts";

/** Undefined where it is not installed. */
export const pgbouncer = Bun.which("pgbouncer") ?? ["/usr/sbin/pgbouncer"].find((path) => existsSync(path));

export interface PgbouncerOptions {
  readonly serverPort: number;
  readonly user: string;
  readonly password: string;
  /** Of the server's own user, as which it runs when this process is root: it refuses to be root. */
  readonly ownedLike: string;
  readonly settings?: Readonly<Record<string, string | number>>;
}

/** Starts it, until the last test has ended or this process in whatever way. @returns its port */
export async function startPgbouncer(executable: string, options: PgbouncerOptions): Promise<number> {
  const port = freePort();
  const directory = mkdtempSync(join(tmpdir(), "commonplace-test-pooler-"));
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
    const { uid, gid } = statSync(options.ownedLike);
    for (const path of [directory, configuration, users]) chownSync(path, uid, gid);
  }
  chmodSync(directory, 0o700);
  const owner = isRoot ? Bun.spawnSync(["stat", "-c", "%U", options.ownedLike]).stdout.toString().trim() : "";
  // A shell holds it, and ends it when this process does. What other signals mean to it differs from version to version.
  const script = `"$@" > /dev/null 2>&1 & pid=$!; cat > /dev/null; kill -KILL $pid`;
  const words = [executable, "-q", ...(owner === "" ? [] : ["-u", owner]), configuration];
  const holder = Bun.spawn(["sh", "-c", script, "pgbouncer", ...words], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
  });
  afterAllTests(async () => {
    await holder.stdin.end();
    await holder.exited;
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
