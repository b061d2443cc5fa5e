// A full disk: 503 with nothing done or charged, and service again by itself as soon as there is space. On both engines, each on
// its own small file system.
import { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, closeSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { mountSmallDisk } from "../support/backup.ts";
import { afterAllTests } from "../support/cleanup.ts";
import {
  type Answer,
  callOn,
  expectConsistentBalances,
  expectConsistentLibrary,
  expectNoPassword,
  isOnPostgres,
  ledgerOf,
  makeWorkspace,
  startNode,
  until,
} from "../support/nodes.ts";
import { startPrivatePostgres } from "../support/private-postgres.ts";
import { spawnService } from "../support/process.ts";
import { text } from "../support/service.ts";

const rounds = 3 * Number(process.env.TEST_SCALE ?? 1);
const recoveryMilliseconds = 5_000;

/** A disk of this many megabytes that can be filled completely and emptied again. */
function makeDisk(megabytes: number) {
  const disk = mountSmallDisk(megabytes);
  if (!disk) return undefined;
  afterAllTests(disk.unmount);
  // PostgreSQL runs as its own user, who must be able to enter the directory.
  chmodSync(dirname(disk.path), 0o755);
  const filler = join(disk.path, "filler");
  return {
    path: disk.path,
    fill: () => {
      const file = openSync(filler, "a");
      try {
        for (let bytes = 1_048_576; bytes >= 1; ) {
          try {
            if (writeSync(file, Buffer.alloc(bytes)) < bytes) bytes = Math.floor(bytes / 2);
          } catch {
            bytes = Math.floor(bytes / 2);
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
  };
}

const canMount = (() => {
  const disk = mountSmallDisk(1);
  disk?.unmount();
  return disk !== undefined;
})();
const name = (title: string) => (canMount ? title : `${title} (skipped: no file system can be mounted here)`);

/** Text that hardly compresses: it takes about as much space as its length. */
const random = (bytes: number): string => randomBytes(bytes).toString("base64").slice(0, bytes);

const expectUnavailable = ({ status, headers, body }: Answer): void => {
  expect({ status, code: body.error, cost: headers.get("x-request-cost") }).toEqual({
    status: 503,
    code: "unavailable",
    cost: "0",
  });
  expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
};

describe.skipIf(isOnPostgres || !canMount)(name("SQLite"), () => {
  test("filled up under load and freed: 503 without a charge, then served again, and the store is whole", async () => {
    const disk = makeDisk(24);
    if (!disk) throw new Error("no disk");
    const service = await spawnService(disk.path, { COMMONPLACE_LOG_LEVEL: "off" });
    const { key = "", team_id: teamId = "", workspace_id: workspaceId = "" } = service.announced;
    const titles: string[] = [];
    const write = async (bytes: number) => {
      const title = crypto.randomUUID();
      const body = { title, content: text(random(bytes)), teamId };
      const answer = await callOn(service, key, "POST", "/snippet", { body });
      if (answer.status === 200) titles.push(title);
      else expectUnavailable(answer);
      return answer.status;
    };
    for (let round = 1; round <= rounds; round += 1) {
      disk.fill();
      const statuses = await Promise.all(
        Array.from({ length: 12 }, (_, number) => write(number % 2 === 0 ? 100 : 300_000)),
      );
      while ((await write(300_000)) === 200);
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
      disk.free();
      await until(async () => (await write(1_000)) === 200, recoveryMilliseconds);
    }
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);
    const store = new Database(join(disk.path, "commonplace.db"), { readonly: true });
    expect(store.query("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
    const stored = store.query<{ title: string }, []>("select title from snippets").all();
    expect(stored.map((row) => row.title).sort()).toEqual(titles.sort());
    const totals = store
      .query(
        `select (select count(*) from ledger) as calls, (select sum(units) from ledger) as units,
           (select sum(units) from quota_grants where workspace_id = ?1) - (select balance from quota_months where workspace_id = ?1) as drawn`,
      )
      .get(workspaceId);
    expect(totals).toEqual({ calls: titles.length, units: titles.length, drawn: titles.length });
    store.close();
  }, 180_000);

  test("filled up while nobody writes: /readyz says 503 until there is space", async () => {
    const disk = makeDisk(24);
    if (!disk) throw new Error("no disk");
    const service = await spawnService(disk.path, { COMMONPLACE_LOG_LEVEL: "off" });
    const readiness = async () => (await service.fetch(`${new URL(service.baseUrl).origin}/readyz`)).status;
    expect(await readiness()).toBe(200);
    disk.fill();
    await until(async () => (await readiness()) === 503, 60_000);
    disk.free();
    await until(async () => (await readiness()) === 200, recoveryMilliseconds);
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);
  }, 180_000);
});

describe.skipIf(!isOnPostgres || !canMount)(name("PostgreSQL"), () => {
  test("the disk of its tables is filled up and freed: 503 without a charge, then served again", async () => {
    const disk = makeDisk(32);
    if (!disk) throw new Error("no disk");
    const server = await startPrivatePostgres();
    const { uid, gid } = statSync(server.dataDirectory);
    chownSync(disk.path, uid, gid);
    const database = "small";
    await server.sql().unsafe(`create tablespace small location '${disk.path}'`);
    await server
      .sql()
      .unsafe(`create database ${database} owner commonplace tablespace small template template0 encoding 'UTF8'`);
    const node = await startNode(server.urlOf(database));
    const workspace = await makeWorkspace(node.database, { keys: 4 });
    const titles: string[] = [];
    let number = 0;
    const write = async (bytes: number) => {
      const title = crypto.randomUUID();
      number += 1;
      const answer = await node.call(workspace.keys[number % 4]?.secret ?? "", "POST", "/snippet", {
        body: { title, content: text(random(bytes)), teamId: workspace.teamId },
      });
      if (answer.status === 200) titles.push(title);
      else expectUnavailable(answer);
      return answer.status;
    };
    for (let round = 1; round <= rounds; round += 1) {
      disk.fill();
      await Promise.all(Array.from({ length: 12 }, (_, at) => write(at % 2 === 0 ? 100 : 300_000)));
      while ((await write(300_000)) === 200);
      disk.free();
      await until(async () => (await write(1_000)) === 200, recoveryMilliseconds);
    }
    const sql = server.connect(database);
    const stored: { title: string }[] = await sql`select title from snippets`;
    expect(stored.map((row) => row.title).sort()).toEqual(titles.sort());
    expect(await ledgerOf(sql, workspace.id)).toHaveLength(titles.length);
    await expectConsistentBalances(sql, workspace.id);
    await expectConsistentLibrary(sql, workspace.id);
    expectNoPassword(node.lines);
    await sql.close();
    await node.stop();
    await server.stop("immediate");
  }, 180_000);

  test("the disk of everything is filled up, so that the server itself stops: 503; freed and started, it serves again", async () => {
    const disk = makeDisk(96);
    if (!disk) throw new Error("no disk");
    const server = await startPrivatePostgres({ directory: disk.path });
    const database = await server.createDatabase();
    const node = await startNode(server.urlOf(database));
    const workspace = await makeWorkspace(node.database);
    const titles: string[] = [];
    const write = async (bytes: number) => {
      const title = crypto.randomUUID();
      const answer = await node.call(workspace.key, "POST", "/snippet", {
        body: { title, content: text(random(bytes)), teamId: workspace.teamId },
      });
      if (answer.status === 200) titles.push(title);
      return answer;
    };
    disk.fill();
    await write(100);
    // Uses up the existing write-ahead log: without space for more of it, PostgreSQL can only stop.
    const spend = () => server.sql()`select pg_logical_emit_message(false, 'spent', repeat('x', 1000000))`;
    await expect(
      (async () => {
        for (;;) await spend();
      })(),
    ).rejects.toThrow();
    const refused = await write(100);
    expectUnavailable(refused);
    disk.free();
    // It recovers by itself, unless there is no space for that either. How long that takes is not the service's to promise.
    await until(async () => {
      if (!server.isRunning()) await server.start();
      return server.sql()`select 1`.then(
        () => true,
        () => false,
      );
    }, 60_000);
    await until(async () => (await write(1_000)).status === 200, recoveryMilliseconds);
    const sql = server.connect(database);
    const stored: { title: string }[] = await sql`select title from snippets`;
    const kept = new Set(stored.map((row) => row.title));
    expect(titles.filter((title) => !kept.has(title))).toEqual([]);
    await expectConsistentBalances(sql, workspace.id);
    await expectConsistentLibrary(sql, workspace.id);
    await sql.close();
    await node.stop();
    await server.stop("immediate");
  }, 180_000);
});
