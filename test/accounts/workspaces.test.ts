// Workspaces and their subscription: the operator creates and activates them, their administrators rename them.
import { expect, test } from "bun:test";
import { startConsole } from "../support/console.ts";

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test("the operator makes a workspace, owns it, and has its first team", async () => {
  const { person, rows } = await startConsole();
  const operator = await person({ isOperator: true, name: "Operator" });
  const { status, body } = await operator.call("postWorkspace", { body: { name: "Acme", teamName: "Support" } });
  expect([status, body.data]).toEqual([
    200,
    {
      id: expect.any(String),
      name: "Acme",
      subscription: "active",
      sign_in_policy: "any",
      deleted_at: null,
      monthly_requests: 100_000,
      created_at: timestamp,
      updated_at: timestamp,
    },
  ]);
  const query = { workspaceId: body.data.id };
  expect((await operator.call("getTeams", { query })).body.data).toMatchObject([{ name: "Support" }]);
  expect((await operator.call("getMembers", { query })).body.data).toMatchObject([{ name: "Operator", role: "owner" }]);
  const found = await rows<{ action: string }>("select action from audit_log where workspace_id = ?", body.data.id);
  expect(found.map(({ action }) => action).sort()).toEqual(["team.create", "workspace.create"]);
});

test("all workspaces by name, a page at a time, and by a part of it", async () => {
  const { person } = await startConsole({});
  const operator = await person({ isOperator: true });
  for (const name of ["Beta", "Alpha", "Gamma 100%"])
    await operator.call("postWorkspace", { body: { name, teamName: "T" } });
  const names: string[] = [];
  let cursor: string | null | undefined;
  do {
    const { body } = await operator.call("getWorkspaces", { query: { limit: 2, ...(cursor && { cursor }) } });
    names.push(...body.data.map(({ name }: { name: string }) => name));
    cursor = body.nextCursor;
  } while (cursor);
  expect(names).toEqual(["Alpha", "Beta", "Gamma 100%", "Test workspace"]);
  const found = await operator.call("getWorkspaces", { query: { search: "A 100%" } });
  expect(found.body.data).toMatchObject([{ name: "Gamma 100%" }]);
  const badCursor = Buffer.from('["a","b"]').toString("base64url");
  expect((await operator.call("getWorkspaces", { query: { cursor: badCursor } })).status).toBe(400);
});

test("an administrator renames the workspace; the audit log has both names", async () => {
  const { person, rows, workspace } = await startConsole();
  const admin = await person({ role: "admin", name: "Admin" });
  const { body } = await admin.call("putWorkspace", { body: { name: "Renamed" } });
  expect(body.data.name).toBe("Renamed");
  expect((await admin.call("getWorkspace")).body.data).toEqual(body.data);
  expect(
    await rows("select action, actor_name, before, after from audit_log where workspace_id = ?", workspace.id),
  ).toEqual([
    {
      action: "workspace.change",
      actor_name: "Admin",
      before: '{"name":"Test workspace"}',
      after: '{"name":"Renamed"}',
    },
  ]);
});

test("a subscription that the operator deactivates refuses the very next call, and admits it again", async () => {
  const { person, call, key, team } = await startConsole();
  const operator = await person({ isOperator: true });
  const body = { tagName: "A", tagColor: "#336699", teamId: team.id };
  const ask = async () => (await call("POST", "/tag", { key: key.secret, body })).status;
  expect(await ask()).toBe(200);
  const changed = await operator.call("putSubscription", { body: { subscription: "inactive" } });
  expect([changed.status, changed.body.data.subscription]).toEqual([200, "inactive"]);
  expect(await ask()).toBe(403);
  await operator.call("putSubscription", { body: { subscription: "active" } });
  expect(await ask()).toBe(200);
});

test("a changed allowance acts at once, and stands in the audit log as it was and as it is", async () => {
  const { person, rows, workspace, balance } = await startConsole();
  const operator = await person({ isOperator: true });
  await operator.call("putSubscription", { body: { monthlyRequests: 250_000 } });
  expect(await balance()).toBe(250_000);
  expect(await rows("select before, after from audit_log where workspace_id = ?", workspace.id)).toEqual([
    {
      before: '{"subscription":"active","monthly_requests":100000}',
      after: '{"subscription":"active","monthly_requests":250000}',
    },
  ]);
});

test("a change of nothing, and an allowance that is none: 400", async () => {
  const { person } = await startConsole();
  const operator = await person({ isOperator: true });
  for (const body of [{}, { monthlyRequests: -1 }, { monthlyRequests: 1.5 }, { subscription: "paused" }])
    expect((await operator.call("putSubscription", { body })).status).toBe(400);
});

test("the password is asked for again before a subscription changes", async () => {
  const { person } = await startConsole();
  const operator = await person({ isOperator: true, confirmedMinutesAgo: 16 });
  const { status, body } = await operator.call("putSubscription", { body: { subscription: "inactive" } });
  expect([status, body.error]).toEqual([403, "confirmation_required"]);
});
