// The certificate for localhost: created at the first start and renewed before it expires. Several services may share its directory.
import { createPrivateKey, X509Certificate } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { OperatorError } from "../operator-error.ts";
import { dayMilliseconds, hourMilliseconds } from "../time.ts";
import { makeLocalCertificate } from "./make-certificate.ts";

const renewedBeforeDays = 30;

export const isNearExpiry = (expiresAt: Date): boolean =>
  expiresAt.getTime() <= Date.now() + renewedBeforeDays * dayMilliseconds;

/** In PEM. */
export interface Pair {
  readonly cert: string;
  readonly key: string;
}

export const caPathIn = (directory: string): string => join(directory, "ca.crt");

/** The pair in the directory, created when there is no usable one. @throws OperatorError, or an error of the file system */
export async function localPair(directory: string): Promise<Pair> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const pair = usablePair(directory);
    if (pair) return pair;
    moveIntoPlace(await createPair(directory), directory);
  }
  throw new OperatorError(`the localhost certificate in ${directory} keeps disappearing`);
}

/** Another service may be replacing an unusable pair at the same time. */
const attemptsMax = 3;

const certPathIn = (directory: string): string => join(directory, "localhost.crt");
const keyPathIn = (directory: string): string => join(directory, "localhost.key");

/** Undefined when the files are missing, damaged, do not belong together, or expire soon. */
function usablePair(directory: string): Pair | undefined {
  try {
    const [cert, key] = [readFileSync(certPathIn(directory), "utf8"), readFileSync(keyPathIn(directory), "utf8")];
    const [ca, leaf] = [new X509Certificate(readFileSync(caPathIn(directory))), new X509Certificate(cert)];
    const belongsTogether = leaf.verify(ca.publicKey) && leaf.checkPrivateKey(createPrivateKey(key));
    return belongsTogether && !isNearExpiry(new Date(leaf.validTo)) ? { cert, key } : undefined;
  } catch {
    return undefined;
  }
}

/** Creates a pair. @returns a temporary directory next to `directory` with its three files */
async function createPair(directory: string): Promise<string> {
  const { ca, cert, key } = await makeLocalCertificate();
  mkdirSync(dirname(directory), { recursive: true, mode: 0o700 });
  removeLeftovers(directory);
  // mkdtemp creates it readable for this user only.
  const fresh = mkdtempSync(`${directory}${freshSuffix}`);
  write(keyPathIn(fresh), key, 0o600);
  write(certPathIn(fresh), cert, 0o644);
  write(caPathIn(fresh), ca, 0o644);
  return fresh;
}

const freshSuffix = ".new-";
const leftoverAfterMilliseconds = hourMilliseconds;

/** Removes what an interrupted start left behind, once no service can be working on it. */
function removeLeftovers(directory: string): void {
  for (const name of readdirSync(dirname(directory))) {
    const path = join(dirname(directory), name);
    const isLeftover = name.startsWith(`${basename(directory)}${freshSuffix}`);
    const age = isLeftover && Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (isLeftover && Number(age) > leftoverAfterMilliseconds) rmSync(path, { recursive: true, force: true });
  }
}

function write(path: string, text: string, mode: number): void {
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
}

/** Moves the new files into place, all at once. When another service was first, its files stay. */
function moveIntoPlace(fresh: string, directory: string): void {
  const old = `${fresh}.old`;
  try {
    if (move(fresh, directory) || usablePair(directory)) return;
    move(directory, old);
    // Another service may have put its own there since the check.
    if (usablePair(old)) move(old, directory);
    else move(fresh, directory);
  } finally {
    for (const path of [fresh, old]) rmSync(path, { recursive: true, force: true });
  }
}

/** @returns false when there is nothing to move, or the target is a directory that is not empty */
function move(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && ["ENOENT", "ENOTEMPTY", "EEXIST"].includes(String(error.code)))
      return false;
    throw error;
  }
}
