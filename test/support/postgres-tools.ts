// A PostgreSQL server and tools of the same version, as the system has them installed: pg_dump refuses a newer server, and the
// npm package has a server only.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, globSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { SQL } from "bun";
import { freePort } from "./ports.ts";
import { temporaryDirectory } from "./service.ts";

const programs = ["initdb", "postgres", "pg_dump", "pg_restore", "createdb"];
const places = [
  "/usr/lib/postgresql/*/bin",
  "/usr/pgsql-*/bin",
  "/opt/homebrew/opt/postgresql@*/bin",
  "/usr/local/bin",
];

/** The directory with all programs of one version; undefined if there is none. */
export const toolsDirectory = (): string | undefined =>
  [...places.flatMap((place) => globSync(place)).reverse(), dirname(Bun.which("postgres") ?? "")].find((directory) =>
    programs.every((program) => existsSync(join(directory, program))),
  );

/** Starts a new server on a free port, and waits until it is ready. Its superuser needs no password from this machine. */
export async function startSystemPostgres(tools: string) {
  // PostgreSQL refuses to run as root.
  const identity = process.getuid?.() === 0 ? await identityOf("postgres") : {};
  const directory = temporaryDirectory();
  chmodSync(directory, 0o755);
  const data = join(directory, "server");
  mkdirSync(data);
  if ("uid" in identity) (await import("node:fs")).chownSync(data, identity.uid, identity.gid);
  const start = (program: string, ...words: string[]) =>
    spawn(join(tools, program), words, { ...identity, cwd: data, stdio: "ignore" });
  const [status] = await once(start("initdb", "-D", data, "-U", "postgres", "--encoding=UTF8", "--no-sync"), "exit");
  if (status !== 0) throw new Error(`initdb ended with ${status}`);
  const port = freePort();
  const options = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories="];
  const server = start("postgres", "-D", data, ...options.flatMap((option) => ["-c", option]));
  const ended = once(server, "exit");
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  await untilReady(urlOf("postgres"));
  return {
    urlOf,
    stop: async () => {
      server.kill("SIGINT");
      await ended;
    },
  };
}

async function untilReady(url: string): Promise<void> {
  for (;;) {
    const sql = new SQL(url, { max: 1 });
    const isReady = await sql`select 1`.then(
      () => true,
      () => false,
    );
    await sql.close();
    if (isReady) return;
    await Bun.sleep(20);
  }
}

async function identityOf(user: string): Promise<{ uid: number; gid: number } | Record<string, never>> {
  const ask = async (option: string) => Number(await new Response(Bun.spawn(["id", option, user]).stdout).text());
  return { uid: await ask("-u"), gid: await ask("-g") };
}
