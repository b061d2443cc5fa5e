// Calls that read on SQLite, compared with a bare server that sends the same bytes.
import { join } from "node:path";
import {
  alternate,
  medianResult,
  memoryResults,
  p99Result,
  processorResult,
  rateResult,
  readMemory,
  type Servers,
  type ShowProgress,
  withMemory,
} from "./compare.ts";
import { loadOpenly } from "./load.ts";
import type { Plan } from "./plan.ts";
import type { Server } from "./processes.ts";
import { showProgress } from "./progress.ts";
import type { Result } from "./report.ts";
import { type Call, callsOf, listCallsOf, writeReads } from "./requests.ts";
import { type Site, startBareTwin } from "./site.ts";

const connections = 64;
const openLoopCallsPerSecond = 2_000;
const idleMegabytesMax = 90;
const loadedMegabytesMax = 150;

/** What the aims of a ratio to the bare server are. */
const aims = { snippet: 0.3, folder: 0.15, snippets: 0.15, p99: 3 } as const;

const numbers = (value: number) => value.toLocaleString("en-US");

/** Starts a bare server for a call, measures, and stops it. */
async function besideTwin<T>(
  { directory }: Site,
  service: Server,
  calls: readonly Call[],
  measure: (servers: Servers, requests: string, kilobytes: number) => Promise<T>,
): Promise<T> {
  const requests = join(directory, "requests");
  writeReads(requests, calls);
  const { bare, bodyBytes } = await startBareTwin(directory, service, calls[0] as Call);
  try {
    return await measure({ service, bare }, requests, Math.round(bodyBytes / 1_000));
  } finally {
    await bare.stop();
  }
}

/** One snippet, a page of a folder, and a hundred snippets, with many keys of one workspace. */
export async function measureReads(site: Site, { rounds, seconds, singleSeconds, openLoopSeconds }: Plan) {
  const { snippets, folders } = site.instance;
  const keys = site.instance.tenants[0]?.keys.length ?? 0;
  const show =
    (step: string): ShowProgress =>
    (text) =>
      showProgress(step, text);
  const service = await site.engine.startService();
  const load = { connections, seconds };

  const single = await besideTwin(site, service, callsOf("/snippet?id=", snippets), async (servers, requests) => {
    await Bun.sleep(1_000);
    const idle = readMemory(servers);
    const group = `GET /snippet, ${connections} connections, ${keys} keys`;
    const { value: pairs, memory } = await withMemory(servers, () =>
      alternate(servers, rounds, { ...load, requests }, show("GET /snippet")),
    );
    const [openGroup, aloneGroup] = [
      `GET /snippet, open loop, ${numbers(openLoopCallsPerSecond)}/s`,
      "GET /snippet, 1 connection",
    ];
    const openly = await alternate(
      servers,
      rounds,
      { connections, seconds: openLoopSeconds, requests },
      show("GET /snippet, open loop"),
      { run: (server, of) => loadOpenly(server, of, openLoopCallsPerSecond), isWarm: true },
    );
    const alone = await alternate(
      servers,
      rounds,
      { connections: 1, seconds: singleSeconds, requests },
      show("GET /snippet, one at a time"),
      { isWarm: true },
    );
    return [
      rateResult(group, pairs, aims.snippet),
      processorResult(group, pairs),
      medianResult(group, pairs),
      p99Result(group, pairs),
      medianResult(openGroup, openly),
      p99Result(openGroup, openly, { of: "ratio", atMost: aims.p99 }),
      medianResult(aloneGroup, alone),
      p99Result(aloneGroup, alone),
      ...memoryResults("idle", idle, idleMegabytesMax),
      ...memoryResults(`${connections} connections`, memory, loadedMegabytesMax),
    ] satisfies Result[];
  });

  const compare = async (name: string, calls: readonly Call[], atLeast: number): Promise<Result[]> =>
    besideTwin(site, service, calls, async (servers, requests, kilobytes) => {
      const group = `${name}, ${kilobytes} KB`;
      const pairs = await alternate(servers, rounds, { ...load, requests }, show(name));
      return [rateResult(group, pairs, atLeast), processorResult(group, pairs)];
    });
  const page = await compare("GET /folder?limit=100", callsOf("/folder?folderId=", folders, "&limit=100"), aims.folder);
  const list = await compare("GET /snippets, 100 IDs", listCallsOf("/snippets?ids=", snippets), aims.snippets);
  await service.stop();
  return [...single, ...page, ...list];
}

/** One snippet, with so many keys of so many workspaces that each call finds another one. */
export async function measureCrowd(site: Site, { rounds, seconds }: Plan): Promise<Result[]> {
  const { tenants, snippets } = site.instance;
  const keys = tenants.reduce((sum, tenant) => sum + tenant.keys.length, 0);
  const service = await site.engine.startService();
  const results = await besideTwin(site, service, callsOf("/snippet?id=", snippets), async (servers, requests) => {
    const group = `GET /snippet, ${connections} connections, ${numbers(keys)} keys of ${numbers(tenants.length)} workspaces`;
    const { value: pairs, memory } = await withMemory(servers, () =>
      alternate(servers, rounds, { connections, seconds, requests }, (text) =>
        showProgress("GET /snippet, many keys", text),
      ),
    );
    return [
      rateResult(group, pairs, aims.snippet),
      processorResult(group, pairs),
      p99Result(group, pairs),
      ...memoryResults(`${numbers(keys)} keys`, memory, loadedMegabytesMax),
    ] satisfies Result[];
  });
  await service.stop();
  return results;
}
