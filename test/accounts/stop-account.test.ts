// Stopping an account: by an operator in the console, by a command, by its owner's new password, and by who removes a member.
import { expect, test } from "bun:test";
import { makePasswordToken } from "../../src/accounts/people/password-links.ts";
import { type Sql, sql } from "../../src/platform/database/sql.ts";
import { startConsole, testPassword } from "../support/console.ts";
import { tokenOf } from "../support/members.ts";
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
    ["account.disable", { sessions_ended: 1, tokens_ended: 1, invitations_revoked: 0 }],
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

const mailSettings = { COMMONPLACE_MAIL_URL: "smtp://127.0.0.1:1", COMMONPLACE_MAIL_FROM: "commonplace@example.com" };

test("the commands do the same, are audited, and email the person", async () => {
  // Commands use the real time.
  const at = new Date().toISOString();
  const { person, visitor, dataDirectory, rows, workspace, origin } = await startConsole({ at });
  const here = { COMMONPLACE_DATA_DIRECTORY: dataDirectory, COMMONPLACE_URL: origin, ...mailSettings };
  const ada = await person({ role: "member", isOperator: true });
  const command = (name: string) => runJson(["person", name, "--email", ada.email], here);
  const invited = await ada.call("postInvitation", { body: { email: "eve@example.com", role: "owner" } });
  expect(invited.status).toBe(200);
  expect(await command("demote")).toMatchObject({ ended: { sessions: 0, tokens: 0, invitations: 1 }, keys: [] });
  expect((await ada.call("getSession")).body.data.person.is_operator).toBe(false);
  expect(await command("sign-out")).toMatchObject({ ended: { sessions: 1, tokens: 0, invitations: 0 }, keys: [] });
  expect((await ada.call("getSession")).status).toBe(401);
  await command("disable");
  const signIn = () => visitor().auth("/sign-in/email", { email: ada.email, password: testPassword });
  expect((await signIn()).body.error).toBe("account_disabled");
  expect((await run(["person", "list"], here)).stdout).toContain("disabled");
  await command("enable");
  expect((await signIn()).status).toBe(200);
  const [revoked] = await rows<{ actor_kind: string; target_name: string }>(
    "select actor_kind, target_name from audit_log where workspace_id = ? and action = 'invitation.delete'",
    workspace.id,
  );
  expect(revoked).toEqual({ actor_kind: "command", target_name: "eve@example.com" });
  const acts = await rows<{ action: string }>(
    "select action from audit_log where actor_kind = 'command' and target_id = ? order by id",
    ada.id,
  );
  expect(acts.map(({ action }) => action)).toEqual([
    ...["operator.revoke", "account.sign_out", "account.disable", "account.enable"],
  ]);
  const granted = ["--email", ada.email, "--operator", "--drop-second-factor"];
  await runJson(["person", "create", ...granted, "--workspace", workspace.id, "--role", "owner"], here);
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
    /cannot sign in\. Your access tokens and the invitations that you sent no longer work\.\n\nTime: .+ UTC\n\nIf you expected this, you can ignore this email\. If not, contact the operator of this service\.\n$/,
  );
  expect(mails[4]?.body).toContain(`select “Forgot your password?”:\n${origin}/console/account\n`);
  expect(mails[7]?.body).toContain("\nWorkspace: Test workspace\n");
  const unknown = await run(["person", "disable", "--email", "nobody@example.com"], here);
  expect([unknown.status, unknown.stderr]).toEqual([1, expect.stringContaining("no account has the address")]);
});

test("an invitation ends with the right to send it: the response says how many, and its workspace has an entry for each", async () => {
  const { person, stranger, workspace, rows, otherTeam, admin } = await startConsole({});
  const operator = await person({ isOperator: true, name: "Olive" });
  const owner = await person({ role: "owner", name: "Olga" });
  const query = ({ id }: { id: string }) => ({ query: { personId: id } });
  const invited = async (by: typeof operator, role: string) => {
    const email = `${crypto.randomUUID()}@example.com`;
    const { body } = await by.call("postInvitation", { body: { email, role } });
    return { email, preview: { body: { token: tokenOf(body.data.link) } } };
  };
  const acts = {
    postInstancePersonDeactivation: (who: typeof operator) =>
      operator.call("postInstancePersonDeactivation", query(who)),
    deleteInstancePersonAccess: (who: typeof operator) => operator.call("deleteInstancePersonAccess", query(who)),
    deleteInstancePersonOperator: (who: typeof operator) => operator.call("deleteInstancePersonOperator", query(who)),
    deleteMember: (who: typeof operator) => owner.call("deleteMember", query(who)),
    putMember: (who: typeof operator) => owner.call("putMember", { ...query(who), body: { role: "member" } }),
    deletePerson: (who: typeof operator) => who.call("deletePerson", { body: { email: who.email } }),
  };
  for (const [name, carryOut] of Object.entries(acts)) {
    const isOperator = name === "deleteInstancePersonOperator";
    const one = await person(isOperator ? { isOperator } : { role: "admin" });
    const key = isOperator ? undefined : await one.call("postKey", { body: { name, teams: [otherTeam.id] } });
    const sent = [await invited(one, "member"), await invited(one, "admin")];
    const expired = "2026-01-01T00:00:00.000Z";
    const { email } = await invited(one, "member");
    await admin((transaction) =>
      transaction.run(sql`update invitations set expires_at = ${expired} where email = ${email}`),
    );
    const { status, body } = await carryOut(one);
    const revoked = body.data.ended?.invitations ?? body.data.invitations_revoked;
    expect([name, status, revoked]).toEqual([name, 200, 2]);
    for (const { preview } of sent)
      expect([name, (await stranger("postInvitationPreview", preview)).status]).toEqual([name, 404]);
    const entries = await rows<{ target_name: string; before: string }>(
      "select target_name, before from audit_log where workspace_id = ? and action = 'invitation.delete' order by id",
      workspace.id,
    );
    expect(entries.slice(-2).map(({ target_name, before }) => [target_name, JSON.parse(before)])).toEqual(
      sent.map(({ email }, index) => [email, { email, role: index === 0 ? "member" : "admin", teams: [] }]),
    );
    if (key && body.data.keys) expect(body.data.keys).toMatchObject([{ id: key.body.data.id, name }]);
  }
});

test("an invitation cannot be accepted if its sender can no longer send it, even if it was never revoked", async () => {
  const { person, stranger, workspace, rows, admin } = await startConsole({});
  const preview = async (link: string) =>
    (await stranger("postInvitationPreview", { body: { token: tokenOf(link) } })).status;
  const lose: readonly (readonly [(id: string) => Sql, number])[] = [
    [(id) => sql`update people set disabled_at = ${"2026-03-15T12:00:00.000Z"} where id = ${id}`, 404],
    [(id) => sql`update memberships set role = 'member' where person_id = ${id}`, 404],
    [(id) => sql`update memberships set role = 'admin' where person_id = ${id}`, 404],
    [(id) => sql`update memberships set role = 'owner' where person_id = ${id}`, 200],
    [(id) => sql`delete from memberships where person_id = ${id}`, 404],
  ];
  for (const [index, [statement, expected]] of lose.entries()) {
    const one = await person({ role: "owner" });
    const { body } = await one.call("postInvitation", { body: { email: "x@example.com", role: "owner" } });
    expect(await preview(body.data.link)).toBe(200);
    await admin((transaction) => transaction.run(statement(one.id)));
    expect([index, await preview(body.data.link)]).toEqual([index, expected]);
    const accept = { token: tokenOf(body.data.link), name: "Eve", password: testPassword };
    if (expected === 404) expect((await stranger("postInvitationAcceptance", { body: accept })).status).toBe(404);
  }
  expect(await rows("select 1 from audit_log where workspace_id = ? and action = 'member.join'", workspace.id)).toEqual(
    [],
  );
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
