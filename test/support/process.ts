// The real program in a process of its own, for what only a process can show: its end, its log, a second node, a kill.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Commonplace } from "../../sdk/src/index.ts";

const root = join(import.meta.dir, "../..");
const main = join(root, "src/main.ts");

const running = new Set<Bun.Subprocess>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** The environment of the tests, without settings that somebody may have set there. */
const environmentWith = (settings: Readonly<Record<string, string>>): Record<string, string | undefined> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("COMMONPLACE_"))),
  ...settings,
});

/** What the program says of itself at its start; the workspace only at the first. */
interface Announcement {
  readonly base_url: string;
  readonly workspace_id?: string;
  readonly team_id?: string;
  readonly key?: string;
}

export interface ServiceProcess {
  readonly baseUrl: string;
  readonly port: number;
  readonly announced: Announcement;
  /** `fetch` that trusts this service's certificate. */
  readonly fetch: typeof fetch;
  readonly clientFor: (apiKey: string) => Commonplace;
  /** What it wrote to standard error so far. */
  readonly log: () => string;
  readonly kill: (signal: "SIGKILL" | "SIGTERM") => void;
  /** The exit status, or null where a signal ended it, when the process and its output have ended. */
  readonly ended: Promise<number | null>;
}

/** Starts `serve` on a port of the system's choice and waits until it says that it runs. */
export async function spawnService(
  dataDirectory: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const child = Bun.spawn([process.execPath, main, "serve", "--json"], {
    cwd: root,
    env: environmentWith({
      COMMONPLACE_DATA: dataDirectory,
      COMMONPLACE_PORT: "0",
      COMMONPLACE_HTTP_PORT: "off",
      COMMONPLACE_REQUESTS_PER_MINUTE: "1000000",
      ...settings,
    }),
    stdout: "pipe",
    stderr: "pipe",
  });
  running.add(child);
  let log = "";
  const logEnded = read(child.stderr, (text) => {
    log += text;
  });
  const announced = await new Promise<Announcement>((resolve, reject) => {
    let output = "";
    read(child.stdout, (text) => {
      output += text;
      const said = parsed(output);
      if (said) resolve(said);
    }).then(() => reject(new Error(`the service did not start: ${output}${log}`)), reject);
  });
  const ca = readFileSync(join(dataDirectory, "tls/ca.crt"), "utf8");
  const trustingFetch = ((input: string | URL | Request, init?: RequestInit) =>
    fetch(input, { ...init, tls: { ca } })) as typeof fetch;
  return {
    baseUrl: announced.base_url,
    port: Number(new URL(announced.base_url).port),
    announced,
    fetch: trustingFetch,
    clientFor: (apiKey) => new Commonplace({ baseUrl: announced.base_url, apiKey, fetch: trustingFetch }),
    log: () => log,
    kill: (signal) => child.kill(signal),
    ended: Promise.all([child.exited, logEnded]).then(() => {
      running.delete(child);
      return child.exitCode;
    }),
  };
}

/** One command of the operator's, in a process of its own, without blocking the tests' own service. */
export async function runCommand(dataDirectory: string, ...words: string[]): Promise<{ status: number; output: string }> {
  const child = Bun.spawn([process.execPath, main, ...words], {
    cwd: root,
    env: environmentWith({ COMMONPLACE_DATA: dataDirectory }),
    stdout: "pipe",
    stderr: "pipe",
  });
  running.add(child);
  const [status, ...texts] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  running.delete(child);
  return { status, output: texts.join("") };
}

async function read(stream: ReadableStream<Uint8Array>, take: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) take(decoder.decode(chunk, { stream: true }));
}

function parsed(text: string): Announcement | undefined {
  try {
    return JSON.parse(text) as Announcement;
  } catch {
    return undefined;
  }
}
