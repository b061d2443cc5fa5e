// Signing in with e-mail address and password, and which routes of Better Auth are reachable.
import { describe, expect, spyOn, test } from "bun:test";
import { type TOTP, URI } from "otpauth";
import { makePasswordToken } from "../../src/accounts/people/password-links.ts";
import { hashSessionToken } from "../../src/accounts/sign-in/session-token.ts";
import { readSessionToken, writeSessionCookie } from "../../src/console/sign-in/cookie.ts";
import { startConsole, testPassword } from "../support/console.ts";
import { testInstanceKey } from "../support/instance-key.ts";

const session = "__Host-commonplace.session_token";

/** A refusal without the values that differ in each call. */
const bare = ({ status, body, headers }: { status: number; body: object; headers: Headers }) => ({
  status,
  body: { ...body, requestId: "" },
  headers: [...headers].filter(([name]) => !["date", "x-request-id"].includes(name)),
});

test("an address and its password open a session, in a cookie for this host alone", async () => {
  const { person, visitor, rows } = await startConsole();
  const { email, id } = await person({ role: "owner" });
  const browser = visitor();
  const answer = await browser.auth("/sign-in/email", { email: email.toUpperCase(), password: testPassword });
  expect(answer.status).toBe(200);
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-commonplace\.session_token=[^;]+; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ]);
  // The token is only in the cookie, which no script can read.
  const token = decodeURIComponent(browser.jar.get(session) ?? "").split(".")[0] ?? "";
  expect(token).toHaveLength(32);
  expect(answer.text).not.toContain(token);
  expect(answer.body).toMatchObject({ user: { id, email } });
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  const stored = await rows<{ token: string; ip_address: string }>(
    "select token, ip_address from person_sessions where person_id = ? order by created_at desc, id desc",
    id,
  );
  expect(stored.map((row) => row.token)).toContain(hashSessionToken(token));
  expect(stored.some((row) => /^(::ffff:)?127\.0\.0\.1$|^::1$/.test(row.ip_address ?? ""))).toBe(true);

  const own = await browser.call("getSession");
  expect(own.body.data.person).toMatchObject({ id, email, has_password: true });
});

test("a wrong password and an address that nobody has get the same answer, and cost the same", async () => {
  const { person, visitor } = await startConsole();
  const { email } = await person({ role: "owner" });
  const hash = spyOn(Bun.password, "hash");
  const verify = spyOn(Bun.password, "verify");
  const wrong = await visitor().auth("/sign-in/email", { email, password: "not the password" });
  expect([hash.mock.calls.length, verify.mock.calls.length]).toEqual([0, 1]);
  const unknown = await visitor().auth("/sign-in/email", { email: `x${email}`, password: "not the password" });
  expect([hash.mock.calls.length, verify.mock.calls.length]).toEqual([1, 1]);
  hash.mockRestore();
  verify.mockRestore();
  expect(bare(wrong)).toEqual(bare(unknown));
  expect(wrong.status).toBe(401);
  expect(wrong.body).toEqual({
    success: false,
    message: "Incorrect email address or password",
    error: "sign_in_refused",
    requestId: expect.any(String),
  });
  expect(wrong.headers.getSetCookie()).toEqual([]);
});

test("signing out ends the session for the very next call", async () => {
  const { person, visitor, rows } = await startConsole();
  const { cookie, sessionId } = await person({ role: "owner" });
  const browser = visitor(cookie);
  expect((await browser.auth("/sign-out", {})).status).toBe(200);
  expect(browser.jar.size).toBe(0);
  expect(await rows("select id from person_sessions where id = ?", sessionId)).toEqual([]);
  expect((await visitor(cookie).call("getSession")).status).toBe(401);
});

describe("the door before the library", () => {
  test.each([
    "/sign-up/email",
    "/update-user",
    "/delete-user",
    "/change-email",
    "/list-sessions",
    "/get-session",
    "/ok",
    "/error",
    "/request-password-reset",
    "/two-factor/get-totp-uri",
    "/sign-in/social",
    "/callback/oidc",
    "/toString",
    "/",
  ])("%s is not there", async (path) => {
    const { visitor } = await startConsole();
    for (const body of [undefined, {}]) {
      const answer = await visitor().auth(path, body);
      expect([answer.status, answer.body.error]).toEqual([404, "not_found"]);
    }
  });

  test("calls of other pages are refused, and so is what is no JSON, too large or of another method", async () => {
    const { visitor, fetch, origin } = await startConsole();
    const at = (path: string, body: unknown, headers = {}) => visitor().auth(path, body, headers);
    const codes = async (...answers: Promise<{ status: number; body: { error: string } }>[]) =>
      (await Promise.all(answers)).map(({ status, body }) => [status, body.error]);
    const attempt = { email: "a@example.com", password: "x" };
    expect(
      await codes(
        at("/sign-in/email", attempt, { Origin: "https://elsewhere.example" }),
        at("/sign-in/email", attempt, { Origin: "null" }),
        at("/sign-in/email", attempt, { "Content-Type": "text/plain" }),
        at("/sign-in/email", { email: "a@example.com", password: "x".repeat(70_000) }),
        at("/sign-in/email", []),
        at("/sign-in/email", undefined),
      ),
    ).toEqual([
      [403, "other_origin"],
      [403, "other_origin"],
      [400, "not_json"],
      [413, "body_too_large"],
      [400, "invalid_request"],
      [405, "method_not_allowed"],
    ]);
    const broken = await fetch(`${origin}/console/auth/sign-out`, {
      method: "POST",
      headers: { Origin: origin, "Content-Type": "application/json" },
      body: "{",
    });
    expect(broken.status).toBe(400);
  });

  test("what the library could take beyond an address and a password is not passed on", async () => {
    const { person, visitor } = await startConsole();
    const { email } = await person({ role: "owner" });
    const answer = await visitor().auth("/sign-in/email", {
      email,
      password: testPassword,
      callbackURL: "https://elsewhere.example",
      rememberMe: false,
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("location")).toBeNull();
    expect(answer.text).not.toContain("elsewhere");
    expect(answer.headers.getSetCookie()).toHaveLength(1);
  });

  test("what the database knows a session by opens nothing, however well it is signed", async () => {
    const { person, visitor, rows } = await startConsole();
    const { sessionId } = await person({ role: "owner" });
    const [row] = await rows<{ token: string }>("select token from person_sessions where id = ?", sessionId);
    const stored = row?.token ?? "";
    expect(stored).toStartWith("sha256:");
    const secret = testInstanceKey;
    const forged = writeSessionCookie(stored, secret).split(";")[0] ?? "";
    expect(readSessionToken(forged, secret)).toBeUndefined();
    expect((await visitor(forged).call("getSession")).status).toBe(401);
    expect((await visitor(forged).auth("/passkey/list-user-passkeys")).status).toBe(401);
    // Neither is it let in beside another.
    const both = await visitor().auth("/passkey/list-user-passkeys", undefined, {
      Cookie: `${session}=a.b; ${forged}`,
    });
    expect(both.status).toBe(401);
  });

  test("a session of another signature is none", async () => {
    const { person, visitor } = await startConsole();
    const { cookie } = await person({ role: "owner" });
    expect((await visitor(`${cookie.slice(0, -4)}AAAA`).call("getSession")).status).toBe(401);
    expect((await visitor(cookie.replace(/%3D$/, "")).call("getSession")).status).toBe(401);
  });
});

const periodMilliseconds = 30_000;

/** The previous period's code, so that the current one is still unused. Waits if the current period is about to end. */
async function earlierCode(totp: TOTP): Promise<string> {
  const left = periodMilliseconds - (Date.now() % periodMilliseconds);
  if (left < 8_000) await Bun.sleep(left);
  return totp.generate({ timestamp: Date.now() - periodMilliseconds });
}

test("a new password ends every session, also of who had the old one", async () => {
  const { person, visitor, rows } = await startConsole();
  const { email, cookie, id } = await person({ role: "owner" });
  const thief = visitor();
  await thief.auth("/sign-in/email", { email, password: testPassword });
  const browser = visitor(cookie);
  const newPassword = "a password that nobody knows";
  const wrong = await browser.auth("/change-password", { currentPassword: "guessed password", newPassword });
  expect([wrong.status, wrong.body.error]).toEqual([400, "invalid_password"]);
  const changed = await browser.auth("/change-password", { currentPassword: testPassword, newPassword });
  expect(changed.status).toBe(200);
  expect((await thief.call("getSession")).status).toBe(401);
  expect((await browser.call("getSession")).status).toBe(200);
  expect(await rows("select id from person_sessions where person_id = ?", id)).toHaveLength(1);
  expect((await visitor().auth("/sign-in/email", { email, password: testPassword })).status).toBe(401);
  expect((await visitor().auth("/sign-in/email", { email, password: newPassword })).status).toBe(200);
});

test("what was begun with the old password ends with it: half-finished sign-ins, and links to another one", async () => {
  const { person, visitor, admin, rows } = await startConsole();
  const { email, id, cookie } = await person({ role: "owner" });
  const browser = visitor(cookie);
  const enabled = await browser.auth("/two-factor/enable", { password: testPassword });
  const totp = URI.parse(enabled.body.totpURI) as TOTP;
  await browser.auth("/two-factor/verify-totp", { code: await earlierCode(totp) });
  const fixture = async (password: string) => {
    const thief = visitor();
    expect((await thief.auth("/sign-in/email", { email, password })).body.twoFactorRedirect).toBe(true);
    return { thief, link: await admin(async (transaction) => makePasswordToken(transaction, id, 60)) };
  };
  const isOver = async ({ thief, link }: Awaited<ReturnType<typeof fixture>>) => {
    expect((await thief.auth("/two-factor/verify-totp", { code: totp.generate() })).status).toBe(401);
    const reset = await thief.auth("/reset-password", { token: link, newPassword: "the thief's long password" });
    expect([reset.status, reset.body.error]).toEqual([400, "invalid_token"]);
    expect(await rows("select id from person_verifications where value = ?", id)).toEqual([]);
  };
  const beforeChange = await fixture(testPassword);
  const newPassword = "a password that nobody knows";
  const changed = await browser.auth("/change-password", { currentPassword: testPassword, newPassword });
  expect(changed.status).toBe(200);
  await isOver(beforeChange);

  const beforeReset = await fixture(newPassword);
  const token = await admin(async (transaction) => makePasswordToken(transaction, id, 60));
  expect((await browser.auth("/reset-password", { token, newPassword: "yet another long password" })).status).toBe(200);
  await isOver(beforeReset);
});
