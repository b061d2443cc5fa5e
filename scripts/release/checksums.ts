// SHA256SUMS, in the form that `sha256sum --check` reads, and its signature.
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Artifact } from "./artifact.ts";
import { run } from "./run.ts";
import type { Source } from "./source.ts";

export const checksumsFile = "SHA256SUMS";

export const checksumLine = ({ name, bytes }: Artifact): string =>
  `${createHash("sha256").update(bytes).digest("hex")}  ${name}\n`;

/** Signs the checksums with minisign, which asks for the password of the key if it has one. @returns the name of the signature */
export function signChecksums(directory: string, keyFile: string, { version, commit }: Source): string {
  const comment = `commonplace ${version}, commit ${commit}`;
  const words = ["minisign", "-S", "-s", keyFile, "-m", join(directory, checksumsFile)];
  // By default, the comments contain the time.
  run([...words, "-c", "signature of Commonplace", "-t", comment]);
  return `${checksumsFile}.minisig`;
}
