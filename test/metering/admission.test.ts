// What requests remember of their key and workspace from group to group is never outdated: whatever changes, by this service or by another
// program, counts for the very next request.
import { describe, expect, test } from "bun:test";
import { activateKey, changeKey, deactivateKey, deleteKey, rotateKey } from "../../src/metering/keys/keys.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { grantPackage } from "../../src/metering/quota/quota.ts";
import type { Database, Transaction } from "../../src/platform/database/database.ts";
import { engine, openNode } from "../support/engine.ts";
import { type Started, startService } from "../support/service.ts";
import { insertLedgerCalls } from "../support/usage.ts";

/** What a request to create a folder in each team tells: its status, and the balance, which shows how many were created. */
async function look(started: Started, secret = started.key.secret) {
  const folders = [started.team, started.otherTeam].map(({ id }) => ({
    folderName: "F",
    folderColor: "c",
    teamId: id,
  }));
  const { status, body } = await started.call("POST", "/folders", { key: secret, body: { folders } });
  return { status, remaining: body.usage?.remainingRequests, error: body.error };
}

interface Change {
  readonly what: string;
  readonly make: (transaction: Transaction, started: Started) => Promise<unknown>;
  /** What the next request tells; the balance before was 99,998. */
  readonly next: object;
}

const changes: readonly Change[] = [
  { what: "the key is deactivated", make: (t, { key }) => deactivateKey(t, key.id), next: { status: 401 } },
  {
    what: "the key is deactivated and activated again",
    make: async (t, { key }) => {
      await deactivateKey(t, key.id);
      await activateKey(t, key.id);
    },
    next: { status: 200, remaining: 99_996 },
  },
  {
    what: "the key's secret is replaced at once",
    make: (t, { key }) => rotateKey(t, key.id, "now"),
    next: { status: 401 },
  },
  {
    what: "the key is limited to one team",
    make: (t, { key, team }) => changeKey(t, key.id, { teams: [team.id] }),
    next: { status: 200, remaining: 99_997 },
  },
  {
    what: "a package is credited",
    make: (t, { workspace }) => grantPackage(t, workspace.id, "100K", `reference of ${workspace.id}`),
    next: { status: 200, remaining: 199_996 },
  },
  {
    what: "the allowance is lowered to what was used",
    make: (t, { workspace }) => changeWorkspace(t, workspace.id, { monthly_requests: 2 }),
    next: { status: 403, error: "quota_exceeded" },
  },
  {
    what: "the subscription ends",
    make: (t, { workspace }) => changeWorkspace(t, workspace.id, { subscription: "inactive" }),
    next: { status: 403, error: "subscription_inactive" },
  },
];

describe.each(["this service", "another program"] as const)("a change by %s counts for the next request:", (by) => {
  test.each(changes.map((change) => [change.what, change] as const))("%s", async (_, { make, next }) => {
    const started = await startService({});
    expect(await look(started)).toMatchObject({ status: 200, remaining: 99_998 });
    const other: Database =
      by === "this service" ? started.service.database : await openNode(started.dataDirectory, () => started.clock.now);
    await other.transaction((transaction) => make(transaction, started));
    expect(await look(started)).toMatchObject(next);
    if (by !== "this service") await other.close();
  });
});

test("a change that is rolled back counts for nothing", async () => {
  const started = await startService({});
  await look(started);
  const failing = started.admin(async (transaction) => {
    await deleteKey(transaction, (await deactivateKey(transaction, started.key.id)).id);
    throw new Error("planted");
  });
  await expect(failing).rejects.toThrow("planted");
  expect(await look(started)).toMatchObject({ status: 200, remaining: 99_996 });
});

test("requests of one key and of one workspace in the same group see each other", async () => {
  const started = await startService({ config: { requestsPerMinute: 20 } });
  const read = (secret: string) => started.call("GET", "/tag", { key: secret, query: { id: started.team.id } });
  const answers = await Promise.all([
    ...Array.from({ length: 30 }, () => read(started.key.secret)),
    ...Array.from({ length: 10 }, () => read(started.limitedKey.secret)),
  ]);
  const statuses = answers.map(({ status }) => status);
  expect(statuses.slice(0, 30).filter((status) => status === 404)).toHaveLength(20);
  expect(statuses.slice(0, 30).filter((status) => status === 429)).toHaveLength(10);
  expect(statuses.slice(30)).toEqual(Array(10).fill(404));
  expect(await started.balance()).toBe(100_000 - 30);
  const ledger = await started.ledger();
  expect(ledger.map(({ balance_after }) => balance_after).sort((one, two) => two - one)).toEqual(
    Array.from({ length: 30 }, (_, index) => 99_999 - index),
  );
});

test("requests whose ledger rows cannot be written fail, also beside other work in the same transaction", async () => {
  const started = await startService({});
  await look(started);
  const content = await started.content();
  const behind = await engine.connect(started.dataDirectory);
  for (const statement of engine.refuseInserts("ledger", "a planted failure")) await behind.run(statement);
  const work = () => started.admin(async () => undefined).catch(() => undefined);
  for (let round = 0; round < 10; round += 1) {
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => look(started))),
      Promise.all(Array.from({ length: 8 }, (_, turns) => Bun.sleep(turns).then(work))),
    ]);
    for (const { status } of answers) expect(status).toBeGreaterThanOrEqual(500);
  }
  for (const statement of engine.allowInserts("ledger")) await behind.run(statement);
  await behind.close();
  expect(await started.content()).toEqual(content);
  expect(await look(started)).toMatchObject({ status: 200, remaining: 99_996 });
});

test("a failed request is in no window, also where a request of another process took its number", async () => {
  const started = await startService({ config: { requestsPerMinute: 20 } });
  const { key, clock } = started;
  const headersOf = async () => {
    const { headers } = await started.call("GET", "/tag", { key: key.secret, query: { tagId: started.team.id } });
    return ["x-ratelimit-remaining", "ratelimit"].map((name) => headers.get(name));
  };
  const behind = await engine.connect(started.dataDirectory);
  for (const statement of engine.refuseInserts("ledger", "a planted failure")) await behind.run(statement);
  await look(started);
  for (const statement of engine.allowInserts("ledger")) await behind.run(statement);
  await behind.close();
  clock.advance(10);
  const node = await openNode(started.dataDirectory, () => clock.now);
  const at = new Date(clock.now).toISOString();
  await node.transaction((transaction) =>
    insertLedgerCalls(transaction, started.workspace.id, [{ at, keyId: key.id }]),
  );
  await node.close();
  clock.advance(10);
  expect(await headersOf()).toEqual(["18", '"default";r=18;t=50']);
});
