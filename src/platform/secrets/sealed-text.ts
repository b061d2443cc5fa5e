// Stored texts that can be read only with the secret that they were sealed with, which the database does not contain.
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** The key that seals texts for one purpose. A digest of the secret does not tell it. */
export const sealingKey = (secret: string, purpose: string): Buffer =>
  createHmac("sha256", secret).update(purpose).digest();

/** Compresses and encrypts a text. @returns base64 */
export function seal(text: string, key: Buffer): string {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(cipher, key, nonce);
  const compressed = Bun.zstdCompressSync(text, { level: 1 });
  return Buffer.concat([nonce, sealing.update(compressed), sealing.final(), sealing.getAuthTag()]).toString("base64");
}

/** @throws Error for another key, or a text that was changed */
export function unseal(sealed: string, key: Buffer): string {
  const bytes = Buffer.from(sealed, "base64");
  const unsealing = createDecipheriv(cipher, key, bytes.subarray(0, nonceBytes));
  unsealing.setAuthTag(bytes.subarray(-tagBytes));
  const compressed = Buffer.concat([unsealing.update(bytes.subarray(nonceBytes, -tagBytes)), unsealing.final()]);
  return Bun.zstdDecompressSync(compressed).toString();
}
