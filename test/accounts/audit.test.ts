// The audit log: who did what, to whom, from where, with the values before and after. It can be read but never changed.
import { expect, test } from "bun:test";
import { recordAuditEntry } from "../../src/accounts/audit/audit.ts";
import { userName } from "../../src/operations/commands/record.ts";
import { startConsole } from "../support/console.ts";
import { engine } from "../support/engine.ts";
import { makeWorkspace, runJson } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test("an act, whole", async () => {
  const { person, workspace } = await startConsole();
  const owner = await person({ role: "owner", name: "Ada" });
  await owner.call("putWorkspace", { body: { name: "Renamed" } });
  const { status, body } = await owner.call("getAuditLog");
  expect([status, body.nextCursor, body.data]).toEqual([
    200,
    null,
    [
      {
        id: expect.any(String),
        at: timestamp,
        actor_kind: "person",
        actor_id: owner.id,
        actor_name: "Ada",
        client_address: "127.0.0.1",
        action: "workspace.change",
        target_kind: "workspace",
        target_id: workspace.id,
        target_name: "Renamed",
        before: { name: "Test workspace" },
        after: { name: "Renamed" },
      },
    ],
  ]);
});

test("newest first, a page at a time, also where many acts are of one moment", async () => {
  const { person, admin, workspace } = await startConsole();
  const owner = await person({ role: "owner" });
  const actor = { kind: "service", id: null, name: "service", clientAddress: null } as const;
  await admin(async (transaction) => {
    for (let index = 0; index < 7; index += 1)
      recordAuditEntry(transaction, workspace.id, actor, {
        action: "key.create",
        target: { kind: "key", id: null, name: String(index) },
      });
  });
  const names: string[] = [];
  let cursor: string | null | undefined;
  do {
    const { body } = await owner.call("getAuditLog", { query: { limit: 3, ...(cursor && { cursor }) } });
    names.push(...body.data.map((row: { target_name: string }) => row.target_name));
    cursor = body.nextCursor;
  } while (cursor);
  expect(names).toEqual(["6", "5", "4", "3", "2", "1", "0"]);
});

test("by who, by what, and by day", async () => {
  const { person, clock } = await startConsole({ at: "2026-03-14T23:59:59.999Z" });
  const [ada, bob] = [await person({ role: "owner", name: "Ada" }), await person({ role: "admin", name: "Bob" })];
  const rename = (who: typeof ada, name: string) => who.call("putWorkspace", { body: { name } });
  await rename(ada, "Fourteenth");
  clock.advance(0.001);
  await rename(bob, "Fifteenth");
  await bob.call("postTeam", { body: { name: "Team_1", visibility: "internal" } });
  clock.advance(86_400);
  await rename(ada, "Sixteenth");
  const names = async (query: Record<string, string>) =>
    (await ada.call("getAuditLog", { query })).body.data.map((row: { target_name: string }) => row.target_name);
  expect(await names({ actorId: bob.id })).toEqual(["Team_1", "Fifteenth"]);
  expect(await names({ action: "workspace" })).toEqual(["Sixteenth", "Fifteenth", "Fourteenth"]);
  expect(await names({ action: "team.create" })).toEqual(["Team_1"]);
  expect(await names({ action: "t%" })).toEqual([]);
  expect(await names({ action: "______" })).toEqual([]);
  expect(await names({ from: "2026-03-15", to: "2026-03-15" })).toEqual(["Team_1", "Fifteenth"]);
  expect(await names({ to: "2026-03-14" })).toEqual(["Fourteenth"]);
  expect(await names({ from: "2026-03-16" })).toEqual(["Sixteenth"]);
});

test("of another workspace nothing is seen", async () => {
  const [here, there] = [await startConsole(), await startConsole()];
  const owner = await here.person({ role: "owner" });
  const other = await there.person({ role: "owner" });
  await other.call("putWorkspace", { body: { name: "Elsewhere" } });
  expect((await owner.call("getAuditLog")).body.data).toEqual([]);
  expect((await owner.call("getAuditLog", { query: { workspaceId: there.workspace.id } })).status).toBe(404);
});

test("an act that fails leaves no row, and an act without its row does not happen", async () => {
  const started = await startConsole({});
  const { person, dataDirectory, rows, workspace } = started;
  const owner = await person({ role: "owner" });
  const connection = await engine.connect(dataDirectory);
  for (const statement of engine.refuseInserts("audit_log", "planted")) await connection.run(statement);
  expect((await owner.call("putWorkspace", { body: { name: "Without a row" } })).status).toBeGreaterThanOrEqual(500);
  for (const statement of engine.allowInserts("audit_log")) await connection.run(statement);
  await connection.close();
  expect(await rows("select name from workspaces where id = ?", workspace.id)).toEqual([{ name: "Test workspace" }]);
  expect((await owner.call("putMember", { query: { personId: owner.id }, body: { role: "member" } })).status).toBe(409);
  expect((await owner.call("getAuditLog")).body.data).toEqual([]);
});

test("names with anything in them come back as they are", async () => {
  const hostile = `<script>alert(1)</script>"'\`\\ 👩‍👩‍👧 שלום =1+1 ${"x".repeat(40)}`;
  const { person } = await startConsole();
  const owner = await person({ role: "owner", name: hostile });
  await owner.call("putWorkspace", { body: { name: hostile } });
  const { body } = await owner.call("getAuditLog");
  expect(body.data).toMatchObject([{ actor_name: hostile, target_name: hostile, after: { name: hostile } }]);
});

test("what the command line does stands in it too, without a secret", async () => {
  const here = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() };
  const { workspace, team, key, secret } = await makeWorkspace(here);
  await runJson(["workspace", "change", "--workspace", workspace, "--monthly-requests", "5"], here);
  const words = ["quota", "grant", "--workspace", workspace, "--package", "100K", "--reference", "INV-1"];
  await runJson(words, here);
  await runJson(words, here);
  await runJson(["key", "deactivate", "--key", key], here);
  await runJson(["key", "show", "--key", key], here);
  await runJson(["key", "delete", "--key", key], here);
  const found = await engine.rowsOf(here.COMMONPLACE_DATA_DIRECTORY)<{
    actor_kind: string;
    actor_name: string;
    action: string;
    target_id: string | null;
    before: string;
  }>("select * from audit_log where workspace_id = ? order by at, id", workspace);
  const acts = found.map(({ action, target_id }) => [action, target_id]);
  // Team and key are made by two commands at the same time.
  expect(acts.slice(1, 3).sort()).toEqual([
    ["key.create", key],
    ["team.create", team],
  ]);
  expect([...acts.slice(0, 1), ...acts.slice(3)]).toEqual([
    ["workspace.create", workspace],
    ["workspace.change", workspace],
    ["package.grant", null],
    ["key.deactivate", key],
    ["key.delete", key],
  ]);
  for (const { actor_kind } of found) expect(actor_kind).toBe("command");
  expect(JSON.stringify(found)).not.toContain(secret);
});

test("a command is recorded under the user who called sudo, else the user, else nobody's name", async () => {
  expect(userName({ SUDO_USER: "alice", USER: "root", LOGNAME: "root" })).toBe("alice");
  expect(userName({ SUDO_USER: "", USER: "bob" })).toBe("bob");
  expect(userName({ LOGNAME: "cron" })).toBe("cron");
  expect(userName({ USER: " " })).toBe("Someone on the command line");
  expect(userName({ USER: "a\u001b[2Jb" })).toBe("a\ufffd[2Jb");
  const here = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() };
  const { workspace } = await makeWorkspace(here);
  const update = (name: string, settings: Record<string, string>) =>
    runJson(["workspace", "change", "--workspace", workspace, "--name", name], { ...here, ...settings });
  await update("By Alice", { SUDO_USER: "alice", USER: "root" });
  await update("By nobody", { SUDO_USER: "", USER: "", LOGNAME: "" });
  const found = await engine.rowsOf(here.COMMONPLACE_DATA_DIRECTORY)<{ actor_name: string }>(
    "select actor_name from audit_log where workspace_id = ? and action = 'workspace.change' order by at, id",
    workspace,
  );
  expect(found.map(({ actor_name }) => actor_name)).toEqual(["alice", "Someone on the command line"]);
}, 60_000);

test("the people of the log include those who left and operators, and the command line can be selected", async () => {
  const { person, admin, workspace } = await startConsole();
  const owner = await person({ role: "owner", name: "Olga" });
  const leaver = await person({ role: "admin", name: "Leaver" });
  const gone = await person({ role: "admin", name: "Gone" });
  const operator = await person({ isOperator: true, name: "Olive" });
  await person({ role: "admin", name: "Idle" });
  for (const who of [owner, leaver, gone, operator])
    await who.call("putWorkspace", { body: { name: `By ${who.name}` } });
  await owner.call("deleteMember", { query: { personId: leaver.id } });
  await gone.call("deletePerson", { body: { email: gone.email } });
  await admin(async (transaction) =>
    recordAuditEntry(
      transaction,
      workspace.id,
      { kind: "command", id: null, name: "alice", clientAddress: null },
      { action: "workspace.change", target: { kind: "workspace", id: workspace.id, name: "By command" } },
    ),
  );
  expect((await owner.call("getAuditActors")).body.data).toEqual([
    { person_id: gone.id, name: `Former member ${gone.id.slice(-4)}`, email: null },
    { person_id: leaver.id, name: "Leaver", email: null },
    { person_id: owner.id, name: "Olga", email: owner.email },
    { person_id: operator.id, name: "Olive", email: null },
  ]);
  const names = async (query: Record<string, string>) =>
    (await owner.call("getAuditLog", { query })).body.data.map((row: { target_name: string }) => row.target_name);
  expect(await names({ actorId: leaver.id })).toEqual(["By Leaver"]);
  expect(await names({ actorKind: "command" })).toEqual(["By command"]);
  expect((await owner.call("getAuditLog", { query: { actorKind: "x" } })).status).toBe(400);
  const exported = await owner.call("getAuditLogExport", { query: { actorKind: "command" } });
  expect(exported.text.trim().split("\n")).toHaveLength(1);
  expect((await leaver.call("getAuditActors")).status).toBe(404);
});
