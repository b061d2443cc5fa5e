// A workspace can have so many keys, teams, members, folders, and tags, and not one more.
import { expect, test } from "bun:test";
import { requireRoomFor } from "../../src/accounts/workspaces/maximums.ts";
import { createTeam } from "../../src/accounts/workspaces/workspaces.ts";
import { consoleLimits } from "../../src/contract/console/limits.ts";
import { limits } from "../../src/contract/limits.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import type { Value } from "../../src/platform/database/sql.ts";
import { startConsole } from "../support/console.ts";
import { refusedWith } from "../support/quota.ts";

test("exceeding a maximum is refused by the API, in the console, and by commands", async () => {
  const started = await startConsole({});
  const { admin, call, key, person, team, workspace } = started;
  const owner = await person({ role: "owner" });
  const time = "2026-03-01T00:00:00.000Z";
  const fill = async (table: string, count: number, rowOf: (id: string, index: number) => Record<string, Value>) => {
    for (let first = 0; first < count; first += 500)
      await admin(async (transaction) =>
        transaction.insert(
          table,
          Array.from({ length: Math.min(500, count - first) }, (_, index) => ({
            workspace_id: workspace.id,
            ...rowOf(transaction.newId(), first + index),
          })),
        ),
      );
  };
  const group = (id: string) => ({ id, team_id: team.id, created_at: time, updated_at: time });
  await fill("folders", limits.foldersMax - 1, (id) => ({ ...group(id), folder_name: "f", folder_color: "c" }));
  await fill("tags", limits.tagsMax - 1, (id) => ({ ...group(id), tag_name: "t", tag_color: "c" }));
  await fill("teams", consoleLimits.teamsOfWorkspaceMax - 2, (id) => ({ id, name: "T", created_at: time }));
  await fill("api_keys", consoleLimits.keysMax - 2, (id) => ({
    ...{ id, name: "K", secret_hash: id, secret_start: "s", is_active: true, is_all_teams: true, call_count: 0 },
    created_at: time,
  }));

  const folder = { folderName: "One more", folderColor: "c", teamId: team.id };
  const folders = await call("POST", "/folders", { key: key.secret, body: { folders: [folder, folder] } });
  const message = "A workspace can have at most 20,000 folders";
  expect([folders.status, folders.body.data.createdFolders.length, folders.body.data.errors]).toEqual([
    200,
    1,
    [{ index: 1, message, error: "too_many_folders" }],
  ]);
  const tag = () => call("POST", "/tag", { key: key.secret, body: { tagName: "t", tagColor: "c", teamId: team.id } });
  const answers = await Promise.all([tag(), tag(), tag()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect(answers.find(({ status }) => status === 400)?.body.error).toBe("too_many_tags");

  const refused = [409, "too_many_teams", "This workspace has 10,000 teams, the maximum"];
  const { status, body } = await owner.call("postTeam", { body: { name: "Another", visibility: "internal" } });
  expect([status, body.error, body.message]).toEqual(refused);
  expect(await refusedWith(admin((transaction) => createTeam(transaction, workspace.id, "Another")))).toBe(
    "Refusal: This workspace has 10,000 teams, the maximum",
  );
  expect(await refusedWith(admin((transaction) => createKey(transaction, workspace.id, "Another", "all")))).toBe(
    "Refusal: This workspace has 10,000 API keys, the maximum",
  );

  const people: string[] = [];
  for (let first = 0; first < consoleLimits.membersMax - 1; first += 500)
    await admin(async (transaction) => {
      const ids = Array.from({ length: Math.min(500, consoleLimits.membersMax - 1 - first) }, () =>
        transaction.newId(),
      );
      const flags = { email_verified: true, image: null, two_factor_enabled: false, is_operator: false };
      const times = { created_at: time, updated_at: time };
      transaction.insert(
        "people",
        ids.map((id) => ({ id, name: "P", email: `${id}@example.com`, ...flags, ...times })),
      );
      people.push(...ids);
    });
  await fill("memberships", people.length, (_, index) => ({
    person_id: people[index] ?? "",
    role: "member",
    created_at: time,
  }));
  expect(await refusedWith(admin((transaction) => requireRoomFor(transaction, workspace.id, "member")))).toBe(
    "Refusal: This workspace has 10,000 members, the maximum",
  );
});
