// How a delivery to a webhook is signed: `t=…,v1=…`, with an HMAC of time and body. While a secret is replaced, there are two v1.
import { createHmac } from "node:crypto";
import { sealingKey } from "../../platform/secrets/sealed-text.ts";
import { secretForm, secretPrefixes } from "../../platform/secrets/secrets.ts";

export const webhookSecret = secretForm(secretPrefixes.webhook);

/** The key that seals the secrets of webhooks in the database. */
export const webhookSealingKey = (instanceKey: string): Buffer => sealingKey(instanceKey, "webhook secret");

export function signatureHeader(secrets: readonly string[], body: string, now: string): string {
  const seconds = Math.floor(Date.parse(now) / 1_000);
  const signatures = secrets.map((secret) => createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex"));
  return [`t=${seconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(",");
}
