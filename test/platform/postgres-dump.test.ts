// Backup and restore of PostgreSQL as docs/operate/backup.md describes them: the documented lines are run verbatim.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SQL } from "bun";
import { type Acknowledged, startWriting } from "../support/backup.ts";
import { engine } from "../support/engine.ts";
import { startSystemPostgres, toolsDirectory } from "../support/postgres-tools.ts";
import { spawnService } from "../support/process.ts";
import { root, runToEnd } from "../support/program.ts";
import { temporaryDirectory } from "../support/service.ts";

const tools = toolsDirectory();
if (engine.name === "postgres" && !tools)
  console.log("postgres-dump.test.ts: skipped, as no installation with postgres, pg_dump and pg_restore was found");

/** The line of docs/operate/backup.md that begins with these words. */
const documented = (start: string): string =>
  readFileSync(join(root, "docs/operate/backup.md"), "utf8")
    .split("\n")
    .find((line) => line.startsWith(start)) ?? `the documentation has no line that begins with ${start}`;

describe.skipIf(engine.name !== "postgres" || !tools)("pg_dump and pg_restore", () => {
  let server: Awaited<ReturnType<typeof startSystemPostgres>>;
  beforeAll(async () => {
    server = await startSystemPostgres(tools ?? "");
  });
  afterAll(() => server?.stop());

  const shell = (directory: string, line: string, names: Record<string, string>) =>
    runToEnd(["sh", "-c", line], { PATH: `${tools}:${process.env.PATH}`, ...names }, directory);
  const well = { status: 0, stdout: "", stderr: "" };

  test("under load: the restored database is whole, and a service goes on from it", async () => {
    const { COMMONPLACE_DATABASE_URL, ADMIN_URL } = {
      COMMONPLACE_DATABASE_URL: server.urlOf("commonplace"),
      ADMIN_URL: server.urlOf("postgres"),
    };
    const directory = temporaryDirectory();
    const made = await shell(directory, 'createdb --maintenance-db="$ADMIN_URL" commonplace', { ADMIN_URL });
    expect(made).toEqual(well);
    const settings = { COMMONPLACE_LOG_LEVEL: "off", COMMONPLACE_MONTHLY_REQUESTS: "1000000000" };
    const service = await spawnService(temporaryDirectory(), { ...settings, COMMONPLACE_DATABASE_URL });
    const { workspace_id = "", team_id = "", key = "" } = service.announced;
    const load = startWriting(service.clientFor(key), team_id, 4);
    while (load.acknowledged.length < 20) await Bun.sleep(1);
    const before = [...load.acknowledged];
    expect(await shell(directory, documented("pg_dump "), { COMMONPLACE_DATABASE_URL })).toEqual(well);
    expect(load.acknowledged.length).toBeGreaterThan(before.length);
    await load.end();
    expect(load.failures).toEqual([]);

    const RESTORED_URL = server.urlOf("commonplace_restored");
    expect(await shell(directory, documented("createdb "), { ADMIN_URL })).toEqual(well);
    expect(await shell(directory, documented("pg_restore "), { RESTORED_URL })).toEqual(well);
    await expectRestored(RESTORED_URL, workspace_id, before);

    const again = await spawnService(temporaryDirectory(), { ...settings, COMMONPLACE_DATABASE_URL: RESTORED_URL });
    expect(again.announced.key).toBeUndefined();
    const client = again.clientFor(key);
    const last = before.at(-1);
    expect((await client.getSnippet({ id: last?.id ?? "" })).data.title).toBe(last?.title ?? "");
    await client.postTag({ tagName: "After", tagColor: "#fff", teamId: team_id });
    for (const one of [service, again]) {
      one.kill("SIGTERM");
      expect(await one.ended).toBe(0);
    }
  }, 180_000);

  test("a dump that is cut off is an error", async () => {
    const directory = temporaryDirectory();
    const url = server.urlOf("postgres");
    await shell(directory, documented("pg_dump "), { COMMONPLACE_DATABASE_URL: url });
    const path = join(directory, "commonplace.dump");
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, whole.length >> 1));
    const outcome = await shell(directory, documented("pg_restore "), { RESTORED_URL: url });
    expect(outcome.status).toBe(1);
  });
});

/** The same checks as of every restored database, in PostgreSQL's SQL. */
async function expectRestored(url: string, workspaceId: string, snippets: readonly Acknowledged[]): Promise<void> {
  const connection = new SQL(url, { max: 1 });
  try {
    const stored: Acknowledged[] = await connection`select id::text as id, title from snippets`;
    const titles = new Map(stored.map(({ id, title }) => [id, title]));
    expect(snippets.filter(({ id, title }) => titles.get(id) !== title)).toEqual([]);
    const [calls] = await connection`select count(*)::int as calls from ledger where status = 200`;
    expect(calls.calls).toBe(stored.length);
    const totals = await connection`
      select balance::int as balance,
        (select sum(units) from quota_grants g where g.workspace_id = m.workspace_id and g.month = m.month)::int as granted,
        (select sum(units) from ledger l where l.workspace_id = m.workspace_id)::int as drawn
      from quota_months m where workspace_id = ${workspaceId}`;
    expect(totals).toHaveLength(1);
    const [{ balance, granted, drawn }] = totals;
    expect(balance).toBe(granted - drawn);
    const [unvalidated] =
      await connection`select count(*)::int as unvalidated from pg_constraint where not convalidated`;
    expect(unvalidated.unvalidated).toBe(0);
  } finally {
    await connection.close();
  }
}
