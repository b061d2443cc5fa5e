// Machines of a test: each has its own processes and its own files where the tests say so, and all share a network of their own, in which
// each has an address. Only root can make them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterThisFile } from "./cleanup.ts";
import { makeOwnNetwork } from "./own-network.ts";
import { type Outcome, runToEnd } from "./program.ts";

export interface Machine {
  readonly name: string;
  /** The words before a command that run it on this machine. */
  readonly enter: () => readonly string[];
  /** Runs commands as they are on a page, by bash, as root. `sudo` and `systemctl` are those of machine.sh. */
  readonly shell: (commands: string, environment?: Readonly<Record<string, string>>) => Promise<Outcome>;
  /** Kills every process at once, as a power failure does. */
  readonly cutPower: () => Promise<void>;
  readonly boot: () => Promise<void>;
}

export interface MachinePlan {
  readonly name: string;
  readonly address: string;
  /** Own files and directories, by the path at which the machine has them. */
  readonly files: Readonly<Record<string, string>>;
  /** The file to which its services write. */
  readonly log: string;
}

const shellMilliseconds = 120_000;

/** Makes the network, and starts the machines in it. They end with the test file, however it ends. */
export async function startMachines(directory: string, plans: readonly MachinePlan[]): Promise<Machine[]> {
  const { enter } = await makeOwnNetwork(directory);
  if (enter.length === 0) throw new Error("no network can be made here");
  for (const { address } of plans) {
    const { exitCode, stderr } = Bun.spawnSync([...enter, "ip", "address", "add", `${address}/32`, "dev", "lo"]);
    if (exitCode !== 0) throw new Error(String(stderr));
  }
  const machines = plans.map((plan) => makeMachine(plan, enter));
  afterThisFile(() => Promise.all(machines.map((machine) => machine.cutPower())));
  await Promise.all(machines.map((machine) => machine.boot()));
  return machines;
}

function makeMachine({ name, files, log }: MachinePlan, network: readonly string[]): Machine {
  const prelude = readFileSync(join(import.meta.dir, "machine.sh"), "utf8");
  // The first process adopts and reaps those whose parents have ended, and ends when the test does.
  const script = `${Object.entries(files)
    .map(([path, own]) => `mount --bind '${own}' '${path}' && `)
    .join("")}echo ready && while read -r -t 1 _ || [ $? -gt 128 ]; do :; done`;
  let running: Bun.Subprocess<"pipe", "pipe", "inherit"> | undefined;
  let first = 0;
  const enter = () => ["nsenter", `--target=${first}`, "--mount", "--pid", "--net", "--"];
  return {
    name,
    enter,
    shell: (commands, environment = {}) =>
      runToEnd(
        [...enter(), "bash", "-euo", "pipefail", "-c", `${prelude}\n${commands}`],
        { MACHINE_LOG: log, ...environment },
        "/",
        shellMilliseconds,
      ),
    cutPower: async () => {
      running?.kill("SIGKILL");
      await running?.exited;
      running = undefined;
    },
    boot: async () => {
      const namespaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
      running = Bun.spawn([...network, ...namespaces, "bash", "-c", script], { stdin: "pipe", stdout: "pipe" });
      const { done } = await running.stdout.getReader().read();
      if (done) throw new Error(`the machine ${name} did not start`);
      first = Number(readFileSync(`/proc/${running.pid}/task/${running.pid}/children`, "utf8").trim());
    },
  };
}
