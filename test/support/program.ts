// The program as operators run it: real ./commonplace processes, each with its own environment and data directory.

import { expect } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAllTests } from "./cleanup.ts";
import { databaseSettings } from "./engine.ts";
import { type FirstStart, readFirstStart } from "./first-start.ts";
import { testInstanceKey } from "./instance-key.ts";

export { freePort } from "./ports.ts";

export const root = join(import.meta.dir, "../..");
/** The program as the README runs it, from source. */
export const fromSource = join(root, "commonplace");

/** The executable that `npm test` builds first, which starts in a third of the time; undefined without one. */
export const built: string | undefined = process.env.TEST_PROGRAM || undefined;

/** The start of a command line, without a shell. */
export const program: readonly string[] = built ? [built] : [process.execPath, join(root, "src/main.ts")];

const runMilliseconds = 60_000;

const running = new Set<Bun.Subprocess>();
afterAllTests(() => {
  for (const child of running) child.kill("SIGKILL");
});

export type Settings = Readonly<Record<string, string>>;

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** This process's environment without Commonplace's settings, plus the test's settings and the data directory's database. */
export async function environment(settings: Settings, words: readonly string[] = []): Promise<Record<string, string>> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(COMMONPLACE_|NO_COLOR|FORCE_COLOR)/.test(name));
  const data = dataOf(words) ?? settings.COMMONPLACE_DATA_DIRECTORY;
  const database = data ? await databaseSettings(data) : {};
  const key = "COMMONPLACE_INSTANCE_KEY_FILE" in settings ? {} : { COMMONPLACE_INSTANCE_KEY: testInstanceKey };
  return { ...Object.fromEntries(inherited), ...key, ...database, ...settings } as Record<string, string>;
}

/** The data directory that a command line names. */
const dataOf = (words: readonly string[]): string | undefined =>
  words.find((_, index) => words[index - 1] === "--data") ??
  words.find((word) => word.startsWith("--data="))?.slice("--data=".length);

/** Runs a command to its end. */
export const run = (words: readonly string[], settings: Settings = {}): Promise<Outcome> =>
  runToEnd([...program, ...words], settings);

/** Runs ./commonplace itself to its end. */
export const runExecutable = (words: readonly string[], settings: Settings = {}, cwd = root): Promise<Outcome> =>
  runToEnd([fromSource, ...words], settings, cwd);

/** @param milliseconds after which the program is killed: where a refusal was expected, the service may serve instead */
export async function runToEnd(
  words: readonly string[],
  settings: Settings = {},
  cwd = root,
  milliseconds = runMilliseconds,
): Promise<Outcome> {
  const child = Bun.spawn([...words], {
    cwd,
    env: await environment(settings, words),
    stdout: "pipe",
    stderr: "pipe",
    timeout: milliseconds,
    killSignal: "SIGKILL",
  });
  running.add(child);
  const [stdout, stderr, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  running.delete(child);
  return { status, stdout, stderr };
}

/**
 * Starts a service that must be refused. Fails unless standard error is lines of JSON.
 * @returns the refusal as a terminal shows it
 */
export async function runRefused(settings: Settings): Promise<Outcome> {
  const { stderr, ...outcome } = await run(["serve"], {
    COMMONPLACE_HTTPS_PORT: "0",
    COMMONPLACE_HTTP_PORT: "off",
    ...settings,
  });
  const lines = stderr.split("\n").map((line) => {
    const { message, cause } = line === "" ? {} : JSON.parse(line);
    return message === "service ended" ? `commonplace: ${cause}` : line;
  });
  return { ...outcome, stderr: lines.join("\n") };
}

/** Runs a command with --json. Fails unless it exits with this status, prints exactly one JSON value in one line, and leaves standard error empty. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came, and asserts on it.
export async function runJson(words: readonly string[], settings: Settings = {}, expected = 0): Promise<any> {
  const { status, stdout, stderr } = await run([...words, "--json"], settings);
  expect({ status, stderr }).toEqual({ status: expected, stderr: "" });
  expect(stdout).toEndWith("\n");
  const value = JSON.parse(stdout);
  // What a terminal would act on is escaped.
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  expect(stdout).toBe(`${JSON.stringify(value).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escaped)}\n`);
  return value;
}

/** Creates a workspace with a team and a key for all teams, by commands. */
export async function makeWorkspace(settings: Settings) {
  const workspace: string = (await runJson(["workspace", "create", "--name", "Made for a test"], settings)).id;
  const [team, key] = await Promise.all([
    runJson(["team", "create", "--workspace", workspace, "--name", "Its team"], settings),
    runJson(["key", "create", "--workspace", workspace, "--name", "Its key", "--all-teams"], settings),
  ]);
  return { workspace, team: String(team.id), key: String(key.id), secret: String(key.secret) };
}

/** Fails unless every line fits into a terminal of 80 columns. */
export const expectFitting = (text: string): void => {
  for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
};

/** Fails unless the command exited with this status, printed nothing to standard output, and exactly this to standard error. */
export function expectFailure(outcome: Outcome, status: 1 | 2, message: string, hint?: string): void {
  const period = /\. [A-Z]/.test(message) && !message.endsWith("?") ? "." : "";
  const lines = [`commonplace: ${message}${period}`, ...(hint === undefined ? [] : [`Try: ${hint}`]), ""];
  expect(outcome).toEqual({ status, stdout: "", stderr: lines.join("\n") });
}

export interface Program {
  readonly pid: number;
  /** What it printed on standard output until it was ready. */
  readonly announcement: string;
  readonly first: FirstStart;
  readonly baseUrl: string;
  readonly ca: string;
  /** Everything printed so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly kill: (signal: "SIGTERM" | "SIGINT" | "SIGHUP" | "SIGKILL") => void;
  readonly exited: Promise<number>;
  readonly call: (method: string, path: string, key: string, body?: unknown) => Promise<Response>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

/** Starts `serve` on ports that the system chooses, unless the settings name them. Fails when the service ends instead of serving. */
export async function serve(
  settings: Settings,
  words: readonly string[] = [],
  executable = built ?? fromSource,
): Promise<Program> {
  const child = Bun.spawn([executable, "serve", ...words], {
    cwd: root,
    env: await environment({ COMMONPLACE_HTTPS_PORT: "0", COMMONPLACE_HTTP_PORT: "off", ...settings }, words),
    stdout: "pipe",
    stderr: "pipe",
  });
  running.add(child);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  // The service writes to standard output once, when it is ready.
  const announcement = await stdout.until((text) => text.endsWith("\n"));
  if (announcement === undefined) throw new Error(`serve ended with ${await child.exited}: ${await stderr.all}`);
  const baseUrl = /https:\/\/[^\s"]+?(?=["\s])/.exec(announcement)?.[0] ?? "";
  const data = dataOf(words) ?? settings.COMMONPLACE_DATA_DIRECTORY ?? "";
  const ca = settings.COMMONPLACE_TLS_CERT_FILE ?? join(data, "tls/ca.crt");
  return {
    pid: child.pid,
    announcement,
    first: readFirstStart(announcement),
    baseUrl,
    ca,
    stdout: stdout.soFar,
    stderr: stderr.soFar,
    kill: (signal) => child.kill(signal),
    exited: Promise.all([child.exited, stdout.all, stderr.all]).then(([status]) => {
      running.delete(child);
      return status;
    }),
    call: (method, path, key, body) =>
      fetch(`${baseUrl}${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}` },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        tls: { ca: readFileSync(ca, "utf8") },
      }),
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}

/** Reads a stream to its end; `until` resolves when the text so far is sufficient. */
function collect(stream: ReadableStream<Uint8Array>) {
  let text = "";
  const waiting: (() => void)[] = [];
  const all = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      text += decoder.decode(chunk, { stream: true });
      for (const wake of waiting.splice(0)) wake();
    }
    return text;
  })();
  return {
    all,
    soFar: () => text,
    /** The text so far once `isEnough` accepts it; undefined if the stream ends first. */
    until: async (isEnough: (text: string) => boolean): Promise<string | undefined> => {
      for (;;) {
        if (isEnough(text)) return text;
        const isEnded = await Promise.race([
          new Promise<false>((resolve) => waiting.push(() => resolve(false))),
          all.then(() => true),
        ]);
        if (isEnded) return isEnough(text) ? text : undefined;
      }
    },
  };
}
