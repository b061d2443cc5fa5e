// Usage is added up beside the calls, each minute, by every node.

import type { Database } from "../../platform/database/database.ts";
import { startRounds, type Wait } from "../../platform/jobs.ts";
import type { Log } from "../../platform/log.ts";
import { addUpUsage } from "./totals.ts";

const firstAfterSeconds = 10;
const everySeconds = 60;

interface Surroundings {
  readonly database: Database;
  readonly log: Log;
  readonly wait: Wait | undefined;
}

/** @returns what ends it */
export const keepUsage = ({ database, log, wait }: Surroundings): (() => Promise<void>) =>
  startRounds(
    {
      // Nodes that start together do not add up together: they would wait for each other.
      firstAfterSeconds: firstAfterSeconds * (1 + Math.random()),
      everySeconds,
      round: async (mayGoOn) => void (await addUpUsage(database, mayGoOn)),
      onFailure: (cause) =>
        log.write("error", "usage could not be added up", {
          cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
        }),
    },
    wait,
  );
