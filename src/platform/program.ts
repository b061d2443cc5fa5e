// The version of this program and the commit it was built from: the one place that knows both.
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };

/** Set by scripts/build.ts in an executable, which has no Git repository beside it. */
declare const builtFromCommit: string | undefined;

export const unknownCommit = "unknown";

export const version: string = manifest.version;

let found: string | undefined;

/** Twelve digits, followed by `-dirty` if files differ from the commit; `unknown` without Git. */
export function sourceCommit(): string {
  found ??= typeof builtFromCommit === "string" ? builtFromCommit : readCommit();
  return found;
}

/** `0.1.0, commit 91d77390a4c2` */
export const describeProgram = (): string => describeVersion(version, sourceCommit());

export const describeVersion = (of: string, commit: string): string =>
  commit === unknownCommit ? of : `${of}, commit ${commit}`;

/** The commit of the clone that this file is in. */
export function readCommit(): string {
  const root = join(import.meta.dir, "../..");
  // Files that were unpacked inside another repository are not part of it.
  if (git(root, "rev-parse", "--show-prefix") !== "") return unknownCommit;
  return git(root, "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*") || unknownCommit;
}

/** What Git prints; undefined if it fails or is not installed. */
function git(directory: string, ...words: string[]): string | undefined {
  try {
    const { success, stdout } = Bun.spawnSync(["git", "-C", directory, ...words], { stderr: "ignore" });
    return success ? stdout.toString().trim() : undefined;
  } catch {
    return undefined;
  }
}
