// Batches of snippets on SQLite compared with bare inserts, and the room on the disk that a snippet takes.
import { join } from "node:path";
import { measureBatches } from "./batches.ts";
import type { Plan } from "./plan.ts";
import { runScript } from "./processes.ts";
import type { Result } from "./report.ts";
import { writeBatches } from "./requests.ts";
import { batchSize, textBytes } from "./sample.ts";
import type { Site } from "./site.ts";

const ratioMin = 0.8;
const textRatioMax = 1.6;

export async function measureWrites(site: Site, plan: Plan): Promise<Result[]> {
  const [requests, bare] = [join(site.directory, "batches"), join(site.directory, "bare.db")];
  writeBatches(requests, site.instance.tenants);
  const server = await site.engine.startService();
  const batches = await measureBatches(server, plan, {
    group: `POST /snippets, ${batchSize} in each`,
    requests,
    cases: [{ connections: 1 }, { connections: 8, atLeast: ratioMin }],
    // There is one writer, so one connection is as fast as SQLite can be.
    insertBare: async (_, seconds) => {
      const { perSecond } = await runScript<{ perSecond: number }>("bare-inserts.ts", bare, seconds, plan.snippets);
      return perSecond;
    },
  });
  await server.stop();
  return [...batches, diskResult(site.engine.name, site.bytesPerSnippet)];
}

/** What a snippet takes on the disk, without tags, as a multiple of its text. */
export const diskResult = (engine: string, bytesPerSnippet: number): Result => ({
  group: `Disk for a snippet of ${textBytes} bytes`,
  name: engine,
  unit: "B",
  service: bytesPerSnippet,
  baseline: textBytes,
  aim: { of: "ratio", atMost: textRatioMax },
});
