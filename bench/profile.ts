// `--profile`: where the time of a call goes, by folder, by file and, for the database, by who asks it.
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { postgresEngine, sqliteEngine } from "./engines.ts";
import { fillWith } from "./fill.ts";
import { createInstance, type Instance } from "./instance.ts";
import { load, type Round } from "./load.ts";
import type { Plan } from "./plan.ts";
import { refreshStatistics, startDatabase } from "./postgres.ts";
import { processorSeconds } from "./processes.ts";
import { type CpuProfile, formatShares, type Sample, samplesOf, sumBy } from "./profile-samples.ts";
import { showProgress } from "./progress.ts";
import { callsOf, listCallsOf, writeBatches, writeReads } from "./requests.ts";

const keys = 64;
const snippetsInFolder = 1_000;
const root = join(import.meta.dir, "..");

/** What can be profiled, by the names that `--call` takes. */
export const profiledCalls: Readonly<
  Record<string, { readonly connections: number; readonly write: (path: string, instance: Instance) => void }>
> = {
  snippet: {
    connections: 64,
    write: (path, { snippets }) => writeReads(path, callsOf("/snippet?id=", snippets)),
  },
  folder: {
    connections: 64,
    write: (path, { folders }) => writeReads(path, callsOf("/folder?folderId=", folders, "&limit=100")),
  },
  snippets: {
    connections: 64,
    write: (path, { snippets }) => writeReads(path, listCallsOf("/snippets?ids=", snippets)),
  },
  batch: { connections: 8, write: (path, { tenants }) => writeBatches(path, tenants) },
};

const engines = ["sqlite", "postgres"];

export interface ProfileOptions {
  readonly call: string;
  readonly engine: string;
}

/** @param directory must exist. @returns the report, line by line */
export async function profile(
  directory: string,
  { snippets, profileSeconds }: Plan,
  { call, engine: engineName }: ProfileOptions,
): Promise<string[]> {
  const called = profiledCalls[call];
  if (!engines.includes(engineName)) throw new Error(`no engine ${engineName}. The engines are ${engines.join(", ")}`);
  if (!called) throw new Error(`no call ${call}. The calls are ${Object.keys(profiledCalls).join(", ")}`);
  const [requests, output] = [join(directory, "requests"), join(directory, "profile")];
  mkdirSync(output);
  const server = engineName === "postgres" ? await startDatabase() : undefined;
  try {
    const engine = server ? postgresEngine(directory, server.url) : sqliteEngine(directory);
    const instance = await engine.withDatabase((database) =>
      createInstance(database, { workspaces: 1, keysInWorkspace: keys }),
    );
    await fillWith(engine, instance, { total: snippets, inFolder: snippetsInFolder }, "Creating snippets");
    if (server) await refreshStatistics(server.url);
    called.write(requests, instance);
    const service = await engine.startService({ BUN_OPTIONS: `--cpu-prof --cpu-prof-dir ${output}` });
    showProgress("Profiling", "warming up");
    await load(service, { requests, connections: called.connections, seconds: 2 });
    showProgress("Profiling", `${profileSeconds} seconds`);
    const secondsBefore = processorSeconds(service);
    const round = await load(service, { requests, connections: called.connections, seconds: profileSeconds });
    const processor = processorSeconds(service) - secondsBefore;
    await service.stop();
    const [name = ""] = readdirSync(output);
    const kept = join(tmpdir(), `commonplace-${call}-${Date.now()}.cpuprofile`);
    copyFileSync(join(output, name), kept);
    const read = JSON.parse(readFileSync(kept, "utf8")) as CpuProfile;
    return [
      `${engine.name}, ${call}: ${describe(round, processor, profileSeconds)}`,
      ...format(samplesOf(read, profileSeconds), profileSeconds),
      "",
      `The profile, for the developer tools of a browser: ${kept}`,
    ];
  } finally {
    await server?.stop();
  }
}

const describe = ({ calls, perSecond }: Round, processor: number, seconds: number): string =>
  [
    `${Math.round(perSecond).toLocaleString("en-US")} calls/s while profiled`,
    `${Math.round((processor / calls) * 1e6).toLocaleString("en-US")} µs of CPU time each`,
    `${Math.round((processor / seconds) * 100)} % of a processor`,
  ].join(", ");

const isDatabase = (path: string) => path.startsWith("src/platform/database/");
const runtime = "the runtime alone";

function format(samples: readonly Sample[], seconds: number): string[] {
  const own = samples.map((sample) => ({
    ...sample,
    frames: sample.frames
      .map(({ path, name }) => ({ path: relative(root, path), name }))
      .filter(({ path }) => !path.startsWith("..")),
  }));
  const byFile = sumBy(own, ({ frames: [nearest] }) => nearest?.path ?? runtime);
  const byFolder = sumBy(own, ({ frames: [nearest] }) => folderOf(nearest?.path));
  const asked = own.filter(({ frames: [nearest] }) => nearest && isDatabase(nearest.path));
  const byAsker = sumBy(asked, ({ frames }) => {
    const asker = frames.find(({ path }) => !isDatabase(path));
    return asker ? `${asker.name || "…"}  ${asker.path}` : "the database module itself: begin, commit, and groups";
  });
  const inNative = own.filter(({ native }) => native !== undefined);
  const byNative = sumBy(inNative, ({ native, frames: [nearest] }) => `${native}  from ${nearest?.path ?? runtime}`);
  const seen = own.reduce((sum, { seconds }) => sum + seconds, 0);
  return [
    `JavaScript, and what it calls and waits for: ${Math.round((seen / seconds) * 100)} % of the time.`,
    "The rest is HTTP, TLS and waiting for calls.",
    ...formatShares("By folder", byFolder, seen),
    ...formatShares("By file", byFile, seen),
    ...formatShares("In the database, by caller", byAsker, seen),
    ...formatShares("Functions of the runtime", byNative, seen),
  ];
}

function folderOf(path: string | undefined): string {
  if (path === undefined) return runtime;
  const words = path.split("/");
  return words[0] === "node_modules" ? words.slice(0, 2).join("/") : words.slice(0, -1).join("/");
}
