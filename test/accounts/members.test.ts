// Members and invitations: who may assign which role, and links that work once.
import { expect, test } from "bun:test";
import { insertInvitation } from "../../src/accounts/invitations/invitations.store.ts";
import { acceptInvitation, findInvitation, openInvitationsMax } from "../../src/accounts/invitations/invitations.ts";
import { type StartedConsole, startConsole } from "../support/console.ts";
import { runJson } from "../support/program.ts";

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const audited = ({ rows, workspace }: StartedConsole) =>
  rows<{ action: string; actor_name: string; target_name: string; before: string | null; after: string | null }>(
    "select action, actor_name, target_name, before, after from audit_log where workspace_id = ? order by id",
    workspace.id,
  );

const roles = async ({ rows, workspace }: StartedConsole) => {
  const found = await rows<{ name: string; role: string }>(
    "select p.name, m.role from memberships m join people p on p.id = m.person_id where m.workspace_id = ? order by p.name",
    workspace.id,
  );
  return Object.fromEntries(found.map(({ name, role }) => [name, role]));
};

const tokenOf = (link: string): string => link.slice(link.indexOf("#") + 1);

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
    body: { workspaceId: started.workspace.id, name: "T", mayWrite: true, expiresAt: "2026-04-01T00:00:00Z" },
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
    body: { workspaceId: started.workspace.id, name: "T", mayWrite: false, expiresAt: "2026-04-01T00:00:00Z" },
  });
  const { body: invited } = await member.call("postInvitation", { body: { email: "eve@example.com", role: "admin" } });
  expect((await bearer(token.body.data.secret, "getWorkspace")).status).toBe(200);
  const { status, body } = await owner.call("deleteMember", { query: { personId: member.id } });
  expect({ status, data: body.data }).toEqual({ status: 200, data: { message: "The member was removed" } });
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
  const started = await startConsole({});
  const { person, workspace, dataDirectory, admin: act } = started;
  await person({ role: "owner", name: "Owner" });
  const admin = await person({ role: "admin", name: "Admin" });
  const { body: invited } = await admin.call("postInvitation", { body: { email: "eve@example.com", role: "admin" } });
  const isOpen = async () =>
    (await act((transaction) => findInvitation(transaction, tokenOf(invited.data.link)))) !== undefined;
  expect(await isOpen()).toBe(true);
  const give = (role: string) =>
    runJson(["member", "create", "--email", admin.email, "--workspace", workspace.id, "--role", role], {
      COMMONPLACE_DATA: dataDirectory,
    });
  await give("admin");
  expect(await isOpen()).toBe(true);
  await give("member");
  expect(await roles(started)).toEqual({ Owner: "owner", Admin: "member" });
  expect(await isOpen()).toBe(false);
  const preview = { body: { token: tokenOf(invited.data.link) } };
  expect((await started.stranger("postInvitationPreview", preview)).status).toBe(404);
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
  await runJson(["member", "create", "--email", second.email, "--workspace", workspace.id, "--role", "admin"], {
    COMMONPLACE_DATA: dataDirectory,
  });
  const open = await act((transaction) =>
    Promise.all(links.map(async (link) => (await findInvitation(transaction, tokenOf(link))) !== undefined)),
  );
  expect(open).toEqual([false, true]);
});

test("an invitation: its link once, the list without it, and whoever accepts is a member with their teams", async () => {
  const started = await startConsole();
  const { person, team, admin: act, origin } = started;
  const owner = await person({ role: "owner", name: "Owner" });
  const bob = await person({ name: "Bob", email: `bob-${crypto.randomUUID()}@example.com` });
  const { status, body } = await owner.call("postInvitation", {
    body: { email: ` ${bob.email.toUpperCase()} `, role: "member", teams: [{ teamId: team.id, role: "editor" }] },
  });
  expect(status).toBe(200);
  const { link, ...listed } = body.data;
  expect(listed).toEqual({
    id: expect.any(String),
    email: bob.email,
    role: "member",
    teams: [{ team_id: team.id, role: "editor" }],
    invited_by: "Owner",
    created_at: timestamp,
    expires_at: timestamp,
    is_mailed: false,
  });
  expect(Date.parse(listed.expires_at) - Date.parse(listed.created_at)).toBe(7 * 86_400_000);
  expect(link).toMatch(new RegExp(`^${origin}/console/invitation#[A-Za-z0-9_-]{43}$`));
  const all = await owner.call("getInvitations");
  expect(all.body.data).toEqual([listed]);
  expect(all.text).not.toContain(tokenOf(link));
  const accept = () =>
    act(async (transaction) => {
      const invitation = await findInvitation(transaction, tokenOf(link));
      if (!invitation) return false;
      await acceptInvitation(transaction, invitation, bob.id);
      return true;
    });
  expect(await accept()).toBe(true);
  expect(await accept()).toBe(false);
  expect(await roles(started)).toEqual({ Owner: "owner", Bob: "member" });
  expect((await bob.call("getTeams")).body.data).toMatchObject([{ own_role: null }, { own_role: "editor" }]);
  expect((await owner.call("getInvitations")).body.data).toEqual([]);
  expect((await owner.call("deleteInvitation", { query: { invitationId: listed.id } })).status).toBe(404);
  expect(JSON.stringify(await started.rows("select * from audit_log"))).not.toContain(tokenOf(link));
  expect(JSON.stringify(await started.rows("select * from invitations"))).not.toContain(tokenOf(link));
});

test("a link is dead after a week, after it was withdrawn, and after the same address was invited again", async () => {
  const started = await startConsole({});
  const { person, clock, admin: act } = started;
  const owner = await person({ role: "owner" });
  const invite = async (email: string) =>
    (await owner.call("postInvitation", { body: { email, role: "member" } })).body.data;
  const isOpen = async ({ link }: { link: string }) =>
    (await act((transaction) => findInvitation(transaction, tokenOf(link)))) !== undefined;
  const [first, withdrawn, late] = [
    await invite("a@example.com"),
    await invite("b@example.com"),
    await invite("c@example.com"),
  ];
  const second = await invite("A@Example.com");
  expect([await isOpen(first), await isOpen(second)]).toEqual([false, true]);
  expect((await owner.call("getInvitations")).body.data).toHaveLength(3);
  expect((await owner.call("deleteInvitation", { query: { invitationId: withdrawn.id } })).status).toBe(200);
  expect(await isOpen(withdrawn)).toBe(false);
  clock.advance(7 * 86_400 - 1);
  expect(await isOpen(late)).toBe(true);
  clock.advance(1);
  expect(await isOpen(late)).toBe(false);
  expect((await owner.call("getInvitations")).body.data.map(({ email }: { email: string }) => email)).toContain(
    "c@example.com",
  );
});

test("a workspace has so many open invitations at most; expired ones, though still listed, do not count", async () => {
  const started = await startConsole({});
  const { person, clock, workspace, admin } = started;
  const owner = await person({ role: "owner" });
  const now = new Date(clock.now).toISOString();
  await admin(async (transaction) => {
    for (let index = 0; index < openInvitationsMax; index += 1)
      insertInvitation(transaction, {
        id: transaction.newId(),
        workspace_id: workspace.id,
        email: `${index}@example.com`,
        role: "member",
        teams: "[]",
        token_hash: `hash ${index} of ${workspace.id}`,
        invited_by: owner.id,
        is_mailed: false,
        created_at: now,
        expires_at: new Date(clock.now + 7 * 86_400_000).toISOString(),
      });
  });
  const invite = (email: string) => owner.call("postInvitation", { body: { email, role: "member" } });
  const refused = await invite("new@example.com");
  expect([refused.status, refused.body.error]).toEqual([409, "too_many_invitations"]);
  expect((await invite("0@example.com")).status).toBe(200);
  clock.advance(7 * 86_400 + 1);
  const later = await person({ role: "owner" });
  expect((await later.call("getInvitations")).body.data).toHaveLength(openInvitationsMax);
  expect((await later.call("postInvitation", { body: { email: "new@example.com", role: "member" } })).status).toBe(200);
});

test("an address that is a member's, a team of another workspace: refused, and nothing is written", async () => {
  const started = await startConsole();
  const other = await startConsole();
  const owner = await started.person({ role: "owner" });
  const bob = await started.person({ role: "member" });
  const member = await owner.call("postInvitation", { body: { email: bob.email, role: "admin" } });
  expect([member.status, member.body.error]).toEqual([409, "already_member"]);
  const foreign = await owner.call("postInvitation", {
    body: { email: "new@example.com", role: "member", teams: [{ teamId: other.team.id, role: "viewer" }] },
  });
  expect([foreign.status, foreign.body.error]).toEqual([404, "team_not_found"]);
  for (const email of ["x", "a@b", "a@b.c\nBcc: d@e.f", "<a@b.cd>", "a@b.cd, e@f.gh", `${"x".repeat(250)}@b.cd`])
    expect((await owner.call("postInvitation", { body: { email, role: "member" } })).status).toBe(400);
  expect(await started.rows("select 1 from invitations where workspace_id = ?", started.workspace.id)).toEqual([]);
  expect(await audited(started)).toEqual([]);
});

test("an administrator who is made a member leaves no open links; an owner made an administrator none for owners", async () => {
  const { person } = await startConsole();
  const owner = await person({ role: "owner" });
  const second = await person({ role: "owner" });
  await second.call("postInvitation", { body: { email: "o@example.com", role: "owner" } });
  await second.call("postInvitation", { body: { email: "m@example.com", role: "member" } });
  await owner.call("postInvitation", { body: { email: "other@example.com", role: "owner" } });
  const open = async () =>
    (await owner.call("getInvitations")).body.data.map(({ email }: { email: string }) => email).sort();
  await owner.call("putMember", { query: { personId: second.id }, body: { role: "admin" } });
  expect(await open()).toEqual(["m@example.com", "other@example.com"]);
  await owner.call("putMember", { query: { personId: second.id }, body: { role: "member" } });
  expect(await open()).toEqual(["other@example.com"]);
});

test("the same address invited many times at once leaves one link", async () => {
  const { person, rows, workspace } = await startConsole();
  const owner = await person({ role: "owner" });
  await Promise.all(
    Array.from({ length: 8 }, () => owner.call("postInvitation", { body: { email: "a@example.com", role: "member" } })),
  );
  const open = "select 1 from invitations where workspace_id = ? and revoked_at is null and accepted_at is null";
  expect(await rows(open, workspace.id)).toHaveLength(1);
});

test("a link that is used by many at once makes one member", async () => {
  const started = await startConsole();
  const { person, admin: act } = started;
  const owner = await person({ role: "owner", name: "Owner" });
  const { body } = await owner.call("postInvitation", { body: { email: "a@example.com", role: "member" } });
  const people = await Promise.all(["A", "B", "C", "D"].map((name) => person({ name })));
  const accepted = await Promise.all(
    people.map(({ id }) =>
      act(async (transaction) => {
        const invitation = await findInvitation(transaction, tokenOf(body.data.link));
        if (!invitation) return false;
        await acceptInvitation(transaction, invitation, id);
        return true;
      }).catch(() => false),
    ),
  );
  expect(accepted.filter(Boolean)).toHaveLength(1);
  expect(Object.keys(await roles(started))).toHaveLength(2);
});

test("members and invitations of another workspace look like ones that are not there", async () => {
  const [here, there] = [await startConsole(), await startConsole()];
  const owner = await here.person({ role: "owner" });
  const foreignOwner = await there.person({ role: "owner" });
  const foreign = await there.person({ role: "member" });
  const { body } = await foreignOwner.call("postInvitation", { body: { email: "a@example.com", role: "member" } });
  const same = async (left: Promise<{ status: number; body: object }>, right: typeof left) => {
    const [known, unknown] = [await left, await right];
    expect(known.status).toBe(404);
    expect({ ...known.body, requestId: "" }).toEqual({ ...unknown.body, requestId: "" });
  };
  const put = (personId: string) => owner.call("putMember", { query: { personId }, body: { role: "admin" } });
  const remove = (personId: string) => owner.call("deleteMember", { query: { personId } });
  const withdraw = (invitationId: string) => owner.call("deleteInvitation", { query: { invitationId } });
  await same(put(foreign.id), put(crypto.randomUUID()));
  await same(remove(foreign.id), remove(crypto.randomUUID()));
  await same(withdraw(body.data.id), withdraw(crypto.randomUUID()));
});
