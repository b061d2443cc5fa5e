// Two calls on a growing database, on both engines: how much slower they become. A small one is measured in turn with the growing one.
import { join } from "node:path";
import { type CreateEngine, type Engine, onBothEngines } from "./engines.ts";
import { fillWith } from "./fill.ts";
import { createInstance, type Instance } from "./instance.ts";
import { load } from "./load.ts";
import type { Plan } from "./plan.ts";
import type { Server } from "./processes.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { callsOf, writeReads } from "./requests.ts";
import { median } from "./statistics.ts";

/** Few, so that a call waits for the database and not for other calls. */
const connections = 4;
const growthMax = 1.2;
const workspaces = 64;
const snippetsInFolder = 100;

const calls = [
  { name: "GET /snippet", path: "/snippet?id=", of: "snippets" },
  { name: "GET /folder, 50 of 100", path: "/folder?folderId=", of: "folders" },
] as const;

const numbers = (value: number) => value.toLocaleString("en-US");

/** A database with what it is filled with. */
interface Filled {
  readonly engine: Engine;
  readonly instance: Instance;
}

export const measureSizes = (directory: string, plan: Plan): Promise<Result[]> =>
  onBothEngines(directory, (create) => measureEngine(create, directory, plan));

async function measureEngine(create: CreateEngine, directory: string, plan: Plan): Promise<Result[]> {
  const [least = 0, ...sizes] = plan.sizes;
  const [small, growing] = [await createEmpty(create, "small"), await createEmpty(create, "growing")];
  await growTo(small, least);
  const results: Result[] = [];
  for (const size of sizes) {
    await growTo(growing, size);
    const servers = { growing: await growing.engine.startService(), small: await small.engine.startService() };
    for (const { name, path, of } of calls) {
      const requests = { growing: join(directory, "requests-growing"), small: join(directory, "requests-small") };
      writeReads(requests.growing, callsOf(path, growing.instance[of]));
      writeReads(requests.small, callsOf(path, small.instance[of]));
      const pairs: { growing: number; small: number }[] = [];
      // The first round warms up the caches, as in a running service.
      for (let round = 0; round <= plan.sizeRounds; round += 1) {
        showProgress(
          `${name}, ${growing.engine.name}`,
          `${numbers(size)} snippets, round ${round} of ${plan.sizeRounds}`,
        );
        const pair = {
          growing: await medianOf(servers.growing, requests.growing, plan),
          small: await medianOf(servers.small, requests.small, plan),
        };
        if (round > 0) pairs.push(pair);
      }
      results.push({
        group: `${name}, ${growing.engine.name}, median`,
        name: `${numbers(size)} : ${numbers(least)} snippets`,
        unit: "ms",
        service: median(pairs.map((pair) => pair.growing)),
        baseline: median(pairs.map((pair) => pair.small)),
        ratio: median(pairs.map((pair) => pair.growing / pair.small)),
        aim: { of: "ratio", atMost: growthMax },
      });
    }
    await Promise.all([servers.growing.stop(), servers.small.stop()]);
  }
  return calls.flatMap(({ name }) => results.filter(({ group }) => group.startsWith(`${name},`)));
}

const medianOf = async (server: Server, requests: string, { sizeSeconds }: Plan): Promise<number> =>
  (await load(server, { requests, connections, seconds: sizeSeconds })).medianMilliseconds;

async function createEmpty(create: CreateEngine, name: string): Promise<Filled> {
  const engine = await create(name);
  const instance = await engine.withDatabase((database) =>
    createInstance(database, { workspaces, keysInWorkspace: 1 }),
  );
  return { engine, instance };
}

async function growTo({ engine, instance }: Filled, total: number): Promise<void> {
  await fillWith(engine, instance, { total, inFolder: snippetsInFolder }, `Filling ${engine.name}`);
  await engine.refreshStatistics();
}
