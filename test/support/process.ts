// A service in its own process with a client, for what only a process can show: its exit, its log, a kill.
import { readFileSync } from "node:fs";
import { Commonplace } from "../../sdk/src/index.ts";
import type { FirstStart } from "./first-start.ts";
import { type Program, type Settings, serve } from "./program.ts";

export interface ServiceProcess {
  readonly pid: number;
  readonly baseUrl: string;
  readonly port: number;
  /** What the first start created. */
  readonly announced: FirstStart;
  /** `fetch` that trusts this service's certificate. */
  readonly fetch: typeof fetch;
  readonly clientFor: (apiKey: string) => Commonplace;
  /** What it wrote to standard error so far. */
  readonly log: () => string;
  readonly kill: Program["kill"];
  /** The exit status, when the process and its output have ended. */
  readonly ended: Promise<number>;
}

/** Starts `serve` with a rate limit too high for the tests to reach, and waits until it is ready. */
export async function spawnService(dataDirectory: string, settings: Settings = {}): Promise<ServiceProcess> {
  const program = await serve(
    { COMMONPLACE_DATA_DIRECTORY: dataDirectory, COMMONPLACE_REQUESTS_PER_MINUTE: "1000000", ...settings },
    ["--json"],
  );
  const { baseUrl } = program;
  const ca = readFileSync(program.ca, "utf8");
  const trustingFetch = ((input: string | URL | Request, init?: RequestInit) =>
    fetch(input, { ...init, tls: { ca } })) as typeof fetch;
  return {
    pid: program.pid,
    baseUrl,
    port: Number(new URL(baseUrl).port),
    announced: program.first,
    fetch: trustingFetch,
    clientFor: (apiKey) => new Commonplace({ baseUrl, apiKey, fetch: trustingFetch, retryWrites: false }),
    log: program.stderr,
    kill: program.kill,
    ended: program.exited,
  };
}
