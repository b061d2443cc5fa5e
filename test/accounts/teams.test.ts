// Teams: who sees them, who changes them, who is in them.
import { expect, test } from "bun:test";
import { snippetsCountedMax } from "../../src/accounts/workspaces/teams.ts";
import { insertSnippets } from "../../src/library/snippets.store.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import { startConsole } from "../support/console.ts";

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
type Answer = { status: number; body: { data: { name: string; id: string }[] } };
const namesOf = ({ body }: Answer) => body.data.map(({ name }) => name);

test("a team tells who is in it, which keys are limited to it, and how many snippets it holds", async () => {
  const { person, team, otherTeam, workspace, given, admin } = await startConsole();
  const owner = await person({ role: "owner" });
  const bob = await person({ role: "member", name: "Bob", teams: { [team.id]: "editor" } });
  const ada = await person({ role: "member", name: "Ada", teams: { [team.id]: "admin" } });
  await admin((transaction) => createKey(transaction, workspace.id, "Both", [team.id, otherTeam.id]));
  await given.snippet();
  await given.snippet();
  const { body } = await owner.call("getTeams");
  expect(body.data).toEqual([
    {
      id: otherTeam.id,
      workspace_id: workspace.id,
      name: "Other team",
      visibility: "internal",
      created_at: timestamp,
      own_role: null,
      is_managed: true,
      members: [],
      keys: 1,
      snippets: 0,
    },
    {
      id: team.id,
      workspace_id: workspace.id,
      name: "Own team",
      visibility: "internal",
      created_at: timestamp,
      own_role: null,
      is_managed: true,
      keys: 2,
      snippets: 2,
      members: [
        { person_id: ada.id, name: "Ada", email: ada.email, role: "admin" },
        { person_id: bob.id, name: "Bob", email: bob.email, role: "editor" },
      ],
    },
  ]);
  expect((await ada.call("getTeams")).body.data).toMatchObject([
    { is_managed: false, own_role: null },
    { is_managed: true, own_role: "admin" },
  ]);
});

test("where counting snippets would keep calls waiting, nobody counts them", async () => {
  const { person, team, workspace, admin } = await startConsole();
  const owner = await person({ role: "owner" });
  const add = (number: number) =>
    admin(async (transaction) =>
      insertSnippets(
        transaction,
        workspace.id,
        crypto.randomUUID(),
        Array.from({ length: number }, () => ({
          id: transaction.newId(),
          team_id: team.id,
          folder_id: null,
          title: "A",
          snippet_note: null,
          shortcut: null,
          has_tags: false,
          variation_count: 1,
          content_type: "plaintext",
          content: "",
        })),
      ),
    );
  const counts = async () =>
    (await owner.call("getTeams")).body.data.map(({ snippets }: { snippets: number | null }) => snippets);
  await add(snippetsCountedMax);
  expect(await counts()).toEqual([0, snippetsCountedMax]);
  await add(1);
  expect(await counts()).toEqual([null, null]);
});

test("a private team is seen by who is in it, by administrators and by the operator; to others it is not there", async () => {
  const { person, team } = await startConsole();
  const owner = await person({ role: "owner" });
  const [admin, operator] = [await person({ role: "admin" }), await person({ isOperator: true })];
  const viewer = await person({ role: "member", teams: { [team.id]: "viewer" } });
  const { body } = await owner.call("postTeam", { body: { name: "Secret plans", visibility: "private" } });
  const elsewhere = await person({ role: "member", teams: { [body.data.id]: "viewer" } });
  const teamAdmin = await person({ role: "member", teams: { [team.id]: "admin" } });
  for (const who of [owner, admin, operator, elsewhere])
    expect(namesOf(await who.call("getTeams"))).toEqual(["Other team", "Own team", "Secret plans"]);
  for (const who of [viewer, teamAdmin])
    expect(namesOf(await who.call("getTeams"))).toEqual(["Other team", "Own team"]);

  const rename = (teamId: string) => teamAdmin.call("putTeam", { query: { teamId }, body: { name: "Mine" } });
  const [hidden, unknown] = [await rename(body.data.id), await rename(crypto.randomUUID())];
  expect(hidden.status).toBe(404);
  expect({ ...hidden.body, requestId: "" }).toEqual({ ...unknown.body, requestId: "" });
});

test("a team's admin changes that team and no other", async () => {
  const { person, team, otherTeam } = await startConsole();
  const ada = await person({ role: "member", name: "Ada", teams: { [team.id]: "admin", [otherTeam.id]: "editor" } });
  const bob = await person({ role: "member", name: "Bob" });
  const of = (teamId: string) => ({ query: { teamId, personId: bob.id } });
  const renamed = await ada.call("putTeam", { query: { teamId: team.id }, body: { name: "Renamed" } });
  expect([renamed.status, renamed.body.data.name, renamed.body.data.visibility]).toEqual([200, "Renamed", "internal"]);
  const added = await ada.call("putTeamMember", { ...of(team.id), body: { role: "viewer" } });
  expect(added.body.data.members.map(({ name, role }: { name: string; role: string }) => [name, role])).toEqual([
    ["Ada", "admin"],
    ["Bob", "viewer"],
  ]);
  expect((await ada.call("putTeam", { query: { teamId: otherTeam.id }, body: { name: "X" } })).status).toBe(403);
  expect((await ada.call("putTeamMember", { ...of(otherTeam.id), body: { role: "viewer" } })).status).toBe(403);
  expect((await ada.call("deleteTeamMember", of(otherTeam.id))).status).toBe(403);
  expect((await ada.call("postTeam", { body: { name: "New", visibility: "internal" } })).status).toBe(403);
});

test("a role in a team holds for the next call", async () => {
  const { person, team } = await startConsole();
  const owner = await person({ role: "owner" });
  const bob = await person({ role: "member", name: "Bob" });
  const of = { query: { teamId: team.id, personId: bob.id } };
  const keys = async () => (await bob.call("getKeys")).status;
  expect(await keys()).toBe(403);
  await owner.call("putTeamMember", { ...of, body: { role: "editor" } });
  expect(await keys()).toBe(200);
  await owner.call("putTeamMember", { ...of, body: { role: "viewer" } });
  expect(await keys()).toBe(403);
  await owner.call("putTeamMember", { ...of, body: { role: "admin" } });
  const removed = await owner.call("deleteTeamMember", of);
  expect([removed.status, removed.body.data.members]).toEqual([200, []]);
  expect(await keys()).toBe(403);
  expect((await owner.call("deleteTeamMember", of)).status).toBe(404);
});

test("only members of the workspace can be in its teams", async () => {
  const { person, team, rows } = await startConsole();
  const there = await startConsole();
  const owner = await person({ role: "owner" });
  const stranger = await there.person({ role: "member" });
  const put = (personId: string) =>
    owner.call("putTeamMember", { query: { teamId: team.id, personId }, body: { role: "viewer" } });
  const [foreign, unknown] = [await put(stranger.id), await put(crypto.randomUUID())];
  expect([foreign.status, foreign.body.error]).toEqual([404, "member_not_found"]);
  expect({ ...foreign.body, requestId: "" }).toEqual({ ...unknown.body, requestId: "" });
  expect(await rows("select 1 from team_memberships where team_id = ?", team.id)).toEqual([]);
});

test("somebody taken into a team while they are removed from the workspace is in neither", async () => {
  for (let round = 0; round < 8; round += 1) {
    const { person, team, rows } = await startConsole();
    const owner = await person({ role: "owner" });
    const bob = await person({ role: "member" });
    const answers = await Promise.all([
      owner.call("putTeamMember", { query: { teamId: team.id, personId: bob.id }, body: { role: "viewer" } }),
      owner.call("deleteMember", { query: { personId: bob.id } }),
    ]);
    expect([200, 404]).toContain(answers[0].status);
    expect(answers[1].status).toBe(200);
    expect(await rows("select 1 from team_memberships where person_id = ?", bob.id)).toEqual([]);
  }
});

test("who takes themselves out of a private team does not see it any more", async () => {
  const { person } = await startConsole();
  const owner = await person({ role: "owner" });
  const { body } = await owner.call("postTeam", { body: { name: "Private", visibility: "private" } });
  const ada = await person({ role: "member", teams: { [body.data.id]: "admin" } });
  const { status } = await ada.call("deleteTeamMember", { query: { teamId: body.data.id, personId: ada.id } });
  expect(status).toBe(200);
  expect(namesOf(await ada.call("getTeams"))).toEqual(["Other team", "Own team"]);
});

test("what is done to teams stands in the audit log, as it was and as it is", async () => {
  const { person, rows, workspace } = await startConsole();
  const owner = await person({ role: "owner", name: "Owner" });
  const bob = await person({ role: "member", name: "Bob" });
  const { body } = await owner.call("postTeam", { body: { name: "Support", visibility: "internal" } });
  const of = { query: { teamId: body.data.id, personId: bob.id } };
  await owner.call("putTeam", { query: { teamId: body.data.id }, body: { visibility: "private" } });
  await owner.call("putTeamMember", { ...of, body: { role: "viewer" } });
  await owner.call("putTeamMember", { ...of, body: { role: "editor" } });
  await owner.call("deleteTeamMember", of);
  const found = await rows<{ action: string; target_name: string; before: string | null; after: string | null }>(
    "select action, target_name, before, after from audit_log where workspace_id = ? order by id",
    workspace.id,
  );
  expect(found.map(({ action, target_name, before, after }) => [action, target_name, before, after])).toEqual([
    ["team.create", "Support", null, '{"name":"Support","visibility":"internal"}'],
    [
      ...["team.change", "Support"],
      '{"name":"Support","visibility":"internal"}',
      '{"name":"Support","visibility":"private"}',
    ],
    ["team_member.create", "Bob", null, '{"team":"Support","role":"viewer"}'],
    ["team_member.change", "Bob", '{"team":"Support","role":"viewer"}', '{"team":"Support","role":"editor"}'],
    ["team_member.delete", "Bob", '{"team":"Support","role":"editor"}', null],
  ]);
});

test("an empty change, a name that is blank or reverses text, and an unknown visibility get 400", async () => {
  const { person, team } = await startConsole();
  const owner = await person({ role: "owner" });
  const unprintable = ["\u001b[2J", "two\nlines", "\u202egnp.exe", "a\u2028b"].map((name) => ({ name }));
  for (const body of [
    ...unprintable,
    {},
    { name: " " },
    { name: "x".repeat(101) },
    { visibility: "public" },
    { name: "x", id: "y" },
  ])
    expect((await owner.call("putTeam", { query: { teamId: team.id }, body })).status).toBe(400);
});
