// One's own account in the console: sessions, the password again, a forgotten one, invitations, access tokens.
import { describe, expect, test } from "bun:test";
import { createHash, generateKeyPairSync } from "node:crypto";
import { type TOTP, URI } from "otpauth";
import { removeEnded } from "../../src/accounts/people/cleanup.ts";
import { makePasswordToken } from "../../src/accounts/people/password-links.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { type StartedConsole, startConsole, testPassword } from "../support/console.ts";
import { engine } from "../support/engine.ts";
import { newId } from "../support/expect.ts";
import { runJson } from "../support/program.ts";

const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
/** Nothing beside the calls runs: what is queued stays where the test finds it. */
const still = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  milliseconds <= 4_000 ? Promise.resolve() : new Promise((end) => signal.addEventListener("abort", () => end()));

test("what sign-in offers depends on the settings", async () => {
  const { stranger } = await startConsole();
  expect((await stranger("getSignIn")).body.data).toEqual({ password_reset: false, passkeys: true, open_id: null });
  const other = await startConsole({
    config: {
      mail,
      publicOrigin: "https://192.0.2.7",
      openId: { issuer: "https://id.example.com", clientId: "a", clientSecret: "b", name: "Example" },
    },
    wait: still,
  });
  expect((await other.stranger("getSignIn")).body.data).toEqual({
    ...{ password_reset: true, passkeys: false, open_id: "Example" },
  });
});

describe("who is signed in", () => {
  test("a member sees what they may do; an operator only where they are a member", async () => {
    const { person, workspace, team } = await startConsole({});
    const member = await person({ role: "member", teams: {} });
    const { body } = await member.call("getSession");
    expect(body.data.memberships).toEqual([
      {
        ...{ workspace_id: workspace.id, workspace_name: "Test workspace", subscription: "active", role: "member" },
        actions: ["workspace.read", "usage.read", "members.read"],
      },
    ]);
    expect(body.data.ends_at).toBe("2026-03-29T12:00:00.000Z");
    const lead = await person({ role: "member", teams: { [team.id]: "admin" } });
    expect((await lead.call("getSession")).body.data.memberships[0].actions).toEqual([
      ...["workspace.read", "keys.read", "keys.manage", "usage.read", "members.read", "teams.read", "teams.manage"],
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

  test("a session in use goes on, and the browser's cookie with it", async () => {
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
});

describe("the password again", () => {
  test("counts for a quarter of an hour", async () => {
    const { person, clock, workspace } = await startConsole({});
    const one = await person({ role: "owner" });
    clock.advance(15 * 60);
    const body = { workspaceId: workspace.id, name: "CI", mayWrite: false, expiresAt: "2026-04-01T00:00:00Z" };
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
        ...{ id: newId, is_this: false, client_address: expect.stringMatching(/127\.0\.0\.1|::1/) },
        ...{ user_agent: "A phone", created_at: expect.any(String), ends_at: expect.any(String) },
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
    expect(body.data).toEqual({ message: "2 sessions were ended" });
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

describe("a forgotten password", () => {
  const startWithMail = async () => {
    const started = await startConsole({ config: { mail }, wait: still });
    /** The link of the newest mail to the address, as soon as there are so many. */
    const tokenFor = async (email: string, mails = 1): Promise<string> => {
      for (;;) {
        await new Promise((next) => setImmediate(next));
        const found = await started.rows<{ body: string }>(
          "select body from mails where recipient = ? order by id",
          email,
        );
        if (found.length >= mails) return /\/console\/password#([\w-]+)/.exec(found.at(-1)?.body ?? "")?.[1] ?? "";
      }
    };
    return { ...started, tokenFor };
  };

  test("the answer is the same for who has an account and who has none; only one gets a mail", async () => {
    const { person, stranger, tokenFor, rows } = await startWithMail();
    const { email } = await person({ role: "member" });
    const unknown = await stranger("postPasswordReset", { body: { email: `x${email}` } });
    const known = await stranger("postPasswordReset", { body: { email } });
    expect([known.status, known.body]).toEqual([200, unknown.body]);
    await tokenFor(email);
    expect(await rows("select id from mails")).toHaveLength(1);
  });

  test("the link sets a new one, once, and ends all sessions", async () => {
    const { person, visitor, stranger, tokenFor, rows } = await startWithMail();
    const one = await person({ role: "member" });
    await stranger("postPasswordReset", { body: { email: one.email } });
    const token = await tokenFor(one.email);
    expect(JSON.stringify(await rows("select * from person_verifications"))).not.toContain(token);
    const newPassword = "a new password, and long";
    expect((await visitor().auth("/reset-password", { token, newPassword })).status).toBe(200);
    expect((await one.call("getSession")).status).toBe(401);
    const again = await visitor().auth("/reset-password", { token, newPassword: "yet another password" });
    expect([again.status, again.body.error]).toEqual([400, "invalid_token"]);
    expect((await visitor().auth("/sign-in/email", { email: one.email, password: newPassword })).status).toBe(200);
  });

  test("the link is dead after an hour", async () => {
    const { person, visitor, stranger, tokenFor, clock } = await startWithMail();
    const one = await person({ role: "member" });
    await stranger("postPasswordReset", { body: { email: one.email } });
    const token = await tokenFor(one.email);
    clock.advance(60 * 60 + 1);
    const late = await visitor().auth("/reset-password", { token, newPassword: "a new password, and long" });
    expect([late.status, late.body.error]).toEqual([400, "invalid_token"]);
  });

  test("nobody's mailbox is flooded: three links an hour", async () => {
    const { person, stranger, tokenFor, rows, clock } = await startWithMail();
    const { email } = await person({ role: "member" });
    for (let index = 0; index < 6; index += 1) await stranger("postPasswordReset", { body: { email } });
    await tokenFor(email, 3);
    clock.advance(60 * 60);
    await stranger("postPasswordReset", { body: { email } });
    await tokenFor(email, 4);
    expect(await rows("select id from mails")).toHaveLength(4);
  });

  test("a list of addresses is no way to write to everybody: twenty links an hour for one network", async () => {
    const { person, stranger, tokenFor, rows, clock } = await startWithMail();
    const { email } = await person({ role: "member" });
    for (let index = 0; index < 20; index += 1)
      await stranger("postPasswordReset", { body: { email: `nobody-${index}@example.com` } });
    const refused = await stranger("postPasswordReset", { body: { email } });
    expect([refused.status, await rows("select id from mails")]).toEqual([200, []]);
    clock.advance(60 * 60);
    await stranger("postPasswordReset", { body: { email } });
    await tokenFor(email);
    expect(await rows("select id from mails")).toHaveLength(1);
  });

  test("of an account whose maker never showed that its address is theirs: it goes to who reads its mail", async () => {
    const { person, visitor, stranger, bearer, tokenFor, admin, rows, workspace } = await startWithMail();
    const { id, email, call } = await person({ role: "owner" });
    const made = await call("postToken", {
      body: { workspaceId: workspace.id, name: "Kept", mayWrite: true, expiresAt: "2026-03-20T00:00:00Z" },
    });
    await admin(async (transaction) => {
      await transaction.run(sql`update people set email_verified = ${false} where id = ${id}`);
      transaction.insert("person_passkeys", [
        {
          ...{ id: transaction.newId(), person_id: id, name: "Another's", public_key: "x", credential_id: id },
          ...{ counter: 0, device_type: "singleDevice", backed_up: false, transports: "", aaguid: "" },
          created_at: transaction.now,
        },
      ]);
    });
    const reset = async () => {
      const mails = (await rows("select id from mails")).length;
      await stranger("postPasswordReset", { body: { email } });
      const token = await tokenFor(email, mails + 1);
      const answer = await visitor().auth("/reset-password", { token, newPassword: "the owner's long password" });
      expect(answer.status).toBe(200);
    };
    await reset();
    expect((await bearer(made.body.data.secret, "getWorkspace")).status).toBe(401);
    expect(await rows("select id from person_passkeys where person_id = ?", id)).toEqual([]);
    const browser = visitor();
    const signedIn = await browser.auth("/sign-in/email", { email, password: "the owner's long password" });
    expect(signedIn.status).toBe(200);
    // From now on it is theirs, and a forgotten password takes nothing else away.
    const kept = await browser.call("postToken", {
      body: { workspaceId: workspace.id, name: "Own", mayWrite: false, expiresAt: "2026-03-20T00:00:00Z" },
    });
    await reset();
    expect((await bearer(kept.body.data.secret, "getWorkspace")).status).toBe(200);
  });

  test("without mail nothing is queued", async () => {
    const { person, stranger, rows } = await startConsole({});
    const { email } = await person({ role: "member" });
    expect((await stranger("postPasswordReset", { body: { email } })).status).toBe(200);
    expect(await rows("select id from person_verifications")).toEqual([]);
  });
});

describe("an invitation", () => {
  const inviting = async () => {
    const started = await startConsole();
    const owner = await started.person({ role: "owner", name: "Olga" });
    const invite = async (email: string, more = {}) => {
      const { status, body } = await owner.call("postInvitation", { body: { email, role: "admin", ...more } });
      expect(status).toBe(200);
      return new URL(body.data.link).hash.slice(1);
    };
    return { ...started, owner, invite };
  };
  const newcomer = { name: "New", password: "quite a long password" };

  test("makes an account that is a member, and signed in", async () => {
    const { invite, visitor, workspace, team, rows } = await inviting();
    const email = `${crypto.randomUUID()}@example.com`;
    const token = await invite(email, { teams: [{ teamId: team.id, role: "editor" }] });
    const browser = visitor();
    const { body: shown } = await browser.call("postInvitationPreview", { body: { token } });
    expect(shown.data).toMatchObject({
      ...{ kind: "member", workspace_name: "Test workspace", email, role: "admin", invited_by: "Olga" },
      has_account: false,
    });
    const made = await browser.call("postInvitationAcceptance", { body: { token, ...newcomer } });
    expect(made.status).toBe(200);
    const { body } = await browser.call("getSession");
    expect(body.data.person).toMatchObject({ name: "New", email, is_operator: false });
    expect(body.data.memberships).toEqual([expect.objectContaining({ workspace_id: workspace.id, role: "admin" })]);
    expect(await rows("select role from team_memberships where person_id = ?", body.data.person.id)).toEqual([
      { role: "editor" },
    ]);
    const acts = await rows<{ actor_id: string; after: string }>(
      "select actor_id, after from audit_log where workspace_id = ? and action = 'member.join'",
      workspace.id,
    );
    expect(acts.map(({ actor_id, after }) => [actor_id, JSON.parse(after)])).toEqual([
      [body.data.person.id, { email, role: "admin", teams: [{ teamId: team.id, role: "editor" }] }],
    ]);
    const again = await visitor().call("postInvitationAcceptance", { body: { token, ...newcomer } });
    expect([again.status, again.body.error]).toEqual([404, "invitation_not_found"]);
  });

  test("for an address that has an account is accepted by who is signed in with it, and by nobody else", async () => {
    const { invite, visitor, person, stranger, workspace } = await inviting();
    const known = await person();
    const other = await person();
    const token = await invite(known.email);
    const { body: shown } = await stranger("postInvitationPreview", { body: { token } });
    expect(shown.data.has_account).toBe(true);
    const unsigned = await stranger("postInvitationAcceptance", { body: { token, ...newcomer } });
    expect([unsigned.status, unsigned.body.error]).toEqual([409, "account_exists"]);
    const foreign = await other.call("postInvitationAcceptance", { body: { token } });
    expect([foreign.status, foreign.body.error]).toEqual([409, "other_account"]);
    const browser = visitor(known.cookie);
    expect((await browser.call("postInvitationAcceptance", { body: { token } })).status).toBe(200);
    expect((await browser.call("getSession")).body.data.memberships).toEqual([
      expect.objectContaining({ workspace_id: workspace.id, role: "admin" }),
    ]);
    // The password is the one that it was.
    expect((await visitor().auth("/sign-in/email", { email: known.email, password: testPassword })).status).toBe(200);
  });

  test("accepted twice at the same moment makes one member", async () => {
    const { invite, visitor } = await inviting();
    const token = await invite(`${crypto.randomUUID()}@example.com`);
    const answers = await Promise.all(
      [1, 2, 3].map(() => visitor().call("postInvitationAcceptance", { body: { token, ...newcomer } })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect(statuses.slice(1).every((status) => status === 404 || status === 409)).toBe(true);
  });
});

describe("a personal access token", () => {
  const expiresAt = "2026-04-01T00:00:00Z";

  test("is told once, listed without its secret, and stands in the audit log without it", async () => {
    const { person, workspace, rows } = await startConsole({});
    const one = await person({ role: "owner" });
    const made = await one.call("postToken", {
      body: { workspaceId: workspace.id, name: "CI", mayWrite: true, expiresAt },
    });
    expect(made.status).toBe(200);
    const { secret, ...token } = made.body.data;
    expect(secret).toMatch(/^cpt_[0-9A-Za-z]{38}$/);
    expect(token).toEqual({
      ...{ id: newId, workspace_id: workspace.id, workspace_name: "Test workspace", name: "CI" },
      ...{ secret_start: secret.slice(0, 8), may_write: true, created_at: "2026-03-15T12:00:00.000Z" },
      ...{ last_used_at: null, expires_at: "2026-04-01T00:00:00.000Z" },
    });
    expect((await one.call("getTokens")).body.data).toEqual([token]);
    expect((await one.call("deleteToken", { query: { id: token.id } })).status).toBe(200);
    expect((await one.call("getTokens")).body.data).toEqual([]);
    const acts = await rows<{ action: string; actor_id: string; target_id: string; before: string; after: string }>(
      "select action, actor_id, target_id, before, after from audit_log where workspace_id = ? order by id",
      workspace.id,
    );
    const state = { name: "CI", secret_start: token.secret_start, may_write: true, expires_at: token.expires_at };
    expect(acts.map((act) => ({ ...act, before: JSON.parse(act.before), after: JSON.parse(act.after) }))).toEqual([
      { action: "token.create", actor_id: one.id, target_id: token.id, before: null, after: state },
      { action: "token.delete", actor_id: one.id, target_id: token.id, before: state, after: null },
    ]);
    expect(JSON.stringify(await rows("select * from access_tokens"))).not.toContain(secret);
  });

  test("only reads unless it may write, in its own workspace alone, until it ends", async () => {
    const { person, workspace, bearer, admin, clock } = await startConsole({});
    const one = await person({ role: "owner" });
    const elsewhere = await admin(async (transaction) => {
      const { createWorkspace } = await import("../../src/accounts/workspaces/workspaces.ts");
      return createWorkspace(transaction, "Elsewhere", 1);
    });
    await admin((transaction) =>
      transaction.run(
        sql`insert into memberships (workspace_id, person_id, role, created_at)
            values (${elsewhere.id}, ${one.id}, 'owner', ${transaction.now})`,
      ),
    );
    const make = async (mayWrite: boolean) => {
      const body = { workspaceId: workspace.id, name: "CI", mayWrite, expiresAt };
      const { secret, id } = (await one.call("postToken", { body })).body.data;
      return { secret, id };
    };
    const [reading, writing] = [await make(false), await make(true)];
    const rename = { body: { name: "Renamed by a program" } };
    const refused = await bearer(reading.secret, "putWorkspace", rename);
    expect([refused.status, refused.body.error]).toEqual([403, "token_reads_only"]);
    expect((await bearer(writing.secret, "putWorkspace", rename)).status).toBe(200);
    const own = await bearer(reading.secret, "getSession");
    expect(own.body.data).toMatchObject({ confirmed_until: null, ends_at: "2026-04-01T00:00:00.000Z" });
    expect(own.body.data.memberships.map((membership: { workspace_id: string }) => membership.workspace_id)).toEqual([
      workspace.id,
    ]);
    const other = await bearer(reading.secret, "getWorkspace", { query: { workspaceId: elsewhere.id } });
    expect([other.status, other.body.error]).toEqual([404, "workspace_not_found"]);
    for (const operation of ["getTokens", "getSessions", "deleteSessions"] as const) {
      const { status, body } = await bearer(writing.secret, operation);
      expect([operation, status, body.error]).toEqual([operation, 403, "token_not_allowed"]);
    }
    expect((await bearer(`${reading.secret.slice(0, -1)}_`, "getWorkspace")).status).toBe(401);

    await one.call("deleteToken", { query: { id: writing.id } });
    expect((await bearer(writing.secret, "getWorkspace")).status).toBe(401);
    clock.advance(17 * 86_400);
    const late = await bearer(reading.secret, "getWorkspace");
    expect([late.status, late.body.error]).toEqual([401, "invalid_token"]);
  });

  test("ends within a year, begins in a workspace of one's own, and is one's own", async () => {
    const { person, workspace } = await startConsole({});
    const [one, other] = [await person({ role: "owner" }), await person({ role: "owner" })];
    const make = (more: object) =>
      one.call("postToken", { body: { workspaceId: workspace.id, name: "CI", mayWrite: true, expiresAt, ...more } });
    for (const wrong of ["2026-03-15T12:00:00Z", "2027-03-16T12:00:01Z"]) {
      const { status, body } = await make({ expiresAt: wrong });
      expect([status, body.message]).toEqual([400, "expiresAt must be in the future, and within 366 days"]);
    }
    expect((await make({ expiresAt: "2027-03-16T12:00:00Z" })).status).toBe(200);
    expect((await make({ expiresAt: "tomorrow" })).status).toBe(400);
    const stranger = await person({ isOperator: true });
    for (const workspaceId of [workspace.id, crypto.randomUUID()]) {
      const body = { workspaceId, name: "CI", mayWrite: true, expiresAt };
      const refused = await stranger.call("postToken", { body });
      expect([refused.status, refused.body.error]).toEqual([404, "workspace_not_found"]);
    }
    const { id } = (await make({})).body.data;
    const foreign = await other.call("deleteToken", { query: { id } });
    expect([foreign.status, foreign.body.error]).toEqual([404, "access_token_not_found"]);
    expect((await one.call("getTokens")).body.data).toHaveLength(2);
  });
});

describe("the security log", () => {
  const actions = async (person: Pick<Awaited<ReturnType<StartedConsole["person"]>>, "call">): Promise<string[]> =>
    (await person.call("getSecurityLog")).body.data.map(({ action }: { action: string }) => action);

  test("tells an act whole: by whom, from where, how it was and how it is", async () => {
    const { person } = await startConsole({});
    const one = await person({ role: "owner", name: "Ada" });
    await one.call("putPerson", { body: { name: "Countess" } });
    const { status, body } = await one.call("getSecurityLog");
    expect([status, body.nextCursor, body.data]).toEqual([
      200,
      null,
      [
        {
          ...{ id: newId, at: "2026-03-15T12:00:00.000Z", actor_kind: "person", actor_id: one.id, actor_name: "Ada" },
          ...{ client_address: "127.0.0.1", action: "account.rename" },
          ...{ target_kind: "account", target_id: one.id, target_name: one.email },
          ...{ before: { name: "Ada" }, after: { name: "Countess" } },
        },
      ],
    ]);
  });

  test("has each act on an account once, newest first, a page at a time, and no secret", async () => {
    const { person, visitor, admin, workspace, clock, rows, origin } = await startConsole({});
    const one = await person({ role: "owner" });
    const other = visitor();
    await other.auth("/sign-in/email", { email: one.email, password: testPassword }, { "User-Agent": "A phone" });
    const browser = visitor(one.cookie);
    const secrets = [testPassword];
    const done: string[] = [];
    const does = async (action: string, work: () => Promise<{ status: number; body: unknown }>) => {
      clock.advance(1);
      const { status, body } = await work();
      expect([action, status]).toEqual([action, 200]);
      if (action !== "") done.unshift(action);
      return body as Record<string, unknown> & { data: Record<string, unknown> };
    };
    const sessions = (await browser.call("getSessions")).body.data;
    const phone = sessions.find((session: { is_this: boolean }) => !session.is_this);
    await does("session.end", () => browser.call("deleteSession", { query: { id: phone.id } }));
    await does("session.end_others", () => browser.call("deleteSessions"));
    const token = { workspaceId: workspace.id, name: "CI", mayWrite: true, expiresAt: "2026-04-01T00:00:00Z" };
    const made = await does("token.create", () => browser.call("postToken", { body: token }));
    secrets.push(String(made.data.secret));
    await does("token.delete", () => browser.call("deleteToken", { query: { id: String(made.data.id) } }));
    const setUp = await does("", () => browser.auth("/two-factor/enable", {}));
    const code = (URI.parse(String(setUp.totpURI)) as TOTP).generate();
    await does("second_factor.enable", () => browser.auth("/two-factor/verify-totp", { code }));
    const renewed = await does("recovery_codes.create", () => browser.auth("/two-factor/generate-backup-codes", {}));
    secrets.push(...(setUp.backupCodes as string[]), ...(renewed.backupCodes as string[]));
    await does("second_factor.disable", () => browser.auth("/two-factor/disable", {}));
    await does("passkey.create", async () => registerPasskey(browser, origin, "A key"));
    const [passkey] = (await browser.auth("/passkey/list-user-passkeys")).body;
    await does("passkey.delete", () => browser.auth("/passkey/delete-passkey", { id: passkey.id }));
    const changed = "another long password";
    await does("password.change", () =>
      browser.auth("/change-password", { currentPassword: testPassword, newPassword: changed }),
    );
    const link = await admin(async (transaction) => makePasswordToken(transaction, one.id, 60));
    const reset = "yet another long password";
    await does("password.reset", () => visitor().auth("/reset-password", { token: link, newPassword: reset }));
    secrets.push(changed, reset, link);

    const again = visitor();
    await again.auth("/sign-in/email", { email: one.email, password: reset });
    expect(await actions(again)).toEqual(done);
    const seen: string[] = [];
    let cursor: string | null = "";
    do {
      const { body } = await again.call("getSecurityLog", { query: { limit: 5, ...(cursor && { cursor }) } });
      seen.push(...body.data.map(({ action }: { action: string }) => action));
      cursor = body.nextCursor;
    } while (cursor);
    expect(seen).toEqual(done);
    const { data } = (await again.call("getSecurityLog")).body;
    for (const act of data)
      expect(act).toMatchObject({ actor_id: one.id, client_address: "127.0.0.1", target_id: one.id });
    const named = (action: string) => data.find((act: { action: string }) => act.action === action);
    expect(named("session.end").before).toEqual({ client_address: "127.0.0.1", user_agent: "A phone" });
    expect(named("passkey.create")).toMatchObject({ before: null, after: { name: "A key" } });
    expect(named("passkey.delete")).toMatchObject({ before: { name: "A key" }, after: null });
    expect(named("token.create").after).toMatchObject({ name: "CI", workspace: "Test workspace" });
    const stored = JSON.stringify(await rows("select * from audit_log"));
    expect(secrets.filter((secret) => stored.includes(secret))).toEqual([]);
  });

  test("has nothing of what was refused, of a sign-in, or of others", async () => {
    const { person, visitor } = await startConsole({});
    const [one, other] = [await person({ role: "owner" }), await person({ role: "owner" })];
    const browser = visitor();
    await browser.auth("/sign-in/email", { email: one.email, password: testPassword });
    const wrong = { currentPassword: "not the password", newPassword: "another long password" };
    expect((await browser.auth("/change-password", wrong)).status).toBe(400);
    expect((await browser.auth("/passkey/delete-passkey", { id: crypto.randomUUID() })).status).toBe(404);
    expect((await browser.call("deleteSession", { query: { id: crypto.randomUUID() } })).status).toBe(404);
    await browser.auth("/sign-out", {});
    await other.call("putPerson", { body: { name: "Other" } });
    expect(await actions(one)).toEqual([]);
  });

  test("an act whose entry can not be written does not happen", async () => {
    const { person, visitor, dataDirectory, rows } = await startConsole({});
    const one = await person({ role: "owner" });
    const stored = () => rows("select password from person_credentials where person_id = ?", one.id);
    const before = await stored();
    const connection = await engine.connect(dataDirectory);
    for (const statement of engine.refuseInserts("audit_log", "planted")) await connection.run(statement);
    const change = { currentPassword: testPassword, newPassword: "another long password" };
    expect((await visitor(one.cookie).auth("/change-password", change)).status).toBeGreaterThanOrEqual(500);
    expect((await one.call("putPerson", { body: { name: "Nobody" } })).status).toBeGreaterThanOrEqual(500);
    for (const statement of engine.allowInserts("audit_log")) await connection.run(statement);
    await connection.close();
    expect(await stored()).toEqual(before);
    expect((await one.call("getSession")).body.data.person.name).toBe(one.name);
  });

  test("tells whose account it is that its address was shown to be theirs, and that all else ended", async () => {
    const { person, visitor, admin } = await startConsole({});
    const one = await person({ role: "owner" });
    await admin((transaction) =>
      transaction.run(sql`update people set email_verified = ${false} where id = ${one.id}`),
    );
    const token = await admin(async (transaction) => makePasswordToken(transaction, one.id, 60));
    await visitor().auth("/reset-password", { token, newPassword: "the owner's long password" });
    const browser = visitor();
    await browser.auth("/sign-in/email", { email: one.email, password: "the owner's long password" });
    expect((await actions(browser)).sort()).toEqual(["account.take_over", "password.reset"]);
  });

  test("of all accounts is the operator's to read: also how they came to be, and what commands did to them", async () => {
    const { person, visitor, dataDirectory, workspace, clock } = await startConsole({});
    const operator = await person({ isOperator: true });
    const owner = await person({ role: "owner", email: "owner@example.com" });
    await owner.call("putPerson", { body: { name: "Renamed" } });
    const invited = await operator.call("postInvitation", {
      query: { workspaceId: workspace.id },
      body: { email: "new@example.com", role: "member" },
    });
    expect(invited.status).toBe(200);
    const token = new URL(invited.body.data.link).hash.slice(1);
    clock.advance(86_400);
    await visitor().call("postInvitationAcceptance", {
      body: { token, name: "New", password: "quite a long password" },
    });
    await runJson(["member", "create", "--email", owner.email], { COMMONPLACE_DATA: dataDirectory });
    const read = async (query: Record<string, string>) =>
      (await operator.call("getInstanceAuditLog", { query })).body.data.map(
        ({ action, target_id }: { action: string; target_id: string }) => [action, target_id === owner.id],
      );
    expect((await read({})).sort()).toEqual([
      ["account.create", false],
      ["account.rename", true],
      ["member.password_link", true],
    ]);
    expect((await read({ account: "OWNER@example.com" })).sort()).toEqual([
      ["account.rename", true],
      ["member.password_link", true],
    ]);
    expect(await read({ account: "nobody@example.com" })).toEqual([]);
    expect(await read({ action: "account.r" })).toEqual([["account.rename", true]]);
    expect(await read({ to: "2026-03-15", from: "2026-03-15" })).toEqual([["account.rename", true]]);
    expect((await actions(owner)).sort()).toEqual(["account.rename", "member.password_link"]);
  });
});

/** As a device answers that makes one: nobody vouches for the device, and it has asked for a PIN, a finger or a face. */
async function registerPasskey(browser: ReturnType<StartedConsole["visitor"]>, origin: string, name: string) {
  const { body: options } = await browser.auth("/passkey/generate-register-options");
  const about = { type: "webauthn.create", challenge: options.challenge, origin };
  const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = Buffer.from(crypto.randomUUID());
  const authenticatorData = Buffer.concat([
    createHash("sha256").update("localhost").digest(),
    // Present, verified and with a key; the counter; no model; how long its id is.
    Buffer.from(["45", "00000000", "00".repeat(16), id.length.toString(16).padStart(4, "0")].join(""), "hex"),
    id,
    // COSE: an elliptic key, ES256, P-256, and the point.
    ...[Buffer.from("a5010203262001215820", "hex"), Buffer.from(x, "base64url")],
    ...[Buffer.from("225820", "hex"), Buffer.from(y, "base64url")],
  ]);
  // CBOR: { fmt: "none", attStmt: {}, authData }.
  const head = `a363666d74646e6f6e656761747453746d74a068617574684461746158${authenticatorData.length.toString(16)}`;
  return browser.auth("/passkey/verify-registration", {
    name,
    response: {
      ...{ id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" },
      clientExtensionResults: {},
      response: {
        clientDataJSON: Buffer.from(JSON.stringify(about)).toString("base64url"),
        attestationObject: Buffer.concat([Buffer.from(head, "hex"), authenticatorData]).toString("base64url"),
      },
    },
  });
}

test("member create makes nobody an operator who came in before it was shown whose address it is", async () => {
  const { person, admin, visitor, dataDirectory } = await startConsole({});
  const { id, email, call } = await person({ role: "owner" });
  await admin((transaction) => transaction.run(sql`update people set email_verified = ${false} where id = ${id}`));
  await runJson(["member", "create", "--email", email, "--operator"], { COMMONPLACE_DATA: dataDirectory });
  expect((await call("getSession")).status).toBe(401);
  expect((await visitor().auth("/sign-in/email", { email, password: testPassword })).status).toBe(401);
});

test("what has ended is removed: sessions and one-time things at once, invitations and tokens a month later", async () => {
  const { person, service, clock, rows, workspace } = await startConsole({});
  const one = await person({ role: "owner" });
  const kept = await person({ role: "owner" });
  const body = { workspaceId: workspace.id, name: "CI", mayWrite: false, expiresAt: "2026-03-16T00:00:00Z" };
  await one.call("postToken", { body });
  await one.call("postInvitation", { body: { email: "x@example.com", role: "member" } });
  const clean = () => removeEnded(service.database, async () => true);
  expect(await clean()).toBe(0);
  clock.advance(13 * 86_400);
  await kept.call("getSession");
  clock.advance(2 * 86_400);
  expect(await clean()).toBe(1);
  expect(await rows("select id from person_sessions")).toEqual([{ id: kept.sessionId }]);
  clock.advance(24 * 86_400);
  await clean();
  expect(await rows("select id from invitations")).toEqual([]);
  expect(await rows("select id from access_tokens")).toEqual([]);
});
