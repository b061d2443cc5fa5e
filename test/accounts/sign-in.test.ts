// Signing in to the console, what is refused there, and how guessing is slowed down.
import { describe, expect, spyOn, test } from "bun:test";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { type TOTP, URI } from "otpauth";
import { instanceSecret } from "../../src/accounts/people/instance-secret.ts";
import { makePasswordToken } from "../../src/accounts/people/password-links.ts";
import { readSessionToken, writeSessionCookie } from "../../src/console/sign-in/cookie.ts";
import { sealed } from "../../src/console/sign-in/seal.ts";
import { signInSecret } from "../../src/console/sign-in/sign-in.ts";
import { sql } from "../../src/platform/database/sql.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { startConsole, testPassword } from "../support/console.ts";

const session = "__Host-commonplace.session_token";
/** Rounds beside the calls wait for the end; what a person waits for is over at once. */
const quick = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  milliseconds <= 4_000 ? Promise.resolve() : new Promise((end) => signal.addEventListener("abort", () => end()));
/** A refusal without what is new in each call. */
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
  // The token stands in the cookie, where no script reads it, and nowhere else.
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
  expect(stored.map((row) => row.token)).toContain(sealed(token));
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
    message: "The e-mail address or the password is not right",
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
      ...{ email, password: testPassword },
      ...{ callbackURL: "https://elsewhere.example", rememberMe: false },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("location")).toBeNull();
    expect(answer.text).not.toContain("elsewhere");
    expect(answer.headers.getSetCookie()).toHaveLength(1);
  });

  test("what the database knows a session by opens nothing, however well it is signed", async () => {
    const { person, visitor, admin, rows } = await startConsole();
    const { sessionId } = await person({ role: "owner" });
    const [row] = await rows<{ token: string }>("select token from person_sessions where id = ?", sessionId);
    const stored = row?.token ?? "";
    expect(stored).toStartWith("sha256:");
    const secret = await admin((transaction) => instanceSecret(transaction, signInSecret));
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

describe("guessing", () => {
  test("of one network: after 30 failures within a minute it has to wait, and then may try again", async () => {
    const { visitor, clock, person } = await startConsole({});
    const { email } = await person({ role: "owner" });
    const guess = (index: number) =>
      visitor().auth("/two-factor/verify-totp", { code: String(index).padStart(6, "0") });
    for (let index = 0; index < 30; index += 1) expect((await guess(index)).status).toBe(401);
    const refused = await visitor().auth("/sign-in/email", { email, password: testPassword });
    expect([refused.status, refused.body.error, refused.headers.get("retry-after")]).toEqual([
      429,
      "too_many_attempts",
      "60",
    ]);
    clock.advance(60);
    expect((await visitor().auth("/sign-in/email", { email, password: testPassword })).status).toBe(200);
  });

  test("at one account takes longer each time, 4 seconds at most, and locks nobody out", async () => {
    const waited: number[] = [];
    const { visitor, person } = await startConsole({
      // Rounds beside the calls wait for the end; what a person waits for is over at once.
      wait: (milliseconds, signal) =>
        milliseconds <= 4_000
          ? Promise.resolve(void waited.push(milliseconds))
          : new Promise((end) => signal.addEventListener("abort", () => end())),
    });
    const { email } = await person({ role: "owner" });
    for (let index = 0; index < 10; index += 1)
      expect((await visitor().auth("/sign-in/email", { email, password: "wrong" })).status).toBe(401);
    expect(waited.filter((milliseconds) => milliseconds % 250 === 0)).toEqual([
      250, 500, 1_000, 2_000, 4_000, 4_000, 4_000,
    ]);
    // Each failure ends on a quarter of a second.
    expect(waited.filter((milliseconds) => milliseconds % 250 !== 0)).toHaveLength(10);
    expect((await visitor().auth("/sign-in/email", { email, password: testPassword })).status).toBe(200);
    // Who has shown the password has nothing to wait for any more.
    waited.length = 0;
    await visitor().auth("/sign-in/email", { email, password: "wrong" });
    expect(waited.filter((milliseconds) => milliseconds % 250 === 0)).toEqual([]);
  });

  test("at the same moment is no way around it: thirty are tried, and the right password is not counted", async () => {
    const { visitor, person } = await startConsole({ wait: quick });
    const { email } = await person({ role: "owner" });
    for (let index = 0; index < 31; index += 1)
      expect((await visitor().auth("/sign-in/email", { email, password: testPassword })).status).toBe(200);
    const hash = spyOn(Bun.password, "hash");
    const tried = await Promise.all(
      Array.from({ length: 33 }, (_, index) =>
        visitor().auth("/sign-in/email", { email: `guessed-${index}@example.com`, password: "wrong" }),
      ),
    );
    const hashes = hash.mock.calls.length;
    hash.mockRestore();
    expect(tried.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(30).fill(401),
      ...Array<number>(3).fill(429),
    ]);
    expect(hashes).toBe(30);
  });

  test("stands in the log, without the address and the password that were typed", async () => {
    const { visitor, lines } = await startConsole({});
    await visitor().auth("/sign-in/email", { email: "typed@example.com", password: "typed as well" });
    expect(lines.filter((line) => line.includes("sign-in was refused"))).toHaveLength(1);
    expect(lines.join()).not.toContain("typed");
  });

  test("more people at once than can be hashed for are told to come back", async () => {
    // Each comes from a network of their own: of one network, fewer may try at once.
    const { visitor, person } = await startConsole({
      config: { trustedProxies: ["127.0.0.1", "::1"] },
      wait: quick,
    });
    const { email } = await person({ role: "owner" });
    const release: (() => void)[] = [];
    const verify = spyOn(Bun.password, "verify").mockImplementation(
      () => new Promise<boolean>((done) => release.push(() => done(true))),
    );
    let refused = 0;
    let answered = 0;
    const attempt = async (_: unknown, index: number) => {
      const answer = await visitor().auth(
        "/sign-in/email",
        { email, password: testPassword },
        { "X-Forwarded-For": `192.0.2.${index}` },
      );
      answered += 1;
      if (answer.status === 503) refused += 1;
      return answer;
    };
    const soon = () => new Promise((next) => setImmediate(next));
    const all = Promise.all(Array.from({ length: 40 }, attempt));
    // Nobody is done before all have come.
    while (refused < 6) await soon();
    let atOnceMax = 0;
    while (answered < 40) {
      atOnceMax = Math.max(atOnceMax, release.length);
      for (const go of release.splice(0)) go();
      await soon();
    }
    verify.mockRestore();
    const answers = await all;
    const busy = answers.find(({ status }) => status === 503);
    expect([busy?.body.error, busy?.headers.get("retry-after")]).toEqual(["busy", "2"]);
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(34).fill(200), ...Array<number>(6).fill(503)]);
    expect(atOnceMax).toBeLessThanOrEqual(2);
  });
});

const periodMilliseconds = 30_000;

/** Of the period before this one, so that this one's code is still unused. Taken where this one does not end before it is shown. */
async function earlierCode(totp: TOTP): Promise<string> {
  const left = periodMilliseconds - (Date.now() % periodMilliseconds);
  if (left < 8_000) await Bun.sleep(left);
  return totp.generate({ timestamp: Date.now() - periodMilliseconds });
}

describe("a second factor", () => {
  /** Somebody who has just switched it on. */
  const withSecondFactor = async (wait: Wait = quick) => {
    // One of its own: what fails in here must not slow down other tests.
    const started = await startConsole({ wait });
    const { email, cookie, id } = await started.person({ role: "owner" });
    const browser = started.visitor(cookie);
    const enabled = await browser.auth("/two-factor/enable", {});
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

  test("each recovery code opens once", async () => {
    const { half, codes } = await withSecondFactor();
    expect(codes).toHaveLength(10);
    const [first, again] = [await half(), await half()];
    expect((await first.auth("/two-factor/verify-backup-code", { code: codes[3] })).status).toBe(200);
    expect((await first.call("getSession")).status).toBe(200);
    expect((await again.auth("/two-factor/verify-backup-code", { code: codes[3] })).status).toBe(401);
    expect((await again.auth("/two-factor/verify-backup-code", { code: codes[4] })).status).toBe(200);
  });

  test("wrong codes make further ones take longer, whoever asks for them, and the password alone forgets none", async () => {
    const waited: number[] = [];
    const { half, totp } = await withSecondFactor((milliseconds, signal) => {
      if (milliseconds <= 4_000 && milliseconds % 250 === 0) waited.push(milliseconds);
      return quick(milliseconds, signal);
    });
    const right = totp.generate();
    const wrong = right === "000000" ? "000001" : "000000";
    for (let index = 0; index < 4; index += 1) await (await half()).auth("/two-factor/verify-totp", { code: wrong });
    // After three, the password and the code of whoever comes next.
    expect(waited).toEqual([250, 250]);
    const last = await half();
    expect((await last.auth("/two-factor/verify-totp", { code: right })).status).toBe(200);
    expect(waited).toEqual([250, 250, 500, 500]);
    // Who is in has shown who they are.
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
    expect((await browser.auth("/two-factor/enable", {})).status).toBe(200);
  });

  test("is switched on and off only by who gave the password in the last minutes, or gives it", async () => {
    const { person, visitor, admin } = await startConsole();
    const { cookie, sessionId } = await person({ role: "owner", confirmedMinutesAgo: 20 });
    const browser = visitor(cookie);
    const paths = [
      ["/two-factor/enable", {}],
      ["/two-factor/disable", {}],
      ["/two-factor/generate-backup-codes", {}],
      ["/change-password", { newPassword: "another long password" }],
      ["/passkey/generate-register-options", undefined],
      ["/passkey/verify-registration", { response: {} }],
      ["/passkey/delete-passkey", { id: crypto.randomUUID() }],
    ] as const;
    for (const [path, body] of paths) {
      const refused = await browser.auth(path, body);
      expect([path, refused.status, refused.body.error]).toEqual([path, 403, "confirmation_required"]);
    }
    const wrong = await browser.auth("/two-factor/enable", { password: "confirmed" });
    expect([wrong.status, wrong.body.error]).toEqual([400, "invalid_password"]);
    expect((await browser.auth("/two-factor/enable", { password: testPassword })).status).toBe(200);
    await admin((transaction) =>
      transaction.run(sql`update person_sessions set confirmed_at = ${transaction.now} where id = ${sessionId}`),
    );
    expect((await browser.auth("/two-factor/enable", {})).status).toBe(200);
    expect((await browser.auth("/passkey/generate-register-options")).body).toMatchObject({
      rp: { id: "localhost", name: "Commonplace" },
    });
    // What stands for a password that was given is none.
    expect((await visitor().auth("/sign-in/email", { email: "x@example.com", password: "confirmed" })).status).toBe(
      401,
    );
  });
});

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
  const enabled = await browser.auth("/two-factor/enable", {});
  const totp = URI.parse(enabled.body.totpURI) as TOTP;
  await browser.auth("/two-factor/verify-totp", { code: await earlierCode(totp) });
  const begun = async (password: string) => {
    const thief = visitor();
    expect((await thief.auth("/sign-in/email", { email, password })).body.twoFactorRedirect).toBe(true);
    return { thief, link: await admin(async (transaction) => makePasswordToken(transaction, id, 60)) };
  };
  const isOver = async ({ thief, link }: Awaited<ReturnType<typeof begun>>) => {
    expect((await thief.auth("/two-factor/verify-totp", { code: totp.generate() })).status).toBe(401);
    const reset = await thief.auth("/reset-password", { token: link, newPassword: "the thief's long password" });
    expect([reset.status, reset.body.error]).toEqual([400, "invalid_token"]);
    expect(await rows("select id from person_verifications where value = ?", id)).toEqual([]);
  };
  const beforeChange = await begun(testPassword);
  const newPassword = "a password that nobody knows";
  const changed = await browser.auth("/change-password", { currentPassword: testPassword, newPassword });
  expect(changed.status).toBe(200);
  await isOver(beforeChange);

  const beforeReset = await begun(newPassword);
  const token = await admin(async (transaction) => makePasswordToken(transaction, id, 60));
  expect((await browser.auth("/reset-password", { token, newPassword: "yet another long password" })).status).toBe(200);
  await isOver(beforeReset);
});

describe("a passkey", () => {
  /** A device that answers the browser; what it says of its owner is for the test to choose. */
  const withDevice = async () => {
    const started = await startConsole();
    const { id } = await started.person({ role: "owner" });
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    // COSE: an elliptic key, ES256, P-256, and the point.
    const cose = Buffer.concat([
      ...[Buffer.from("a5010203262001215820", "hex"), Buffer.from(x, "base64url")],
      ...[Buffer.from("225820", "hex"), Buffer.from(y, "base64url")],
    ]);
    const credentialId = Buffer.from(crypto.randomUUID()).toString("base64url");
    await started.admin(async (transaction) =>
      transaction.insert("person_passkeys", [
        {
          ...{ id: transaction.newId(), person_id: id, name: "Device", public_key: cose.toString("base64") },
          ...{ credential_id: credentialId, counter: 0, device_type: "singleDevice", backed_up: false },
          ...{ transports: "", aaguid: "", created_at: transaction.now },
        },
      ]),
    );
    const signIn = async (flags: number) => {
      const browser = started.visitor();
      const { body: options } = await browser.auth("/passkey/generate-authenticate-options");
      expect(options.userVerification).toBe("required");
      const about = { type: "webauthn.get", challenge: options.challenge, origin: started.origin };
      const clientData = Buffer.from(JSON.stringify(about));
      const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
      const authenticatorData = Buffer.concat([sha256("localhost"), Buffer.from([flags, 0, 0, 0, 0])]);
      const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), privateKey);
      const answer = await browser.auth("/passkey/verify-authentication", {
        response: {
          ...{ id: credentialId, rawId: credentialId, type: "public-key", clientExtensionResults: {} },
          response: {
            clientDataJSON: clientData.toString("base64url"),
            authenticatorData: authenticatorData.toString("base64url"),
            signature: signature.toString("base64url"),
          },
        },
      });
      return { answer, browser };
    };
    return { signIn };
  };
  const [isPresent, isVerified] = [1, 4];

  test("opens a session only where it has asked for a PIN, a finger or a face: it stands for both steps", async () => {
    const { signIn } = await withDevice();
    const touched = await signIn(isPresent);
    expect([touched.answer.status, touched.answer.body.error]).toEqual([403, "user_not_verified"]);
    expect(touched.answer.headers.getSetCookie().join()).not.toContain(session);
    expect((await touched.browser.call("getSession")).status).toBe(401);
    const shown = await signIn(isPresent | isVerified);
    expect(shown.answer.status).toBe(200);
    expect((await shown.browser.call("getSession")).status).toBe(200);
  });

  test("is made with the same demand", async () => {
    const { person, visitor } = await startConsole();
    const { cookie } = await person({ role: "owner" });
    const { body } = await visitor(cookie).auth("/passkey/generate-register-options");
    expect(body.authenticatorSelection).toMatchObject({ residentKey: "preferred", userVerification: "required" });
  });
});
