// Root directories for images, made of this machine's own files.
import { copyFileSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Podman } from "./podman.ts";

/** Copies a file to the same path in a root. */
export function copyProgram(root: string, path: string, to = path): void {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  copyFileSync(realpathSync(path), join(root, to));
}

/** Copies the libraries that a program loads, and their loader. */
export function copyLibraries(root: string, program: string): void {
  const { stdout } = Bun.spawnSync(["ldd", program]);
  for (const [, path = ""] of stdout.toString().matchAll(/(?:^|\s)(\/\S+) \(0x/g)) copyProgram(root, path);
}

/** Makes an image of one layer. @param options of `podman import` */
export async function importRoot(
  podman: Podman,
  root: string,
  name: string,
  options: readonly string[] = [],
): Promise<void> {
  const archive = `${root}.tar`;
  const { exitCode, stderr } = Bun.spawnSync(["tar", "--create", "--file", archive, "--directory", root, "."]);
  if (exitCode !== 0) throw new Error(`tar ended with ${exitCode}: ${stderr}`);
  await podman.run("import", "--quiet", ...options, archive, name);
}
