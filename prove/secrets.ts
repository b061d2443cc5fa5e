// P5: no key, password, session, link, or code can be recovered from anything stored or printed. New secrets go through every path, then their bytes are
// looked for in the database with its log, in a backup, in the service's log, its metrics, and what the console lists and exports.
import { join } from "node:path";
import { exportWaiting } from "../src/accounts/audit/continuous-export.ts";
import type { BackupEncryption, Config, StripeSettings } from "../src/config.ts";
import { openSink } from "../src/operations/audit-sink.ts";
import { makeBackup } from "../src/operations/backup/backup.ts";
import { redactSecrets } from "../src/platform/secrets/secrets.ts";
import { startStripe } from "../test/support/billing.ts";
import { filesIn, placesWith } from "../test/support/canaries.ts";
import { type StartedConsole, startConsole, testPassword } from "../test/support/console.ts";
import { engine } from "../test/support/engine.ts";
import { scrape } from "../test/support/metrics.ts";
import { temporaryDirectory } from "../test/support/service.ts";
import type { Prove, Run } from "./proof.ts";
import { Random } from "./random.ts";
import { plantSettings } from "./secret-settings.ts";
import { addFactor, pay, readMailedLinks, resetPasswords, verifyAddress } from "./secrets-sent.ts";

const roundsOf = { long: 30, short: 1, control: 1 };
const listedOperations = [
  ...([
    "getKeys",
    "getAuditLog",
    "getAuditLogExport",
    "getUsage",
    "getLog",
    "getTokens",
    "getPayments",
    "getAlerts",
  ] as const),
  ...(["getSecurityLog", "getSignIn", "getSession", "getWorkspaceExport", "getPersonExport"] as const),
];
const pieceLength = 14;
/** A recovery code is the shortest secret. */
const codeLengthMin = 8;

/**
 * The link of an email is stored until the email is sent, and SQLite overwrites the bytes later. A backup has what is stored: there, it
 * must be gone.
 */
const databaseFile = /commonplace\.db(-wal|-shm)?$/;
const isMailed = (name: string): boolean => /^((unused )?reset link|verification link|invitation) /.test(name);

/** A secret, by what it is. */
type Canaries = Map<string, string>;

export const prove: Prove = async (run) => {
  const stripe = startStripe();
  const { secrets, config } = plantSettings();
  if (!config.stripe) throw new Error("Stripe is not set up");
  const payments = { ...config.stripe, apiUrl: stripe.apiUrl };
  const started = await startConsole({
    config: { ...config, metricsPort: 0, stripe: payments, webhookHosts: ["localhost"] },
    pause: async () => {},
  });
  const random = new Random(run.seed);
  const canaries: Canaries = new Map([...secrets, ["password", testPassword]]);
  const listed: Record<string, Buffer> = {};
  for (let round = 1; round <= roundsOf[run.form] && !run.isOver(); round += 1) {
    await sendSecrets({ started, stripe, random, canaries, listed, secrets, payments }, round);
    started.clock.advance(3_600);
    run.made.runs += 1;
    run.made.inputs = canaries.size;
    run.show(`${canaries.size} secrets`, round / roundsOf[run.form]);
  }
  await useSettings(started, config);
  const places = await placesOf(started, listed, config.backupEncryption);
  const afterwards = Object.fromEntries(Object.entries(places).filter(([place]) => !databaseFile.test(place)));
  for (const [name, secret] of canaries) {
    const found = placesWith(piecesOf(secret), isMailed(name) ? afterwards : places);
    if (found.length > 0) throw new Error(`${name} is readable in ${found.join(", ")}`);
  }
  requireSearch(canaries, places, run);
  const bytes = Object.values(places).reduce((sum, place) => sum + place.length, 0);
  return [
    `${canaries.size} secrets looked for in ${Object.keys(places).length} places with ${Math.round(bytes / 1_024)} KiB`,
  ];
};

interface Sending {
  readonly started: StartedConsole;
  readonly stripe: ReturnType<typeof startStripe>;
  readonly random: Random;
  readonly canaries: Canaries;
  readonly listed: Record<string, Buffer>;
  /** Of the settings. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly payments: StripeSettings;
}

/** Creates secrets of each kind, and sends each where it belongs and where it does not. */
async function sendSecrets(
  { started, stripe, random, canaries, listed, secrets: ofSettings, payments }: Sending,
  round: number,
): Promise<void> {
  const { person, visitor, workspace, call } = started;
  const owner = await person({ role: "owner" });
  const remember = (name: string, secret: string) => {
    if (secret.length < codeLengthMin) throw new Error(`no ${name} was made`);
    canaries.set(`${name} ${round}`, secret);
  };
  remember("session", decodeURIComponent(owner.cookie.split("=").slice(1).join("=")));
  const keyMade = (await owner.call("postKey", { body: { name: "Canary", teams: "all" } })).body.data;
  const rotated = await owner.call("postKeyRotation", { query: { keyId: keyMade.id }, body: { overlap: "1h" } });
  const token = await owner.call("postToken", {
    body: {
      workspaceId: workspace.id,
      name: "Canary",
      scopes: { workspace: "write" },
      expiresAt: "2026-04-01T00:00:00Z",
    },
  });
  const email = `canary-${random.uuid()}@example.com`;
  await owner.call("postInvitation", { body: { email, role: "member" } });
  const [invitation = ""] = await readMailedLinks(started, [email]);
  await resetPasswords(started, random, remember);
  await verifyAddress(started, remember);
  await pay(started, owner, stripe, payments, remember);
  // Nothing listens there: the service tries to send the test, and logs that it cannot. Only a new address gets a secret.
  const webhook = await owner.call("putAlerts", { body: { webhookUrl: `https://localhost:1/canary-${round}` } });
  const rotatedWebhook = await owner.call("postAlertsSecret");
  await owner.call("postAlertsTest");
  const secrets: [string, string][] = [
    ["API key", keyMade.secret],
    ["rotated API key", rotated.body.data.secret],
    ["access token", token.body.data.secret],
    ["alert secret", webhook.body.data.secret],
    ["rotated alert secret", rotatedWebhook.body.data.secret],
    // It also verifies the address.
    ["invitation", invitation],
    ["mistyped password", `mistyped ${random.uuid()}`],
    ["idempotency key", `canary-${random.uuid()}`],
    ...(await addFactor(started, await person({ role: "member" }), remember)),
    ...ofSettings,
  ];
  // Wherever somebody may paste it.
  for (const [name, secret] of secrets) {
    remember(name, secret);
    const headers = { "Idempotency-Key": secret.replaceAll(" ", "-"), "User-Agent": secret, Referer: secret };
    await call("GET", "/me", { key: secret, headers });
    await call("GET", "/snippet", { key: started.key.secret, query: { id: secret } });
    await call("POST", "/tag", {
      key: started.key.secret,
      headers,
      body: { tagName: "T", tagColor: "c", teamId: secret },
    });
    // In an address, only what has the form of a key is recognized.
    if (/API key|access token|alert secret/.test(name)) await call("GET", `/${secret}`, { key: secret });
    await visitor().auth("/sign-in/email", { email: owner.email, password: secret });
    await started.bearer(secret, "getSession");
  }
  const signedIn = visitor();
  await signedIn.auth("/sign-in/email", { email: owner.email, password: testPassword });
  const [, session = ""] = [...signedIn.jar].find(([name]) => name.includes("session_token")) ?? [];
  // After many wrong passwords from one address, a sign-in is refused for a while.
  if (session !== "") remember("signed-in session", decodeURIComponent(session));
  for (const name of listedOperations) listed[`${name} ${round}`] = Buffer.from((await owner.call(name)).text);
}

/** Uses the settings that nothing has used yet, as the service does. */
async function useSettings({ visitor, service, lines }: StartedConsole, { auditSink }: Partial<Config>): Promise<void> {
  if ((await visitor().auth("/sign-in/social", {})).status !== 503) throw new Error("the provider answers");
  if (!auditSink) throw new Error("there is no audit export");
  const sending = exportWaiting(service.database, openSink(auditSink), () => true);
  await sending.catch((error: unknown) => lines.push(String(error)));
}

/** Everything that is stored or printed. */
async function placesOf(
  started: StartedConsole,
  listed: Record<string, Buffer>,
  encryption: BackupEncryption | undefined,
): Promise<Record<string, Buffer>> {
  const { dataDirectory, lines } = started;
  const backups = temporaryDirectory();
  if (engine.name === "sqlite") {
    const database = join(dataDirectory, "commonplace.db");
    await makeBackup(database, join(backups, "backup.db"));
    await makeBackup(database, join(backups, "backup.db.age"), { encryption });
  }
  return {
    ...filesIn(dataDirectory),
    ...filesIn(backups),
    ...(await engine.stored(dataDirectory)),
    ...listed,
    // As the service writes them: the log of these services only collects the lines.
    log: Buffer.from(lines.map(redactSecrets).join("\n")),
    metrics: Buffer.from(await scrape(started)),
  };
}

/** Parts of a secret that must not appear anywhere. Lists show the prefix of a secret and four more characters. */
const piecesOf = (secret: string): string[] => {
  const rest = secret.replace(/^(?:cp[lt]|whsec)_.{4}/, "");
  return rest.length <= 2 * pieceLength ? [rest] : [rest.slice(0, pieceLength), rest.slice(-pieceLength)];
};

/** The search covers the right places: it finds what may be there. */
function requireSearch(canaries: Canaries, places: Readonly<Record<string, Buffer>>, { engine: name }: Run): void {
  const key = canaries.get("API key 1") ?? "";
  const kept = Object.entries(places).filter(([, bytes]) => bytes.includes(key.slice(0, 4)));
  if (!kept.some(([place]) => (name === "sqlite" ? /\.db(-wal)?$/ : /^api_keys$/).test(place)))
    throw new Error("the search does not reach the table of keys");
}
