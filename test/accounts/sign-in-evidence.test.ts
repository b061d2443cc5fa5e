// What a sign-in leaves behind: entries in the security log, email to the owner, and the person in the log. Floods do not fill it.
import { expect, test } from "bun:test";
import { type TOTP, URI } from "otpauth";
import { recordCountedAttempts, recordRefusedSignIn } from "../../src/accounts/sign-in/evidence.ts";
import { type StartedConsole, startConsole, testPassword } from "../support/console.ts";
import { scrape } from "../support/metrics.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const from = (address: string, agent = firefox) => ({ "X-Forwarded-For": address, "User-Agent": agent });
const behindProxy = { config: { trustedProxies: ["127.0.0.1", "::1"] }, pause: async () => {} };

type Caller = Pick<Awaited<ReturnType<StartedConsole["person"]>>, "call">;
const entriesOf = async (caller: Caller, action: string) =>
  (await caller.call("getSecurityLog", { query: { limit: 100 } })).body.data.filter((entry: { action: string }) =>
    entry.action.startsWith(action),
  );

test("a sign-in is recorded with its account, time, address, browser, and method", async () => {
  const { person, visitor, clock, lines } = await startConsole(behindProxy);
  const ada = await person({ role: "owner", name: "Ada" });
  clock.advance(1.5);
  const browser = visitor();
  const signIn = (agent = firefox) =>
    browser.auth("/sign-in/email", { email: ada.email, password: testPassword }, from("192.0.2.1", agent));
  expect((await signIn()).status).toBe(200);
  expect(await entriesOf(ada, "session.create")).toEqual([
    {
      id: expect.any(String),
      at: "2026-03-15T12:00:01.500Z",
      actor_kind: "person",
      actor_id: ada.id,
      actor_name: "Ada",
      client_address: "192.0.2.1",
      action: "session.create",
      target_kind: "account",
      target_id: ada.id,
      target_name: ada.email,
      before: null,
      after: { method: "password", user_agent: firefox, is_new_device: true },
    },
  ]);
  const lineOf = (path: string) => lines.map((text) => JSON.parse(text)).findLast((line) => line.path === path);
  await browser.call("getWorkspaces");
  expect(lineOf("/console/api/workspaces")).toMatchObject({ status: 403, personId: ada.id });
  await browser.call("putPerson", { body: { nmae: "Ada" } });
  expect(lineOf("/console/api/person")).toMatchObject({ status: 400, personId: ada.id });

  // With a second factor, the right password alone is no sign-in, but it is evidence.
  const setUp = (await visitor(ada.cookie).auth("/two-factor/enable", { password: testPassword })).body;
  const totp = URI.parse(setUp.totpURI) as TOTP;
  const enabling = visitor(ada.cookie);
  expect((await enabling.auth("/two-factor/verify-totp", { code: totp.generate() })).status).toBe(200);
  await signIn();
  await signIn();
  const recovery = await browser.auth(
    "/two-factor/verify-backup-code",
    { code: setUp.backupCodes[0] },
    from("192.0.2.1"),
  );
  expect(recovery.status).toBe(200);
  const [newest, ...older] = await entriesOf(browser, "session.create");
  expect([newest.after, older.length]).toEqual([
    { method: "password", second_factor: "recovery_code", user_agent: firefox, is_new_device: false },
    1,
  ]);
  expect(await entriesOf(browser, "sign_in.password")).toMatchObject([
    { actor_kind: "unknown", after: { reason: "password" } },
  ]);
});

test("a refused sign-in is recorded immediately with its reason, repeats are recorded once a minute, and what was typed is never stored", async () => {
  const config = { ...behindProxy.config, metricsPort: 0 };
  const started = await startConsole({ ...behindProxy, config });
  const { person, visitor, clock, rows, service, lines } = started;
  const ada = await person({ role: "owner" });
  const operator = await person({ isOperator: true });
  const guess = (email: string, address: string) =>
    visitor().auth("/sign-in/email", { email, password: "typed as password" }, from(address));
  for (let index = 0; index < 5; index += 1) expect((await guess(ada.email, "192.0.2.1")).status).toBe(401);
  await guess(ada.email, "192.0.2.2");
  await guess("typed@example.com", "192.0.2.1");
  const signedIn = await visitor(ada.cookie).call("postSessionConfirmation", { body: { password: "wrong" } });
  expect(signedIn.status).toBe(403);
  const refused = async () =>
    (await operator.call("getInstanceAuditLog", { query: { action: "sign_in.refuse" } })).body.data.map(
      (entry: { client_address: string; target_id: string | null; after: object }) => [
        entry.client_address,
        entry.target_id === null ? null : entry.target_id === ada.id,
        entry.after,
      ],
    );
  const once = { reason: "password", user_agent: firefox };
  const first = [
    ["127.0.0.1", true, { reason: "confirmation", user_agent: expect.any(String) }],
    ["192.0.2.1", null, once],
    ["192.0.2.2", true, once],
    ["192.0.2.1", true, once],
  ];
  expect(await refused()).toEqual(first);
  expect(await recordCountedAttempts(service.database)).toBe(0);
  clock.advance(120);
  expect(await recordCountedAttempts(service.database)).toBe(1);
  const repeated = {
    reason: "password",
    attempts: 4,
    from: "2026-03-15T12:00:00.000Z",
    to: "2026-03-15T12:00:00.000Z",
  };
  expect(await refused()).toEqual([["192.0.2.1", true, repeated], ...first]);
  expect(await rows("select * from counted_attempts")).toEqual([]);
  // The owner of the account sees what concerns it.
  expect(await entriesOf(ada, "sign_in.refuse")).toHaveLength(4);
  const stored = JSON.stringify(await rows("select * from audit_log"));
  for (const place of [stored, lines.join()]) expect(place).not.toContain("typed");
  expect(lines.filter((line) => line.includes("sign-in refused") && line.includes(ada.id))).toHaveLength(7);
  const counted = (await scrape(started)).matchAll(
    /^commonplace_sign_ins_refused_total\{reason="(\w+)"\} ([1-9]\d*)$/gm,
  );
  expect([...counted].map(([, reason, count]) => [reason, count])).toEqual([
    ["password", "7"],
    ["confirmation", "1"],
  ]);
});

test("a flood from thousands of networks on many accounts adds only a few hundred entries", async () => {
  const { admin, clock, rows, service } = await startConsole({});
  const before = await rows("select id from audit_log");
  await admin(async (transaction) => {
    for (let index = 0; index < 1_200; index += 1) {
      const client = { address: `10.0.${index >> 8}.${index & 255}`, userAgent: null };
      await recordRefusedSignIn(transaction, undefined, client, "password");
      await recordRefusedSignIn(transaction, undefined, client, "password");
    }
  });
  clock.advance(120);
  await recordCountedAttempts(service.database);
  const entries = await rows<{ after: string; client_address: string | null }>(
    "select after, client_address from audit_log where action = 'sign_in.refuse' order by id",
  );
  const attempts = entries.map(({ after }) => JSON.parse(after).attempts ?? 1);
  expect(before).toEqual([]);
  expect(entries.length).toBeLessThanOrEqual(1_002);
  expect(attempts.reduce((sum, count) => sum + count, 0)).toBe(2_400);
});

test("a password confirmation and an export of the request log are recorded", async () => {
  const { person, workspace } = await startConsole();
  const ada = await person({ role: "owner" });
  expect((await ada.call("postSessionConfirmation", { body: { password: testPassword } })).status).toBe(200);
  expect(await entriesOf(ada, "session.confirm")).toMatchObject([{ actor_id: ada.id, client_address: "127.0.0.1" }]);
  expect((await ada.call("getLogExport", { query: { status: "429" } })).status).toBe(200);
  const { body } = await ada.call("getAuditLog", { query: { action: "log.export" } });
  expect(body.data).toMatchObject([{ actor_id: ada.id, target_id: workspace.id, after: { status: "429" } }]);
});

test("an access token that is used from a new network is recorded once for each network", async () => {
  const { person, workspace, bearer } = await startConsole(behindProxy);
  const ada = await person({ role: "owner" });
  const token = {
    workspaceId: workspace.id,
    name: "CI",
    scopes: { workspace: "read" },
    expiresAt: "2026-04-01T00:00:00Z",
  };
  const { id, secret } = (await ada.call("postToken", { body: token })).body.data;
  for (const [address, status] of [
    ["192.0.2.1", 200],
    ["192.0.2.1", 200],
    ["2001:db8::1", 200],
    ["2001:db8::2", 200],
  ] as const)
    expect((await bearer(secret, "getWorkspace", { headers: from(address, "curl/8") })).status).toBe(status);
  // What it may not do is evidence as well.
  expect((await bearer(secret, "getAuditLog", { headers: from("192.0.2.9", "curl/8") })).status).toBe(403);
  const networks = ["192.0.2.9", "2001:db8:0:0::/64", "192.0.2.1"];
  const own = await entriesOf(ada, "token.use");
  expect(own.map((entry: { actor_kind: string; after: object }) => [entry.actor_kind, entry.after])).toEqual(
    networks.map((network) => ["token", { name: "CI", workspace: "Test workspace", network, user_agent: "curl/8" }]),
  );
  const { body } = await ada.call("getAuditLog", { query: { action: "token.use" } });
  expect(body.data.map((entry: { target_id: string; after: object }) => [entry.target_id, entry.after])).toEqual(
    networks.map((network) => [id, { network, user_agent: "curl/8" }]),
  );
});

test("the owner gets an email about a sign-in from a new browser or network, and about each change to the account's security settings", async () => {
  const mail = { url: "smtp://localhost:1", from: "a@example.com" };
  const { person, visitor, rows } = await startConsole({ ...behindProxy, config: { ...behindProxy.config, mail } });
  const ada = await person({ role: "owner" });
  const operator = await person({ isOperator: true });
  const signIn = async (address: string, agent: string) => {
    const browser = visitor();
    const credentials = { email: ada.email, password: testPassword };
    expect((await browser.auth("/sign-in/email", credentials, from(address, agent))).status).toBe(200);
    return browser;
  };
  const mails = async () =>
    (await rows<{ recipient: string; subject: string; body: string }>("select * from mails order by id")).map(
      (row) => row,
    );
  await signIn("192.0.2.1", firefox);
  await signIn("192.0.2.1", firefox.replaceAll("140", "141"));
  expect(await mails()).toEqual([]);
  await signIn("192.0.2.1", chrome);
  const browser = await signIn("198.51.100.7", chrome);
  await signIn("198.51.100.7", chrome);
  const told = await mails();
  expect(told.map(({ recipient, subject }) => [recipient, subject])).toEqual(
    Array.from({ length: 2 }, () => [ada.email, "New sign-in to your Commonplace account"]),
  );
  expect(told[1]?.body).toContain("IP address: 198.51.100.7\nBrowser: Chrome on Windows\n");

  const setUp = (await browser.auth("/two-factor/enable", { password: testPassword })).body;
  await browser.auth("/two-factor/verify-totp", { code: (URI.parse(setUp.totpURI) as TOTP).generate() });
  await browser.auth("/two-factor/generate-backup-codes", { password: testPassword });
  await browser.auth("/two-factor/disable", { password: testPassword });
  const change = { currentPassword: testPassword, newPassword: "quite another passphrase" };
  expect((await browser.auth("/change-password", change)).status).toBe(200);
  await operator.call("deleteInstancePersonFactors", { query: { personId: ada.id } });
  const subjects = (await mails()).slice(2).map(({ subject }) => subject);
  expect(subjects).toEqual([
    "Two-factor authentication was turned on",
    "New recovery codes for your Commonplace account",
    "Two-factor authentication was turned off",
    "Your Commonplace password was changed",
    "Your two-factor authentication was removed",
  ]);
  const texts = JSON.stringify(await mails());
  for (const secret of [testPassword, "quite another passphrase", ...setUp.backupCodes])
    expect(texts).not.toContain(secret);
});
