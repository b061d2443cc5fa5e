// A forgotten password: the mail with its link, and what the link does.
import { describe, expect, test } from "bun:test";
import { type TOTP, URI } from "otpauth";
import { sql } from "../../src/platform/database/sql.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { startConsole, testPassword } from "../support/console.ts";

const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };

/** No background job runs: queued mail stays where the test finds it. */
const still: Wait = (_, signal) => new Promise((end) => signal.addEventListener("abort", () => end()));

describe("a forgotten password", () => {
  const startWithMail = async () => {
    const started = await startConsole({ config: { mail }, wait: still, pause: async () => {} });
    /** The link of the newest mail to the address, once there are this many. Email about the account's security has none. */
    const tokenFor = async (email: string, mails = 1): Promise<string> => {
      for (;;) {
        await new Promise((next) => setImmediate(next));
        const found = await started.rows<{ body: string }>(
          "select body from mails where recipient = ? and body not like '%you can ignore this email. If not, %' order by id",
          email,
        );
        if (found.length >= mails) return /\/console\/password#([\w-]+)/.exec(found.at(-1)?.body ?? "")?.[1] ?? "";
      }
    };
    return { ...started, tokenFor };
  };

  test("the answer is the same for who has an account and who has none; only one gets a mail", async () => {
    const { person, stranger, tokenFor, rows } = await startWithMail();
    const { email } = await person({ role: "member" });
    const unknown = await stranger("postPasswordReset", { body: { email: `x${email}` } });
    const known = await stranger("postPasswordReset", { body: { email } });
    expect([known.status, known.body]).toEqual([200, unknown.body]);
    await tokenFor(email);
    expect(await rows("select id from mails")).toHaveLength(1);
  });

  test("the mail says what to do, how long the link works, and that nothing changes without it", async () => {
    const { person, stranger, tokenFor, rows, origin } = await startWithMail();
    const { email } = await person({ role: "member" });
    await stranger("postPasswordReset", { body: { email } });
    const token = await tokenFor(email);
    const body = `Hello,

We received a request to reset the password for your Commonplace account.

Reset your password:
${origin}/console/password#${token}

The link works once and expires in 60 minutes. Resetting your password signs you out everywhere and revokes your access tokens. Two-factor authentication and passkeys stay as they are.

If you did not request this, you can ignore this email. Your password stays the same.
`;
    const mails = await rows("select recipient, subject, body from mails");
    expect(mails).toEqual([{ recipient: email, subject: "Reset your Commonplace password", body }]);
  });

  test("a reset link sets a new password, works once, and ends all sessions", async () => {
    const { person, visitor, stranger, tokenFor, rows } = await startWithMail();
    const one = await person({ role: "member" });
    await stranger("postPasswordReset", { body: { email: one.email } });
    const token = await tokenFor(one.email);
    expect(JSON.stringify(await rows("select * from person_verifications"))).not.toContain(token);
    const newPassword = "a new password, and long";
    expect((await visitor().auth("/reset-password", { token, newPassword })).status).toBe(200);
    expect((await one.call("getSession")).status).toBe(401);
    const again = await visitor().auth("/reset-password", { token, newPassword: "yet another password" });
    expect([again.status, again.body.error]).toEqual([400, "invalid_token"]);
    expect((await visitor().auth("/sign-in/email", { email: one.email, password: newPassword })).status).toBe(200);
  });

  test("the link is dead after an hour", async () => {
    const { person, visitor, stranger, tokenFor, clock } = await startWithMail();
    const one = await person({ role: "member" });
    await stranger("postPasswordReset", { body: { email: one.email } });
    const token = await tokenFor(one.email);
    clock.advance(60 * 60 + 1);
    const late = await visitor().auth("/reset-password", { token, newPassword: "a new password, and long" });
    expect([late.status, late.body.error]).toEqual([400, "invalid_token"]);
  });

  test("nobody's mailbox is flooded: three links an hour", async () => {
    const { person, stranger, tokenFor, rows, clock } = await startWithMail();
    const { email } = await person({ role: "member" });
    for (let index = 0; index < 6; index += 1) await stranger("postPasswordReset", { body: { email } });
    await tokenFor(email, 3);
    clock.advance(60 * 60);
    await stranger("postPasswordReset", { body: { email } });
    await tokenFor(email, 4);
    expect(await rows("select id from mails")).toHaveLength(4);
  });

  test("a list of addresses is no way to write to everybody: twenty links an hour for one network", async () => {
    const { person, stranger, tokenFor, rows, clock } = await startWithMail();
    const { email } = await person({ role: "member" });
    for (let index = 0; index < 20; index += 1)
      await stranger("postPasswordReset", { body: { email: `nobody-${index}@example.com` } });
    const refused = await stranger("postPasswordReset", { body: { email } });
    expect([refused.status, await rows("select id from mails")]).toEqual([200, []]);
    clock.advance(60 * 60);
    await stranger("postPasswordReset", { body: { email } });
    await tokenFor(email);
    expect(await rows("select id from mails")).toHaveLength(1);
  });

  test("a reset link revokes tokens and verifies the address, but keeps the second factor and passkeys", async () => {
    const { person, visitor, stranger, bearer, tokenFor, admin, rows, workspace } = await startWithMail();
    const { id, email, call, cookie } = await person({ role: "owner" });
    const enabled = await visitor(cookie).auth("/two-factor/enable", { password: testPassword });
    const totp = URI.parse(enabled.body.totpURI) as TOTP;
    const codes = enabled.body.backupCodes as string[];
    expect((await visitor(cookie).auth("/two-factor/verify-totp", { code: totp.generate() })).status).toBe(200);
    const again = visitor();
    await again.auth("/sign-in/email", { email, password: testPassword });
    expect((await again.auth("/two-factor/verify-backup-code", { code: codes[0] })).status).toBe(200);
    expect((await call("getSession")).status).toBe(401);
    const made = await again.call("postToken", {
      body: {
        workspaceId: workspace.id,
        name: "Kept",
        scopes: { workspace: "write" },
        expiresAt: "2026-03-20T00:00:00Z",
      },
    });
    await admin(async (transaction) => {
      await transaction.run(sql`update people set email_verified = ${false} where id = ${id}`);
      transaction.insert("person_passkeys", [
        {
          id: transaction.newId(),
          person_id: id,
          name: "Another's",
          public_key: "x",
          credential_id: id,
          counter: 0,
          device_type: "singleDevice",
          backed_up: false,
          transports: "",
          aaguid: "",
          created_at: transaction.now,
        },
      ]);
    });
    expect((await bearer(made.body.data.secret, "getWorkspace")).status).toBe(200);
    await stranger("postPasswordReset", { body: { email } });
    const newPassword = "the owner's long password";
    expect((await visitor().auth("/reset-password", { token: await tokenFor(email), newPassword })).status).toBe(200);
    expect((await bearer(made.body.data.secret, "getWorkspace")).status).toBe(401);
    expect(await rows("select name from person_passkeys where person_id = ?", id)).toEqual([{ name: "Another's" }]);
    const [stored] = await rows<{ email_verified: unknown }>("select email_verified from people where id = ?", id);
    expect(Boolean(stored?.email_verified)).toBe(true);
    const browser = visitor();
    const signedIn = await browser.auth("/sign-in/email", { email, password: newPassword });
    expect(signedIn.body).toMatchObject({ twoFactorRedirect: true });
    expect((await browser.call("getSession")).status).toBe(401);
    expect((await browser.auth("/two-factor/verify-backup-code", { code: codes[1] })).status).toBe(200);
    expect((await browser.call("getSession")).body.data.person.has_second_factor).toBe(true);
  });

  test("an emailed invitation verifies the address, and nobody can add a factor before their address is verified", async () => {
    const { person, visitor, stranger, tokenFor, rows, admin } = await startWithMail();
    const owner = await person({ role: "owner" });
    const email = "invited@example.com";
    const { body } = await owner.call("postInvitation", { body: { email, role: "member" } });
    expect(body.data.link).toBeNull();
    const [mail] = await rows<{ body: string }>("select body from mails where recipient = ?", email);
    const token = /\/console\/invitation#([\w-]+)/.exec(mail?.body ?? "")?.[1];
    const password = "quite a long passphrase";
    const browser = visitor();
    await browser.call("postInvitationAcceptance", { body: { token, name: "New", password } });
    expect((await browser.auth("/two-factor/enable", { password })).status).toBe(200);
    // As an account that was made before mail was set up.
    await admin((transaction) => transaction.run(sql`update people set email_verified = ${false}`));
    for (const [path, sent] of [
      ["/two-factor/enable", { password }],
      ["/passkey/generate-register-options", { password }],
      ["/passkey/verify-registration", { response: {} }],
    ] as const) {
      const refused = await browser.auth(path, sent);
      expect([path, refused.status, refused.body.error]).toEqual([path, 403, "email_unverified"]);
    }
    await stranger("postPasswordReset", { body: { email } });
    const reset = { token: await tokenFor(email, 2), newPassword: "another long passphrase" };
    expect((await visitor().auth("/reset-password", reset)).status).toBe(200);
    await browser.auth("/sign-in/email", { email, password: reset.newPassword });
    expect((await browser.auth("/two-factor/enable", { password: reset.newPassword })).status).toBe(200);
  });

  test("without mail nothing is queued", async () => {
    const { person, stranger, rows } = await startConsole({});
    const { email } = await person({ role: "member" });
    expect((await stranger("postPasswordReset", { body: { email } })).status).toBe(200);
    expect(await rows("select id from person_verifications")).toEqual([]);
  });
});
