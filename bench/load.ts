// Load on a server from a process of its own: wrk where it is installed, else the small client of this directory.
import { join } from "node:path";
import { run, runScript, type Server } from "./processes.ts";

export interface Load {
  /** File of requests with a NUL byte between each two; they are sent in random order. */
  readonly requests: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface Round {
  readonly perSecond: number;
  readonly medianMilliseconds: number;
  readonly p99Milliseconds: number;
}

const wrk = Bun.which("wrk");

/** What generates the load, for the report. */
export const generator = wrk
  ? (/wrk \S+/.exec(Bun.spawnSync([wrk, "-v"]).stdout.toString())?.[0] ?? "wrk")
  : "bench/client.ts";

/** One round. @throws when a single call was not answered with 200 */
export async function load(server: Server, { requests, connections, seconds }: Load): Promise<Round> {
  const round = await (wrk
    ? run<Round & { failed: number }>([
        wrk,
        "-t1",
        `-c${connections}`,
        `-d${seconds}`,
        "-s",
        join(import.meta.dir, "wrk.lua"),
        `https://127.0.0.1:${server.port}`,
        "--",
        requests,
      ])
    : runScript<Round & { failed: number }>("client.ts", server.port, connections, seconds, requests));
  if (round.failed > 0) throw new Error(`${round.failed} calls failed under load`);
  return round;
}
