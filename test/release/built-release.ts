// A release, built as `npm run release` builds it, for the tests of what is in it.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
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

/** The release that TEST_RELEASE names, or a new one. */
export const findRelease = async (): Promise<BuiltRelease> => {
  const given = process.env.TEST_RELEASE;
  return given === undefined ? await buildIn(root, []) : releaseIn(resolve(root, given), largeDirectory());
};

/**
 * Builds a release from a copy of the project in another directory: nothing that is built may contain a path of the machine. The copy is
 * inside the project, where links can be made instead of copies.
 */
export async function buildElsewhere(...options: readonly string[]): Promise<BuiltRelease> {
  const copy = join(root, "dist/elsewhere");
  const remove = () => rmSync(copy, { recursive: true, force: true });
  remove();
  afterAllTests(remove);
  const script = `mkdir -p ${copy} && git ls-files -z --cached --others --exclude-standard |
    xargs -0 cp --parents --link --target-directory=${copy} && cp --archive --link node_modules ${copy}/ && echo "gitdir: $(git rev-parse --absolute-git-dir)" >${copy}/.git`;
  const copied = await runToEnd(["sh", "-c", script], {}, root, buildMilliseconds);
  if (copied.status !== 0) throw new Error(copied.stderr);
  return buildIn(copy, options);
}

/** @throws Error with what was printed, if the build failed */
async function buildIn(project: string, options: readonly string[]): Promise<BuiltRelease> {
  const parent = largeDirectory();
  const directory = join(parent, "release");
  const words = [process.execPath, join(project, "scripts/release.ts"), "--outdir", directory, ...options];
  const { status, stdout, stderr } = await runToEnd(words, {}, project, buildMilliseconds);
  if (status !== 0) throw new Error(`the release was not built:\n${stdout}${stderr}`);
  return releaseIn(directory, parent);
}

/** @param unpackedIn where archives are unpacked */
function releaseIn(directory: string, unpackedIn: string): BuiltRelease {
  const path = (name: string) => join(directory, name);
  const lines = readFileSync(path("SHA256SUMS"), "utf8").trimEnd().split("\n");
  return {
    directory,
    path,
    sums: new Map(lines.map((line) => line.split("  ")).map(([sum = "", name = ""]) => [name, sum])),
    unpack: async (name) => {
      const to = join(unpackedIn, `unpacked-${name}`);
      if (existsSync(to)) return to;
      mkdirSync(to);
      const unpacked = await runToEnd(["tar", "--extract", "--file", path(name), "--directory", to]);
      if (unpacked.status !== 0) throw new Error(unpacked.stderr);
      return to;
    },
  };
}
