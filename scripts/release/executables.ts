// Builds the executables of the server and of cpl for a platform.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Platform } from "./platforms.ts";
import { run } from "./run.ts";
import { unpackRuntime } from "./runtimes.ts";

export interface Executables {
  readonly server: Uint8Array;
  readonly cpl: Uint8Array;
}

/** @param directory for what is built on the way */
export function buildExecutables(platform: Platform, directory: string): Executables {
  const runtime = unpackRuntime(platform, join(directory, `runtime-${platform.name}`));
  const options = ["--target", platform.target, "--runtime", runtime, "--outdir", directory];
  run([process.execPath, "scripts/build.ts", ...options]);
  run([process.execPath, "cli/build.ts", "--compile", ...options]);
  const read = (program: string) => readFileSync(join(directory, `${program}-${platform.name}`));
  return { server: read("commonplace"), cpl: read("cpl") };
}
