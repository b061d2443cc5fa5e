// Describes the machine, the day, and the commit of a run: numbers mean nothing without them.
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
  /** The time to make 4 KiB durable: no commit is faster. */
  readonly fsyncMilliseconds: number;
  /** Load average of the last minute. Read before a run, it shows what else the machine was doing. Undefined if it was not recorded. */
  readonly load?: number;
}

export const describeMachine = (directory: string): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? "unknown",
  cores: availableParallelism(),
  memoryGibibytes: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${release()}`,
  bun: Bun.version,
  sqlite:
    new Database(":memory:").query<{ version: string }, []>("select sqlite_version() as version").get()?.version ?? "",
  fsyncMilliseconds: measureFsync(join(directory, "fsync")),
  load: loadavg()[0] ?? 0,
});

function measureFsync(path: string): number {
  const file = openSync(path, "w");
  const page = Buffer.alloc(4_096);
  const times = Array.from({ length: 100 }, () => {
    const startedAt = performance.now();
    writeSync(file, page);
    fsyncSync(file);
    return performance.now() - startedAt;
  });
  closeSync(file);
  rmSync(path);
  return median(times);
}

/** When something was measured, and what. */
export interface Origin {
  /** Such as 2026-11-24. */
  readonly date: string;
  /** Undefined if the source is not in a repository. */
  readonly commit?: string;
}

export function originOf(now: Date): Origin {
  const { success, stdout } = Bun.spawnSync(["git", "rev-parse", "--short=8", "HEAD"], {
    cwd: import.meta.dir,
    stderr: "ignore",
  });
  return { date: now.toISOString().slice(0, 10), ...(success && { commit: stdout.toString().trim() }) };
}
