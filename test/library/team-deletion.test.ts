// A deleted team: for everybody it does not exist, it comes back whole within its days, is exported, and then removed with all it has.
import { beforeAll, expect, test } from "bun:test";
import { indexPending } from "../../src/library/search/indexing.ts";
import { workspaceTables } from "../../src/library/workspace/rows.store.ts";
import { removeDeletedTeams } from "../../src/library/workspace/team-removal.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import { findViolations, invariants } from "../../src/operations/doctor/invariants.store.ts";
import { schemaVersion } from "../../src/platform/database/migrate.ts";
import { type StartedConsole, startConsole } from "../support/console.ts";
import { engine } from "../support/engine.ts";
import { type Filled, fillInstance } from "../support/filled.ts";
import { contentTables, temporaryDirectory, text } from "../support/service.ts";

const day = 24 * 60 * 60;
const still = (_: unknown, signal: AbortSignal) =>
  new Promise<void>((end) => signal.addEventListener("abort", () => end()));

let started: StartedConsole;
let filled: Filled;
beforeAll(async () => {
  const dataDirectory = temporaryDirectory();
  filled = await fillInstance(dataDirectory);
  const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
  const config = { dataDirectory, mail, requestsPerMinute: 1_000 };
  started = await startConsole({ at: "2026-05-01T10:00:00.000Z", config, wait: still });
});

/** Lists of the API; the matrix of isolation tests what is asked for by ID. */
const lists = [
  "/me",
  "/teams",
  "/tree",
  "/trash",
  "/search",
  "/search?query=plain",
  "/search?sort=title",
  "/shortcut?shortcut=%C3%A4",
  "/text?shortcut=%C3%A4",
];
const consoleLists = [
  "getTeams",
  "getLibraryTree",
  "getLibrarySearch",
  "getLibraryTrash",
  "getLibraryActivity",
] as const;

/** What the checks of stored data find. */
const violations = () =>
  started.service.database.read(async (transaction) => {
    const found: string[] = [];
    for (const each of invariants) {
      const { total } = await findViolations(transaction, engine.name, each, 1);
      if (total > 0) found.push(each.name);
    }
    return found;
  });

test("no list shows a deleted or removed team, and a restored team is as it was", async () => {
  const { person, clock, rows, service, call, admin } = started;
  const { workspace, team, elsewhere } = filled;
  const query = { workspaceId: workspace.id };
  const otherTeam = elsewhere.folder.team_id;
  const owner = await person({ role: "owner", workspaceId: workspace.id });
  const manager = await person({ role: "admin", workspaceId: workspace.id, name: "Grace" });
  const ofBoth = { [team.id]: "admin", [otherTeam]: "viewer" } as const;
  const member = await person({ role: "member", workspaceId: workspace.id, teams: ofBoth });
  const onlyThere = await person({ role: "member", workspaceId: workspace.id, teams: { [team.id]: "admin" } });
  const keys = await admin(async (transaction) => ({
    ofBoth: await createKey(transaction, workspace.id, "Both", [team.id, otherTeam]),
    onlyThere: await createKey(transaction, workspace.id, "Only there", [team.id]),
  }));
  const { name } = (await owner.call("getTeams", { query })).body.data.find(({ id }: { id: string }) => id === team.id);
  /** What everybody sees, without what differs in each call. */
  const view = async () => {
    const seen: Record<string, unknown> = {};
    for (const [caller, { secret }] of Object.entries({ ofAll: filled.key, ...keys }))
      for (const path of [...lists, `/search?folderId=${filled.folder.id}`, `/search?tagIds=${filled.tag.id}`]) {
        const { status, body } = await call("GET", path, { key: secret });
        seen[`${caller} ${path}`] = [status, { ...body, requestId: 0, usage: 0 }];
      }
    for (const [caller, someone] of Object.entries({ owner, manager, member, onlyThere }))
      for (const operation of consoleLists) {
        const { status, body } = await someone.call(operation, {
          query: { ...query, ...(operation === "getLibrarySearch" && { limit: 50 }) },
        });
        seen[`${caller} ${operation}`] = [status, body.data ?? body.error];
      }
    const { data: listedKeys } = (await owner.call("getKeys", { query })).body;
    for (const key of listedKeys) seen[key.id] = key.team_permissions;
    for (const someone of [owner, manager, member, onlyThere]) {
      const session = (await someone.call("getSession")).body.data;
      const listed = (await owner.call("getMembers", { query })).body.data;
      const { teams } = listed.find(({ person_id }: { person_id: string }) => person_id === someone.id);
      seen[someone.email] = [session.memberships[0].actions, teams];
    }
    return seen;
  };
  const contentOf = () => engine.snapshot(rows, contentTables, workspace.id);
  const storage = async () => (await owner.call("getStorage", { query })).body.data.bytes;
  const [whole, content, bytes] = [await view(), await contentOf(), await storage()];

  const ofTeam = { query: { ...query, teamId: team.id } };
  const wrong = await manager.call("deleteTeam", { ...ofTeam, body: { name: "Another" } });
  expect([wrong.status, wrong.body.error]).toEqual([400, "wrong_name"]);
  expect(await view()).toEqual(whole);
  const counted = (await manager.call("getTeamContents", ofTeam)).body.data;
  expect(counted).toEqual({
    ...{ snippets: 4, folders: 5, tags: 2, trashed_snippets: 1, members: 3, keys: 3 },
    removal_at: "2026-05-08T10:00:00.000Z",
  });
  const deleted = await manager.call("deleteTeam", { ...ofTeam, body: { name } });
  const record = {
    id: team.id,
    workspace_id: workspace.id,
    name,
    deleted_at: "2026-05-01T10:00:00.000Z",
    removal_at: "2026-05-08T10:00:00.000Z",
  };
  expect([deleted.status, deleted.body.data]).toEqual([200, record]);
  expect((await owner.call("getDeletedTeams", { query })).body.data).toEqual([record]);
  const gone = await view();
  expect(JSON.stringify(gone)).not.toContain(team.id);
  expect(JSON.stringify(gone)).not.toContain(filled.plain.id);
  // Who asks for it by its ID gets what an unknown one gets.
  for (const someone of [owner, member, onlyThere])
    for (const operation of consoleLists.filter((each) => each !== "getTeams")) {
      const ask = async (teamId: string) => {
        const { status, body } = await someone.call(operation, { query: { ...query, teamId } });
        return [operation, status, { ...body, requestId: 0 }];
      };
      expect(await ask(team.id)).toEqual(await ask(crypto.randomUUID()));
    }
  // It still takes its place.
  expect([await contentOf(), await storage()]).toEqual([content, bytes]);
  const mails = await rows<{ recipient: string; body: string }>("select recipient, body from mails order by recipient");
  const told = mails
    .filter(({ body }) => body.includes(`/console/w/${workspace.id}/teams`))
    .map((mail) => mail.recipient);
  expect(told).toEqual(expect.arrayContaining([owner.email, manager.email]));
  expect(told).not.toContain(member.email);
  expect((await manager.call("deleteTeam", { ...ofTeam, body: { name } })).body.error).toBe("team_not_found");
  expect((await manager.call("putTeam", { ...ofTeam, body: { name } })).body.error).toBe("team_not_found");
  const key = { name: "New", teams: [team.id] };
  expect((await manager.call("postKey", { query, body: key })).body.error).toBe("team_not_found");

  expect((await manager.call("postTeamRestoration", ofTeam)).status).toBe(200);
  expect((await manager.call("postTeamRestoration", ofTeam)).body.error).toBe("not_deleted");
  expect([await view(), await contentOf()]).toEqual([whole, content]);

  // Deleted again, exported, and removed.
  await manager.call("deleteTeam", { ...ofTeam, body: { name } });
  const exported = await manager.call("getTeamExport", ofTeam);
  const lines = exported.text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines[0]).toEqual({
    ...{ format: "commonplace-team", version: 1, schema_version: schemaVersion },
    exported_at: "2026-05-01T10:00:00.000Z",
  });
  expect(lines.at(-1)).toEqual({ end: true, rows: lines.length - 2 });
  const exportedOf = (table: string) => lines.filter((line) => line.table === table).length;
  for (const table of ["snippets", "folders", "tags", "trashed_snippets"] as const)
    expect([table, exportedOf(table)]).toEqual([table, counted[table]]);
  for (const { name: table, columns } of workspaceTables()) {
    if (!columns.some((column) => column.name === "snippet_id") || table === "library_activity") continue;
    // The other team has no snippets.
    const [all] = await rows<{ n: number }>(`select count(*) as n from ${table} where workspace_id = ?`, workspace.id);
    expect([table, exportedOf(table)]).toEqual([table, Number(all?.n)]);
    expect(exportedOf(table)).toBeGreaterThan(0);
  }
  for (const secret of [otherTeam, elsewhere.folder.id, "_hash", '"table":"ledger"'])
    expect(exported.text).not.toContain(secret);

  const remove = () => removeDeletedTeams(service.database, async () => true);
  clock.advance(7 * day - 1);
  expect(await remove()).toBe(0);
  expect(await contentOf()).toEqual(content);
  clock.advance(1);
  const late = await person({ role: "owner", workspaceId: workspace.id });
  expect((await late.call("postTeamRestoration", ofTeam)).body.error).toBe("team_not_found");
  expect((await late.call("getTeamExport", ofTeam)).body.error).toBe("team_not_found");
  expect((await late.call("getDeletedTeams", { query })).body.data).toEqual([]);
  expect(await remove()).toBe(1);
  await indexPending({ database: service.database, pace: () => undefined, goOn: () => true }, 1);
  for (const { name: table, columns } of workspaceTables()) {
    const has = (column: string) => columns.some((each) => each.name === column);
    // What was requested and charged stays.
    if (table === "ledger" || table === "usage_totals" || !(has("team_id") || has("snippet_id"))) continue;
    const left = await rows(`select * from ${table} where workspace_id = ?`, workspace.id);
    expect([table, JSON.stringify(left).includes(team.id)]).toEqual([table, false]);
    if (has("snippet_id") && table !== "library_activity") expect([table, left]).toEqual([table, []]);
  }
  for (const table of ["folders", "tags"])
    expect(await rows(`select id from ${table} where workspace_id = ?`, workspace.id)).toHaveLength(1);
  expect(await violations()).toEqual([]);
  expect(await storage()).toBeLessThan(1_000);
  expect(await view()).toEqual(gone);
  const acts = await rows<{ action: string; actor_kind: string }>(
    "select action, actor_kind from audit_log where target_id = ? and action <> 'team.create' order by number",
    team.id,
  );
  expect(acts.map(({ action, actor_kind }) => `${action} ${actor_kind}`)).toEqual([
    "team.delete person",
    "team.restore person",
    "team.delete person",
    "team.export person",
    "team.remove service",
  ]);
}, 60_000);

test("what is created while the team is deleted is refused, or is part of what comes back", async () => {
  const { admin, workspace, team, person, clientFor } = started;
  const owner = await person({ role: "owner" });
  const keys = await admin(async (transaction) => {
    const made = [];
    for (let index = 0; index < 12; index += 1)
      made.push(await createKey(transaction, workspace.id, `${index}`, "all"));
    return made;
  });
  const ofTeam = { query: { teamId: team.id } };
  const folder = { folderName: "A", folderColor: "#336699", teamId: team.id };
  const repeated = { key: keys[0]?.secret, headers: { "Idempotency-Key": crypto.randomUUID() }, body: folder };
  const answered = await started.call("POST", "/folder", repeated);
  let [isDeleted, created, refused] = [false, [] as string[], 0];
  const createUntilRefused = async (client: ReturnType<typeof clientFor>) => {
    for (;;) {
      const isLate = isDeleted;
      const answer = await client
        .postSnippet({ title: "A", content: text("A"), teamId: team.id })
        .catch((error: { status: number; code: string }) => error);
      if ("data" in answer) {
        expect(isLate).toBeFalse();
        created.push(answer.data.snippetId);
        continue;
      }
      expect([answer.status, answer.code]).toEqual([404, "team_not_found"]);
      refused += 1;
      return;
    }
  };
  const clients = keys.map(({ secret }) => clientFor(secret));
  const creating = clients.map(createUntilRefused);
  while (created.length < clients.length) await Bun.sleep(0);
  await owner.call("deleteTeam", { ...ofTeam, body: { name: "Own team" } });
  isDeleted = true;
  await Promise.all(creating);
  expect(refused).toBe(clients.length);
  const [first] = clients;
  expect((await first?.getSnippets({ ids: created.slice(0, 100) }))?.metadata.missingCount).toBe(
    Math.min(100, created.length),
  );
  expect((await started.call("POST", "/folder", repeated)).body.error).toBe("team_not_found");
  await owner.call("postTeamRestoration", ofTeam);
  expect((await started.call("POST", "/folder", repeated)).body).toEqual(answered.body);
  expect((await first?.getTeams())?.data.teams.find(({ id }) => id === team.id)?.snippet_count).toBe(created.length);
  expect(await violations()).toEqual([]);
}, 60_000);
