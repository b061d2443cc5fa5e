// Secrets of a start that nobody watches in a terminal: each goes to a file of the data directory that only its owner may read, because
// standard output may be a log that others read.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const secretFiles = { key: "first-api-key.txt", link: "setup-link.txt", signIn: "sign-in-link.txt" } as const;
type SecretFile = keyof typeof secretFiles;

const secretFilePath = (dataDirectory: string, file: SecretFile): string =>
  resolve(join(dataDirectory, secretFiles[file]));

/** A file that was written, or why it could not be. */
export interface WrittenSecret {
  readonly path: string;
  readonly failure: string | undefined;
}

/** Replaces the file as a whole, so that nobody reads half of it. */
export function writeSecretFile(dataDirectory: string, file: SecretFile, lines: readonly string[]): WrittenSecret {
  const path = secretFilePath(dataDirectory, file);
  const partial = `${path}.${process.pid}.new`;
  try {
    mkdirSync(dataDirectory, { recursive: true, mode: 0o700 });
    rmSync(partial, { force: true });
    writeFileSync(partial, `${lines.join("\n")}\n`, { mode: 0o600, flag: "wx" });
    renameSync(partial, path);
    return { path, failure: undefined };
  } catch (error) {
    removeQuietly(partial);
    return { path, failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Removes a secret that no longer works. Fails silently: a file that stays does no harm. */
export const removeSecretFile = (dataDirectory: string, file: SecretFile): void =>
  removeQuietly(secretFilePath(dataDirectory, file));

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The directory may be read-only.
  }
}
