// Stopping an account: by an operator in the console, by a command, by its owner's new password, and by who removes a member.
import { expect, test } from "bun:test";
import { makePasswordToken } from "../../src/accounts/people/password-links.ts";
import { startConsole, testPassword } from "../support/console.ts";
import { run, runJson } from "../support/program.ts";

const tokenFor = (workspaceId: string) => ({
  body: { workspaceId, name: "CI", scopes: { workspace: "write" }, expiresAt: "2026-04-01T00:00:00Z" },
});

test("nobody can sign in to a disabled account or use its tokens, and enabling it restores access", async () => {
  const { person, visitor, bearer, workspace, admin, rows } = await startConsole({});
  const operator = await person({ isOperator: true, name: "Olive" });
  const ada = await person({ role: "owner" });
  const token = (await ada.call("postToken", tokenFor(workspace.id))).body.data.secret;
  const link = await admin(async (transaction) => makePasswordToken(transaction, ada.id, 60));
  const query = { personId: ada.id };
  const disabled = await operator.call("postInstancePersonDeactivation", { query });
  expect(disabled.body.data).toMatchObject({ id: ada.id, email: ada.email, disabled_at: expect.any(String) });
  expect((await ada.call("getSession")).status).toBe(401);
  expect((await bearer(token, "getWorkspace")).status).toBe(401);
  const newPassword = "quite another passphrase";
  expect((await visitor().auth("/reset-password", { token: link, newPassword })).status).toBe(400);
  const signIn = (password: string) => visitor().auth("/sign-in/email", { email: ada.email, password });
  const refused = await signIn(testPassword);
  expect([refused.status, refused.body.error, refused.headers.getSetCookie()]).toEqual([403, "account_disabled", []]);
  // Who does not know the password learns nothing of it.
  expect((await signIn("not the password")).body.error).toBe("sign_in_refused");
  expect(await rows("select id from person_sessions where person_id = ?", ada.id)).toEqual([]);

  expect((await operator.call("postInstancePersonActivation", { query })).body.data.disabled_at).toBeNull();
  expect((await signIn(testPassword)).status).toBe(200);
  expect((await bearer(token, "getWorkspace")).status).toBe(401);
  const acts = await rows<{ action: string; actor_name: string; after: string | null }>(
    "select action, actor_name, after from audit_log where target_id = ? and actor_name = 'Olive' order by id",
    ada.id,
  );
  expect(acts.map(({ action, after }) => [action, after && JSON.parse(after)])).toEqual([
    ["account.disable", { sessions_ended: 1, tokens_ended: 1 }],
    ["account.enable", null],
  ]);
});

test("an operator can sign a person out everywhere, remove lost factors, and revoke operator rights, except their own", async () => {
  const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
  const { person, visitor, rows } = await startConsole({ config: { mail } });
  const operator = await person({ isOperator: true, name: "Olive" });
  const other = await person({ role: "member", isOperator: true, name: "Other" });
  const factor = await visitor(other.cookie).auth("/two-factor/enable", { password: testPassword });
  expect(factor.status).toBe(200);
  const query = { personId: other.id };
  expect((await other.call("getWorkspaces")).status).toBe(200);
  await operator.call("deleteInstancePersonOperator", { query });
  expect((await other.call("getWorkspaces")).status).toBe(403);
  await operator.call("deleteInstancePersonFactors", { query });
  expect(await rows("select id from person_second_factors where person_id = ?", other.id)).toEqual([]);
  await operator.call("deleteInstancePersonAccess", { query });
  expect((await other.call("getSession")).status).toBe(401);
  await operator.call("putMember", { query, body: { role: "owner" } });
  const mails = await rows<{ subject: string }>(
    "select subject from mails where recipient = ? order by id",
    other.email,
  );
  expect(mails.map(({ subject }) => subject)).toEqual([
    "You are no longer an operator of Commonplace",
    "Your two-factor authentication was removed",
    "You were signed out of Commonplace",
    "You are now an owner of a workspace",
  ]);
  for (const name of ["postInstancePersonDeactivation", "deleteInstancePersonOperator"] as const) {
    const own = await operator.call(name, { query: { personId: operator.id } });
    expect([own.status, own.body.error]).toEqual([409, "own_account"]);
  }
  const { body } = await operator.call("getInstancePeople", { query: { search: "oth" } });
  expect(body.data).toMatchObject([{ id: other.id, is_operator: false, has_second_factor: false, workspaces: 1 }]);
});

const mailSettings = { COMMONPLACE_SMTP_URL: "smtp://127.0.0.1:1", COMMONPLACE_MAIL_FROM: "commonplace@example.com" };

test("the commands do the same, are audited, and email the person", async () => {
  const { person, visitor, dataDirectory, rows, workspace, origin } = await startConsole({});
  const here = { COMMONPLACE_DATA: dataDirectory, COMMONPLACE_URL: origin, ...mailSettings };
  const ada = await person({ role: "member", isOperator: true });
  const command = (name: string) => runJson(["member", name, "--email", ada.email], here);
  await command("demote");
  expect((await ada.call("getSession")).body.data.person.is_operator).toBe(false);
  await command("sign-out");
  expect((await ada.call("getSession")).status).toBe(401);
  await command("disable");
  const signIn = () => visitor().auth("/sign-in/email", { email: ada.email, password: testPassword });
  expect((await signIn()).body.error).toBe("account_disabled");
  expect((await run(["member", "list"], here)).stdout).toContain("disabled");
  await command("enable");
  expect((await signIn()).status).toBe(200);
  const acts = await rows<{ action: string }>(
    "select action from audit_log where actor_kind = 'command' and target_id = ? order by id",
    ada.id,
  );
  expect(acts.map(({ action }) => action)).toEqual([
    ...["operator.revoke", "account.sign_out", "account.disable", "account.enable"],
  ]);
  const granted = ["--email", ada.email, "--operator", "--drop-second-factor"];
  await runJson(["member", "create", ...granted, "--workspace", workspace.id, "--role", "owner"], here);
  const mails = await rows<{ subject: string; body: string }>(
    "select subject, body from mails where recipient = ? order by id",
    ada.email,
  );
  expect(mails.map(({ subject }) => subject)).toEqual([
    "You are no longer an operator of Commonplace",
    "You were signed out of Commonplace",
    "Your Commonplace account was disabled",
    "Your Commonplace account was enabled",
    "An operator created a password reset link for your account",
    "Your two-factor authentication was removed",
    "You are now an operator of Commonplace",
    "You are now an owner of a workspace",
  ]);
  expect(mails[2]?.body).toMatch(
    /cannot sign in, and your access tokens no longer work\.\n\nTime: .+ UTC\n\nIf you expected this, you can ignore this email\. If not, contact the operator of this service\.\n$/,
  );
  expect(mails[4]?.body).toContain(`select “Forgot your password?”:\n${origin}/console/account\n`);
  expect(mails[7]?.body).toContain("\nWorkspace: Test workspace\n");
  const unknown = await run(["member", "disable", "--email", "nobody@example.com"], here);
  expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining("no account has the address")]);
});

test("changing the password ends the other sessions and revokes the access tokens, unless the person keeps them", async () => {
  const { person, visitor, bearer, workspace } = await startConsole({ pause: async () => {} });
  const ada = await person({ role: "owner" });
  const other = visitor();
  await other.auth("/sign-in/email", { email: ada.email, password: testPassword });
  const browser = visitor(ada.cookie);
  const makeToken = async () => (await browser.call("postToken", tokenFor(workspace.id))).body.data.secret;
  const works = async (secret: string) => (await bearer(secret, "getWorkspace")).status === 200;
  const first = await makeToken();
  const newPassword = "quite another passphrase";
  await browser.auth("/change-password", { currentPassword: testPassword, newPassword });
  expect([await works(first), (await other.call("getSession")).status]).toEqual([false, 401]);
  const second = await makeToken();
  const change = { currentPassword: newPassword, newPassword: testPassword, keepsTokens: true };
  expect((await browser.auth("/change-password", change)).status).toBe(200);
  expect(await works(second)).toBe(true);
});

test("removing a member lists the keys whose secrets they have seen", async () => {
  const { person, otherTeam } = await startConsole();
  const owner = await person({ role: "owner" });
  const bob = await person({ role: "admin" });
  const create = async (by: typeof bob, name: string) =>
    (await by.call("postKey", { body: { name, teams: [otherTeam.id] } })).body.data;
  const [made, rotated] = [await create(bob, "Made"), await create(owner, "Rotated")];
  await create(owner, "Never seen");
  await bob.call("postKeyRotation", { query: { keyId: rotated.id }, body: { overlap: "now" } });
  const gone = await create(bob, "Deactivated");
  await bob.call("postKeyDeactivation", { query: { keyId: gone.id } });
  const { body } = await owner.call("deleteMember", { query: { personId: bob.id } });
  expect(body.data.keys).toEqual([
    { id: made.id, name: "Made", secret_start: made.secret_start },
    { id: rotated.id, name: "Rotated", secret_start: expect.any(String) },
  ]);
});
