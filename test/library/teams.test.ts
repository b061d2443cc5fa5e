// What a key can access: GET /me, GET /teams and GET /tree.
import { describe, expect, test } from "bun:test";
import { createTeam } from "../../src/accounts/workspaces/workspaces.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { sql } from "../../src/platform/database/sql.ts";
import { expectRefusal } from "../support/expect.ts";
import { type Started, startService } from "../support/service.ts";

describe("GET /me", () => {
  test("tells who is calling, and what the key can do", async () => {
    const { client, key, workspace, team, otherTeam } = await startService({ config: { requestsPerMinute: 75 } });
    expect((await client.getMe()).data).toEqual({
      key: { id: key.id, name: "All teams", scopes: null, expires_at: null },
      workspace: { id: workspace.id, name: "Test workspace" },
      teams: [
        { id: team.id, name: "Own team" },
        { id: otherTeam.id, name: "Other team" },
      ],
      requests_per_minute: 75,
      monthly_requests: 100_000,
    });
  });

  test("tells what a key is limited to: its scope, its end, and its rate limit", async () => {
    const started = await startService();
    const expiresAt = "2027-01-31T00:00:00.000Z";
    const { secret } = await started.admin((transaction) =>
      createKey(transaction, started.workspace.id, "Limited", "all", null, {
        scope: "read",
        expiresAt,
        requestsPerMinute: 7,
      }),
    );
    const { data } = await started.clientFor(secret).getMe();
    expect([data.key.scopes, data.key.expires_at, data.requests_per_minute]).toEqual([["read"], expiresAt, 7]);
  });

  test("names only the teams that the key reaches, and the allowance as it is now", async () => {
    const { limitedClient, clientFor, emptyKey, workspace, team, admin } = await startService();
    await admin((transaction) => changeWorkspace(transaction, workspace.id, { monthly_requests: 7_000 }));
    const { data } = await limitedClient.getMe();
    expect([data.key.name, data.teams, data.monthly_requests]).toEqual([
      "One team",
      [{ id: team.id, name: "Own team" }],
      7_000,
    ]);
    expect((await clientFor(emptyKey.secret).getMe()).data.teams).toEqual([]);
  });
});

/** Two folders in each other and two tags, with an archived snippet, another one, and one in the trash. */
async function fill({ given, client }: Started) {
  const outer = await given.folder();
  const inner = await given.folder({ parentFolderId: outer.id });
  const [tag, unused] = [await given.tag(), await given.tag()];
  const archived = await given.snippet({ folderId: inner.id, tagIds: [tag.id] });
  await client.putSnippet({ id: archived.id, isArchived: true });
  await given.snippet({ folderId: outer.id });
  const trashed = await given.snippet({ folderId: inner.id, tagIds: [tag.id] });
  await client.deleteSnippet({ id: trashed.id });
  return { outer, inner, tag, unused };
}

describe("GET /teams", () => {
  test("lists the teams that the key reaches by id, and counts archived snippets but none in the trash", async () => {
    const started = await startService();
    const { client, limitedClient, clientFor, emptyKey, team, otherTeam } = started;
    await fill(started);
    await started.given.folder({ teamId: otherTeam.id });
    const own = { id: team.id, name: "Own team", snippet_count: 2, folder_count: 2, tag_count: 2 };
    const other = { id: otherTeam.id, name: "Other team", snippet_count: 0, folder_count: 1, tag_count: 0 };
    expect((await client.getTeams()).data.teams).toEqual([own, other]);
    expect((await limitedClient.getTeams()).data.teams).toEqual([own]);
    expect((await clientFor(emptyKey.secret).getTeams()).data.teams).toEqual([]);
  });
});

describe("GET /tree", () => {
  test("lists folders and tags by id with what is directly in them, of one team or of all that the key reaches", async () => {
    const started = await startService();
    const { client, limitedClient, clientFor, emptyKey, team, otherTeam } = started;
    const { outer, inner, tag, unused } = await fill(started);
    const other = await started.given.folder({ teamId: otherTeam.id });
    const own = {
      folders: [
        { ...outer, snippet_count: 1 },
        { ...inner, snippet_count: 1 },
      ],
      tags: [
        { ...tag, snippet_count: 1 },
        { ...unused, snippet_count: 0 },
      ],
    };
    const { data, metadata } = await client.getTree();
    expect(data).toEqual({ ...own, folders: [...own.folders, { ...other, snippet_count: 0 }] });
    expect(metadata).toEqual({ isTruncated: false });
    expect((await client.getTree({ teamId: team.id.toUpperCase() })).data).toEqual(own);
    expect((await limitedClient.getTree()).data).toEqual(own);
    expect((await client.getTree({ teamId: otherTeam.id })).data).toEqual({
      folders: [{ ...other, snippet_count: 0 }],
      tags: [],
    });
    expect((await clientFor(emptyKey.secret).getTree()).data).toEqual({ folders: [], tags: [] });
  });

  test("of more than 10,000 folders or tags: a team has to be named, and its first 10,000 are returned", async () => {
    const { client, limitedClient, call, key, admin, workspace, team, otherTeam } = await startService();
    const ids: string[] = [];
    await admin(async (transaction) => {
      while (ids.length < 10_001) ids.push(transaction.newId());
      const { id: workspace_id } = workspace;
      const named = { parent_tag_id: null, tag_name: "A tag", tag_color: "#fff" };
      const times = { created_at: transaction.now, updated_at: transaction.now };
      for (let at = 0; at < ids.length; at += 1_000)
        transaction.insert(
          "tags",
          ids.slice(at, at + 1_000).map((id) => ({ workspace_id, id, team_id: team.id, ...named, ...times })),
        );
    });
    const needsTeam = "teamId is required, because your teams have more than 10,000 folders or tags";
    expectRefusal(await call("GET", "/tree", { key: key.secret }), 400, needsTeam);
    const first = ids.slice(0, 10_000);
    const idsOf = ({ data, metadata }: Awaited<ReturnType<typeof client.getTree>>) => [
      metadata.isTruncated,
      data.tags.map(({ id }) => id),
    ];
    expect(idsOf(await client.getTree({ teamId: team.id }))).toEqual([true, first]);
    expect(idsOf(await client.getTree({ teamId: otherTeam.id }))).toEqual([false, []]);
    expect(idsOf(await limitedClient.getTree())).toEqual([true, first]);
    await admin((transaction) =>
      transaction.run(sql`delete from teams where workspace_id = ${workspace.id} and id = ${otherTeam.id}`),
    );
    expect(idsOf(await client.getTree())).toEqual([true, first]);
    await admin((transaction) =>
      transaction.run(sql`delete from tags where workspace_id = ${workspace.id} and id = ${ids[0] ?? ""}`),
    );
    await admin((transaction) => createTeam(transaction, workspace.id, "Later"));
    expect(idsOf(await client.getTree())).toEqual([false, ids.slice(1)]);
  });
});
