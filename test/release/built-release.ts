// A release, built as `npm run release` builds it, for the tests of what is in it.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import program from "../../package.json" with { type: "json" };
import { afterAllTests } from "../support/cleanup.ts";
import { root, runToEnd } from "../support/program.ts";

export const { version } = program;

/** Building takes minutes. */
export const buildMilliseconds = 900_000;

export interface BuiltRelease {
  readonly directory: string;
  readonly path: (name: string) => string;
  /** The checksums by name. */
  readonly sums: ReadonlyMap<string, string>;
  /** Unpacks a tar archive, once. @returns the directory that it is in now */
  readonly unpack: (name: string) => Promise<string>;
}

/** On a disk: executables for all platforms do not fit into memory. */
const largeDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), "commonplace-test-release-"));
  afterAllTests(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
};

/** @param options of `npm run release` @throws Error with what was printed, if the build failed */
export async function buildRelease(...options: readonly string[]): Promise<BuiltRelease> {
  const directory = join(largeDirectory(), "release");
  const words = [process.execPath, join(root, "scripts/release.ts"), "--outdir", directory, ...options];
  const { status, stdout, stderr } = await runToEnd(words, {}, root, buildMilliseconds);
  if (status !== 0) throw new Error(`the release was not built:\n${stdout}${stderr}`);
  const path = (name: string) => join(directory, name);
  const lines = readFileSync(path("SHA256SUMS"), "utf8").trimEnd().split("\n");
  return {
    directory,
    path,
    sums: new Map(lines.map((line) => line.split("  ")).map(([sum = "", name = ""]) => [name, sum])),
    unpack: async (name) => {
      const to = `${directory}-${name}`;
      if (existsSync(to)) return to;
      mkdirSync(to);
      const unpacked = await runToEnd(["tar", "--extract", "--file", path(name), "--directory", to]);
      if (unpacked.status !== 0) throw new Error(unpacked.stderr);
      return to;
    },
  };
}
