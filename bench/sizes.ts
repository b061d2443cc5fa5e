// Two calls on a growing database, on both engines: how much slower they become.
import { join } from "node:path";
import { type Engine, onBothEngines } from "./engines.ts";
import { fill } from "./fill.ts";
import { createInstance } from "./instance.ts";
import { load } from "./load.ts";
import type { Plan } from "./plan.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { callsOf, writeReads } from "./requests.ts";
import { median } from "./statistics.ts";

/** Few, so that a call waits for the database and not for other calls. */
const connections = 4;
const growthMax = 1.2;
const snippetsInFolder = 100;
const rounds = 3;
const seconds = 2;

const calls = [
  { name: "GET /snippet", path: "/snippet?id=", of: "snippets" },
  { name: "GET /folder, 50 of 100", path: "/folder?folderId=", of: "folders" },
] as const;

export const measureSizes = (directory: string, { sizes }: Plan): Promise<Result[]> =>
  onBothEngines(directory, (engine) => measureEngine(engine, directory, sizes));

async function measureEngine(engine: Engine, directory: string, sizes: readonly number[]): Promise<Result[]> {
  const medians = calls.map(() => [] as number[]);
  const instance = await engine.withDatabase((database) =>
    createInstance(database, { workspaces: 64, keysInWorkspace: 1 }),
  );
  for (const size of sizes) {
    const filling = await engine.startService();
    await fill(filling, instance, { total: size, inFolder: snippetsInFolder }, (done) =>
      showProgress(
        `Filling ${engine.name}`,
        `${done.toLocaleString("en-US")} of ${size.toLocaleString("en-US")}`,
        done / size,
      ),
    );
    await filling.stop();
    await engine.refreshStatistics();
    const server = await engine.startService();
    for (const [index, { name, path, of }] of calls.entries()) {
      const requests = join(directory, `requests-${index}`);
      writeReads(requests, callsOf(path, instance[of]));
      const times: number[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        showProgress(
          `${name}, ${engine.name}`,
          `${size.toLocaleString("en-US")} snippets, round ${round} of ${rounds}`,
        );
        const { medianMilliseconds } = await load(server, {
          requests,
          connections,
          seconds: round === 0 ? 2 : seconds,
        });
        // The first round warms up the caches, as in a running service.
        if (round > 0) times.push(medianMilliseconds);
      }
      medians[index]?.push(median(times));
    }
    await server.stop();
  }
  return calls.flatMap(({ name }, index) => {
    const [smallest = 0, ...larger] = medians[index] ?? [];
    const least = (sizes[0] ?? 0).toLocaleString("en-US");
    return larger.map(
      (value, place): Result => ({
        group: `${name}, ${engine.name}, median`,
        name: `${(sizes[place + 1] ?? 0).toLocaleString("en-US")} : ${least} snippets`,
        unit: "ms",
        service: value,
        yardstick: smallest,
        aim: { of: "ratio", atMost: growthMax },
      }),
    );
  });
}
