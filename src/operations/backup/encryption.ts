// Encrypted backups: the format of age (age-encryption.org/v1), which its other programs read too. Files are read and written in streams.
import { closeSync, fdatasyncSync, fstatSync, fsyncSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import type { BackupEncryption } from "../../config.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { type Content, type FileDigest, type OnBytes, syncEveryBytes } from "./checksum-trailer.ts";

/** What opens an encrypted backup: a file with identities, or one with the passphrase. */
export interface BackupKey {
  readonly kind: "identities" | "passphrase";
  readonly path: string;
}

const magic = "age-encryption.org/v1\n";
const portionBytes = 1024 * 1024;
/** Anyone who has the file can guess a shorter one. */
const passphraseLengthMin = 16;

/** Loaded only for encrypted backups. */
const loadAge = () => import("age-encryption");

export function isEncrypted(path: string): boolean {
  const file = openSync(path, "r");
  try {
    const start = Buffer.alloc(magic.length);
    return fstatSync(file).isFile() && start.toString("latin1", 0, readSync(file, start, 0, magic.length, 0)) === magic;
  } finally {
    closeSync(file);
  }
}

/** Encrypts a file into a new one, and syncs that to the disk. @throws OperatorError where a key cannot be used */
export async function encryptFile(
  from: string,
  to: string,
  encryption: BackupEncryption,
  onBytes: OnBytes,
): Promise<FileDigest> {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  if (encryption.kind === "passphrase") encrypter.setPassphrase(readPassphrase(encryption.path));
  else for (const recipient of encryption.recipients) addRecipient(encrypter, recipient);
  const source = openSync(from, "r");
  const target = openSync(to, "wx", 0o600);
  try {
    const total = fstatSync(source).size;
    const hash = new Bun.CryptoHasher("sha256");
    let bytes = 0;
    let synced = 0;
    for await (const portion of await encrypter.encrypt(streamOf(source, (done) => onBytes(done, total)))) {
      hash.update(portion);
      for (let written = 0; written < portion.length; ) written += writeSync(target, portion, written);
      bytes += portion.length;
      if (bytes - synced < syncEveryBytes) continue;
      fdatasyncSync(target);
      synced = bytes;
    }
    fsyncSync(target);
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    closeSync(target);
    closeSync(source);
  }
}

/** Opens an encrypted file. @throws OperatorError where the key does not open it, and from `portions` where it was changed or cut off */
export async function openEncrypted(path: string, key: BackupKey): Promise<Content> {
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  if (key.kind === "passphrase") decrypter.addPassphrase(readPassphrase(key.path));
  else for (const identity of readIdentities(key.path)) addIdentity(decrypter, identity, key.path);
  const file = openSync(path, "r");
  const hash = new Bun.CryptoHasher("sha256");
  const total = fstatSync(file).size;
  const source = streamOf(file, (_, portion) => hash.update(portion));
  try {
    const content = await decrypter.decrypt(source);
    return {
      bytes: content.size(total),
      portions: checked(content, path, () => closeSync(file)),
      digest: () => ({ bytes: total, sha256: hash.digest("hex") }),
    };
  } catch (error) {
    closeSync(file);
    throw new OperatorError(`${path} ${reasonOf(error, key)}`);
  }
}

/** The size of a file that was cut off may be impossible, which is found before anything else. */
function reasonOf(error: unknown, { kind, path }: BackupKey): string {
  const message = error instanceof Error ? error.message : "";
  if (message.startsWith("no identity matched"))
    return `cannot be decrypted with ${kind === "passphrase" ? "the passphrase" : "the keys"} in ${path}`;
  return "is damaged or incomplete: it cannot be decrypted";
}

/** Each portion is authentic; one that was changed, and an end that is missing, are errors. */
async function* checked(content: AsyncIterable<Uint8Array>, path: string, close: () => void) {
  try {
    yield* content;
  } catch {
    throw new OperatorError(`${path} is damaged or incomplete: it cannot be fully decrypted`);
  } finally {
    close();
  }
}

/** The rest of an open file. @param onPortion receives how much was read in all, and what was read */
function streamOf(file: number, onPortion: (done: number, portion: Uint8Array) => void): ReadableStream<Uint8Array> {
  let done = 0;
  return new ReadableStream({
    pull: (controller) => {
      const portion = Buffer.allocUnsafe(portionBytes);
      const read = readSync(file, portion, 0, portionBytes, done);
      if (read === 0) return controller.close();
      done += read;
      onPortion(done, portion.subarray(0, read));
      controller.enqueue(portion.subarray(0, read));
    },
  });
}

function addRecipient(encrypter: { addRecipient: (recipient: string) => void }, recipient: string): void {
  try {
    encrypter.addRecipient(recipient);
  } catch {
    throw new OperatorError(`${recipient} is not an age public key`);
  }
}

/** The message never repeats the line, which is a secret. */
function addIdentity(decrypter: { addIdentity: (identity: string) => void }, identity: string, path: string): void {
  try {
    decrypter.addIdentity(identity);
  } catch {
    throw new OperatorError(`${path} has a line that is neither an age private key nor a comment`);
  }
}

/** A file as `age-keygen` writes it: one private key per line, and comments. */
function readIdentities(path: string): string[] {
  const lines = readSecret(path)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length === 0) throw new OperatorError(`${path} contains no private key`);
  return lines;
}

/** @throws OperatorError for a passphrase that could be guessed */
export function readPassphrase(path: string): string {
  const passphrase = readSecret(path).replace(/\r?\n$/, "");
  if (passphrase.length < passphraseLengthMin || /[\r\n]/.test(passphrase))
    throw new OperatorError(`${path} must contain one line of at least ${passphraseLengthMin} characters`);
  return passphrase;
}

function readSecret(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new OperatorError(`the file ${path} cannot be read`, { cause });
  }
}
