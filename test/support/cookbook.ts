// The programs of the cookbook as people run them: copied to a directory of their own, with the client as an installed package.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageNames } from "../../scripts/release/names.ts";
import client from "../../sdk/package.json" with { type: "json" };
import { afterAllTests, afterThisTest } from "./cleanup.ts";
import { root } from "./program.ts";
import { type Started, temporaryDirectory } from "./service.ts";

let prepared: Promise<string> | undefined;

/** The directory with the client. */
async function directoryWithClient(): Promise<string> {
  const directory = temporaryDirectory();
  const folder = join(directory, "node_modules", packageNames.client);
  const outdir = join(folder, "dist");
  const { success, logs } = await Bun.build({
    entrypoints: [join(root, "sdk/src/index.ts")],
    outdir,
    target: "browser",
  });
  if (!success) throw new AggregateError(logs, "The client could not be built");
  writeFileSync(join(folder, "package.json"), JSON.stringify(client));
  return directory;
}

export interface Recipe {
  readonly directory: string;
  readonly run: (words: readonly string[], options?: RunOptions) => Promise<Outcome>;
  readonly start: (words: readonly string[], options?: RunOptions) => Bun.Subprocess<Blob, "pipe", "pipe">;
}

export interface RunOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A program of the cookbook with a directory and an environment of its own, with a key that can only access the first team.
 * @param interpreter before the name of the program
 */
export async function openRecipe(started: Started, interpreter: string, program: string): Promise<Recipe> {
  prepared ??= directoryWithClient();
  const shared = await prepared;
  copyFileSync(join(root, "cookbook", program), join(shared, program));
  const directory = temporaryDirectory();
  const ca = join(directory, "ca.crt");
  writeFileSync(ca, started.ca);
  mkdirSync(join(directory, "home"));
  const own = {
    PATH: process.env.PATH ?? "",
    HOME: join(directory, "home"),
    LANG: "C.UTF-8",
    CPL_URL: started.baseUrl,
    CPL_KEY: started.limitedKey.secret,
    CPL_TEAM: started.team.id,
    NODE_EXTRA_CA_CERTS: ca,
    REQUESTS_CA_BUNDLE: ca,
    CURL_CA_BUNDLE: ca,
  };
  const start: Recipe["start"] = (words, { input = "", environment } = {}) => {
    const child = Bun.spawn([interpreter, join(shared, program), ...words], {
      cwd: directory,
      env: { ...own, ...environment },
      stdin: new Blob([input]),
      stdout: "pipe",
      stderr: "pipe",
    });
    afterAllTests(() => child.kill("SIGKILL"));
    return child;
  };
  return {
    directory,
    start,
    run: async (words, options) => {
      const { stdout, stderr, exited } = start(words, options);
      const texts = [new Response(stdout).text(), new Response(stderr).text()] as const;
      const [out, failure, status] = await Promise.all([...texts, exited]);
      return { status, stdout: out, stderr: failure };
    },
  };
}

export interface Received {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

/** A server of somebody else, which a program of the cookbook uses. It ends with the test. */
export function startServer(answer: (request: Received) => Response | Promise<Response>) {
  const received: Received[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const taken = { url: new URL(request.url), headers: request.headers, body: await request.text() };
      received.push(taken);
      return answer(taken);
    },
  });
  afterThisTest(() => server.stop(true));
  return { received, url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}

/** Stands in front of the service, and refuses the first request with 429. */
export function startBusyService(started: Started) {
  let refused = 0;
  return startServer(({ url, headers }) => {
    if (refused === 0) {
      refused += 1;
      return Response.json({ message: "Rate limit exceeded", error: "rate_limit_exceeded" }, refusal);
    }
    const forwarded = new Headers(headers);
    forwarded.delete("host");
    return started.fetch(`${started.baseUrl}${url.pathname}${url.search}`, { headers: forwarded });
  });
}

const refusal = { status: 429, headers: { "Retry-After": "1" } };

/** A fake model that echoes the prompt, unless the given function returns another response. */
export function startModel(respond: (prompt: string) => Response | undefined = () => undefined) {
  const prompts: string[] = [];
  const server = startServer(({ body }) => {
    const prompt: string = JSON.parse(body).messages[0].content;
    const other = respond(prompt);
    if (other) return other;
    prompts.push(prompt);
    return Response.json({ choices: [{ message: { content: `Answer to: ${prompt}` } }] });
  });
  const environment = { MODEL_URL: `${server.url}/v1/chat/completions`, MODEL_KEY: "sk-test", MODEL: "test" };
  return { ...server, prompts, environment };
}
