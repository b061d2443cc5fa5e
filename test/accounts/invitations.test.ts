// Invitations: their links, their limits, and how they end.
import { expect, test } from "bun:test";
import { insertInvitation } from "../../src/accounts/invitations/invitations.store.ts";
import { acceptInvitation, findInvitation, openInvitationsMax } from "../../src/accounts/invitations/invitations.ts";
import { admitInvitationMail, invitationMailsMax } from "../../src/accounts/sign-in/throttle.ts";
import { createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { startConsole } from "../support/console.ts";
import { audited, roles, timestamp, tokenOf } from "../support/members.ts";

test("an invitation: its link once, the list without it, and the person who accepts is a member of the teams", async () => {
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

test("the email says who invites you, where, in which role, and how long the link works", async () => {
  const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
  const { person, rows, team } = await startConsole({ config: { mail }, at: "2026-03-15T09:05:00.000Z" });
  const owner = await person({ role: "owner", name: "Ada" });
  const invited = { email: "grace@example.com", role: "member", teams: [{ teamId: team.id, role: "viewer" }] };
  const { body } = await owner.call("postInvitation", { body: invited });
  const mails = await rows<{ recipient: string; subject: string; body: string }>(
    "select recipient, subject, body from mails",
  );
  const [link] = /https:\S+\/console\/invitation#[\w-]{43}/.exec(mails[0]?.body ?? "") ?? [];
  // The inviter must not be able to join as the person they invited.
  expect([body.data.is_mailed, body.data.link]).toEqual([true, null]);
  const text = `Hello,

Ada (${owner.email}) invited you to “Test workspace” on Commonplace, where teams keep the replies, code, and other text they use again and again.

What you can do there:
- In the team “Own team”: read and copy snippets.

Accept the invitation:
${link}

To accept, choose a name and a password, or sign in if you already have an account. Once you join, you will go straight to the library.

The link works once and expires on March 22, 2026 at 09:05 UTC.

If you were not expecting this invitation, you can ignore this email.
`;
  expect(mails).toEqual([
    {
      recipient: "grace@example.com",
      subject: "Invitation to Commonplace: Ada invited you to “Test workspace”",
      body: text,
    },
  ]);
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

test("a workspace emails at most 200 invitations in 24 hours, and at most 5 to the same address", async () => {
  const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
  const { person, clock, rows, workspace, admin } = await startConsole({ config: { mail } });
  const owner = await person({ role: "owner" });
  const invite = (email: string, who = owner) => who.call("postInvitation", { body: { email, role: "member" } });
  for (let count = 0; count < invitationMailsMax.toAddress; count += 1)
    expect((await invite("stranger@example.com")).status).toBe(200);
  const refused = await invite("stranger@example.com");
  expect([refused.status, refused.body.error, refused.body.message, refused.headers.get("retry-after")]).toEqual([
    429,
    "too_many_invitation_emails",
    "This address was sent 5 invitations in the last 24 hours, the maximum. Try again in 24 hours",
    "86400",
  ]);
  // The last one that was sent still works.
  const open = "select id from invitations where workspace_id = ? and revoked_at is null";
  expect(await rows(open, workspace.id)).toHaveLength(1);
  expect(await rows("select id from mails where recipient = 'stranger@example.com'")).toHaveLength(5);
  // Another workspace of the instance counts together with this one.
  const other = await startConsoleWorkspace(admin);
  const elsewhere = await person({ role: "owner", workspaceId: other });
  const query = { workspaceId: other };
  const again = await elsewhere.call("postInvitation", {
    query,
    body: { email: "stranger@example.com", role: "member" },
  });
  expect(again.status).toBe(429);

  await admin(async (transaction) => {
    for (let count = invitationMailsMax.toAddress; count < invitationMailsMax.ofWorkspace; count += 1)
      await admitInvitationMail(transaction, workspace.id, `${count}@example.com`);
  });
  const full = await invite("new@example.com");
  expect([full.status, full.body.message]).toEqual([
    429,
    "This workspace sent 200 invitations by email in the last 24 hours, the maximum. Try again in 24 hours",
  ]);
  clock.advance(86_400 - 3_600);
  const later = await person({ role: "owner" });
  expect((await invite("new@example.com", later)).body.message).toContain("Try again in 1 hour");
  clock.advance(3_600);
  await admin((transaction) =>
    transaction.run(sql`update person_sessions set confirmed_at = ${transaction.now} where person_id = ${later.id}`),
  );
  expect((await invite("stranger@example.com", later)).status).toBe(200);
  expect((await invite("new@example.com", later)).status).toBe(200);
}, 60_000);

const startConsoleWorkspace = async (admin: Awaited<ReturnType<typeof startConsole>>["admin"]): Promise<string> =>
  (await admin((transaction) => createWorkspace(transaction, "Other", 1_000))).id;

test("a name in emails cannot contain a web address", async () => {
  const { person, team } = await startConsole();
  const owner = await person({ role: "owner" });
  const message = "name must not contain a web address";
  for (const name of ["Verify at https://evil.example", "WWW.evil.example", "x：//evil", "see www.evil.example now"])
    for (const [operation, call] of [
      ["putPerson", { body: { name } }],
      ["putWorkspace", { body: { name } }],
      ["putTeam", { query: { teamId: team.id }, body: { name } }],
      ["postTeam", { body: { name, visibility: "internal" } }],
      ["postKey", { body: { name, teams: "all" } }],
    ] as const) {
      const refused = await owner.call(operation, call);
      expect([operation, name, refused.status, refused.body.message]).toEqual([operation, name, 400, message]);
    }
  for (const name of ["Booking.com", "awww", "Node.js: part 2", "24/7 support"])
    expect([name, (await owner.call("putWorkspace", { body: { name } })).status]).toEqual([name, 200]);
});
