// Batches of snippets on SQLite compared with bare inserts, and the room on the disk that a snippet takes.
import { join } from "node:path";
import { measureBatches } from "./batches.ts";
import { measureRound } from "./compare.ts";
import { load } from "./load.ts";
import type { Plan } from "./plan.ts";
import { runScript, type Server } from "./processes.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { writeBatches } from "./requests.ts";
import { batchSize, sampleOfLength, textBytes } from "./sample.ts";
import type { Site } from "./site.ts";
import { median } from "./statistics.ts";

const ratioMin = 0.8;
const textRatioMax = 1.6;
/** It has nothing else to do, so it uses its whole core, except while it waits for the disk. */
const coresMin = 0.75;
/** From a line to several pages. */
const lengthsInBytes = [500, 700, 1_000, 2_000, 5_000, 20_000];
const connectionsByLength = 8;

/** Inserts batches without the service. @returns how many a second */
const insertBare = async (
  database: string,
  seconds: number,
  filled: number,
  contentBytes?: number,
): Promise<number> => {
  const { perSecond } = await runScript<{ perSecond: number }>(
    "bare-inserts.ts",
    database,
    seconds,
    filled,
    ...(contentBytes === undefined ? [] : [contentBytes]),
  );
  return perSecond;
};

export async function measureWrites(site: Site, plan: Plan): Promise<Result[]> {
  const [requests, bare] = [join(site.directory, "batches"), join(site.directory, "bare.db")];
  writeBatches(requests, site.instance.tenants);
  const server = await site.engine.startService();
  const batches = await measureBatches(server, plan, {
    group: `POST /snippets, ${batchSize} in each`,
    requests,
    cases: [{ connections: 1 }, { connections: 8, atLeast: ratioMin }],
    // There is one writer, so one connection is as fast as SQLite can be.
    insertBare: (_, seconds) => insertBare(bare, seconds, plan.snippets),
  });
  const byLength = await measureLengths(site, server, plan);
  await server.stop();
  return [...batches, ...byLength, diskResult(site.engine.name, site.bytesPerSnippet)];
}

/** Batches of texts of each length, and how much of a core the service uses for them. */
async function measureLengths(
  site: Site,
  server: Server,
  { lengthRounds: rounds, seconds, snippets }: Plan,
): Promise<Result[]> {
  const group = `POST /snippets, ${batchSize} in each, ${connectionsByLength} connections`;
  const [requests, bare] = [join(site.directory, "batches-of-length"), join(site.directory, "bare-of-length.db")];
  const results: Result[] = [];
  for (const bytes of lengthsInBytes) {
    writeBatches(requests, site.instance.tenants, (index, teamId) => sampleOfLength(index, teamId, bytes));
    const measured: { perSecond: number; bare: number; cores: number }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      showProgress(group, `texts of ${bytes / 1_000} KB, round ${round} of ${rounds}`);
      const barePerSecond = await insertBare(bare, seconds, snippets, bytes);
      const of = { requests, connections: connectionsByLength, seconds };
      const { perSecond, microsecondsPerCall } = await measureRound(server, () => load(server, of));
      measured.push({ perSecond, bare: barePerSecond, cores: (perSecond * microsecondsPerCall) / 1e6 });
    }
    const name = `${bytes / 1_000} KB`;
    results.push(
      {
        group,
        name: `texts of ${name}`,
        unit: "snippets/s",
        service: median(measured.map(({ perSecond }) => perSecond)) * batchSize,
        baseline: median(measured.map((each) => each.bare)) * batchSize,
        ratio: median(measured.map((each) => each.perSecond / each.bare)),
      },
      {
        group: `${group}: cores that the service uses`,
        name: `texts of ${name}`,
        unit: "",
        service: median(measured.map(({ cores }) => cores)),
        aim: { of: "service", atLeast: coresMin },
      },
    );
  }
  return results.toSorted((a, b) => a.group.length - b.group.length);
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
