// Shared by the rate limit tests: services with a low limit, and calls that reach it.
import { expect } from "bun:test";
import { type Options, type RawAnswer, type Started, startService } from "./service.ts";

const never = "00000000-0000-7000-8000-000000000000";
export const at = "2026-03-15T12:00:00.000Z";

export const limited = (options: Options = {}) =>
  startService({ at, ...options, config: { requestsPerMinute: 20, ...options.config } });

export const ask = (started: Pick<Started, "call">, key: string): Promise<RawAnswer> =>
  started.call("GET", "/tags", { key, query: { ids: never } });

/** Makes this many calls. @returns how many were admitted; fails if another one is refused for a reason other than the rate limit */
export async function admittedOf(started: Pick<Started, "call">, key: string, calls: number): Promise<number> {
  let admitted = 0;
  for (let count = 0; count < calls; count += 1) {
    const { status } = await ask(started, key);
    if (status === 200) admitted += 1;
    else expect(status).toBe(429);
  }
  return admitted;
}

/** Stops the service and starts a new one on the same data, at the same time. */
export async function restart(started: Started, config: Options["config"] = {}): Promise<Started> {
  await started.service.stop();
  return limited({
    at: new Date(started.clock.now).toISOString(),
    config: { dataDirectory: started.dataDirectory, ...config },
  });
}
