// The processes that are measured: the service and the bare server, each started, asked for its port, and ended by its own pid.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Subprocess } from "bun";

const here = import.meta.dir;
const neverInTheWay = "1000000000";

/** An answer of the service, which the bare server repeats. */
export interface RecordedAnswer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Server {
  readonly pid: number;
  readonly port: number;
  /** What it printed when it was ready. */
  readonly printed: Readonly<Record<string, unknown>>;
  readonly stop: () => Promise<void>;
}

const running = new Set<Subprocess>();

/** Ends whatever this run started and did not end yet. */
export function stopAll(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** Starts a program of this run with the same Bun, without settings from outside. */
function spawn(words: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("COMMONPLACE_"));
  const child = Bun.spawn([...words], {
    env: { ...Object.fromEntries(inherited), ...settings },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
  });
  running.add(child);
  void child.exited.then(() => running.delete(child));
  return child;
}

/** Runs a program to its end. @returns the JSON of its last line */
export async function run<Result>(words: readonly string[]): Promise<Result> {
  const child = spawn(words);
  const lines = (await new Response(child.stdout).text()).trimEnd().split("\n");
  if ((await child.exited) !== 0) throw new Error(`${words.join(" ")} ended with code ${child.exitCode}`);
  return JSON.parse(lines.at(-1) ?? "") as Result;
}

/** Runs a program of this directory to its end. */
export const runScript = <Result>(name: string, ...words: readonly (string | number)[]): Promise<Result> =>
  run<Result>([process.execPath, join(here, name), ...words.map(String)]);

async function serve(words: readonly string[], settings?: Readonly<Record<string, string>>): Promise<Server> {
  const child = spawn([process.execPath, ...words], settings);
  let text = "";
  for await (const chunk of child.stdout) {
    text += new TextDecoder().decode(chunk);
    if (text.endsWith("}\n")) break;
  }
  if (text === "") throw new Error(`${words.join(" ")} did not start (code ${await child.exited})`);
  const printed = JSON.parse(text) as Record<string, unknown>;
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

/** The service as an operator starts it, with a limit that counts every call and refuses none. Its log goes to the null device. */
export const startService = (data: string, settings: Readonly<Record<string, string>> = {}): Promise<Server> =>
  serve([join(here, "../src/main.ts"), "serve", "--json"], {
    COMMONPLACE_DATA: data,
    COMMONPLACE_PORT: "0",
    COMMONPLACE_HTTP_PORT: "off",
    COMMONPLACE_REQUESTS_PER_MINUTE: neverInTheWay,
    COMMONPLACE_MONTHLY_REQUESTS: neverInTheWay,
    ...settings,
  });

export const startBareServer = (tls: string, answerPath: string): Promise<Server> =>
  serve([join(here, "bare-server.ts"), tls, answerPath]);

/** Resident memory in MB (millions of bytes). */
export function residentMegabytes({ pid }: Server): number {
  const kibibytes =
    process.platform === "linux"
      ? /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
      : Bun.spawnSync(["ps", "-o", "rss=", "-p", String(pid)]).stdout.toString();
  return (Number(kibibytes) * 1_024) / 1e6;
}
