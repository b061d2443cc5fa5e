// What one workspace feels of another one that saturates the service: the p99 of its requests alone, and beside each kind of load.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { newSecret } from "../src/metering/keys/secret.ts";
import { type CreateEngine, onBothEngines } from "./engines.ts";
import { fillWith } from "./fill.ts";
import { createInstance, type Instance, type Tenant } from "./instance.ts";
import { type Load, loadAnyway, loadOpenly } from "./load.ts";
import type { Plan } from "./plan.ts";
import type { Server } from "./processes.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { callsOf, listCallsOf, postOf, writeBatches, writeReads, writeRequests } from "./requests.ts";
import { median } from "./statistics.ts";

const loudConnections = 64;
const probesPerSecond = 200;
const probeConnections = 8;
const ratioMax = 3;
/** With the large bodies, the target is a time. */
const besideBodiesMilliseconds = 200;
const inFolder = 1_000;
/** So low that the loud key is refused nearly always, and the probing one never. */
const floodedPerMinute = 20_000;
const rampSeconds = 0.5;
const warmUpSeconds = 0.5;

/** A load of the loud workspace. */
interface Loud {
  readonly name: string;
  readonly connections: number;
  readonly write: (path: string, loud: Tenant, instance: Instance) => void;
  readonly requestsPerMinute?: number;
  readonly atMostMilliseconds?: number;
}

const ownSnippets = ({ snippets }: Instance, loud: Tenant) => snippets.filter(({ tenant }) => tenant === loud);
const ownFolders = ({ folders }: Instance, loud: Tenant) => folders.filter(({ tenant }) => tenant === loud);
const words = ["missing part", "order", "parcel", "shop label", "kind regards", "order 00001"];

const reads = (path: string, loud: Tenant, instance: Instance) =>
  writeReads(path, callsOf("/snippet?id=", ownSnippets(instance, loud)));

/** POST /snippets with 100 texts of this length. */
const bodies =
  (characters: number) =>
  (path: string, tenant: Tenant): void => {
    const content = { type: "plaintext", content: "A line of text.\n".repeat(characters / 16) };
    const item = { title: "Large", content, teamId: tenant.teamId };
    writeRequests(path, [postOf({ tenant, path: "/snippets" }, JSON.stringify({ snippets: Array(100).fill(item) }))]);
  };

const table: readonly Loud[] = [
  { name: "GET /snippet", connections: loudConnections, write: reads },
  {
    name: "GET /snippets, 100 IDs",
    connections: loudConnections,
    write: (path, loud, instance) => writeReads(path, listCallsOf("/snippets?ids=", ownSnippets(instance, loud))),
  },
  {
    name: "GET /folder?limit=100",
    connections: loudConnections,
    write: (path, loud, instance) =>
      writeReads(path, callsOf("/folder?limit=100&folderId=", ownFolders(instance, loud))),
  },
  {
    name: "GET /search",
    connections: loudConnections,
    write: (path, tenant) =>
      writeReads(
        path,
        words.map((query) => ({ tenant, path: `/search?query=${encodeURIComponent(query)}` })),
      ),
  },
  {
    name: "POST /snippets, 100 in each",
    connections: loudConnections,
    write: (path, loud) => writeBatches(path, [loud]),
  },
  {
    name: "POST /snippets, 4 bodies of 6 MB",
    connections: 4,
    write: bodies(60_000),
    atMostMilliseconds: besideBodiesMilliseconds,
  },
  { name: "a flood refused with 429", connections: loudConnections, write: reads, requestsPerMinute: floodedPerMinute },
  {
    name: "a flood refused with 401",
    connections: loudConnections,
    write: (path, { teamId }) =>
      writeReads(
        path,
        Array.from({ length: 1_000 }, () => ({ tenant: { teamId, keys: [newSecret()] }, path: "/teams" })),
      ),
  },
];

export const measureFairness = (directory: string, plan: Plan): Promise<Result[]> =>
  onBothEngines(directory, (create) => measureEngine(create, directory, plan));

async function measureEngine(create: CreateEngine, directory: string, plan: Plan): Promise<Result[]> {
  const engine = await create("fairness");
  const instance = await engine.withDatabase((database) =>
    createInstance(database, { workspaces: 2, keysInWorkspace: 1 }),
  );
  await fillWith(engine, instance, { total: plan.snippets, inFolder }, `Filling ${engine.name}`);
  await engine.refreshStatistics();
  const [loud, quiet] = instance.tenants as [Tenant, Tenant];
  const files = join(directory, `requests-${engine.name}`);
  mkdirSync(files);
  const probe = join(files, "probe");
  reads(probe, quiet, instance);
  const results: Result[] = [];
  for (const { name, connections, write, requestsPerMinute, atMostMilliseconds } of table) {
    const requests = join(files, "loud");
    write(requests, loud, instance);
    const server = await engine.startService(
      requestsPerMinute === undefined ? {} : { COMMONPLACE_REQUESTS_PER_MINUTE: String(requestsPerMinute) },
    );
    const rounds: { idle: number; beside: number }[] = [];
    const seconds = plan.besideSeconds;
    await probeFor(server, probe, warmUpSeconds);
    for (let round = 1; round <= plan.besideRounds; round += 1) {
      showProgress(`Beside ${name}, ${engine.name}`, `round ${round} of ${plan.besideRounds}`);
      const idle = await probeFor(server, probe, seconds);
      // Longer than the probe, however long that takes to start.
      const noise = loadAnyway(server, { requests, connections, seconds: Math.ceil(rampSeconds + seconds + 0.5) });
      await Bun.sleep(rampSeconds * 1_000);
      const beside = await probeFor(server, probe, seconds);
      await noise;
      rounds.push({ idle, beside });
    }
    await server.stop();
    results.push({
      group: `p99 of GET /snippet while another workspace sends, ${engine.name}`,
      name,
      unit: "ms",
      service: median(rounds.map(({ beside }) => beside)),
      baseline: median(rounds.map(({ idle }) => idle)),
      ratio: median(rounds.map(({ idle, beside }) => beside / idle)),
      aim:
        atMostMilliseconds === undefined
          ? { of: "ratio", atMost: ratioMax }
          : { of: "service", atMost: atMostMilliseconds },
    });
  }
  return results;
}

async function probeFor(server: Server, requests: string, seconds: number): Promise<number> {
  const of: Load = { requests, connections: probeConnections, seconds };
  return (await loadOpenly(server, of, probesPerSecond)).p99Milliseconds;
}
