// The instance key: it signs cookies and encrypts the secrets of two-factor authentication. It is kept outside the database, so that a copy
// of the database opens nothing. All nodes have the same one; the database only knows its digest.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type InstanceKeySettings, instanceKeyLengthMin } from "../../config.ts";
import type { Database, Transaction } from "../../platform/database/database.ts";
import { OperatorError } from "../../platform/operator-error.ts";
import { findKeyDigest, insertKeyDigest } from "./instance-key.store.ts";

const keyBytes = 32;

/** What the database knows of a key. */
const digestOf = (key: string): string =>
  new Bun.CryptoHasher("sha256").update(`commonplace instance key\n${key}`).digest("hex");

/** The key of this instance. The first start of an instance makes it. @throws OperatorError where it is missing, or another one */
export async function openInstanceKey(database: Database, settings: InstanceKeySettings): Promise<string> {
  const known = readInstanceKey(settings);
  if (known === undefined && (await database.read(findKeyDigest)) !== undefined)
    throw new OperatorError(
      `the instance key is missing: there is no file ${resolve(settings.path)}. Copy it from the instance that this database comes from, or from another node, or set COMMONPLACE_INSTANCE_KEY. If it is lost, run ./commonplace instance rekey`,
    );
  const key = known ?? makeKeyFile(settings.path);
  if (await database.transaction((transaction) => isKeyOf(transaction, key))) return key;
  if (known === undefined) rmSync(settings.path, { force: true });
  throw new OperatorError(
    `the key in ${describeKey(settings)} belongs to another instance. All nodes of an instance need the same key, and a restored database needs the key of the instance that was backed up. If that key is lost, run ./commonplace instance rekey`,
  );
}

/** Where the key is, for people. */
export const describeKey = ({ given, path }: InstanceKeySettings): string =>
  given === undefined ? resolve(path) : "COMMONPLACE_INSTANCE_KEY";

/** @returns undefined where there is none yet. @throws OperatorError where it cannot be read */
export function readInstanceKey({ given, path }: InstanceKeySettings): string | undefined {
  if (given !== undefined) return given;
  let key: string;
  try {
    key = readFileSync(path, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new OperatorError(`the instance key in ${resolve(path)} cannot be read: ${error}`);
  }
  if (key.length < instanceKeyLengthMin)
    throw new OperatorError(
      `${resolve(path)} must contain an instance key of at least ${instanceKeyLengthMin} characters`,
    );
  return key;
}

/** Whether the database belongs to this key: undefined where it does not belong to any yet. */
export async function isKnownKey(transaction: Transaction, key: string): Promise<boolean | undefined> {
  const digest = await findKeyDigest(transaction);
  return digest === undefined ? undefined : digest === digestOf(key);
}

async function isKeyOf(transaction: Transaction, key: string): Promise<boolean> {
  await insertKeyDigest(transaction, digestOf(key));
  return (await isKnownKey(transaction, key)) === true;
}

function makeKeyFile(path: string): string {
  const key = crypto.getRandomValues(new Uint8Array(keyBytes)).toBase64({ alphabet: "base64url", omitPadding: true });
  try {
    mkdirSync(dirname(resolve(path)), { recursive: true, mode: 0o700 });
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    throw new OperatorError(`the instance key cannot be written to ${resolve(path)}: ${error}`);
  }
  return key;
}
