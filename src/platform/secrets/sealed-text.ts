// Texts and bytes that can be read only with the secret that they were sealed with, which the database does not contain.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** The key that seals texts for one purpose. A digest of the secret does not tell it. */
export const sealingKey = (secret: string | Buffer, purpose: string): Buffer =>
  createHmac("sha256", secret).update(purpose).digest();

/** Compresses and encrypts a text. @returns base64 */
export const seal = (text: string, key: Buffer): string =>
  sealBytes(Bun.zstdCompressSync(text, { level: 1 }), key).toString("base64");

/** @throws Error for another key, or a text that was changed */
export const unseal = (sealed: string, key: Buffer): string =>
  Bun.zstdDecompressSync(unsealBytes(Buffer.from(sealed, "base64"), key)).toString();

/**
 * Encrypts bytes. Equal bytes look different each time; only their number can be told.
 * @param context what has to be the same to read them
 */
export function sealBytes(bytes: Uint8Array, key: Buffer, context = ""): Buffer {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, sealing.update(bytes), sealing.final(), sealing.getAuthTag()]);
}

/** @throws Error for another key or context, and for bytes that were changed */
export function unsealBytes(sealed: Uint8Array, key: Buffer, context = ""): Buffer {
  const unsealing = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes });
  unsealing.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-tagBytes));
  return Buffer.concat([unsealing.update(sealed.subarray(nonceBytes, -tagBytes)), unsealing.final()]);
}
