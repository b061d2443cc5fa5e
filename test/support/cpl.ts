// cpl as people run it: the built program in Node.js, with its own directories, against a real service.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAllTests } from "./cleanup.ts";
import { root } from "./program.ts";
import { type Started, temporaryDirectory } from "./service.ts";
import { type InTerminal, runInTerminal } from "./terminal.ts";

let built: string | undefined;

/** Builds it once for all tests. */
function program(): string {
  if (built) return built;
  const outdir = temporaryDirectory();
  const { success, stderr } = Bun.spawnSync([process.execPath, join(root, "cli/build.ts"), "--outdir", outdir]);
  if (!success) throw new Error(`cpl could not be built: ${stderr}`);
  built = join(outdir, "cpl.js");
  return built;
}

export interface CplOutcome {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CplOptions {
  readonly input?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Cpl {
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The command line of the program itself. */
  readonly command: readonly string[];
  readonly run: (words: readonly string[], options?: CplOptions) => Promise<CplOutcome>;
  /** Standard output of a command that must succeed and say nothing else. */
  readonly print: (words: readonly string[], options?: CplOptions) => Promise<string>;
  readonly inTerminal: (words: readonly string[], environment?: Readonly<Record<string, string>>) => InTerminal;
  /** Puts a shell script first in the search path, in the place of a program of the system. @returns its file */
  readonly standIn: (name: string, script: string) => string;
}

/** A home directory without anything in it. @param service whose address and key are in the environment */
export function openCpl(service?: Started, key = service?.key.secret): Cpl {
  const home = temporaryDirectory();
  const bin = join(home, "bin");
  mkdirSync(bin);
  const ca = join(home, "ca.crt");
  if (service) writeFileSync(ca, service.ca);
  const environment = {
    HOME: home,
    PATH: `${bin}:${process.env.PATH}`,
    LANG: "C.UTF-8",
    ...(service && { CPL_URL: service.baseUrl, CPL_KEY: key ?? "", CPL_CA: ca }),
  };
  const command = [Bun.which("node") ?? process.execPath, program()];
  const run: Cpl["run"] = async (words, { input = "", environment: more } = {}) => {
    const child = Bun.spawn([...command, ...words], {
      env: { ...environment, ...more },
      stdin: typeof input === "string" ? Buffer.from(input) : input,
      stdout: "pipe",
      stderr: "pipe",
    });
    afterAllTests(() => child.kill("SIGKILL"));
    const decode = async (stream: ReadableStream) =>
      new TextDecoder("utf-8", { ignoreBOM: true }).decode(await new Response(stream).bytes());
    const [stdout, stderr, status] = await Promise.all([decode(child.stdout), decode(child.stderr), child.exited]);
    return { status, stdout, stderr };
  };
  return {
    home,
    environment,
    command,
    run,
    print: async (words, options) => {
      const { status, stdout, stderr } = await run(words, options);
      if (status !== 0 || stderr !== "") throw new Error(`cpl ${words.join(" ")} ended with ${status}: ${stderr}`);
      return stdout;
    },
    inTerminal: (words, more) => runInTerminal([...command, ...words], { ...environment, ...more }),
    standIn: (name, script) => {
      const path = join(bin, name);
      writeFileSync(path, `#!/bin/sh\n${script}\n`);
      chmodSync(path, 0o755);
      return path;
    },
  };
}
