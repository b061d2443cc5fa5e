// The chain of the audit log: whatever is changed, removed, or added later is found, and what may be removed leaves it whole.
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { noWorkspace, recordAuditEntry } from "../../src/accounts/audit/audit.ts";
import { forgetPerson, removeOldEntries, verifyChains } from "../../src/accounts/audit/chain.ts";
import type { Database, Transaction } from "../../src/platform/database/database.ts";
import { startConsole } from "../support/console.ts";
import { engine, openNode } from "../support/engine.ts";

const actor = { kind: "service", id: null, name: "service", clientAddress: null } as const;
const record = (transaction: Transaction, workspaceId: string, name: string) =>
  recordAuditEntry(transaction, workspaceId, actor, { action: "key.create", target: { kind: "key", id: null, name } });
const verify = (database: Database) => database.read(verifyChains);

interface Row {
  readonly [column: string]: string | number | null;
}
const sha256 = (parts: unknown[]): string => createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** Computes the hash of each row as docs/how/security.md describes it. */
function hashesOf(rows: readonly Row[], workspaceId: string): string[] {
  let hash = sha256(["commonplace audit log", workspaceId]);
  return rows.map((row) => {
    const fixed = [
      "workspace_id",
      "number",
      "id",
      "at",
      "actor_kind",
      "actor_id",
      "action",
      "target_kind",
      "target_id",
    ];
    const actorHash = sha256([row.actor_salt, row.actor_name, row.client_address]);
    const detailsHash = sha256([row.details_salt, row.target_name, row.before, row.after]);
    const values = fixed.map((name) => (name === "number" ? Number(row[name]) : row[name]));
    hash = sha256([hash, ...values, actorHash, detailsHash]);
    return hash;
  });
}

const start = async () => {
  const started = await startConsole({});
  const { service, rows, workspace } = started;
  return {
    ...started,
    database: service.database,
    entries: (workspaceId = workspace.id) =>
      rows<Row>("select * from audit_log where workspace_id = ? order by number", workspaceId),
  };
};

test("the chain is correct with many writers on several nodes, and a change that is rolled back leaves no entry", async () => {
  const { database, entries, workspace, dataDirectory, clock } = await start();
  const node = await openNode(dataDirectory, () => clock.now);
  const write = (index: number) =>
    (index % 2 ? database : node).transaction(async (transaction) => {
      // Both chains, in both orders.
      const chains = [workspace.id, noWorkspace];
      for (const id of index % 3 ? chains : chains.reverse()) record(transaction, id, String(index));
      const undone = transaction.savepoint(async () => {
        record(transaction, workspace.id, "undone");
        throw new Error("undone");
      });
      await expect(undone).rejects.toThrow("undone");
      if (index % 5 === 0) throw new Error("failed");
    });
  await Promise.allSettled(Array.from({ length: 60 }, (_, index) => write(index)));
  await node.close();
  for (const id of [workspace.id, noWorkspace]) {
    const found = await entries(id);
    expect(found.map(({ number }) => Number(number))).toEqual(Array.from({ length: 48 }, (_, index) => index + 1));
    expect(found.map(({ hash }) => hash)).toEqual(hashesOf(found, id));
    expect(found.filter(({ target_name }) => target_name === "undone")).toEqual([]);
  }
  expect(await verify(database)).toEqual({ chains: 2, entries: 96, forgotten: 0, broken: [] });
});

test("doctor names the first entry that was changed, removed, or moved", async () => {
  const { database, entries, workspace, admin, dataDirectory } = await start();
  for (const name of ["one", "two", "three", "four"])
    await admin(async (transaction) => record(transaction, workspace.id, name));
  const before = await entries();
  const connection = await engine.connect(dataDirectory);
  const found = async (...statements: string[]): Promise<string> => {
    for (const statement of statements) await connection.run(statement);
    const [broken = ""] = (await verify(database)).broken;
    await connection.run("delete from audit_log");
    await admin(async (transaction) =>
      transaction.insert(
        "audit_log",
        before.map((row) => ({ ...row, number: Number(row.number) })),
      ),
    );
    expect((await verify(database)).broken).toEqual([]);
    return broken.replace(/ \(.*\)/, "").replace(`workspace ${workspace.id}: `, "");
  };
  const where = (number: number) => `where number = ${number}`;
  for (const column of [
    "actor_name",
    "action",
    "target_name",
    "after",
    "client_address",
    "hash",
    "details_hash",
    "actor_salt",
  ])
    expect([column, await found(`update audit_log set ${column} = 'x' ${where(3)}`)]).toEqual([
      column,
      "entry 3 was changed",
    ]);
  expect(await found(`delete from audit_log ${where(2)}`)).toBe("entry 2 is missing");
  expect(await found(`delete from audit_log ${where(4)}`)).toBe("entry 4 is missing");
  expect(
    await found(`delete from audit_log ${where(2)}`, `update audit_log set number = number - 1 where number > 2`),
  ).toBe("entry 2 was changed");
  await connection.run("delete from audit_chains");
  expect((await verify(database)).broken).toEqual([`workspace ${workspace.id} has entries, but no chain`]);
  await connection.close();
});

test("the chain begins later when old entries are removed, and still shows what is missing", async () => {
  const { database, entries, workspace, admin, clock, rows, dataDirectory } = await start();
  const add = async (name: string) => admin(async (transaction) => record(transaction, workspace.id, name));
  for (const name of ["one", "two"]) await add(name);
  clock.advance(20 * 86_400);
  for (const name of ["three", "four"]) await add(name);
  const remove = () => removeOldEntries(database, 10, async () => true);
  expect([await remove(), await remove()]).toEqual([2, 0]);
  expect((await entries()).map(({ target_name }) => target_name)).toEqual(["three", "four"]);
  await add("five");
  expect(await verify(database)).toEqual({ chains: 1, entries: 3, forgotten: 0, broken: [] });
  clock.advance(20 * 86_400);
  expect(await remove()).toBe(3);
  await add("six");
  expect(await rows("select number, removed_number from audit_chains")).toEqual([{ number: 6, removed_number: 5 }]);
  const connection = await engine.connect(dataDirectory);
  await connection.run("delete from audit_log");
  await connection.close();
  expect((await verify(database)).broken).toEqual([`workspace ${workspace.id}: entry 6 is missing`]);
});

test("the chain stays intact when an account is deleted, and names may be missing only then", async () => {
  const { database, person, admin, rows, dataDirectory } = await start();
  const ada = await person({ role: "owner", name: "Ada Lovelace", email: "ada@example.com" });
  const bob = await person({ role: "admin", name: "Bob" });
  await ada.call("putWorkspace", { body: { name: "Renamed" } });
  await ada.call("putPerson", { body: { name: "Countess" } });
  await bob.call("putMember", { query: { personId: ada.id }, body: { role: "owner" } });
  await bob.call("postInvitation", { body: { email: "ada@example.com", role: "member" } });
  await admin(async (transaction) => {
    forgetPerson(transaction, { id: ada.id, email: ada.email }, "Deleted account");
  });
  const [broken = ""] = (await verify(database)).broken;
  expect(broken).toContain("lacks names or details, although the account still exists");
  const connection = await engine.connect(dataDirectory);
  await connection.run("delete from people where email = 'ada@example.com'");
  await connection.close();
  expect(await verify(database)).toMatchObject({
    broken: [],
    entries: (await rows("select id from audit_log")).length,
  });
  const stored = JSON.stringify(await rows("select * from audit_log"));
  expect(stored).not.toMatch(/Ada|Lovelace|Countess|ada@example/);
  expect(stored).toContain("Renamed");
  expect(stored).toContain("Deleted account");
});
