// The files that a command is given: one, or all of a directory.
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import type { GivenFile } from "../../library/formats/open-files.ts";
import { readLimits } from "../../library/formats/read-limits.ts";
import { OperatorError } from "../../platform/operator-error.ts";

/** @throws OperatorError for what is not there, or is too large to be read */
export function readGivenFiles(path: string): GivenFile[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new OperatorError(`${path} does not exist`);
  if (!stat.isDirectory()) {
    requireSize(path, stat.size);
    return [{ path: basename(path), bytes: readFileSync(path) }];
  }
  const paths = [...new Bun.Glob("**/*").scanSync({ cwd: path, dot: true })].sort();
  if (paths.length > readLimits.filesMax)
    throw new OperatorError(`${path} has more than ${readLimits.filesMax} files. Import its folders one by one`);
  requireSize(
    path,
    paths.reduce((sum, each) => sum + statSync(join(path, each)).size, 0),
  );
  return paths.map((each) => ({ path: each.replaceAll("\\", "/"), bytes: readFileSync(join(path, each)) }));
}

function requireSize(path: string, bytes: number): void {
  const mebibytes = readLimits.sourceBytesMax / 1024 / 1024;
  if (bytes > readLimits.sourceBytesMax)
    throw new OperatorError(
      `${path} is larger than ${mebibytes} MiB and is not a complete Commonplace archive. Import it in parts`,
    );
}

/** The same for the same files, read in the same way. */
export function hashFiles(files: readonly GivenFile[], how: unknown): string {
  const hash = createHash("sha256").update(JSON.stringify(how));
  for (const { path, bytes } of files) hash.update(JSON.stringify([path, bytes.length])).update(bytes);
  return hash.digest("hex");
}
