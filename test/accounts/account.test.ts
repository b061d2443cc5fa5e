// A person's own account: permissions, entering the password again, sessions, and what is deleted after it expires.
import { describe, expect, test } from "bun:test";
import { deleteExpired } from "../../src/accounts/people/cleanup.ts";
import { sql } from "../../src/platform/database/sql.ts";
import type { Wait } from "../../src/platform/jobs.ts";
import { queueMail } from "../../src/platform/mail/outbox.ts";
import { startConsole, testPassword } from "../support/console.ts";
import { newId } from "../support/expect.ts";
import { tokenOf } from "../support/members.ts";
import { runJson } from "../support/program.ts";

const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };

/** No background job runs: queued mail stays where the test finds it. */
const still: Wait = (_, signal) => new Promise((end) => signal.addEventListener("abort", () => end()));

test("what sign-in offers depends on the settings", async () => {
  const { stranger, person } = await startConsole();
  await person({ role: "owner" });
  expect((await stranger("getSignIn")).body.data).toEqual({
    is_set_up: true,
    password_reset: false,
    passkeys: true,
    open_id: null,
  });
  const other = await startConsole({
    config: {
      mail,
      publicOrigin: "https://192.0.2.7",
      openId: { issuer: "https://id.example.com", clientId: "a", clientSecret: "b", name: "Example" },
    },
    wait: still,
  });
  expect((await other.stranger("getSignIn")).body.data).toEqual({
    is_set_up: false,
    password_reset: true,
    passkeys: false,
    open_id: "Example",
  });
});

describe("who is signed in", () => {
  test("a member sees what they may do; an operator only where they are a member", async () => {
    const { person, workspace, team } = await startConsole({});
    const member = await person({ role: "member", teams: {} });
    const { body } = await member.call("getSession");
    expect(body.data.memberships).toEqual([
      {
        workspace_id: workspace.id,
        workspace_name: "Test workspace",
        subscription: "active",
        sign_in_lacks: null,
        removal_at: null,
        role: "member",
        actions: ["workspace.read", "usage.read", "members.read"],
      },
    ]);
    expect(body.data.ends_at).toBe("2026-03-29T12:00:00.000Z");
    const lead = await person({ role: "member", teams: { [team.id]: "admin" } });
    expect((await lead.call("getSession")).body.data.memberships[0].actions).toEqual([
      ...["workspace.read", "keys.read", "keys.manage", "usage.read", "members.read", "teams.read", "teams.manage"],
      ...["library.read", "library.write", "library.manage"],
    ]);
    const operator = await person({ isOperator: true });
    expect((await operator.call("getSession")).body.data).toMatchObject({
      person: { is_operator: true },
      memberships: [],
    });
  });

  test("a name is changed, and nothing else of a person", async () => {
    const { person } = await startConsole();
    const one = await person({ role: "member" });
    const changed = await one.call("putPerson", { body: { name: "Countess" } });
    expect(changed.body.data).toMatchObject({ id: one.id, name: "Countess", email: one.email });
    const more = await one.call("putPerson", { body: { name: "x", is_operator: true } });
    expect(more.status).toBe(400);
  });

  test("a session in use is extended, and so is the browser's cookie", async () => {
    const { person, clock, rows } = await startConsole({});
    const one = await person({ role: "member" });
    clock.advance(59 * 60);
    expect((await one.call("getSession")).headers.getSetCookie()).toEqual([]);
    clock.advance(60);
    const { headers } = await one.call("getSession");
    expect(headers.getSetCookie()).toEqual([expect.stringContaining("Max-Age=1209600")]);
    const [row] = await rows<{ expires_at: string }>(
      "select expires_at from person_sessions where id = ?",
      one.sessionId,
    );
    expect(row?.expires_at).toBe("2026-03-29T13:00:00.000Z");
    clock.advance(14 * 86_400);
    expect((await one.call("getSession")).status).toBe(401);
  });

  test("a session that is used every day ends after 30 days, or after the number of days in the setting", async () => {
    for (const days of [30, 3]) {
      const { person, clock, rows } = await startConsole({ config: { sessionDaysMax: days } });
      const one = await person({ role: "member" });
      for (let day = 1; day < days; day += 1) {
        clock.advance(86_400);
        expect((await one.call("getSession")).status).toBe(200);
      }
      const end = new Date(Date.parse("2026-03-15T12:00:00.000Z") + days * 86_400_000).toISOString();
      const found = await rows("select expires_at from person_sessions where id = ?", one.sessionId);
      expect(found).toEqual([{ expires_at: end }]);
      clock.advance(86_400);
      expect((await one.call("getSession")).status).toBe(401);
    }
  });
});

describe("the password again", () => {
  test("counts for a quarter of an hour", async () => {
    const { person, clock, workspace } = await startConsole({});
    const one = await person({ role: "owner" });
    clock.advance(15 * 60);
    const body = {
      workspaceId: workspace.id,
      name: "CI",
      scopes: { workspace: "read" },
      expiresAt: "2026-04-01T00:00:00Z",
    };
    const refused = await one.call("postToken", { body });
    expect([refused.status, refused.body.error]).toEqual([403, "confirmation_required"]);
    const wrong = await one.call("postSessionConfirmation", { body: { password: "not the password" } });
    expect([wrong.status, wrong.body.error]).toEqual([403, "password_wrong"]);
    expect((await one.call("postToken", { body })).status).toBe(403);
    expect((await one.call("postSessionConfirmation", { body: { password: testPassword } })).status).toBe(200);
    expect((await one.call("getSession")).body.data.confirmed_until).toBe("2026-03-15T12:30:00.000Z");
    expect((await one.call("postToken", { body })).status).toBe(200);
  });

  test("counts for this session alone", async () => {
    const { person, visitor, clock } = await startConsole({});
    const one = await person({ role: "owner" });
    const other = visitor();
    await other.auth("/sign-in/email", { email: one.email, password: testPassword });
    clock.advance(16 * 60);
    await one.call("postSessionConfirmation", { body: { password: testPassword } });
    expect((await other.call("getSession")).body.data.confirmed_until).toBeNull();
  });

  test("of somebody who has none: they sign in again instead", async () => {
    const { person, admin } = await startConsole();
    const one = await person({ role: "owner" });
    await admin((transaction) => transaction.run(sql`delete from person_credentials where person_id = ${one.id}`));
    const { status, body } = await one.call("postSessionConfirmation", { body: { password: testPassword } });
    expect([status, body.error]).toEqual([400, "no_password"]);
    expect((await one.call("getSession")).body.data.person.has_password).toBe(false);
  });
});

describe("sessions", () => {
  test("are listed newest first, with where they are, and end at once", async () => {
    const { person, visitor, clock } = await startConsole({});
    const one = await person({ role: "owner" });
    clock.advance(1);
    const other = visitor();
    await other.auth("/sign-in/email", { email: one.email, password: testPassword }, { "User-Agent": "A phone" });
    const { body } = await one.call("getSessions");
    expect(body.data).toEqual([
      {
        id: newId,
        is_this: false,
        client_address: expect.stringMatching(/127\.0\.0\.1|::1/),
        user_agent: "A phone",
        created_at: expect.any(String),
        ends_at: expect.any(String),
      },
      expect.objectContaining({ id: one.sessionId, is_this: true, client_address: null, user_agent: null }),
    ]);
    const ended = await one.call("deleteSession", { query: { id: body.data[0].id } });
    expect(ended.body.data).toEqual({ message: "Signed out" });
    expect(ended.headers.getSetCookie()).toEqual([]);
    expect((await other.call("getSession")).status).toBe(401);
  });

  test("all others end at once; one's own as well, and the cookie with it", async () => {
    const { person, visitor } = await startConsole();
    const one = await person({ role: "owner" });
    const others = [visitor(), visitor()];
    for (const other of others) await other.auth("/sign-in/email", { email: one.email, password: testPassword });
    const { body } = await one.call("deleteSessions");
    expect(body.data).toEqual({ message: "2 sessions signed out" });
    for (const other of others) expect((await other.call("getSession")).status).toBe(401);
    const own = await one.call("deleteSession", { query: { id: one.sessionId } });
    expect(own.headers.getSetCookie()).toEqual([expect.stringContaining("session_token=; Max-Age=0")]);
    expect((await one.call("getSession")).status).toBe(401);
  });

  test("of another person are not there", async () => {
    const { person } = await startConsole();
    const [one, other] = [await person({ role: "owner" }), await person({ role: "owner" })];
    const foreign = await one.call("deleteSession", { query: { id: other.sessionId } });
    const unknown = await one.call("deleteSession", { query: { id: crypto.randomUUID() } });
    expect([foreign.status, foreign.body.error]).toEqual([404, "session_not_found"]);
    expect({ ...foreign.body, requestId: "" }).toEqual({ ...unknown.body, requestId: "" });
    expect((await other.call("getSession")).status).toBe(200);
  });
});

test("person create makes nobody an operator who came in before it was shown whose address it is", async () => {
  // Commands use the real time.
  const { person, admin, visitor, stranger, dataDirectory } = await startConsole({ at: new Date().toISOString() });
  const { id, email, call } = await person({ role: "owner" });
  const invited = await call("postInvitation", { body: { email: "accomplice@example.com", role: "owner" } });
  await admin((transaction) => transaction.run(sql`update people set email_verified = ${false} where id = ${id}`));
  const again = await runJson(["person", "create", "--email", email, "--operator"], {
    COMMONPLACE_DATA_DIRECTORY: dataDirectory,
  });
  expect(again.invitations_revoked).toBe(1);
  const preview = { body: { token: tokenOf(invited.body.data.link) } };
  expect((await stranger("postInvitationPreview", preview)).status).toBe(404);
  expect((await call("getSession")).status).toBe(401);
  expect((await visitor().auth("/sign-in/email", { email, password: testPassword })).status).toBe(401);
});

test("what has ended is removed: sessions and one-time things at once, invitations, tokens and mails a month later", async () => {
  const { admin, person, service, clock, rows, workspace } = await startConsole({});
  const one = await person({ role: "owner" });
  const kept = await person({ role: "owner" });
  const body = {
    workspaceId: workspace.id,
    name: "CI",
    scopes: { workspace: "read" },
    expiresAt: "2026-03-16T00:00:00Z",
  };
  await one.call("postToken", { body });
  await one.call("postInvitation", { body: { email: "x@example.com", role: "member" } });
  await admin(async (transaction) => queueMail(transaction, { recipient: "x@example.com", subject: "A", body: "B" }));
  const clean = () => deleteExpired(service.database, async () => true);
  expect(await clean()).toBe(0);
  clock.advance(13 * 86_400);
  await kept.call("getSession");
  clock.advance(2 * 86_400);
  expect(await clean()).toBe(1);
  expect(await rows("select id from person_sessions")).toEqual([{ id: kept.sessionId }]);
  expect(await rows("select subject from mails")).toEqual([{ subject: "A" }]);
  clock.advance(24 * 86_400);
  await clean();
  expect(await rows("select id from invitations")).toEqual([]);
  expect(await rows("select id from access_tokens")).toEqual([]);
  expect(await rows("select id from mails")).toEqual([]);
});
