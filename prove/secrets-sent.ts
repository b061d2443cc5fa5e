// Secrets of P5 that come by mail, from an authenticator app, or from the payment provider.
import { type TOTP, URI } from "otpauth";
import { sql } from "../src/platform/database/sql.ts";
import { sendDueMails } from "../src/platform/mail/sender.ts";
import { deliver, reportBody, signatureOf, type startStripe, stripeFixture } from "../test/support/billing.ts";
import { type StartedConsole, testPassword } from "../test/support/console.ts";
import type { Random } from "./random.ts";

/** Remembers a secret under its name. */
export type Remember = (name: string, secret: string) => void;
type Person = Awaited<ReturnType<StartedConsole["person"]>>;

const [mailTriesMax, mailWaitMilliseconds] = [600, 100];

/** Sends the mails to these people. The service's own tries fail: its server does not answer. @returns the token of each one's link */
export async function readMailedLinks(started: StartedConsole, recipients: readonly string[]): Promise<string[]> {
  const sent = new Map<string, string>();
  const sending = {
    database: started.service.database,
    log: { write: (...line: unknown[]) => void started.lines.push(JSON.stringify(line)), flush: () => undefined },
    send: async ({ recipient, body }: { readonly recipient: string; readonly body: string }) => {
      sent.set(recipient, body);
    },
  };
  const isMissing = () => recipients.some((recipient) => !sent.has(recipient));
  // A mail is queued after the response, and one that the service has tried to send is due again later.
  for (let tries = 0; isMissing() && tries < mailTriesMax; tries += 1) {
    await sendDueMails(sending, new AbortController().signal);
    if (!isMissing()) break;
    if (tries % 10 === 9) started.clock.advance(60);
    await Bun.sleep(mailWaitMilliseconds);
  }
  return recipients.map((recipient) => /#([\w-]+)/.exec(sent.get(recipient) ?? "")?.[1] ?? "");
}

/** A password is reset by one link, and a second link is never used. */
export async function resetPasswords(started: StartedConsole, random: Random, remember: Remember): Promise<void> {
  const { person, stranger, visitor } = started;
  const [one, other] = [await person({ role: "member" }), await person({ role: "member" })];
  for (const { email } of [one, other]) await stranger("postPasswordReset", { body: { email } });
  const [used = "", unused = ""] = await readMailedLinks(started, [one.email, other.email]);
  remember("reset link", used);
  remember("unused reset link", unused);
  const newPassword = `new password ${random.uuid()}`;
  remember("new password", newPassword);
  for (const token of [used, used, `${unused.slice(0, -1)}x`])
    await visitor().auth("/reset-password", { token, newPassword });
  const signedIn = await visitor().auth("/sign-in/email", { email: one.email, password: newPassword });
  if (signedIn.status !== 200) throw new Error(`the reset password is refused: ${signedIn.text}`);
}

/** An address is verified by one link, after another that is never used. */
export async function verifyAddress(started: StartedConsole, remember: Remember): Promise<void> {
  const { person, admin } = started;
  const { id, email, call } = await person({ role: "member" });
  await admin((transaction) => transaction.run(sql`update people set email_verified = ${false} where id = ${id}`));
  await call("postEmailVerification");
  const [token = ""] = await readMailedLinks(started, [email]);
  remember("verification link", token);
  for (const each of [`${token.slice(0, -1)}x`, token, token])
    await call("putEmailVerification", { body: { token: each } });
  if ((await call("getSession")).body.data.person.needs_verification) throw new Error("the address is not verified");
}

/** An authenticator app is set up, and somebody signs in with a recovery code. @returns what may be pasted in a wrong place */
export async function addFactor(
  { visitor }: StartedConsole,
  { cookie, email }: Person,
  remember: Remember,
): Promise<[name: string, secret: string][]> {
  const browser = visitor(cookie);
  const { body } = await browser.auth("/two-factor/enable", { password: testPassword });
  const app = URI.parse(body.totpURI) as TOTP;
  remember("TOTP secret", app.secret.base32);
  remember("TOTP secret, decoded", Buffer.from(app.secret.bytes).toString("latin1"));
  const codes = body.backupCodes as string[];
  for (const [index, code] of codes.entries()) remember(`recovery code ${index}`, code);
  await browser.auth("/two-factor/verify-totp", { code: app.generate() });
  const half = visitor();
  await half.auth("/sign-in/email", { email, password: testPassword });
  await half.auth("/two-factor/verify-totp", { code: app.secret.base32 });
  await half.auth("/two-factor/verify-backup-code", { code: codes[0] });
  return [
    ["recovery code", codes[1] ?? ""],
    ["pasted TOTP secret", app.secret.base32],
  ];
}

/** A purchase whose checkout has a secret, one that Stripe refuses while it repeats the key, and reports with right and wrong signatures. */
export async function pay(
  started: StartedConsole,
  owner: Person,
  stripe: ReturnType<typeof startStripe>,
  secrets: { readonly secretKey: string; readonly webhookSecret: string },
  remember: Remember,
): Promise<void> {
  const { clock, workspace } = started;
  const buy = () => owner.call("postPurchase", { body: { package: "100K", purchaseId: crypto.randomUUID() } });
  const clientSecret = `cs_canary_secret_${crypto.randomUUID()}`;
  remember("checkout secret", clientSecret);
  const id = `cs_test_${crypto.randomUUID().replaceAll("-", "")}`;
  stripe.answerWith(() =>
    Response.json({
      ...stripeFixture("session-created"),
      id,
      url: `https://a.example/${id}`,
      client_secret: clientSecret,
    }),
  );
  const { payment } = (await buy()).body.data;
  const message = `Invalid API Key provided: ${secrets.secretKey}`;
  stripe.answerWith(() => Response.json({ error: { type: "invalid_request_error", message } }, { status: 401 }));
  await buy();
  const body = reportBody(workspace.id, { paymentId: payment.id, sessionId: id });
  const seconds = clock.now / 1_000;
  const signature = signatureOf(body, seconds, secrets.webhookSecret);
  for (const each of [
    secrets.webhookSecret,
    `t=${seconds},v1=${secrets.webhookSecret}`,
    `t=${seconds},v1=${signature}`,
  ])
    await deliver(started, body, each);
}
