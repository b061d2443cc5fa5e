// A person leaves: what is stored about them, for them, and the end of their account.
import { expect, test } from "bun:test";
import { verifyChains } from "../../src/accounts/audit/chain.ts";
import { deleteExpired } from "../../src/accounts/people/cleanup.ts";
import { readSchema } from "../../src/platform/database/schema.ts";
import { startConsole, testPassword } from "../support/console.ts";
import { runJson } from "../support/program.ts";

const name = "Zebedee Quixley";
const still = (_: unknown, signal: AbortSignal) =>
  new Promise<void>((end) => signal.addEventListener("abort", () => end()));

test("a person can export their data and delete their account: no table has their name or address, and what they did stays under a pseudonym", async () => {
  const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
  const started = await startConsole({ config: { mail }, wait: still });
  const { person, rows, visitor, workspace, team, bearer } = started;
  const [one, other] = [await person({ role: "owner", name }), await person({ role: "admin", name: "Grace" })];
  const { email, id, cookie } = one;
  await one.call("postKey", { body: { name: "Help desk", teams: "all" } });
  await one.call("postLibrarySnippet", {
    body: { title: "Hello", content: { type: "plaintext", content: "x" }, teamId: team.id },
  });
  await one.call("postInvitation", { body: { email: "new@example.com", role: "member" } });
  await other.call("putTeamMember", { query: { teamId: team.id, personId: id }, body: { role: "editor" } });
  const token = await one.call("postToken", {
    body: {
      workspaceId: workspace.id,
      name: "T",
      scopes: { workspace: "read" },
      expiresAt: "2026-04-01T00:00:00Z",
    },
  });
  const { secret } = token.body.data;
  expect((await other.call("putAlerts", { body: { emails: [email] } })).body.data.emails).toEqual([email]);

  const exported = await one.call("getPersonExport");
  expect([exported.status, exported.headers.get("content-disposition")]).toEqual([
    200,
    `attachment; filename="account-${id}.json"`,
  ]);
  const { format, version, tables } = exported.body;
  expect([format, version]).toEqual(["commonplace-person", 1]);
  expect(tables.people).toEqual([expect.objectContaining({ id, name, email, is_operator: false })]);
  expect(tables.alert_recipients).toEqual([{ workspace_id: workspace.id, email }]);
  expect(tables.person_sessions).toHaveLength(1);
  expect(tables.access_tokens.map((row: { name: string }) => row.name)).toEqual(["T"]);
  expect(tables.memberships.map((row: { role: string }) => row.role)).toEqual(["owner"]);
  expect(tables.team_memberships).toHaveLength(1);
  expect(tables.library_activity.map((row: { action: string }) => row.action)).toEqual(["snippet.create"]);
  const actions = tables.audit_log.map((row: { action: string }) => row.action);
  for (const action of ["key.create", "token.create", "account.export", "team_member.create"])
    expect(actions).toContain(action);
  const [stored] = await rows<{ token: string; password: string }>(
    "select s.token, c.password from person_sessions s join person_credentials c on c.person_id = s.person_id where s.person_id = ?",
    id,
  );
  for (const hidden of [stored?.token ?? "", stored?.password ?? "", secret, testPassword])
    expect(exported.text).not.toContain(hidden);

  const alone = await one.call("deletePerson", { body: { email } });
  expect([alone.status, alone.body.message]).toEqual([
    409,
    "This account is the only owner of: Test workspace. Make another member an owner, or delete the workspace, then try again",
  ]);
  await one.call("putMember", { query: { personId: other.id }, body: { role: "owner" } });
  const wrong = await one.call("deletePerson", { body: { email: "other@example.com" } });
  expect([wrong.status, wrong.body.error]).toEqual([400, "wrong_email"]);
  const browser = visitor(cookie);
  expect((await browser.call("deletePerson", { body: { email: email.toUpperCase() } })).status).toBe(200);

  expect((await one.call("getSession")).status).toBe(401);
  expect((await bearer(secret, "getWorkspace", { query: { workspaceId: workspace.id } })).status).toBe(401);
  expect((await visitor().auth("/sign-in/email", { email, password: testPassword })).status).toBe(401);
  const pseudonym = `Former member ${id.slice(-4)}`;
  // Emails are deleted 30 days after they were sent.
  for (const { name: table, columns } of readSchema().filter((candidate) => candidate.name !== "mails")) {
    const text = JSON.stringify(await rows(`select * from ${table}`));
    expect([table, text.includes(name), text.includes(email)]).toEqual([table, false, false]);
    // Sessions, factors, and roles, with the addresses and browsers in them; not the activity, whose author has the pseudonym.
    if (columns.some((column) => column.name === "person_id"))
      expect([table, await rows(`select * from ${table} where person_id = ?`, id)]).toEqual([table, []]);
  }
  const verified = await started.service.database.read(verifyChains);
  expect([verified.broken, verified.forgotten > 0]).toEqual([[], true]);
  const log = (await other.call("getAuditLog")).body.data;
  const created = log.find(({ action }: { action: string }) => action === "key.create");
  expect([created.actor_name, created.actor_id, created.target_name]).toEqual([pseudonym, id, "Help desk"]);
  expect(log[0]).toMatchObject({ action: "member.delete", target_name: pseudonym });
  expect((await other.call("getLibraryActivity")).body.data[0].author.name).toBe(pseudonym);
  const keys = (await other.call("getKeys")).body.data;
  expect(keys.find((key: { name: string }) => key.name === "Help desk").created_by).toBe(pseudonym);
  const members = (await other.call("getMembers")).body.data;
  expect(members.map((member: { name: string }) => member.name)).toEqual(["Grace"]);
  const [sent] = await rows<{ subject: string }>(
    "select subject from mails where recipient = ? order by id desc limit 1",
    email,
  );
  expect(sent?.subject).toBe("Your Commonplace account was deleted");
}, 60_000);

test("the command that deletes an account says which invitations it revoked, and which keys to rotate", async () => {
  // Commands use the real time.
  const { person, dataDirectory, workspace, team } = await startConsole({ at: new Date().toISOString() });
  const admin = await person({ role: "admin", name });
  const { id, secret_start } = (await admin.call("postKey", { body: { name: "Help desk", teams: [team.id] } })).body
    .data;
  await admin.call("postInvitation", { body: { email: "new@example.com", role: "admin" } });
  const command = ["person", "delete", "--email", admin.email];
  expect(await runJson(command, { COMMONPLACE_DATA_DIRECTORY: dataDirectory })).toEqual({
    id: admin.id,
    pseudonym: `Former member ${admin.id.slice(-4)}`,
    invitations_revoked: 1,
    keys: [{ id, name: "Help desk", secret_start, workspace_id: workspace.id, workspace_name: workspace.name }],
  });
});

test("the owners learn of an admin who deletes their account, and which keys to rotate; IP addresses are kept for 90 days", async () => {
  const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
  const started = await startConsole({ config: { mail }, wait: still });
  const { person, rows, workspace, origin, clock, service, team } = started;
  const owner = await person({ role: "owner", name: "Olga" });
  const admin = await person({ role: "admin", name });
  const plain = await person({ role: "member", name: "Plain" });
  const key = (await admin.call("postKey", { body: { name: "Help desk", teams: [team.id] } })).body.data;
  await admin.call("postInvitation", { body: { email: "new@example.com", role: "admin" } });
  await plain.call("deletePerson", { body: { email: plain.email } });
  const removed = await admin.call("deletePerson", { body: { email: admin.email } });
  expect(removed.body.data).toEqual({ message: "Account deleted", invitations_revoked: 1 });
  const mails = await rows<{ subject: string; body: string }>(
    "select subject, body from mails where recipient = ? order by id",
    owner.email,
  );
  const page = `${origin}/console/w/${workspace.id}`;
  expect(mails).toEqual([
    {
      subject: "A member of “Test workspace” deleted their account",
      body: `Hello,

${name} (${admin.email}) deleted their Commonplace account. They had the role of admin in “Test workspace”.

They no longer have access.
Pending invitations that they sent and that were revoked: 1.

They created or rotated these API keys, which keep working. Rotate them, because they may still have the secrets:
- Help desk (${key.secret_start}…)
${page}/keys

The audit log shows what they did, as “Former member ${admin.id.slice(-4)}”, with their IP addresses for another 90 days:
${page}/audit

If you did not expect this, someone else may have used the account. Check the audit log for what it changed.
`,
    },
  ]);
  const addresses = async () =>
    new Set(
      (
        await rows<{ client_address: string | null }>(
          "select client_address from audit_log where actor_id = ? and action <> 'account.delete' and action <> 'member.delete' and action <> 'invitation.delete'",
          admin.id,
        )
      ).map(({ client_address }) => client_address),
    );
  const clean = () => deleteExpired(service.database, async () => true);
  clock.advance(90 * 86_400 - 60);
  await clean();
  expect([...(await addresses())]).toEqual([expect.stringMatching(/^(127\.0\.0\.1|::1)$/)]);
  clock.advance(120);
  await clean();
  expect([...(await addresses())]).toEqual([null]);
  expect((await service.database.read(verifyChains)).broken).toEqual([]);
}, 60_000);

test("where alerts went only to a person who leaves, they go to the owners and admins", async () => {
  const { person } = await startConsole({});
  const owner = await person({ role: "owner" });
  const [one, other] = [await person({ role: "member" }), await person({ role: "member" })];
  const emails = async () => (await owner.call("getAlerts")).body.data.emails;
  await owner.call("putAlerts", { body: { emails: [one.email, other.email] } });
  await owner.call("deleteMember", { query: { personId: one.id } });
  expect(await emails()).toEqual([other.email]);
  await other.call("deletePerson", { body: { email: other.email } });
  expect(await emails()).toBeNull();
});
