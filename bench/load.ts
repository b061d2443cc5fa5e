// Generates load in a process of its own: with wrk if it is installed, otherwise with bench/client.ts.
import { join } from "node:path";
import { run, runScript, type Server } from "./processes.ts";

export interface Load {
  /** File of requests separated by NUL bytes; they are sent in random order. */
  readonly requests: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface Round {
  readonly calls: number;
  readonly perSecond: number;
  readonly medianMilliseconds: number;
  readonly p99Milliseconds: number;
}

const wrk = Bun.which("wrk");

/** The name of the load generator, for the report. */
export const generator = wrk
  ? (/wrk \S+/.exec(Bun.spawnSync([wrk, "-v"]).stdout.toString())?.[0] ?? "wrk")
  : "bench/client.ts";

/** Runs one round. @throws when a call is not answered with 200 */
export const load = async (server: Server, of: Load): Promise<Round> => requireGood(await loadAnyway(server, of));

/** Runs one round, whatever the calls are answered with. */
export function loadAnyway(server: Server, { requests, connections, seconds }: Load): Promise<Counted> {
  const script = join(import.meta.dir, "wrk.lua");
  const address = `https://127.0.0.1:${server.port}`;
  return wrk
    ? run<Counted>([wrk, "-t1", `-c${connections}`, `-d${seconds}`, "-s", script, address, "--", requests])
    : runScript<Counted>("client.ts", server.port, connections, seconds, requests);
}

/** Runs one round in which calls begin at random moments, however many are under way. */
export const loadOpenly = async (server: Server, { requests, connections, seconds }: Load, callsPerSecond: number) =>
  requireGood(await runScript<Counted>("open-loop.ts", server.port, connections, seconds, callsPerSecond, requests));

type Counted = Round & { readonly failed: number };

function requireGood(round: Counted): Round {
  if (round.failed > 0) throw new Error(`${round.failed} calls failed under load`);
  return round;
}
