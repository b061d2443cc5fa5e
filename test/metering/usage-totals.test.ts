// Usage totals: every call counts once, whenever calls are added, folded or interrupted.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { OperationName } from "../../src/contract/operations.ts";
import { operations } from "../../src/contract/operations.ts";
import { foldLedger } from "../../src/metering/quota/folding.ts";
import { callsOfKeys, type UsagePart } from "../../src/metering/usage/totals.store.ts";
import { addedCallsMax, addUpUsage } from "../../src/metering/usage/totals.ts";
import { cases } from "../support/cases.ts";
import { openNode } from "../support/engine.ts";
import { type Started, startService } from "../support/service.ts";
import { makeTargets } from "../support/targets.ts";
import { failingAt, insertLedgerCalls, type LedgerCall, plainSums, sumsOf, totalCalls } from "../support/usage.ts";

const at = "2026-06-10T15:30:00.000Z";
const parts: readonly UsagePart[] = ["operation", "key", "team"];
const dayMilliseconds = 24 * 60 * 60 * 1_000;

const book = ({ admin, workspace }: Started, calls: readonly LedgerCall[]) =>
  admin((transaction) => insertLedgerCalls(transaction, workspace.id, calls));

async function expectExact(started: Started, calls: readonly LedgerCall[]): Promise<void> {
  for (const by of parts)
    expect(await sumsOf(started.service.database, started.workspace.id, by)).toEqual(plainSums(calls, by));
}

/** Calls of three keys over this many days before `at`, each key's in chronological order. */
const manyCalls = ({ key, limitedKey, emptyKey, team, otherTeam }: Started, count: number, days = 20): LedgerCall[] =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.parse(at) - days * dayMilliseconds * (1 - index / count)).toISOString(),
    keyId: [key.id, limitedKey.id, emptyKey.id][index % 3] ?? "",
    operation: ["getSnippet", "postSnippets", "getTag"][index % 5] ?? "putSnippet",
    status: index % 11 === 0 ? 404 : 200,
    units: index % 4,
    teamId: [team.id, otherTeam.id, null][index % 7] ?? null,
  }));

describe("usage added up", () => {
  test("is what the calls come to, whatever is booked, added up and folded in which order", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const step = fc.oneof(
      fc.record({ do: fc.constant("book" as const), count: fc.integer({ min: 1, max: 700 }) }),
      fc.record({ do: fc.constantFrom("add" as const, "fold" as const), count: fc.integer({ min: 1, max: 90 }) }),
    );
    const calls: LedgerCall[] = [];
    let booked = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const { do: what, count } of steps) {
          if (what === "add") await addUpUsage(database);
          else if (what === "fold") await foldLedger(database, count);
          else {
            // Each portion is newer than the previous one, as real calls are.
            booked += 1;
            const young = manyCalls(started, count, 1).map((call) => ({
              ...call,
              at: new Date(Date.parse(call.at) - (100 - booked) * dayMilliseconds).toISOString(),
            }));
            await book(started, young);
            calls.push(...young);
          }
          await expectExact(started, calls);
        }
      }),
      { numRuns: 10 },
    );
    await addUpUsage(database);
    await expectExact(started, calls);
    expect(await totalCalls(started.rows, started.workspace.id)).toBe(calls.length);
  }, 60_000);

  test("has a call at once, before it is added", async () => {
    const started = await startService({ at });
    await started.given.tag();
    expect(await sumsOf(started.service.database, started.workspace.id, "team")).toEqual({
      [`2026-06-10 ${started.team.id}`]: "1 1",
    });
    expect(await totalCalls(started.rows, started.workspace.id)).toBe(0);
    expect(await addUpUsage(started.service.database)).toBe(1);
    expect(await addUpUsage(started.service.database)).toBe(0);
    await started.given.tag();
    expect(await sumsOf(started.service.database, started.workspace.id, "operation")).toEqual({
      "2026-06-10 postTag": "2 2",
    });
  });

  test("misses no call whose time lies before the one that came before it", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const keyId = started.key.id;
    const ahead = ["2026-06-12T10:00:00.000Z", "2026-06-12T10:00:00.000Z"].map((at) => ({ at, keyId }));
    await book(started, ahead);
    await addUpUsage(database);
    const corrected = ["2026-06-10T16:00:00.000Z", "2026-06-12T11:00:00.000Z", "2026-06-10T17:00:00.000Z"].map(
      (at) => ({ at, keyId }),
    );
    await book(started, corrected);
    expect(await addUpUsage(database)).toBe(3);
    await expectExact(started, [...ahead, ...corrected]);
    expect(await addUpUsage(database)).toBe(0);
  });

  test("goes in portions that end where they are told to, and goes on from there", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const calls = manyCalls(started, addedCallsMax * 3 + 1);
    await book(started, calls);
    let left = 2;
    expect(
      await addUpUsage(database, async () => {
        left -= 1;
        return left >= 0;
      }),
    ).toBe(addedCallsMax);
    await expectExact(started, calls);
    expect(await addUpUsage(database)).toBe(addedCallsMax * 2 + 1);
    await expectExact(started, calls);
  });

  test("by two nodes, several times at once, while both fold and calls come in: nothing counts twice", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const node = await openNode(started.dataDirectory, () => started.clock.now);
    const calls = manyCalls(started, 3_000, 60);
    await book(started, calls);
    const young = manyCalls(started, 600, 1);
    const booking = (async () => {
      for (let index = 0; index < young.length; index += 100) await book(started, young.slice(index, index + 100));
    })();
    await Promise.all([
      booking,
      ...[database, node, database, node].map((one) => addUpUsage(one)),
      ...[database, node].map((one) => foldLedger(one, 30)),
    ]);
    await expectExact(started, [...calls, ...young]);
    await addUpUsage(node);
    await node.close();
    await expectExact(started, [...calls, ...young]);
    expect(await totalCalls(started.rows, started.workspace.id)).toBe(calls.length + young.length);
  });

  test.each([
    ["before the totals", "insert into usage_totals", 1],
    ["among the totals", "insert into usage_totals", 20],
    ["between totals and mark", "insert into usage_marks", 1],
    ["before the commit", "end of the transaction", 2],
  ])("a crash %s of a portion keeps nothing of it, and the next round does it all", async (_, text, from) => {
    const started = await startService({ at });
    const { database } = started.service;
    const calls = manyCalls(started, addedCallsMax * 2 + 7);
    await book(started, calls);
    const crashed = addUpUsage(failingAt(database, text, from));
    expect(await crashed.catch((error: Error) => error.message)).toBe("the process is gone");
    await expectExact(started, calls);
    const added = await totalCalls(started.rows, started.workspace.id);
    expect(added % addedCallsMax).toBe(0);
    expect(await addUpUsage(database)).toBe(calls.length - added);
    await expectExact(started, calls);
  });

  test("a crash while calls are folded that were not added yet loses none of them", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const calls = manyCalls(started, 500, 60);
    await book(started, calls);
    const crashed = foldLedger(failingAt(database, "insert into usage_totals", 7), 30);
    expect(await crashed.catch((error: Error) => error.message)).toBe("the process is gone");
    await expectExact(started, calls);
    await foldLedger(database, 30);
    await expectExact(started, calls);
    await addUpUsage(database);
    await expectExact(started, calls);
  });

  test("tells how many calls each key made since a day, and nothing of another workspace", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const other = await startService();
    const calls = manyCalls(started, 100);
    await book(started, calls.slice(0, 50));
    await addUpUsage(database);
    await book(started, calls.slice(50));
    const ids = [started.key.id, started.limitedKey.id, other.key.id];
    const counted = await database.read((transaction) =>
      callsOfKeys(transaction, started.workspace.id, ids, "2026-06-01"),
    );
    const expected = (keyId: string) =>
      calls.filter((call) => call.keyId === keyId && call.at >= "2026-06-01T00:00:00.000Z").length;
    expect(Object.fromEntries(counted)).toEqual({
      [started.key.id]: expected(started.key.id),
      [started.limitedKey.id]: expected(started.limitedKey.id),
    });
  });
});

describe("the ledger", () => {
  const teamsOf = ({ rows, workspace }: Started) =>
    rows<{ operation: string; status: number; team_id: string | null }>(
      "select operation, status, team_id from ledger where workspace_id = ? order by key_call",
      workspace.id,
    );

  test("knows the team that a call of any operation was about", async () => {
    const started = await startService();
    const { team, otherTeam } = started;
    for (const [index, name] of (Object.keys(cases) as OperationName[]).entries()) {
      const { id } = [team, otherTeam][index % 2] ?? team;
      const targets = await makeTargets(started, id);
      const { method, path } = operations[name];
      const { request, places } = cases[name];
      await started.call(method, path, { key: started.key.secret, ...request(targets) });
      const last = (await teamsOf(started)).at(-1);
      expect(last).toEqual({ operation: name, status: 200, team_id: places.length > 0 ? id : null });
    }
  });

  test("knows none where a call was about several teams, about nothing, or refused", async () => {
    const started = await startService();
    const { client, call, key, team, otherTeam } = started;
    const tags = [await started.given.tag(), await started.given.tag({ teamId: otherTeam.id })];
    const tagIds = tags.map((tag) => tag.id);
    const get = (ids: readonly string[]) => call("GET", "/tags", { key: key.secret, query: { tagIds: ids.join(",") } });
    await get(tagIds);
    await get([crypto.randomUUID()]);
    await call("GET", "/tag", { key: key.secret, query: { tagId: crypto.randomUUID() } });
    await get(tagIds.slice(0, 1));
    await client.postTags({
      tags: [team.id, otherTeam.id].map((teamId) => ({ tagName: "T", tagColor: "#993366", teamId })),
    });
    expect((await teamsOf(started)).slice(2)).toEqual([
      { operation: "getTags", status: 200, team_id: null },
      { operation: "getTags", status: 200, team_id: null },
      { operation: "getTag", status: 404, team_id: null },
      { operation: "getTags", status: 200, team_id: team.id },
      { operation: "postTags", status: 200, team_id: null },
    ]);
  });
});
