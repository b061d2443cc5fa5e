// A deleted workspace: refused at once, restored within its days, exported, and then removed with every row.
import { beforeAll, expect, test } from "bun:test";
import { verifyChains } from "../../src/accounts/audit/chain.ts";
import { removeDeletedWorkspaces } from "../../src/library/workspace/removal.ts";
import { workspaceTables } from "../../src/library/workspace/rows.store.ts";
import { schemaVersion } from "../../src/platform/database/migrate.ts";
import { type StartedConsole, startConsole } from "../support/console.ts";
import { type Filled, fillInstance } from "../support/filled.ts";
import { temporaryDirectory } from "../support/service.ts";

let started: StartedConsole;
let filled: Filled;
beforeAll(async () => {
  const dataDirectory = temporaryDirectory();
  filled = await fillInstance(dataDirectory);
  const mail = { url: "smtp://127.0.0.1:1", from: "commonplace@example.com" };
  const still = (_: unknown, signal: AbortSignal) =>
    new Promise<void>((end) => signal.addEventListener("abort", () => end()));
  started = await startConsole({ at: "2026-05-01T10:00:00.000Z", config: { dataDirectory, mail }, wait: still });
});

/** The rows of each table, of the workspace and of all others. */
async function countRows(): Promise<Record<string, { own: number; others: number }>> {
  const counted: Record<string, { own: number; others: number }> = {};
  for (const { name } of workspaceTables()) {
    const [own] = await started.rows<{ n: number }>(
      `select count(*) as n from ${name} where workspace_id = ?`,
      filled.workspace.id,
    );
    const [all] = await started.rows<{ n: number }>(`select count(*) as n from ${name}`);
    counted[name] = { own: Number(own?.n), others: Number(all?.n) - Number(own?.n) };
  }
  return counted;
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

test("a deleted workspace is closed immediately, can be restored and exported completely, and is removed completely after seven days", async () => {
  const { person, clock, rows, service, call } = started;
  const workspaceId = filled.workspace.id;
  const [owner, admin] = [
    await person({ role: "owner", workspaceId }),
    await person({ role: "admin", workspaceId, name: "Grace" }),
  ];
  const query = { workspaceId };
  const { name } = (await owner.call("getWorkspace", { query })).body.data;
  const ask = async () => {
    const { status, body } = await call("GET", "/me", { key: filled.key.secret });
    return [status, body.message ?? "open"];
  };
  expect(await ask()).toEqual([200, "open"]);

  const wrong = await owner.call("deleteWorkspace", { query, body: { name: "Another" } });
  expect([wrong.status, wrong.body.error]).toEqual([400, "wrong_name"]);
  expect(await ask()).toEqual([200, "open"]);
  expect((await admin.call("deleteWorkspace", { query, body: { name } })).status).toBe(403);
  const deleted = await owner.call("deleteWorkspace", { query, body: { name } });
  expect([deleted.status, deleted.body.data.deleted_at]).toEqual([200, "2026-05-01T10:00:00.000Z"]);

  // A key of a deleted workspace is no valid key, and nothing is charged.
  const before = await countRows();
  expect(await ask()).toEqual([401, "Invalid or inactive API key"]);
  expect((await countRows()).ledger).toEqual(before.ledger as never);
  for (const [who, operation] of [
    [owner, "getWorkspace"],
    [owner, "getKeys"],
    [admin, "getLibraryTree"],
    [admin, "getMembers"],
  ] as const) {
    const { status, body } = await who.call(operation, { query });
    expect([operation, status, body.error]).toEqual([operation, 403, "workspace_deleted"]);
    expect(body.message).toBe(
      "This workspace was deleted and will be removed on 2026-05-08. Until then, an owner can restore it",
    );
  }
  const listed = (await admin.call("getSession")).body.data.memberships[0];
  expect([listed.removal_at, listed.actions]).toEqual(["2026-05-08T10:00:00.000Z", []]);
  expect((await admin.call("postWorkspaceRestoration", { query })).status).toBe(403);
  // An operator sees that it is deleted, nothing of what it contains, and can restore it.
  const operator = await person({ isOperator: true });
  expect((await operator.call("getWorkspace", { query })).body.data).toMatchObject({
    name,
    deleted_at: "2026-05-01T10:00:00.000Z",
  });
  expect((await operator.call("getMembers", { query })).body.error).toBe("workspace_deleted");
  expect((await operator.call("postWorkspaceRestoration", { query })).body.data.deleted_at).toBeNull();
  await owner.call("deleteWorkspace", { query, body: { name } });
  const [mail] = await rows<{ recipient: string; body: string }>(
    "select recipient, body from mails where recipient = ?",
    owner.email,
  );
  expect(mail?.body).toContain("On May 8, 2026, everything in it will be removed.");

  expect((await owner.call("postWorkspaceRestoration", { query })).body.data.deleted_at).toBeNull();
  expect((await owner.call("postWorkspaceRestoration", { query })).body.error).toBe("not_deleted");
  expect(await ask()).toEqual([200, "open"]);
  expect((await admin.call("getMembers", { query })).status).toBe(200);

  // Deleted again, exported, and removed.
  await owner.call("deleteWorkspace", { query, body: { name } });
  const full = await countRows();
  const exported = await owner.call("getWorkspaceExport", { query });
  expect(exported.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8");
  const lines = linesOf(exported.text);
  expect(lines[0]).toEqual({
    ...{ format: "commonplace-workspace", version: 1, schema_version: schemaVersion },
    exported_at: "2026-05-01T10:00:00.000Z",
  });
  expect(lines.at(-1)).toEqual({ end: true, rows: lines.length - 2 });
  for (const table of ["snippets", "former_versions", "trashed_snippets", "api_keys", "ledger", "quota_grants", "tags"])
    expect([table, lines.filter((line) => line.table === table).length]).toEqual([table, full[table]?.own ?? -1]);
  expect(lines.filter((line) => line.table === "person").map(({ row }) => row.email)).toContain(owner.email);
  expect(exported.text).not.toContain("_hash");
  expect(exported.text).not.toContain(filled.key.secret);

  const empty = Object.keys(full).filter((table) => full[table]?.own === 0);
  // Whatever is not filled here is not shown to be removed.
  expect(empty).toEqual([]);
  const remove = () => removeDeletedWorkspaces(service.database, async () => true);
  clock.advance(7 * 24 * 60 * 60 - 1);
  expect(await remove()).toBe(0);
  expect((await countRows()).snippets).toEqual(full.snippets as never);
  clock.advance(1);
  const late = await person({ role: "owner", workspaceId });
  expect((await late.call("postWorkspaceRestoration", { query })).body.error).toBe("removal_begun");
  expect(await remove()).toBe(1);
  const left = await countRows();
  for (const table of Object.keys(full)) expect([table, left[table]?.own]).toEqual([table, 0]);
  expect(await rows("select id from workspaces where id = ?", workspaceId)).toEqual([]);
  for (const table of Object.keys(full).filter((name) => name !== "audit_log"))
    expect([table, left[table]?.others]).toEqual([table, full[table]?.others]);
  expect((await service.database.read(verifyChains)).broken).toEqual([]);
  const [removal] = await rows<{ target_name: string }>(
    "select target_name from audit_log where action = 'workspace.remove' and target_id = ?",
    workspaceId,
  );
  expect(removal?.target_name).toBe(name);
  expect(await ask()).toEqual([401, "Invalid or inactive API key"]);
}, 60_000);
