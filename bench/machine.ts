// The machine that a run was made on: numbers without it mean nothing.
import { Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { availableParallelism, cpus, loadavg, platform, release, totalmem } from "node:os";
import { join } from "node:path";
import { median } from "./statistics.ts";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGibibytes: number;
  readonly system: string;
  readonly bun: string;
  readonly sqlite: string;
  /** What making 4 KiB durable costs here: the floor below every commit. */
  readonly fsyncMilliseconds: number;
  /** Processes that wanted a core in the last minute. Read before a run, it tells what else the machine was doing. */
  readonly load: number;
}

export const machine = (directory: string): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: availableParallelism(),
  memoryGibibytes: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${release()}`,
  bun: Bun.version,
  sqlite:
    new Database(":memory:").query<{ version: string }, []>("select sqlite_version() as version").get()?.version ?? "",
  fsyncMilliseconds: fsyncMilliseconds(join(directory, "fsync")),
  load: loadavg()[0] ?? 0,
});

function fsyncMilliseconds(path: string): number {
  const file = openSync(path, "w");
  const page = Buffer.alloc(4_096);
  const times = Array.from({ length: 100 }, () => {
    const begunAt = performance.now();
    writeSync(file, page);
    fsyncSync(file);
    return performance.now() - begunAt;
  });
  closeSync(file);
  rmSync(path);
  return median(times);
}
