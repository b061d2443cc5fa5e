// Starts and stops the processes that are measured: the service and the bare server.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";
import { readFirstStart } from "../test/support/first-start.ts";

const here = import.meta.dir;
const unlimited = "1000000000";

/** A response of the service, which the bare server repeats. */
export interface RecordedResponse {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Server {
  readonly pid: number;
  readonly port: number;
  /** What it printed when it was ready, with the secrets of its first start. */
  readonly printed: Readonly<Record<string, unknown>>;
  readonly stop: () => Promise<void>;
}

const running = new Set<Subprocess>();

/** Kills every process that this run started and that still runs. */
export function stopAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Starts a program without settings of the service from this environment. */
function spawn(command: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("COMMONPLACE_"));
  const child = Bun.spawn([...command], {
    env: { ...Object.fromEntries(inherited), ...settings },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  running.add(child);
  void child.exited.then(() => running.delete(child));
  return child;
}

/** Runs a program to its end. @returns what it printed */
export async function runText(command: readonly string[]): Promise<string> {
  const child = spawn(command);
  const text = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} ended with code ${child.exitCode}`);
  return text;
}

/** Runs a program to its end. @returns the JSON of its last line */
export const run = async <Result>(command: readonly string[]): Promise<Result> =>
  JSON.parse((await runText(command)).trimEnd().split("\n").at(-1) ?? "") as Result;

/** Runs a program of this directory to its end. */
export const runScript = <Result>(name: string, ...parameters: readonly (string | number)[]): Promise<Result> =>
  run<Result>([process.execPath, join(here, name), ...parameters.map(String)]);

async function startServer(command: readonly string[], settings?: Readonly<Record<string, string>>): Promise<Server> {
  const child = spawn([process.execPath, ...command], settings);
  let text = "";
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk);
    if (text.endsWith("}\n")) break;
  }
  if (text === "") throw new Error(`${command.join(" ")} did not start (code ${await child.exited})`);
  const printed: Server["printed"] = { ...JSON.parse(text), ...readFirstStart(text) };
  return {
    pid: child.pid,
    port: Number(new URL(String(printed.base_url)).port),
    printed,
    stop: async () => {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

/** Starts the service as an operator does, with limits that count every call and refuse none. Its log is discarded. */
export const startService = (data: string, settings: Readonly<Record<string, string>> = {}): Promise<Server> =>
  startServer([join(here, "../src/main.ts"), "serve", "--json"], {
    COMMONPLACE_DATA_DIRECTORY: data,
    // The same for all nodes on one database.
    COMMONPLACE_INSTANCE_KEY: "the-instance-key-of-all-measurements",
    COMMONPLACE_HTTPS_PORT: "0",
    COMMONPLACE_HTTP_PORT: "off",
    COMMONPLACE_REQUESTS_PER_MINUTE: unlimited,
    COMMONPLACE_MONTHLY_REQUESTS: unlimited,
    ...settings,
  });

export const startBareServer = (tls: string, responsePath: string): Promise<Server> =>
  startServer([join(here, "bare-server.ts"), tls, responsePath]);

/** Ticks of a second in which Linux counts processor time for programs. */
const ticksPerSecond = 100;

/** The processor time that a process has used so far, in seconds, of all its threads. */
export function processorSeconds({ pid }: Server): number {
  if (process.platform === "linux") {
    // The name, in parentheses, may contain spaces; the times of user and system are 11 fields after it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  }
  const text = Bun.spawnSync(["ps", "-o", "time=", "-p", String(pid)]).stdout.toString();
  return text.split(":").reduce((seconds, part) => seconds * 60 + Number(part), 0);
}

/** Resident memory in MB (millions of bytes). */
export function residentMegabytes({ pid }: Server): number {
  const kibibytes =
    process.platform === "linux"
      ? statusOf(pid, "VmRSS")
      : Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]).stdout.toString();
  return (Number(kibibytes) * 1_024) / 1e6;
}

/** The part of it that is not a file's, such as the program or the database, which are mapped. Undefined where the system does not say. */
export function ownMegabytes({ pid }: Server): number | undefined {
  return process.platform === "linux" ? (Number(statusOf(pid, "RssAnon")) * 1_024) / 1e6 : undefined;
}

const statusOf = (pid: number, field: string): string | undefined =>
  new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
