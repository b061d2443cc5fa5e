// How a delivery to a webhook is signed: as in Standard Webhooks, so that receivers can use its libraries. While a secret is replaced, there are
// two signatures.
import { createHmac } from "node:crypto";
import { sealingKey } from "../../platform/secrets/sealed-text.ts";
import { randomText, secretPrefixes } from "../../platform/secrets/secrets.ts";

const prefix = secretPrefixes.webhook;
/** Base64 of the 24 bytes that sign. Only letters and digits are drawn, so that a secret is recognized as a whole wherever it leaks. */
const secretCharacters = 32;
const shownCharacters = 4;

export const webhookSecret = {
  make: (): string => prefix + randomText(secretCharacters),
  /** What the settings may show. */
  startOf: (secret: string): string => secret.slice(0, prefix.length + shownCharacters),
} as const;

/** The key that seals the secrets of webhooks in the database. */
export const webhookSealingKey = (instanceKey: string): Buffer => sealingKey(instanceKey, "webhook secret");

/** @param id the same for all attempts */
export function signatureHeaders(
  secrets: readonly string[],
  id: string,
  body: string,
  now: string,
): Readonly<Record<string, string>> {
  const seconds = Math.floor(Date.parse(now) / 1_000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
  });
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signatures.join(" ") };
}
