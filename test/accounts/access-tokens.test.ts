// Personal access tokens for the console API: shown once, limited in what they reach, and in time.
import { describe, expect, test } from "bun:test";
import { newToken } from "../../src/accounts/people/token-secret.ts";
import { identifyToken } from "../../src/metering/keys/identify.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { startConsole } from "../support/console.ts";
import { newId } from "../support/expect.ts";

describe("a personal access token", () => {
  const expiresAt = "2026-04-01T00:00:00Z";

  test("that was found somewhere names its workspace and its owner, also once it no longer works", async () => {
    const { person, workspace, admin, clock } = await startConsole({});
    const one = await person({ role: "owner" });
    const body = { workspaceId: workspace.id, name: "CI", scopes: { workspace: "read" }, expiresAt };
    const { secret, id } = (await one.call("postToken", { body })).body.data;
    const identify = (text: string) => admin((transaction) => identifyToken(transaction, text));
    const found = {
      workspace: { id: workspace.id, name: "Test workspace" },
      token: { id, name: "CI" },
      person: { email: one.email },
    };
    expect(await identify(secret)).toEqual({ ...found, state: "active" });
    clock.advance(20 * 86_400);
    expect(await identify(secret)).toEqual({ ...found, state: "expired" });
    expect(await identify(`${secret}x`)).toBeUndefined();
  });

  test("is told once, listed without its secret, and stands in the audit log without it", async () => {
    const { person, workspace, rows } = await startConsole({});
    const one = await person({ role: "owner" });
    const made = await one.call("postToken", {
      body: { workspaceId: workspace.id, name: "CI", scopes: { workspace: "write" }, expiresAt },
    });
    expect(made.status).toBe(200);
    const { secret, ...token } = made.body.data;
    expect(secret).toMatch(/^cpt_[0-9A-Za-z]{38}$/);
    expect(token).toEqual({
      id: newId,
      workspace_id: workspace.id,
      workspace_name: "Test workspace",
      name: "CI",
      secret_start: secret.slice(0, 8),
      scopes: { workspace: "write" },
      created_at: "2026-03-15T12:00:00.000Z",
      last_used_at: null,
      expires_at: "2026-04-01T00:00:00.000Z",
    });
    expect((await one.call("getTokens")).body.data).toEqual([token]);
    expect((await one.call("deleteToken", { query: { id: token.id } })).status).toBe(200);
    expect((await one.call("getTokens")).body.data).toEqual([]);
    const acts = await rows<{ action: string; actor_id: string; target_id: string; before: string; after: string }>(
      "select action, actor_id, target_id, before, after from audit_log where workspace_id = ? order by id",
      workspace.id,
    );
    const state = { name: "CI", secret_start: token.secret_start, scopes: token.scopes, expires_at: token.expires_at };
    expect(acts.map((act) => ({ ...act, before: JSON.parse(act.before), after: JSON.parse(act.after) }))).toEqual([
      { action: "token.create", actor_id: one.id, target_id: token.id, before: null, after: state },
      { action: "token.delete", actor_id: one.id, target_id: token.id, before: state, after: null },
    ]);
    expect(JSON.stringify(await rows("select * from access_tokens"))).not.toContain(secret);
  });

  test("a token can only read unless it has write access, works only in its own workspace, and expires", async () => {
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
    const make = async (level: "read" | "write") => {
      const body = { workspaceId: workspace.id, name: "CI", scopes: { workspace: level }, expiresAt };
      const { secret, id } = (await one.call("postToken", { body })).body.data;
      return { secret, id };
    };
    const [reading, writing] = [await make("read"), await make("write")];
    const rename = { body: { name: "Renamed by a program" } };
    const refused = await bearer(reading.secret, "putWorkspace", rename);
    expect([refused.status, refused.body.error]).toEqual([403, "token_scope_missing"]);
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

  test("a token has access only to the areas chosen for it; owners and invitations must be chosen explicitly", async () => {
    const { person, workspace, bearer } = await startConsole();
    const owner = await person({ role: "owner" });
    const bob = await person({ role: "member" });
    const make = async (scopes: object) =>
      (await owner.call("postToken", { body: { workspaceId: workspace.id, name: "CI", scopes, expiresAt } })).body.data
        .secret;
    const raise = (secret: string, role: string) =>
      bearer(secret, "putMember", { query: { personId: bob.id }, body: { role } });
    const invite = (secret: string, role: string) =>
      bearer(secret, "postInvitation", { body: { email: `${crypto.randomUUID()}@example.com`, role } });
    const members = await make({ members: "write", keys: "read" });
    expect((await bearer(members, "getKeys")).status).toBe(200);
    const refused = await bearer(members, "postKey", { body: { name: "New", teams: "all" } });
    expect([refused.body.error, refused.body.message]).toEqual([
      "token_scope_missing",
      "This access token does not have write access to: keys",
    ]);
    for (const name of ["getTeams", "getQuota", "getAuditLog", "getBilling"] as const)
      expect([name, (await bearer(members, name)).body.error]).toEqual([name, "token_scope_missing"]);
    expect((await raise(members, "admin")).status).toBe(200);
    expect((await raise(members, "owner")).body.error).toBe("forbidden");
    expect((await invite(members, "member")).body.error).toBe("token_scope_missing");
    const inviting = await make({ invitations: "write" });
    expect((await invite(inviting, "member")).status).toBe(200);
    expect((await invite(inviting, "owner")).body.error).toBe("forbidden");
    expect((await invite(await make({ invitations: "write", owners: "write" }), "owner")).status).toBe(200);
    expect((await raise(await make({ members: "write", owners: "write" }), "owner")).status).toBe(200);
    for (const scopes of [{}, { library: "admin" }, { everything: "write" }]) {
      const body = { workspaceId: workspace.id, name: "CI", scopes, expiresAt };
      expect((await owner.call("postToken", { body })).status).toBe(400);
    }
  });

  test("owners of the workspace can see and revoke the tokens of all members", async () => {
    const { person, workspace, bearer } = await startConsole();
    const owner = await person({ role: "owner" });
    const admin = await person({ role: "admin", name: "Grace" });
    const body = { workspaceId: workspace.id, name: "CI", scopes: { workspace: "read" }, expiresAt };
    const { secret, ...token } = (await admin.call("postToken", { body })).body.data;
    const listed = await owner.call("getWorkspaceTokens");
    expect(listed.body.data).toEqual([
      { ...token, person_id: admin.id, person_name: "Grace", person_email: admin.email },
    ]);
    expect((await bearer(secret, "getWorkspace")).status).toBe(200);
    expect((await owner.call("getWorkspaceTokens")).body.data[0].last_used_at).toBe(token.created_at);
    expect((await admin.call("getWorkspaceTokens")).status).toBe(403);
    expect((await owner.call("deleteWorkspaceToken", { query: { tokenId: token.id } })).status).toBe(200);
    expect((await bearer(secret, "getWorkspace")).status).toBe(401);
    const [entry] = (await admin.call("getSecurityLog")).body.data;
    expect([entry.action, entry.actor_id]).toEqual(["token.delete", owner.id]);
  });

  test("ends within a year, begins in a workspace of one's own, and is one's own", async () => {
    const { person, workspace } = await startConsole({});
    const [one, other] = [await person({ role: "owner" }), await person({ role: "owner" })];
    const make = (more: object) =>
      one.call("postToken", {
        body: { workspaceId: workspace.id, name: "CI", scopes: { workspace: "write" }, expiresAt, ...more },
      });
    for (const wrong of ["2026-03-15T12:00:00Z", "2027-03-16T12:00:01Z"]) {
      const { status, body } = await make({ expiresAt: wrong });
      expect([status, body.message]).toEqual([400, "expiresAt must be in the future and at most 366 days away"]);
    }
    expect((await make({ expiresAt: "2027-03-16T12:00:00Z" })).status).toBe(200);
    expect((await make({ expiresAt: "tomorrow" })).status).toBe(400);
    const stranger = await person({ isOperator: true });
    for (const workspaceId of [workspace.id, crypto.randomUUID()]) {
      const body = { workspaceId, name: "CI", scopes: { workspace: "write" }, expiresAt };
      const refused = await stranger.call("postToken", { body });
      expect([refused.status, refused.body.error]).toEqual([404, "workspace_not_found"]);
    }
    const { id } = (await make({})).body.data;
    const foreign = await other.call("deleteToken", { query: { id } });
    expect([foreign.status, foreign.body.error]).toEqual([404, "access_token_not_found"]);
    expect((await one.call("getTokens")).body.data).toHaveLength(2);
  });
});

test("after 60 wrong tokens in a minute, a network has to wait, and a valid token still works", async () => {
  const { person, bearer, workspace, clock } = await startConsole({});
  const owner = await person({ role: "owner" });
  const { body } = await owner.call("postToken", {
    body: {
      workspaceId: workspace.id,
      name: "T",
      scopes: { workspace: "read" },
      expiresAt: "2026-04-01T00:00:00Z",
    },
  });
  const wrong = () => bearer(newToken(), "getWorkspace");
  for (let count = 0; count < 60; count += 1) expect((await wrong()).status).toBe(401);
  const refused = await wrong();
  expect([refused.status, refused.body.error, refused.headers.get("retry-after")]).toEqual([
    429,
    "too_many_attempts",
    "60",
  ]);
  expect((await bearer("no token at all", "getWorkspace")).status).toBe(429);
  expect((await bearer(body.data.secret, "getWorkspace")).status).toBe(200);
  expect((await owner.call("getWorkspace")).status).toBe(200);
  clock.advance(60);
  expect((await wrong()).status).toBe(401);
});
