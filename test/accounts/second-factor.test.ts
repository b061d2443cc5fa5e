// The second factor: codes of an app, recovery codes, and guessing them.
import { describe, expect, test } from "bun:test";
import { type TOTP, URI } from "otpauth";
import { sql } from "../../src/platform/database/sql.ts";
import type { Pause, Wait } from "../../src/platform/jobs.ts";
import { startConsole, testPassword } from "../support/console.ts";
import { addPasskey } from "../support/passkey-device.ts";
import type { Options } from "../support/service.ts";

const session = "__Host-commonplace.session_token";

/** The delays of sign-ins end at once. */
const quick = async (): Promise<void> => {};

/** No background job runs: queued mail stays where the test finds it. */
const still: Wait = (_, signal) => new Promise((end) => signal.addEventListener("abort", () => end()));

const periodMilliseconds = 30_000;

/** The previous period's code, so that the current one is still unused. Waits if the current period is about to end. */
async function earlierCode(totp: TOTP): Promise<string> {
  const left = periodMilliseconds - (Date.now() % periodMilliseconds);
  if (left < 8_000) await Bun.sleep(left);
  return totp.generate({ timestamp: Date.now() - periodMilliseconds });
}

describe("a second factor", () => {
  /** A person who has just enabled it. */
  const withSecondFactor = async (pause: Pause = quick, options: Options = {}) => {
    // A separate service: failures here must not slow down other tests.
    const started = await startConsole({ pause, ...options });
    const { email, cookie, id } = await started.person({ role: "owner" });
    const browser = started.visitor(cookie);
    const enabled = await browser.auth("/two-factor/enable", { password: testPassword });
    expect(enabled.status).toBe(200);
    const totp = URI.parse(enabled.body.totpURI) as TOTP;
    const earlier = await earlierCode(totp);
    const on = await browser.auth("/two-factor/verify-totp", { code: earlier });
    expect(on.status).toBe(200);
    const half = async () => {
      const other = started.visitor();
      const answer = await other.auth("/sign-in/email", { email, password: testPassword });
      expect(answer.body).toMatchObject({ twoFactorRedirect: true });
      expect(other.jar.has(session)).toBe(false);
      expect((await other.call("getSession")).status).toBe(401);
      return other;
    };
    return { ...started, browser, totp, earlier, half, email, id, codes: enabled.body.backupCodes as string[] };
  };

  test("is asked for after the password, and its code opens one session and no second one", async () => {
    const { totp, half, browser } = await withSecondFactor();
    expect((await browser.call("getSession")).body.data.person.has_second_factor).toBe(true);
    const [first, second] = [await half(), await half()];
    const code = totp.generate();
    const [left, right] = await Promise.all(
      [first, second].map((each) => each.auth("/two-factor/verify-totp", { code })),
    );
    expect([left?.status, right?.status].sort()).toEqual([200, 401]);
    const refused = left?.status === 401 ? left : right;
    expect([refused?.body.error, refused?.headers.getSetCookie()]).toEqual(["code_used", []]);
    const sessions = await Promise.all([first, second].map(async (each) => (await each.call("getSession")).status));
    expect(sessions.sort()).toEqual([200, 401]);
  });

  test("a code that opened nothing before is no better for having switched it on", async () => {
    const { half, earlier } = await withSecondFactor();
    const refused = await (await half()).auth("/two-factor/verify-totp", { code: earlier });
    expect([refused.status, refused.body.error]).toEqual([401, "code_used"]);
  });

  test("each recovery code works once", async () => {
    const { half, codes, rows, id } = await withSecondFactor();
    expect(codes).toHaveLength(10);
    // Stored as hashes, which open nothing themselves.
    const [row] = await rows<{ backup_codes: string }>(
      "select backup_codes from person_second_factors where person_id = ?",
      id,
    );
    const stored = JSON.parse(row?.backup_codes ?? "[]") as string[];
    expect(stored).toEqual(Array(10).fill(expect.stringMatching(/^hmac-sha256:[0-9a-f]{64}$/)));
    expect((await (await half()).auth("/two-factor/verify-backup-code", { code: stored[3] })).status).toBe(401);
    const [first, again] = [await half(), await half()];
    expect((await first.auth("/two-factor/verify-backup-code", { code: codes[3] })).status).toBe(200);
    expect((await first.call("getSession")).status).toBe(200);
    expect((await again.auth("/two-factor/verify-backup-code", { code: codes[3] })).status).toBe(401);
    expect((await again.auth("/two-factor/verify-backup-code", { code: codes[4] })).status).toBe(200);
  });

  test("wrong codes make further ones take longer, whoever asks for them, and the password alone forgets none", async () => {
    const waited: number[] = [];
    const { half, totp } = await withSecondFactor(async (milliseconds) => {
      if (milliseconds % 250 === 0) waited.push(milliseconds);
    });
    const right = totp.generate();
    const wrong = right === "000000" ? "000001" : "000000";
    for (let index = 0; index < 4; index += 1) await (await half()).auth("/two-factor/verify-totp", { code: wrong });
    // After three failures, even the right password and code have to wait.
    expect(waited).toEqual([250, 250]);
    const last = await half();
    expect((await last.auth("/two-factor/verify-totp", { code: right })).status).toBe(200);
    expect(waited).toEqual([250, 250, 500, 500]);
    // The right code ends the delays.
    await half();
    expect(waited).toEqual([250, 250, 500, 500]);
  });

  test("five wrong codes, and the password is asked for again; nobody is locked out", async () => {
    const { half, totp } = await withSecondFactor();
    const guesser = await half();
    const right = totp.generate();
    const wrong = right === "000000" ? "000001" : "000000";
    for (let index = 0; index < 5; index += 1)
      expect((await guesser.auth("/two-factor/verify-totp", { code: wrong })).status).toBe(401);
    const sixth = await guesser.auth("/two-factor/verify-totp", { code: right });
    expect([sixth.status, sixth.body.error]).toEqual([400, "too_many_attempts_request_new_code"]);
    expect((await (await half()).auth("/two-factor/verify-totp", { code: right })).status).toBe(200);
  });

  test("wrong codes in a row are counted for the account, from any address: after 10 they must wait, and after 100 they are refused", async () => {
    const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
    const { half, totp, codes, rows, clock, id, email, admin } = await withSecondFactor(quick, {
      config: { trustedProxies: ["127.0.0.1", "::1"], mail },
      wait: still,
    });
    const right = totp.generate();
    const valid = [-60, -30, 0, 30, 60].map((seconds) => totp.generate({ timestamp: Date.now() + seconds * 1_000 }));
    const wrong = Array.from({ length: 30 }, (_, index) => String(index).padStart(6, "0")).filter(
      (code) => !valid.includes(code),
    );
    let tried = 0;
    /** A wrong code, each from a network of its own and after a sign-in of its own. */
    const guess = async (code = wrong[tried % wrong.length]) => {
      tried += 1;
      const headers = { "X-Forwarded-For": `198.51.100.${tried % 250}` };
      return (await half()).auth("/two-factor/verify-totp", { code }, headers);
    };
    const tenAtOnce = await Promise.all(Array.from({ length: 12 }, () => guess()));
    expect(tenAtOnce.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), 429, 429]);
    const refused = await guess(right);
    expect([refused.status, refused.body.error, refused.headers.get("retry-after")]).toEqual([
      429,
      "too_many_codes",
      "30",
    ]);
    for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
      clock.advance(seconds - 1);
      expect((await guess()).status).toBe(429);
      clock.advance(1);
      expect((await guess()).status).toBe(401);
    }
    const mails = () => rows<{ subject: string }>("select subject from mails where recipient = ? order by id", email);
    expect(await mails()).toEqual([
      { subject: "Two-factor authentication was turned on" },
      { subject: "10 incorrect codes were entered for your Commonplace account" },
    ]);
    await admin((transaction) =>
      transaction.run(sql`update person_second_factors set failed_verification_count = ${99} where person_id = ${id}`),
    );
    clock.advance(900);
    expect((await guess()).status).toBe(401);
    clock.advance(86_400);
    const stopped = await guess(right);
    expect([stopped.status, stopped.body.error]).toEqual([403, "codes_stopped"]);
    expect((await mails()).at(-1)).toEqual({
      subject: "100 incorrect codes were entered for your Commonplace account",
    });
    // A recovery code still opens, and begins the count again.
    expect((await (await half()).auth("/two-factor/verify-backup-code", { code: codes[0] })).status).toBe(200);
    expect((await guess(right)).status).toBe(200);
  });

  test("is not switched on by who has no password and signed in long ago, whatever password is sent", async () => {
    const { person, visitor, admin } = await startConsole();
    const { id, cookie, sessionId } = await person({ role: "owner", confirmedMinutesAgo: 20 });
    await admin((transaction) => transaction.run(sql`delete from person_credentials where person_id = ${id}`));
    const browser = visitor(cookie);
    for (const path of ["/two-factor/enable", "/two-factor/disable", "/two-factor/generate-backup-codes"]) {
      const refused = await browser.auth(path, { password: "x" });
      expect([path, refused.status, refused.body.error]).toEqual([path, 403, "confirmation_required"]);
    }
    await admin((transaction) =>
      transaction.run(sql`update person_sessions set confirmed_at = ${transaction.now} where id = ${sessionId}`),
    );
    expect((await browser.auth("/two-factor/enable", { password: testPassword })).status).toBe(200);
  });

  test("a factor is added, removed, or renewed only with the password, however recently it was entered", async () => {
    const started = await startConsole();
    const { person, visitor, admin, rows } = started;
    const { cookie, sessionId, id: personId } = await person({ role: "owner", confirmedMinutesAgo: 20 });
    const browser = visitor(cookie);
    const { id } = await addPasskey(started, personId);
    const refusalsOf = async (paths: readonly (readonly [string, object])[], error: string) => {
      for (const [path, body] of paths) {
        const refused = await browser.auth(path, body);
        expect([path, refused.status, refused.body.error]).toEqual([path, 403, error]);
      }
    };
    const always = [
      ["/two-factor/enable", {}],
      ["/two-factor/disable", {}],
      ["/two-factor/generate-backup-codes", {}],
      ["/change-password", { newPassword: "another long password" }],
      ["/passkey/generate-register-options", {}],
      ["/passkey/delete-passkey", { id }],
    ] as const;
    await refusalsOf(always, "password_required");
    await refusalsOf([["/passkey/verify-registration", { response: {} }]], "confirmation_required");
    await admin((transaction) =>
      transaction.run(sql`update person_sessions set confirmed_at = ${transaction.now} where id = ${sessionId}`),
    );
    await refusalsOf(always, "password_required");
    // Recovery codes and a way to turn it off exist only with a second factor.
    const { body: setUp } = await browser.auth("/two-factor/enable", { password: testPassword });
    const code = (URI.parse(setUp.totpURI) as TOTP).generate();
    expect((await browser.auth("/two-factor/verify-totp", { code })).status).toBe(200);
    for (const [path, body] of always.filter(([path]) => path !== "/change-password")) {
      const wrong = await browser.auth(path, { ...body, password: "confirmed" });
      expect([path, wrong.status, wrong.body.error]).toEqual([path, 400, "invalid_password"]);
    }
    expect(await rows("select id from person_passkeys where person_id = ?", personId)).toEqual([{ id }]);
    const options = await browser.auth("/passkey/generate-register-options", {
      name: "Laptop",
      password: testPassword,
    });
    expect(options.body).toMatchObject({ rp: { id: "localhost", name: "Commonplace" } });
    expect((await browser.auth("/two-factor/disable", { password: testPassword })).status).toBe(200);
    expect((await browser.auth("/passkey/delete-passkey", { id, password: testPassword })).status).toBe(200);
    expect(await rows("select id from person_passkeys where person_id = ?", personId)).toEqual([]);
    // The placeholder for an already confirmed password is not a password.
    expect((await visitor().auth("/sign-in/email", { email: "x@example.com", password: "confirmed" })).status).toBe(
      401,
    );
  });
});
