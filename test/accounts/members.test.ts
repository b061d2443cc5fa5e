// Members: who may assign which role, and who may leave.
import { expect, test } from "bun:test";
import { findInvitation } from "../../src/accounts/invitations/invitations.ts";
import { startConsole } from "../support/console.ts";
import { audited, roles, timestamp, tokenOf } from "../support/members.ts";
import { runJson } from "../support/program.ts";

test("members by name, with their roles in workspace and teams, a page at a time", async () => {
  const { person, team } = await startConsole();
  const ada = await person({ role: "owner", name: "Ada" });
  const bob = await person({ role: "member", name: "Bob", teams: { [team.id]: "editor" } });
  await person({ role: "admin", name: "Carol" });
  await person({ role: "member", name: "Bob" });
  const first = await ada.call("getMembers", { query: { limit: 2 } });
  expect(first.body.data[0]).toEqual({
    person_id: ada.id,
    name: "Ada",
    email: ada.email,
    role: "owner",
    has_second_factor: false,
    meets_sign_in_policy: true,
    teams: [],
    joined_at: timestamp,
    last_seen_at: timestamp,
  });
  const second = await ada.call("getMembers", { query: { limit: 2, cursor: first.body.nextCursor } });
  const names = [...first.body.data, ...second.body.data].map(({ name }) => name);
  expect(names).toEqual(["Ada", "Bob", "Bob", "Carol"]);
  expect(second.body.nextCursor).toBeNull();
  const found = await ada.call("getMembers", { query: { search: bob.email.slice(0, 12).toUpperCase() } });
  expect(found.body.data).toMatchObject([{ person_id: bob.id, teams: [{ team_id: team.id, role: "editor" }] }]);
});

test("what is looked for is text, and no pattern", async () => {
  const { person } = await startConsole();
  const ada = await person({ role: "owner", name: "100% _Ada_ !", email: `a_${crypto.randomUUID()}@example.com` });
  await person({ role: "member", name: "100x yAday z" });
  const search = async (text: string) =>
    (await ada.call("getMembers", { query: { search: text } })).body.data.map(({ name }: { name: string }) => name);
  expect(await search("0% _")).toEqual(["100% _Ada_ !"]);
  expect(await search("_ !")).toEqual(["100% _Ada_ !"]);
  expect(await search("'; drop table people; --")).toEqual([]);
});

test("a cursor that is none is refused", async () => {
  const { person } = await startConsole();
  const ada = await person({ role: "owner" });
  for (const place of [["x"], ["x", "y"], ["x", 1], ["\u0000", crypto.randomUUID()], "x"]) {
    const cursor = Buffer.from(JSON.stringify(place)).toString("base64url");
    expect((await ada.call("getMembers", { query: { cursor } })).status).toBe(400);
    expect((await ada.call("getAuditLog", { query: { cursor } })).status).toBe(400);
  }
});

test("private teams of others do not show in the list of members", async () => {
  const { person, team, otherTeam } = await startConsole();
  const owner = await person({ role: "owner", name: "Owner", teams: { [team.id]: "admin", [otherTeam.id]: "viewer" } });
  const member = await person({ role: "member", name: "Member", teams: { [otherTeam.id]: "viewer" } });
  await owner.call("putTeam", { query: { teamId: team.id }, body: { visibility: "private" } });
  await owner.call("putTeam", { query: { teamId: otherTeam.id }, body: { visibility: "private" } });
  const teamsSeenBy = async (who: typeof owner) =>
    (await who.call("getMembers")).body.data.map(({ teams }: { teams: { team_id: string }[] }) =>
      teams.map(({ team_id }) => team_id),
    );
  expect(await teamsSeenBy(member)).toEqual([[otherTeam.id], [otherTeam.id]]);
  expect(await teamsSeenBy(owner)).toEqual([[otherTeam.id], [team.id, otherTeam.id].sort()]);
});

test("a changed role holds for the next call, and stands in the audit log", async () => {
  const started = await startConsole();
  const owner = await started.person({ role: "owner", name: "Owner" });
  const member = await started.person({ role: "member", name: "Member" });
  expect((await member.call("getAuditLog")).status).toBe(403);
  const { status, body } = await owner.call("putMember", { query: { personId: member.id }, body: { role: "admin" } });
  expect([status, body.data.role]).toEqual([200, "admin"]);
  expect((await member.call("getAuditLog")).status).toBe(200);
  expect(await audited(started)).toEqual([
    {
      action: "member.change",
      actor_name: "Owner",
      target_name: "Member",
      before: '{"role":"member"}',
      after: '{"role":"admin"}',
    },
  ]);
});

test("only an owner, or the operator, makes and unmakes owners", async () => {
  const started = await startConsole();
  const { person } = started;
  const owner = await person({ role: "owner", name: "Owner" });
  const admin = await person({ role: "admin", name: "Admin" });
  const member = await person({ role: "member", name: "Member" });
  const operator = await person({ isOperator: true });
  const put = async (who: typeof owner, whom: typeof owner, role: string) =>
    (await who.call("putMember", { query: { personId: whom.id }, body: { role } })).status;
  expect(await put(admin, member, "owner")).toBe(403);
  expect(await put(admin, owner, "member")).toBe(403);
  expect((await admin.call("deleteMember", { query: { personId: owner.id } })).status).toBe(403);
  const invited = await admin.call("postInvitation", { body: { email: "x@example.com", role: "owner" } });
  expect(invited.status).toBe(403);
  expect(await put(admin, member, "admin")).toBe(200);
  expect(await put(owner, member, "owner")).toBe(200);
  expect(await put(operator, owner, "member")).toBe(200);
  expect(await roles(started)).toEqual({ Owner: "member", Admin: "admin", Member: "owner" });
});

test("nobody changes their own role, also not by an access token of theirs", async () => {
  const started = await startConsole();
  const { person, bearer } = started;
  const admin = await person({ role: "admin", name: "Admin" });
  const owner = await person({ role: "owner", name: "Owner" });
  for (const who of [admin, owner]) {
    const { status, body } = await who.call("putMember", { query: { personId: who.id }, body: { role: "member" } });
    expect([status, body.error]).toEqual([409, "own_role"]);
  }
  const { body: made } = await admin.call("postToken", {
    body: {
      workspaceId: started.workspace.id,
      name: "T",
      scopes: { members: "write" },
      expiresAt: "2026-04-01T00:00:00Z",
    },
  });
  const { status } = await bearer(made.data.secret, "putMember", {
    query: { personId: admin.id },
    body: { role: "member" },
  });
  expect(status).toBe(409);
});

test("the last owner can not go: 409", async () => {
  const started = await startConsole();
  const owner = await started.person({ role: "owner", name: "Owner" });
  const operator = await started.person({ isOperator: true });
  const made = await operator.call("putMember", { query: { personId: owner.id }, body: { role: "admin" } });
  expect([made.status, made.body.error]).toEqual([409, "last_owner"]);
  for (const who of [operator, owner]) {
    const gone = await who.call("deleteMember", { query: { personId: owner.id } });
    expect([gone.status, gone.body.error]).toEqual([409, "last_owner"]);
  }
  expect(await roles(started)).toEqual({ Owner: "owner" });
  expect(await audited(started)).toEqual([]);
});

test("of owners who unmake and remove each other at the same time, one stays", async () => {
  for (let round = 0; round < 5; round += 1) {
    const started = await startConsole();
    const owners = await Promise.all(["A", "B", "C", "D"].map((name) => started.person({ role: "owner", name })));
    const answers = await Promise.all(
      owners.flatMap((owner, index) => {
        const other = owners[(index + 1) % owners.length]?.id ?? "";
        const itself = owner.id;
        return [
          owner.call("putMember", { query: { personId: other }, body: { role: "member" } }),
          owner.call("deleteMember", { query: { personId: itself } }),
        ];
      }),
    );
    expect(answers.map(({ status }) => status).filter((status) => ![200, 403, 404, 409].includes(status))).toEqual([]);
    expect(Object.values(await roles(started)).filter((role) => role === "owner")).toHaveLength(1);
  }
});

test("a member who is removed: their next call of this workspace finds nothing, their session goes on elsewhere", async () => {
  const started = await startConsole();
  const { person, team, rows, bearer, admin: act } = started;
  const owner = await person({ role: "owner", name: "Owner" });
  const member = await person({ role: "admin", name: "Member", teams: { [team.id]: "admin" } });
  await act(async (transaction) => {
    const other = await (await import("../../src/accounts/workspaces/workspaces.ts")).createWorkspace(
      transaction,
      "Elsewhere",
      1,
    );
    transaction.insert("memberships", [
      { workspace_id: other.id, person_id: member.id, role: "member", created_at: transaction.now },
    ]);
  });
  const token = await member.call("postToken", {
    body: {
      workspaceId: started.workspace.id,
      name: "T",
      scopes: { workspace: "read" },
      expiresAt: "2026-04-01T00:00:00Z",
    },
  });
  const { body: invited } = await member.call("postInvitation", { body: { email: "eve@example.com", role: "admin" } });
  expect((await bearer(token.body.data.secret, "getWorkspace")).status).toBe(200);
  const { status, body } = await owner.call("deleteMember", { query: { personId: member.id } });
  expect({ status, data: body.data }).toEqual({
    status: 200,
    data: { message: "Member removed", keys: [], invitations_revoked: 1 },
  });
  expect((await member.call("getWorkspace")).status).toBe(404);
  expect((await member.call("getTokens")).status).toBe(200);
  expect((await bearer(token.body.data.secret, "getWorkspace")).status).toBe(401);
  expect(await rows("select 1 from team_memberships where person_id = ?", member.id)).toEqual([]);
  expect(await rows("select role from memberships where person_id = ?", member.id)).toEqual([{ role: "member" }]);
  // Invitations that they could no longer write cannot be accepted.
  expect(await act((transaction) => findInvitation(transaction, tokenOf(invited.data.link)))).toBeUndefined();
  expect((await owner.call("deleteMember", { query: { personId: member.id } })).status).toBe(404);
});

test("an administrator demoted at the command line leaves no links behind, as one demoted in the console", async () => {
  // Commands use the real time.
  const started = await startConsole({ at: new Date().toISOString() });
  const { person, workspace, dataDirectory, admin: act } = started;
  await person({ role: "owner", name: "Owner" });
  const admin = await person({ role: "admin", name: "Admin" });
  const { body: invited } = await admin.call("postInvitation", { body: { email: "eve@example.com", role: "admin" } });
  const isOpen = async () =>
    (await act((transaction) => findInvitation(transaction, tokenOf(invited.data.link)))) !== undefined;
  expect(await isOpen()).toBe(true);
  const give = (role: string) =>
    runJson(["person", "create", "--email", admin.email, "--workspace", workspace.id, "--role", role], {
      COMMONPLACE_DATA_DIRECTORY: dataDirectory,
    });
  await give("admin");
  expect(await isOpen()).toBe(true);
  await give("member");
  expect(await roles(started)).toEqual({ Owner: "owner", Admin: "member" });
  expect(await isOpen()).toBe(false);
  const preview = { body: { token: tokenOf(invited.data.link) } };
  expect((await started.stranger("postInvitationPreview", preview)).status).toBe(404);
  const revoked = (await audited(started)).filter(({ action }) => action === "invitation.delete");
  expect(revoked.map(({ target_name }) => target_name)).toEqual(["eve@example.com"]);
  const changes = (await audited(started)).filter(({ action }) => action === "member.change");
  expect(changes).toEqual([
    {
      action: "member.change",
      actor_name: expect.any(String),
      target_name: "Admin",
      before: '{"role":"admin"}',
      after: JSON.stringify({ email: admin.email, role: "member" }),
    },
  ]);
});

test("an owner made an administrator at the command line keeps the links that administrators may write", async () => {
  const started = await startConsole({});
  const { person, workspace, dataDirectory, admin: act } = started;
  await person({ role: "owner", name: "Owner" });
  const second = await person({ role: "owner", name: "Second" });
  const invite = async (email: string, role: string) =>
    (await second.call("postInvitation", { body: { email, role } })).body.data.link;
  const links = [await invite("a@example.com", "owner"), await invite("b@example.com", "admin")];
  await runJson(["person", "create", "--email", second.email, "--workspace", workspace.id, "--role", "admin"], {
    COMMONPLACE_DATA_DIRECTORY: dataDirectory,
  });
  const open = await act((transaction) =>
    Promise.all(links.map(async (link) => (await findInvitation(transaction, tokenOf(link))) !== undefined)),
  );
  expect(open).toEqual([false, true]);
});
