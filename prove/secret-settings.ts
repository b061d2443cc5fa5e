// The settings with a secret, each with a value that P5 looks for. A new one does not compile until it is here.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SecretSettingName } from "../src/config/settings.ts";
import { type Config, readConfig } from "../src/config.ts";
import { engine } from "../test/support/engine.ts";
import { testInstanceKey } from "../test/support/instance-key.ts";
import { temporaryDirectory } from "../test/support/service.ts";

/** What a setting is set to. Undefined: not here, because of what the comment says. */
type Plant = ((secret: string) => string) | undefined;

const plants: Readonly<Record<SecretSettingName, Plant>> = {
  // The database is that of the engine under test.
  COMMONPLACE_DATABASE_URL: undefined,
  // The key of the certificate for localhost is a file of the data directory, in which this proof looks.
  COMMONPLACE_TLS_KEY_FILE: undefined,
  // The key is given as a value.
  COMMONPLACE_INSTANCE_KEY_FILE: undefined,
  COMMONPLACE_INSTANCE_KEY: (secret) => secret,
  // Nothing answers there: the service tries to send, and logs that it cannot.
  COMMONPLACE_AUDIT_EXPORT: (secret) => `https://127.0.0.1:1/${secret}`,
  COMMONPLACE_AUDIT_EXPORT_HEADER: (secret) => `Authorization: Bearer ${secret}`,
  COMMONPLACE_BACKUP_PASSPHRASE_FILE: engine.name === "sqlite" ? writePassphrase : undefined,
  COMMONPLACE_MAIL_URL: (secret) => `smtp://canary:${secret}@127.0.0.1:1`,
  COMMONPLACE_OIDC_CLIENT_SECRET: (secret) => secret,
  COMMONPLACE_STRIPE_KEY: (secret) => secret,
  COMMONPLACE_STRIPE_WEBHOOK_SECRET: (secret) => secret,
};

/** What these need to be valid. */
const companions = {
  COMMONPLACE_MAIL_FROM: "commonplace@example.com",
  COMMONPLACE_OIDC_ISSUER: "https://127.0.0.1:1",
  COMMONPLACE_OIDC_CLIENT_ID: "commonplace",
  COMMONPLACE_BILLING_FROM: "2026-01",
};

export interface PlantedSettings {
  /** The secrets, by setting. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly config: Partial<Config>;
}

export function plantSettings(): PlantedSettings {
  const secrets = new Map<string, string>();
  const environment: Record<string, string> = { ...companions };
  for (const [name, plant] of Object.entries(plants)) {
    if (!plant) continue;
    // The tests sign cookies with a key of their own.
    const secret = name === "COMMONPLACE_INSTANCE_KEY" ? testInstanceKey : `canary_${crypto.randomUUID()}`;
    secrets.set(name, secret);
    environment[name] = plant(secret);
  }
  const defaults = new Map(Object.entries(readConfig({})));
  const changed = Object.entries(readConfig(environment)).filter(
    ([name, value]) => !Bun.deepEquals(value, defaults.get(name)),
  );
  return { secrets, config: Object.fromEntries(changed) };
}

function writePassphrase(secret: string): string {
  const path = join(temporaryDirectory(), "passphrase");
  writeFileSync(path, `${secret}\n`, { mode: 0o600 });
  return path;
}
