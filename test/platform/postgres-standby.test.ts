// A PostgreSQL with a standby. /readyz says whether it can be written: not on a standby, not where only reads are allowed, and not while
// commits wait for a standby that does not come. The doctor says whether commits wait for one at all.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { examineInstance } from "../../src/operations/doctor/doctor.ts";
import {
  isOnPostgres,
  makeWorkspace,
  type Node,
  onPostgres,
  startNode,
  until,
  type Workspace,
} from "../support/nodes.ts";
import { freePort } from "../support/ports.ts";
import { type PrivatePostgres, startPrivatePostgres } from "../support/private-postgres.ts";
import { type RetargetedProxy, startRetargetedProxy } from "../support/retargeted-proxy.ts";
import { temporaryDirectory } from "../support/service.ts";

/** A node notices at once; the rest is a margin for a busy machine. */
const noticeMilliseconds = 60_000;

describe.skipIf(!isOnPostgres)(onPostgres("a primary and its standby"), () => {
  let primary: PrivatePostgres;
  let standby: PrivatePostgres;
  let proxy: RetargetedProxy;
  let url: string;
  let node: Node;
  let workspace: Workspace;
  beforeAll(async () => {
    primary = await startPrivatePostgres();
    standby = await startPrivatePostgres({ standbyOf: primary });
    proxy = await startRetargetedProxy(primary.port);
    const database = await primary.createDatabase();
    url = primary.urlOf(database);
    node = await startNode(primary.urlOf(database, proxy.port));
    workspace = await makeWorkspace(node.database);
  });
  afterAll(async () => {
    await node?.stop();
    await proxy?.close();
  });

  const readiness = async () => (await node.fetch(`${new URL(node.baseUrl).origin}/readyz`)).status;
  const write = async () =>
    (
      await node.call(workspace.key, "POST", "/tag", {
        body: { tagName: crypto.randomUUID(), tagColor: "#fff", teamId: workspace.teamId },
      })
    ).status;
  const becomes = (status: number) => until(async () => (await readiness()) === status, noticeMilliseconds);
  const set = async (setting: string, value: string) => {
    await primary.sql().unsafe(`alter system set ${setting} = '${value}'`);
    await primary.sql()`select pg_reload_conf()`;
  };

  test("default_transaction_read_only: 503 as for writes, and 200 as soon as it is off", async () => {
    expect([await readiness(), await write()]).toEqual([200, 200]);
    await set("default_transaction_read_only", "on");
    await becomes(503);
    expect(await write()).toBe(503);
    await set("default_transaction_read_only", "off");
    await becomes(200);
    expect(await write()).toBe(200);
  });

  test("commits wait for a standby that is gone: 503 although every statement succeeds, until nobody waits for it", async () => {
    await set("synchronous_standby_names", "a_standby_that_is_gone");
    await becomes(503);
    await set("synchronous_standby_names", "");
    await becomes(200);
    expect(await write()).toBe(200);
  });

  test("many probes of a database that is idle write next to nothing, and those of a busy one write nothing", async () => {
    const nextId = async () => {
      const [row] = await primary.sql()`select pg_snapshot_xmax(pg_current_snapshot())::text as id`;
      return Number(row.id);
    };
    const before = await nextId();
    for (let probe = 0; probe < 300; probe += 1) expect(await readiness()).toBe(200);
    // Once every five seconds; jobs write a little too.
    expect((await nextId()) - before).toBeLessThan(30);
  });

  test("the doctor says whether commits wait for a standby", async () => {
    const look = async () => {
      const settings = { COMMONPLACE_DATA_DIRECTORY: temporaryDirectory(), COMMONPLACE_DATABASE_URL: url };
      const findings = await examineInstance(
        { ...settings, COMMONPLACE_HTTPS_PORT: String(freePort()) },
        () => undefined,
      );
      const { severity = "", message = "" } = findings.find(({ check }) => check === "replication") ?? {};
      return `${severity}: ${message}`;
    };
    const becomesFinding = (expected: string) => until(async () => (await look()) === expected, noticeMilliseconds);
    await becomesFinding(
      "warning: 1 standby, but commits wait for none: if this server is lost, so are its newest requests",
    );
    await set("synchronous_standby_names", "ANY 1 (standby, db_3)");
    await becomesFinding(
      "ok: commits wait for ANY 1 (standby, db_3); to see whether it is connected, grant pg_read_all_stats to the role",
    );
    await primary.sql().unsafe("grant pg_read_all_stats to commonplace");
    await becomesFinding("ok: commits wait for ANY 1 (standby, db_3); connected: standby");
    await set("synchronous_commit", "local");
    await becomesFinding("warning: commits do not wait for ANY 1 (standby, db_3), because synchronous_commit is local");
    await set("synchronous_commit", "on");
    await set("synchronous_standby_names", "db_4");
    await becomesFinding("problem: commits wait for db_4, but no such standby is connected");
    await set("synchronous_standby_names", "");
    await becomes(200);
  });

  // The last test: the standby is a primary afterwards.
  test("the address leads to a standby: 503 although it can be read, until it is promoted", async () => {
    expect([await readiness(), await write()]).toEqual([200, 200]);
    const entriesFrom = (line: number) => node.lines.slice(line).map((entry) => JSON.parse(entry));
    const isOver = () =>
      entriesFrom(0).findLast(({ message }) => message.startsWith("database "))?.message === "database available again";
    await until(async () => isOver(), noticeMilliseconds);
    const before = node.lines.length;
    await until(async () => {
      const [row] = await primary.sql()`select count(*)::int as lagging from pg_stat_replication
        where application_name = 'standby' and replay_lsn = pg_current_wal_lsn()`;
      return row.lagging === 1;
    }, noticeMilliseconds);
    await primary.stop("immediate");
    proxy.pointTo(standby.port);
    await becomes(503);
    const [reading] = await standby.sql()`select pg_is_in_recovery() as is_standby`;
    expect(reading.is_standby).toBe(true);
    for (let number = 0; number < 20; number += 1)
      expect(await Promise.all([readiness(), write(), write()])).toEqual([503, 503, 503]);
    await standby.sql()`select pg_promote()`;
    await becomes(200);
    expect(await write()).toBe(200);
    await until(async () => isOver(), noticeMilliseconds);
    const entries = entriesFrom(before);
    const linesOf = (message: string) => entries.filter((entry) => entry.message === message);
    const outage = linesOf("database unavailable");
    const [end] = linesOf("database available again");
    expect(outage.length).toBeLessThanOrEqual(2 + end.durationSeconds);
    expect(outage.filter(({ cause }) => cause.includes("\n"))).toHaveLength(1);
    expect(end.requests).toBeGreaterThanOrEqual(60);
    expect(entries.filter(({ message }) => message === "request failed" || message === "job failed")).toEqual([]);
  });
});
