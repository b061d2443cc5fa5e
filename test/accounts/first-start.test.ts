// From the printed link to the signed-in first administrator, and recovery of access for one who lost it.
import { expect, test } from "bun:test";
import { findInvitation, invitationLink } from "../../src/accounts/invitations/invitations.ts";
import { makeFirstAdministrator, makeFirstLink } from "../../src/accounts/people/first-administrator.ts";
import { makePasswordToken } from "../../src/accounts/people/password-links.ts";
import type { Transaction } from "../../src/platform/database/database.ts";
import { startConsole, testPassword } from "../support/console.ts";
import { newId } from "../support/expect.ts";
import { expectFailure, run, runJson } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

/** An instance without people, and a link as a start prints it. */
async function startEmpty() {
  const started = await startConsole({});
  const link = async () => (await started.admin((transaction: Transaction) => makeFirstLink(transaction))) ?? "";
  return { ...started, link };
}
const ada = { name: "Ada", email: "Ada@Example.com", password: testPassword };

test("the first administrator: the link says what it is, makes the operator and owner, and is dead afterwards", async () => {
  const { link, visitor, workspace, rows, origin } = await startEmpty();
  const [token, other] = [await link(), await link()];
  expect(invitationLink(origin, token)).toBe(`${origin}/console/invitation#${token}`);
  const browser = visitor();
  const preview = await browser.call("postInvitationPreview", { body: { token } });
  expect(preview.body.data).toEqual({
    kind: "first administrator",
    workspace_name: null,
    email: null,
    role: "owner",
    teams: [],
    invited_by: null,
    has_account: false,
    expires_at: "2026-03-15T13:00:00.000Z",
  });
  const made = await browser.call("postInvitationAcceptance", { body: { token, ...ada } });
  expect([made.status, made.body]).toEqual([200, { success: true, data: { message: "Welcome" } }]);
  expect(made.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^__Host-commonplace\.session_token=[^;]+; Max-Age=1209600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ]);

  const { body } = await browser.call("getSession");
  expect(body.data.person).toEqual({
    id: newId,
    name: "Ada",
    email: "ada@example.com",
    is_operator: true,
    has_password: true,
    has_second_factor: false,
    needs_verification: false,
    tokens_pause_at: null,
  });
  expect(body.data.memberships).toEqual([
    {
      workspace_id: workspace.id,
      workspace_name: "Test workspace",
      subscription: "active",
      sign_in_lacks: null,
      removal_at: null,
      role: "owner",
      actions: expect.arrayContaining(["keys.manage", "instance.manage", "billing.buy"]),
    },
  ]);
  expect(body.data.confirmed_until).toBe("2026-03-15T12:15:00.000Z");

  // This link and every other one that a start printed are invalid.
  for (const dead of [token, other])
    for (const operation of ["postInvitationPreview", "postInvitationAcceptance"] as const) {
      const more = operation === "postInvitationPreview" ? {} : ada;
      const { status, body } = await visitor().call(operation, { body: { token: dead, ...more } });
      expect([status, body.error]).toEqual([404, "invitation_not_found"]);
    }
  expect(await link()).toBe("");

  const acts = await rows<{ workspace_id: string; action: string; actor_kind: string; after: string }>(
    "select workspace_id, action, actor_kind, after from audit_log order by action",
  );
  expect(acts.map(({ workspace_id, action, actor_kind }) => [workspace_id, action, actor_kind])).toEqual([
    ["00000000-0000-0000-0000-000000000000", "account.create", "person"],
    [workspace.id, "member.join", "person"],
    ["00000000-0000-0000-0000-000000000000", "session.create", "person"],
  ]);
  expect(JSON.stringify(acts)).not.toContain(testPassword);
  for (const log of ["getSecurityLog", "getInstanceAuditLog"] as const)
    expect((await browser.call(log)).body.data).toMatchObject([
      { action: "session.create", after: { method: "invitation" } },
      {
        action: "account.create",
        actor_name: "Ada",
        target_name: "ada@example.com",
        after: { name: "Ada", operator: true },
      },
    ]);

  // Signs in again like any other person.
  expect((await visitor().auth("/sign-in/email", { email: ada.email, password: ada.password })).status).toBe(200);
});

test("anybody learns whether setup is finished, and nothing else of it", async () => {
  const { link, stranger, rows } = await startEmpty();
  const signInOptions = async () => (await stranger("getSignIn")).body.data;
  const methods = { password_reset: false, passkeys: true, open_id: null };
  expect(await signInOptions()).toEqual({ is_set_up: false, ...methods });
  const token = await link();
  expect(await signInOptions()).toEqual({ is_set_up: false, ...methods });
  expect((await stranger("postInvitationAcceptance", { body: { token, ...ada } })).status).toBe(200);
  expect(await signInOptions()).toEqual({ is_set_up: true, ...methods });
  expect(await rows("select id from people")).toHaveLength(1);
});

test("after an hour the link is dead", async () => {
  const { link, stranger, clock } = await startEmpty();
  const token = await link();
  clock.advance(60 * 60 - 1);
  expect((await stranger("postInvitationPreview", { body: { token } })).status).toBe(200);
  clock.advance(1);
  expect((await stranger("postInvitationPreview", { body: { token } })).status).toBe(404);
  expect((await stranger("postInvitationAcceptance", { body: { token, ...ada } })).status).toBe(404);
});

test("of several who use links at the same moment, one becomes the administrator", async () => {
  const { link, visitor, rows } = await startEmpty();
  const tokens = [await link(), await link(), await link()];
  const answers = await Promise.all(
    [...tokens, ...tokens].map((token, index) =>
      visitor().call("postInvitationAcceptance", { body: { token, ...ada, email: `ada${index}@example.com` } }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
  expect(await rows("select id from people")).toHaveLength(1);
  expect(await rows("select person_id from memberships")).toHaveLength(1);
});

test("so does one of several whose passwords are hashed already", async () => {
  const { link, admin, rows } = await startEmpty();
  const tokens = await Promise.all(Array.from({ length: 8 }, link));
  const tries = tokens.map((token, index) =>
    admin(async (transaction) => {
      const invitation = await findInvitation(transaction, token);
      if (!invitation) throw new Error("the link is not there");
      const person = { name: "Ada", email: `ada${index}@example.com`, passwordHash: "hash" };
      return makeFirstAdministrator(transaction, invitation, person);
    }),
  );
  const results = await Promise.allSettled(tries);
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await rows("select id from people")).toHaveLength(1);
});

test("what the link needs is said, and nothing is used up by it", async () => {
  const { link, stranger } = await startEmpty();
  const token = await link();
  const messageOf = async (body: object) => (await stranger("postInvitationAcceptance", { body })).body.message;
  expect(await messageOf({ token, ...ada, name: undefined })).toBe("name is required");
  expect(await messageOf({ token, ...ada, password: undefined })).toBe("password is required");
  expect(await messageOf({ token, ...ada, email: undefined })).toBe("email is required");
  expect(await messageOf({ token, ...ada, password: "too short" })).toBe("password must be 12 to 256 characters");
  expect(await messageOf({ token, ...ada, name: "  " })).toBe("name must not be blank");
  expect(await messageOf({ token, ...ada, email: "nobody" })).toBe("email must be an email address");
  expect((await stranger("postInvitationAcceptance", { body: { token, ...ada } })).status).toBe(200);
});

test("person create: a link to a password, the workspace and the operator's rights; again, a way back in", async () => {
  const data = temporaryDirectory();
  const here = { COMMONPLACE_DATA_DIRECTORY: data, COMMONPLACE_URL: "https://snippets.example.com" };
  const workspace = (await runJson(["workspace", "create", "--name", "Ours"], here)).id;
  const command = ["person", "create", "--email", "Grace@Example.com"];
  const made = await runJson([...command, "--name", "Grace", "--workspace", workspace], here);
  expect(made).toEqual({
    id: newId,
    name: "Grace",
    email: "grace@example.com",
    is_operator: false,
    is_new: true,
    link: expect.stringMatching(/^https:\/\/snippets\.example\.com\/console\/password#[\w-]{32}$/),
    expires_at: expect.stringMatching(/^\d{4}-.*Z$/),
    invitations_revoked: 0,
  });
  const again = await runJson([...command, "--operator", "--workspace", workspace, "--role", "owner"], here);
  expect(again).toEqual({
    ...made,
    is_operator: true,
    is_new: false,
    link: expect.not.stringContaining(made.link),
    expires_at: expect.any(String),
  });
  expect(await runJson(["person", "list"], here)).toEqual([
    {
      id: made.id,
      name: "Grace",
      email: "grace@example.com",
      created_at: expect.any(String),
      is_operator: true,
      has_second_factor: false,
      is_disabled: false,
      workspaces: [{ workspace_id: workspace, role: "owner" }],
    },
  ]);
  const last = await run([...command, "--workspace", workspace, "--role", "member"], here);
  expectFailure(last, 1, "a workspace needs at least one owner. Make another member an owner first");

  const hint = "./commonplace person create --help";
  const refused = async (words: string[], message: string) =>
    expectFailure(await run(["person", "create", ...words], here), 2, message, hint);
  await refused(["--email", "nobody"], "--email must be an email address");
  await refused(["--email", "a@example.com", "--role", "owner"], "--role requires --workspace ID");
  await refused(
    ["--email", "a@example.com", "--workspace", workspace, "--role", "king"],
    "--role must be one of: owner, admin, member",
  );
});

test("the link of person create sets the password, once, and stands in the audit log as a command", async () => {
  const started = await startConsole({});
  const { visitor, rows, dataDirectory, workspace, person } = started;
  const lost = await person({ role: "owner", email: "lost@example.com" });
  const here = { COMMONPLACE_DATA_DIRECTORY: dataDirectory };
  // As the command makes it, which uses the real clock and not the test's.
  const token = await started.admin(async (transaction) => makePasswordToken(transaction, lost.id, 60));
  const newPassword = "a password of my own";
  const short = await visitor().auth("/reset-password", { token, newPassword: "short" });
  expect([short.status, short.body.error]).toEqual([400, "password_too_short"]);
  const [left, right] = await Promise.all([1, 2].map(() => visitor().auth("/reset-password", { token, newPassword })));
  expect([left?.status, right?.status].sort()).toEqual([200, 400]);
  expect((await lost.call("getSession")).status).toBe(401);
  expect((await visitor().auth("/sign-in/email", { email: lost.email, password: newPassword })).status).toBe(200);

  await runJson(["person", "create", "--email", lost.email, "--operator", "--drop-second-factor"], here);
  await runJson(["person", "create", "--email", "new@example.com", "--workspace", workspace.id], here);
  const acts = await rows<{ actor_kind: string; action: string }>(
    "select actor_kind, action from audit_log order by at, id",
  );
  expect(acts.map(({ actor_kind, action }) => `${actor_kind} ${action}`).sort()).toEqual([
    "command member.create",
    "command member.join",
    "command member.password_link",
    "person password.reset",
    "person session.create",
    "unknown sign_in.refuse",
  ]);
});
