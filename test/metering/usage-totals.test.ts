// Usage totals: every call counts once, at once, whether it is folded or not.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { presentedKey } from "../../src/api/authenticate.ts";
import { createCalls } from "../../src/api/charge-call.ts";
import type { OperationName } from "../../src/contract/operations.ts";
import { operations } from "../../src/contract/operations.ts";
import { foldLedger } from "../../src/metering/quota/folding.ts";
import { callsOfKeys, type UsagePart } from "../../src/metering/usage/totals.store.ts";
import { Downloads, ResponseRoom } from "../../src/platform/http/downloads.ts";
import { parseInput } from "../../src/platform/http/parse-input.ts";
import { needsImport } from "../support/case.ts";
import { cases } from "../support/cases.ts";
import { engine, openNode } from "../support/engine.ts";
import { type Started, startService } from "../support/service.ts";
import { makeTargets } from "../support/targets.ts";
import { insertLedgerCalls, type LedgerCall, plainSums, sumsOf, totalCalls } from "../support/usage.ts";

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

describe("usage totals", () => {
  test("are what the calls come to, whatever is booked and folded in which order", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const step = fc.oneof(
      fc.record({ do: fc.constant("book" as const), count: fc.integer({ min: 1, max: 700 }) }),
      fc.record({ do: fc.constant("fold" as const), count: fc.integer({ min: 1, max: 90 }) }),
    );
    const calls: LedgerCall[] = [];
    let booked = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const { do: what, count } of steps) {
          if (what === "fold") await foldLedger(database, count);
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
    expect(await totalCalls(started.rows, started.workspace.id)).toBe(calls.length);
  }, 60_000);

  test("have every call at once, also of many keys, days and processes at the same time", async () => {
    const started = await startService({ at: "2026-06-10T23:59:59.000Z" });
    const { key, limitedKey, workspace, clock } = started;
    const report = (_: string, cause: unknown) => {
      throw cause;
    };
    const nodes = [started.service.database, await openNode(started.dataDirectory, () => clock.now)];
    const runs = nodes.map(
      (node) => createCalls(node, { requestsPerMinute: 1_000, trashDays: 30, storageBytesMax: 2 ** 30, report }).run,
    );
    const { id } = await started.given.tag();
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const { secret } = [key, limitedKey][index % 2] ?? key;
          const tagId = index % 5 === 0 ? crypto.randomUUID() : id;
          await runs[index % 3 === 0 ? 1 : 0]?.(presentedKey(`Bearer ${secret}`, "127.0.0.1"), {
            name: "getTag",
            ifNoneMatch: null,
            bodyBytes: 0,
            room: new ResponseRoom(new Downloads()),
            input: parseInput(operations.getTag, `?tagId=${tagId}`, new Uint8Array()),
            origin: { requestId: Bun.randomUUIDv7(), clientAddress: "203.0.113.7", receivedAt: performance.now() },
          });
        }),
      );
      clock.advance(1);
    }
    await nodes[1]?.close();
    const ledger = await started.rows<{ at: string; keyId: string; operation: string; units: number; teamId: string }>(
      `select admitted_at as at, key_id as "keyId", operation, units, team_id as "teamId" from ledger where workspace_id = ?`,
      workspace.id,
    );
    expect(ledger).toHaveLength(241);
    expect(new Set(ledger.map((call) => call.at.slice(0, 10))).size).toBe(2);
    await expectExact(started, ledger);
  });

  test("have nothing of a request that failed", async () => {
    const started = await startService({ at });
    await started.given.tag();
    const before = await sumsOf(started.service.database, started.workspace.id, "operation");
    const behind = await engine.connect(started.dataDirectory);
    for (const statement of engine.refuseInserts("ledger", "a planted failure")) await behind.run(statement);
    const { status } = await started.call("GET", "/tag", {
      key: started.key.secret,
      query: { tagId: started.team.id },
    });
    expect(status).toBeGreaterThanOrEqual(500);
    for (const statement of engine.allowInserts("ledger")) await behind.run(statement);
    await behind.close();
    expect(await sumsOf(started.service.database, started.workspace.id, "operation")).toEqual(before);
  });

  test("tell how many calls each key made since a day, and nothing of another workspace", async () => {
    const started = await startService({ at });
    const { database } = started.service;
    const other = await startService();
    const calls = manyCalls(started, 100);
    await book(started, calls);
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
      const targets = await makeTargets(started, id, needsImport(cases[name]));
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
