// No statement of a call reads an entire table, whatever was in the tables when it was planned. The oracle is PostgreSQL's own count.
import { describe, expect, test } from "bun:test";
import type { OperationName } from "../../src/contract/operations.ts";
import { operations } from "../../src/contract/operations.ts";
import { rotateKey } from "../../src/metering/keys/keys.ts";
import { newSecret } from "../../src/metering/keys/secret.ts";
import { needsImport } from "../support/case.ts";
import { cases } from "../support/cases.ts";
import { databaseConfig, engine } from "../support/engine.ts";
import { startService, temporaryDirectory } from "../support/service.ts";
import { makeTargets } from "../support/targets.ts";

describe.skipIf(engine.name !== "postgres")("plans of PostgreSQL (SQLite plans by the indexes alone)", () => {
  test("every operation, several times over: no table is read from end to end", async () => {
    const config = await databaseConfig(temporaryDirectory());
    const first = await startService({ config });
    // Statistics of empty tables, for which the planner prefers sequential scans most.
    const connection = await engine.connect(config.dataDirectory);
    await connection.run("vacuum analyze");
    const key = first.key.secret;
    await first.service.stop();
    /** A session reports its counts when it ends, at the latest. */
    const sessionsEnd = async () => {
      const others = `select pid from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
      while ((await connection.rows(others)).length > 0) await Bun.sleep(5);
    };
    const counts = async (): Promise<Record<string, number>> => {
      const rows = await connection.rows<{ name: string; scans: number }>(
        "select relname as name, seq_scan as scans from pg_stat_user_tables where relname <> 'schema_migrations' order by 1",
      );
      return Object.fromEntries(rows.map(({ name, scans }) => [name, scans]));
    };
    await sessionsEnd();
    await connection.rows("select pg_stat_reset()");

    const started = await startService({ config });
    for (let round = 0; round < 7; round += 1)
      for (const name of Object.keys(cases) as OperationName[]) {
        const { method, path } = operations[name];
        const targets = await makeTargets(started, started.team.id, needsImport(cases[name]));
        const answer = await started.call(method, path, {
          key: started.key.secret,
          ...cases[name].request(targets),
        });
        expect({ name, status: answer.status }).toEqual({ name, status: 200 });
      }
    expect((await started.call("GET", "/tags", { key, query: { tagIds: started.team.id } })).status).toBe(200);
    const { limitedKey } = started;
    await started.admin((transaction) => rotateKey(transaction, limitedKey.id, "7d"));
    for (const [secret, status] of [
      [limitedKey.secret, 200],
      [newSecret(), 401],
    ] as const)
      expect((await started.call("GET", "/tags", { key: secret, query: { tagIds: started.team.id } })).status).toBe(
        status,
      );
    await started.service.stop();
    await sessionsEnd();
    expect(Object.entries(await counts()).filter(([, scans]) => scans > 0)).toEqual([]);
    await connection.close();
  });
});
