// Signing in through an OpenID Connect provider, which the test itself plays: it answers the service's requests.
import { afterAll, afterEach, describe, expect, spyOn, test } from "bun:test";
import { createHash, createHmac, generateKeyPairSync, sign } from "node:crypto";
import { type TOTP, URI } from "otpauth";
import { sql } from "../../src/platform/database/sql.ts";
import { startConsole, testPassword } from "../support/console.ts";
import { tokenOf } from "../support/members.ts";

const issuer = "https://id.example.com";
const openId = { issuer, clientId: "commonplace", clientSecret: "between us", name: "Example" };
const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const elsewhere = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

interface Claims {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly sub?: string;
  readonly nonce?: string;
  readonly aud?: string;
  /** When they signed in at the provider, in seconds. */
  readonly auth_time?: number;
}

/** The claims about the user of the next code, and how the provider signs them. */
let claims: Claims = {};
/** The claims that are not in the ID token and have to be requested. */
let claimsElsewhere: readonly string[] = [];
const isElsewhere = (name: string): boolean => claimsElsewhere.includes(name);
const claimsThat = (stand: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => stand(name)));
let key = privateKey;
/** What the provider's discovery document says instead. */
let described: object = {};
/** The algorithm that the header of an ID token names. */
let algorithm = "RS256";
/** The current sign-in's parameters, as the browser sent them to the provider. */
let authorization = new URLSearchParams();

const discovery = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/person`,
  jwks_uri: `${issuer}/keys`,
  id_token_signing_alg_values_supported: ["RS256"],
};

const idToken = (): string => {
  const seconds = Math.floor(Date.now() / 1_000);
  const content = {
    iss: issuer,
    aud: openId.clientId,
    sub: "subject",
    nonce: authorization.get("nonce"),
    iat: seconds,
    exp: seconds + 300,
    name: "From the provider",
    ...claimsThat((name) => !isElsewhere(name)),
  };
  const signed = `${base64({ alg: algorithm, kid: "1", typ: "JWT" })}.${base64(content)}`;
  if (algorithm === "none") return `${signed}.`;
  if (algorithm === "HS256")
    return `${signed}.${createHmac("sha256", openId.clientSecret).update(signed).digest("base64url")}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
};

/** The provider's responses. A code is exchanged for the right verifier only. */
async function provider(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/.well-known/openid-configuration") return Response.json({ ...discovery, ...described });
  if (pathname === "/keys")
    return Response.json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] });
  if (pathname === "/person") return Response.json({ sub: "subject", ...claimsThat(isElsewhere) });
  if (pathname !== "/token") return new Response(null, { status: 404 });
  const form = new URLSearchParams(await request.text());
  const challenge = createHash("sha256")
    .update(form.get("code_verifier") ?? "")
    .digest("base64url");
  const isRight =
    challenge === authorization.get("code_challenge") &&
    form.get("code") === "the code" &&
    form.get("redirect_uri") === authorization.get("redirect_uri");
  return isRight
    ? Response.json({ access_token: "unused", token_type: "Bearer", expires_in: 300, id_token: idToken() })
    : Response.json({ error: "invalid_grant" }, { status: 400 });
}

const real = globalThis.fetch;
let answerOf: (request: Request) => Promise<Response> = provider;
let asked = 0;
const intercepted = spyOn(globalThis, "fetch").mockImplementation(((
  input: string | URL | Request,
  init?: RequestInit,
) => {
  const url = input instanceof Request ? input.url : String(input);
  if (!url.startsWith(issuer)) return real(input, init);
  asked += 1;
  return answerOf(new Request(input, init));
}) as typeof fetch);

afterEach(() => {
  [claims, claimsElsewhere, key, answerOf, described, algorithm] = [{}, [], privateKey, provider, {}, "RS256"];
});

afterAll(() => intercepted.mockRestore());

type Browser = ReturnType<Awaited<ReturnType<typeof startConsole>>["visitor"]>;

/** A browser that goes to the provider and back. @returns where it ends */
async function signIn(browser: Browser, more = {}) {
  const fixture = await browser.auth("/sign-in/social", more);
  expect(fixture.status).toBe(200);
  authorization = new URL(fixture.body.url).searchParams;
  const back = new URLSearchParams({ code: "the code", state: authorization.get("state") ?? "" });
  const answer = await browser.auth(`/callback/oidc?${back}`);
  expect(answer.status).toBe(302);
  return answer.headers.get("location");
}

const securityLogOf = async (browser: Browser): Promise<string[]> =>
  (await browser.call("getSecurityLog")).body.data.map(({ action }: { action: string }) => action);

const start = () => startConsole({ config: { openId } });

test("a person with a verified address is linked and signed in, and from then on identified by the provider's subject", async () => {
  const { person, visitor, origin, admin, rows } = await start();
  const { email, id } = await person({ role: "owner" });
  claims = { email: email.toUpperCase(), email_verified: true };
  const browser = visitor();
  // The caller cannot choose where the sign-in continues.
  expect(await signIn(browser, { callbackURL: "https://elsewhere.example", provider: "google" })).toBe(
    `${origin}/console`,
  );
  expect(authorization.get("redirect_uri")).toBe(`${origin}/console/auth/callback/oidc`);
  expect(authorization.get("scope")?.split(" ").sort()).toEqual(["email", "openid", "profile"]);
  expect((await browser.call("getSession")).body.data.person).toMatchObject({ id, email, name: "Ada Lovelace" });
  const linked = await rows<object>(
    "select provider_id, account_id, password from person_credentials order by provider_id",
  );
  expect(linked).toEqual([
    { provider_id: "credential", account_id: id, password: expect.any(String) },
    { provider_id: "oidc", account_id: `${issuer} subject`, password: null },
  ]);
  expect(await securityLogOf(browser)).toEqual(["session.create", "openid.link"]);

  await admin((transaction) => transaction.run(sql`update people set email = 'moved@example.com' where id = ${id}`));
  const again = visitor();
  await signIn(again);
  expect((await again.call("getSession")).body.data.person).toMatchObject({ id, email: "moved@example.com" });
  expect(await securityLogOf(again)).toEqual(["session.create", "session.create", "openid.link"]);
});

test("a workspace that requires single sign-on accepts only people who used it, and tokens of people who can use it", async () => {
  const { person, visitor, workspace, bearer } = await start();
  const { email, cookie } = await person({ role: "owner" });
  claims = { email, email_verified: true };
  const [withPassword, withProvider] = [visitor(cookie), visitor()];
  const body = { policy: "single_sign_on" };
  const refused = await withPassword.call("putSignInPolicy", { body });
  expect([refused.status, refused.body.message]).toEqual([
    409,
    "You would lock yourself out: you did not sign in with Example. Sign out, sign in with it, and try again",
  ]);
  await signIn(withProvider, { again: true });
  expect((await withProvider.call("putSignInPolicy", { body })).status).toBe(200);
  expect((await withProvider.call("getWorkspace")).status).toBe(200);
  const closed = await withPassword.call("getWorkspace");
  expect([closed.status, closed.body.error, closed.body.message]).toEqual([
    403,
    "single_sign_on_required",
    "This workspace requires single sign-on. Sign out, then sign in with Example",
  ]);
  const scopes = { workspace: "read" };
  const expiresAt = "2026-04-01T00:00:00Z";
  const token = await withProvider.call("postToken", {
    body: { workspaceId: workspace.id, name: "T", scopes, expiresAt },
  });
  const query = { workspaceId: workspace.id };
  expect((await bearer(token.body.data.secret, "getWorkspace", { query })).status).toBe(200);
});

test("a workspace can accept a second factor or single sign-on: people with either get in, and others are told both ways", async () => {
  const { person, visitor, workspace, bearer } = await start();
  const [one, other] = [await person({ role: "owner" }), await person({ role: "member" })];
  const policy = (browser: Browser) =>
    browser.call("putSignInPolicy", { body: { policy: "second_factor_or_single_sign_on" } });
  const withPassword = visitor(one.cookie);
  const refused = await policy(withPassword);
  expect([refused.status, refused.body.message]).toEqual([
    409,
    "You would lock yourself out: your account has no second factor, and you did not sign in with Example. Set up a second factor on your account page, or sign out and sign in with Example, then try again",
  ]);
  const withProvider = visitor();
  claims = { email: one.email, email_verified: true };
  await signIn(withProvider, { again: true });
  const token = await withProvider.call("postToken", {
    body: { workspaceId: workspace.id, name: "T", scopes: { workspace: "read" }, expiresAt: "2026-04-01T00:00:00Z" },
  });
  expect((await policy(withProvider)).status).toBe(200);
  const numbers = (await withProvider.call("getSignInPolicy")).body.data;
  expect(numbers).toMatchObject({ members: 2, members_without_either: 1 });
  const refusal = async (browser: Browser) => {
    const { status, body } = await browser.call("getWorkspace");
    return status === 200 ? "open" : body.message;
  };
  expect(await refusal(withProvider)).toBe("open");
  expect((await bearer(token.body.data.secret, "getWorkspace")).status).toBe(200);
  const browser = visitor(other.cookie);
  expect(await refusal(browser)).toBe(
    "This workspace requires two-factor authentication, a passkey, or single sign-on. Set up a second factor on your account page, or sign out and sign in with Example",
  );
  const lacks = async () => (await browser.call("getSession")).body.data.memberships[0].sign_in_lacks;
  expect(await lacks()).toBe("second_factor_or_single_sign_on");
  const elsewhere = visitor();
  await elsewhere.auth("/sign-in/email", { email: other.email, password: testPassword });
  const { totpURI } = (await browser.auth("/two-factor/enable", { password: testPassword })).body;
  await browser.auth("/two-factor/verify-totp", { code: (URI.parse(totpURI) as TOTP).generate() });
  expect([await refusal(browser), await lacks()]).toEqual(["open", null]);
  expect(await refusal(elsewhere)).toBe(
    "This workspace requires a sign-in with two-factor authentication, a passkey, or single sign-on. Sign out, then sign in with your second factor or with Example",
  );
});

test("without a provider, a workspace cannot accept single sign-on as one of two ways", async () => {
  const { person } = await startConsole();
  const owner = await person({ role: "owner" });
  const refused = await owner.call("putSignInPolicy", { body: { policy: "second_factor_or_single_sign_on" } });
  expect([refused.status, refused.body.error]).toEqual([409, "no_single_sign_on"]);
});

test("people who use only single sign-on get no link to set a password, but are told how to sign in", async () => {
  const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
  const still = (_: unknown, signal: AbortSignal) =>
    new Promise<void>((end) => signal.addEventListener("abort", () => end()));
  const { person, visitor, rows, admin, stranger, origin } = await startConsole({
    config: { openId, mail },
    wait: still,
  });
  const [only, both] = [await person({ role: "owner" }), await person({ role: "owner" })];
  for (const { email } of [only, both]) {
    claims = { email, email_verified: true, sub: email };
    await signIn(visitor());
  }
  await admin((transaction) =>
    transaction.run(sql`delete from person_credentials where person_id = ${only.id} and provider_id = 'credential'`),
  );
  const mailTo = async (email: string) => {
    await stranger("postPasswordReset", { body: { email } });
    for (;;) {
      const [found] = await rows<{ subject: string; body: string }>(
        "select subject, body from mails where recipient = ? and subject not like 'New sign-in%'",
        email,
      );
      if (found) return found;
      await new Promise((next) => setImmediate(next));
    }
  };
  const told = await mailTo(only.email);
  expect(told.subject).toBe("Sign in to Commonplace with single sign-on");
  expect(told.body).toContain(`you sign in with Example.\n\nSign in:\n${origin}/console/sign-in\n`);
  expect(told.body).not.toContain("/console/password#");
  expect((await mailTo(both.email)).body).toContain("/console/password#");
});

describe("a sensitive act after signing in through the provider", () => {
  /** Whether such an action requires a confirmation, and until when it does not. */
  const actAfter = async (authTime: number | undefined, body = {}) => {
    const { person, visitor, workspace } = await startConsole({ config: { openId }, at: "2026-03-15T12:00:00.000Z" });
    const { email } = await person({ role: "owner" });
    claims = { email, email_verified: true, ...(authTime !== undefined && { auth_time: authTime }) };
    const browser = visitor();
    await signIn(browser, body);
    const until: string | null = (await browser.call("getSession")).body.data.confirmed_until;
    const key = { name: "Key", teams: "all" };
    const made = await browser.call("postKey", { query: { workspaceId: workspace.id }, body: key });
    return { until, outcome: made.status === 200 ? "made" : made.body.error };
  };
  const secondsAgo = (seconds: number) => Math.floor(Date.now() / 1_000) - seconds;

  test("is asked for again where the provider only says that it knows them", async () => {
    for (const authTime of [undefined, secondsAgo(16 * 60)])
      expect(await actAfter(authTime)).toEqual({ until: null, outcome: "confirmation_required" });
    expect([authorization.get("prompt"), authorization.get("max_age")]).toEqual([null, null]);
  });

  test("is done where they signed in there just now, for a quarter of an hour since then", async () => {
    const { until, outcome } = await actAfter(secondsAgo(5 * 60));
    expect(outcome).toBe("made");
    expect(Math.abs(Date.parse(until ?? "") - Date.parse("2026-03-15T12:10:00.000Z"))).toBeLessThan(30_000);
  });

  test("is done where the provider was told to ask who it is", async () => {
    expect((await actAfter(undefined, { again: true })).outcome).toBe("made");
    expect([authorization.get("prompt"), authorization.get("max_age")]).toEqual(["login", "0"]);
    expect((await actAfter(secondsAgo(1), { again: true })).outcome).toBe("made");
  });

  test("is asked for again where it was told to, and says that it did not", async () => {
    const { until, outcome } = await actAfter(secondsAgo(3_600), { again: true });
    expect([until, outcome]).toEqual([null, "confirmation_required"]);
  });

  test("is done no longer than otherwise where the provider's clock is ahead", async () => {
    const { until } = await actAfter(secondsAgo(-3_600));
    expect(Date.parse(until ?? "")).toBeLessThanOrEqual(Date.parse("2026-03-15T12:15:00.000Z"));
  });

  test("is judged by the ID token also where their address comes from the provider's list of people", async () => {
    claimsElsewhere = ["email", "email_verified"];
    expect((await actAfter(secondsAgo(5 * 60))).outcome).toBe("made");
    expect((await actAfter(secondsAgo(3_600), { again: true })).outcome).toBe("confirmation_required");
  });

  test.each([["1"], [-1], [0], [null]])("is asked for again where %j is said to be the time", async (wrong) => {
    expect((await actAfter(wrong as number)).outcome).toBe("confirmation_required");
  });
});

test("a stranger is refused, and the sign-in page is told why", async () => {
  const { visitor, origin, rows } = await start();
  claims = { email: "stranger@example.com", email_verified: true };
  const browser = visitor();
  expect(await signIn(browser)).toBe(`${origin}/console/sign-in?error=signup_disabled`);
  expect((await browser.call("getSession")).status).toBe(401);
  expect(await rows("select id from people")).toEqual([]);
});

test("an address that the provider did not verify is nobody's", async () => {
  const { person, visitor, origin, rows } = await start();
  const { email } = await person({ role: "owner" });
  claims = { email, email_verified: false };
  expect(await signIn(visitor())).toBe(`${origin}/console/sign-in?error=account_not_linked`);
  expect(await rows("select id from person_credentials where provider_id = 'oidc'")).toEqual([]);
});

test("who shows that an address is theirs takes the account over from who never did", async () => {
  const { person, visitor, bearer, workspace, stranger, rows } = await start();
  // A person accepted an invitation for someone else.
  const owner = await person({ role: "owner" });
  const email = `${crypto.randomUUID()}@example.com`;
  const invited = await owner.call("postInvitation", { body: { email, role: "admin" } });
  const token = tokenOf(invited.body.data.link);
  const thief = visitor();
  await thief.call("postInvitationAcceptance", { body: { token, name: "Thief", password: testPassword } });
  const { id } = (await thief.call("getSession")).body.data.person;
  const made = await thief.call("postToken", {
    body: {
      workspaceId: workspace.id,
      name: "Kept",
      scopes: { workspace: "write" },
      expiresAt: "2026-04-01T00:00:00Z",
    },
  });
  expect((await bearer(made.body.data.secret, "getWorkspace")).status).toBe(200);
  const accomplice = await thief.call("postInvitation", {
    query: { workspaceId: workspace.id },
    body: { email: "accomplice@example.com", role: "admin" },
  });
  const preview = { body: { token: tokenOf(accomplice.body.data.link) } };
  expect((await stranger("postInvitationPreview", preview)).status).toBe(200);
  claims = { email, email_verified: true };
  const browser = visitor();
  await signIn(browser);
  expect((await browser.call("getSession")).body.data.person).toMatchObject({ id, has_password: false });
  expect(await securityLogOf(browser)).toEqual([
    ...["session.create", "account.take_over", "token.use", "token.create", "session.create", "account.create"],
  ]);
  expect((await thief.call("getSession")).status).toBe(401);
  expect((await bearer(made.body.data.secret, "getWorkspace")).status).toBe(401);
  expect((await visitor().auth("/sign-in/email", { email, password: testPassword })).status).toBe(401);
  expect((await stranger("postInvitationPreview", preview)).status).toBe(404);
  expect(
    await rows(
      "select target_name from audit_log where workspace_id = ? and action = 'invitation.delete'",
      workspace.id,
    ),
  ).toEqual([{ target_name: "accomplice@example.com" }]);
});

test("a provider whose issuer differs from the setting is refused, and the log says so", async () => {
  const { visitor, lines } = await start();
  described = { issuer: "https://other.example.com" };
  const refused = await visitor().auth("/sign-in/social", {});
  expect([refused.status, refused.body.error]).toEqual([502, "open_id_misconfigured"]);
  expect(lines.join("\n")).toContain(
    `COMMONPLACE_OIDC_ISSUER is ${issuer}, but the provider there says it is https://other.example.com`,
  );
  described = { issuer: `${issuer}/` };
  expect((await visitor().auth("/sign-in/social", {})).status).toBe(200);
});

test("the provider's discovery document is not taken from another host", async () => {
  const { visitor } = await start();
  const location = "https://elsewhere.example.com/.well-known/openid-configuration";
  answerOf = async (request) =>
    // What a followed redirect leads to.
    request.redirect === "follow" ? provider(request) : new Response(null, { status: 302, headers: { location } });
  expect((await visitor().auth("/sign-in/social", {})).status).toBe(503);
});

test("an ID token without a signature, or signed with a secret that both sides know, opens nothing", async () => {
  const { person, visitor, origin } = await start();
  const { email } = await person({ role: "owner" });
  described = { id_token_signing_alg_values_supported: ["RS256", "HS256", "none"] };
  for (const each of ["HS256", "none"]) {
    claims = { email, email_verified: true };
    algorithm = each;
    expect(await signIn(visitor())).toStartWith(`${origin}/console/sign-in?error=`);
  }
});

describe("a person who was removed from the provider", () => {
  const hourSeconds = 3_600;

  test("a single sign-on session ends after 12 hours, even if it is used, and other sessions do not", async () => {
    const { person, visitor, clock } = await start();
    const { email, cookie } = await person({ role: "member" });
    claims = { email, email_verified: true };
    const [withPassword, withProvider] = [visitor(cookie), visitor()];
    await signIn(withProvider, { again: true });
    const { body } = await withProvider.call("getSessions");
    const listed = body.data.find(({ is_this }: { is_this: boolean }) => is_this);
    expect(Date.parse(listed.ends_at) - Date.parse(listed.created_at)).toBe(12 * hourSeconds * 1_000);
    clock.advance(6 * hourSeconds);
    // A new second factor replaces the session.
    const enabled = await withProvider.auth("/two-factor/enable", { password: testPassword });
    const app = URI.parse(enabled.body.totpURI) as TOTP;
    expect((await withProvider.auth("/two-factor/verify-totp", { code: app.generate() })).status).toBe(200);
    clock.advance(5 * hourSeconds);
    expect((await withProvider.call("getSession")).status).toBe(200);
    clock.advance(hourSeconds);
    expect((await withProvider.call("getSession")).status).toBe(401);
    expect((await withPassword.call("getSession")).status).toBe(200);
  });

  test("access tokens work for 30 days after single sign-on, unless it is optional and there is another way to sign in", async () => {
    const { person, visitor, clock, admin, bearer, workspace } = await start();
    const { email, id } = await person({ role: "owner" });
    claims = { email, email_verified: true };
    const browser = visitor();
    await signIn(browser, { again: true });
    const made = await browser.call("postToken", {
      body: {
        workspaceId: workspace.id,
        name: "T",
        scopes: { workspace: "read" },
        expiresAt: "2026-12-01T00:00:00Z",
      },
    });
    const use = async () => {
      const { status, body } = await bearer(made.body.data.secret, "getWorkspace");
      return [status, body.error];
    };
    const setPolicy = (policy: string) =>
      admin((transaction) =>
        transaction.run(sql`update workspaces set sign_in_policy = ${policy} where id = ${workspace.id}`),
      );
    clock.advance(30 * 24 * hourSeconds - 60);
    await setPolicy("single_sign_on");
    expect(await use()).toEqual([200, undefined]);
    clock.advance(120);
    expect(await use()).toEqual([403, "single_sign_on_required"]);
    await setPolicy("any");
    expect(await use()).toEqual([200, undefined]);
    await admin((transaction) =>
      transaction.run(sql`delete from person_credentials where person_id = ${id} and provider_id = 'credential'`),
    );
    expect(await use()).toEqual([401, "token_owner_away"]);
    await signIn(browser);
    expect(await use()).toEqual([200, undefined]);
    const { tokens_pause_at } = (await browser.call("getSession")).body.data.person;
    expect(Math.abs(Date.parse(tokens_pause_at) - clock.now - 30 * 24 * hourSeconds * 1_000)).toBeLessThan(60_000);
  });
});

test("what is signed by another key, for another client or for another sign-in opens nothing", async () => {
  const { person, visitor, origin } = await start();
  const { email } = await person({ role: "owner" });
  const wrong: [Claims, typeof key][] = [
    [{}, elsewhere.privateKey],
    [{ aud: "another" }, privateKey],
    [{ nonce: "of another sign-in" }, privateKey],
  ];
  for (const [more, by] of wrong) {
    claims = { email, email_verified: true, ...more };
    key = by;
    const browser = visitor();
    expect(await signIn(browser)).toStartWith(`${origin}/console/sign-in?error=`);
    expect((await browser.call("getSession")).status).toBe(401);
  }
});

test("who comes back in another browser, or twice, is not signed in", async () => {
  const { person, visitor, origin } = await start();
  const { email } = await person({ role: "owner" });
  claims = { email, email_verified: true };
  const fixture = visitor();
  await signIn(fixture);
  const back = `/callback/oidc?${new URLSearchParams({ code: "the code", state: authorization.get("state") ?? "" })}`;
  for (const browser of [visitor(), fixture]) {
    const answer = await browser.auth(back);
    expect(answer.headers.get("location")).toStartWith(`${origin}/console/sign-in?error=`);
  }
});

test("a provider that is not there is told of, nobody else waits for it, and it is asked anew", async () => {
  let giveUp = () => {};
  const { person, visitor } = await startConsole({
    config: { openId },
    pause: (milliseconds) =>
      new Promise((end) => {
        if (milliseconds === 10_000) giveUp = end;
      }),
  });
  const { email, id } = await person({ role: "owner" });
  const refusalOf = async () => {
    const { status, body } = await visitor().auth("/sign-in/social", {});
    return [status, body.error];
  };
  answerOf = async () => new Response("gone", { status: 502 });
  expect(await refusalOf()).toEqual([503, "open_id_unavailable"]);

  asked = 0;
  answerOf = () => new Promise(() => undefined);
  const hanging = refusalOf();
  while (asked === 0) await new Promise((next) => setImmediate(next));
  expect((await visitor().auth("/sign-in/email", { email, password: testPassword })).status).toBe(200);
  giveUp();
  expect(await hanging).toEqual([503, "open_id_unavailable"]);

  answerOf = provider;
  claims = { email, email_verified: true };
  const browser = visitor();
  await signIn(browser);
  expect((await browser.call("getSession")).body.data.person).toMatchObject({ id });
});

test("without the setting there is nothing of it", async () => {
  const { visitor } = await startConsole();
  expect((await visitor().auth("/sign-in/social", {})).status).toBe(404);
  expect(intercepted).toHaveBeenCalled();
});
