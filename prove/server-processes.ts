// Processes that proofs end: those of a PostgreSQL server, as a power failure or an operator's kill does, and those that a run left behind.
import { readdirSync, readFileSync } from "node:fs";
import type { PrivatePostgres } from "../test/support/private-postgres.ts";

/** The server's process, which is first, and those that it started: sessions and its background work. Linux only. */
export function processesOf(server: PrivatePostgres): readonly number[] {
  const postmaster = Number(readFileSync(`${server.dataDirectory}/postmaster.pid`, "utf8").split("\n")[0]);
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8");
  return [postmaster, ...children.trim().split(/\s+/).map(Number)];
}

/** The processes that were started with this text in their environment, without this one. Linux only: empty elsewhere. */
export function processesWith(text: string): readonly number[] {
  if (process.platform !== "linux") return [];
  const pids = readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid);
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").includes(text);
    } catch {
      // It has ended, or is another user's.
      return false;
    }
  });
}

/** Kills it, if it still runs. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Starts a server again whenever it has ended, as an operator's system does. */
export function supervise(server: PrivatePostgres) {
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      // It refuses to start while processes of the one before are still ending.
      if (!server.isRunning()) await server.start().catch(() => undefined);
      await Bun.sleep(20);
    }
  })();
  return {
    end: async () => {
      isOver = true;
      await watching;
    },
  };
}
