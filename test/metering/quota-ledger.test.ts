// The ledger has a row for each request, and the balances match it under concurrent requests (decisions, Costs).
import "../support/every-time.ts";
import { describe, expect, test } from "bun:test";
import { createCalls } from "../../src/api/charge-call.ts";
import { operations } from "../../src/contract/operations.ts";
import { readUsage } from "../../src/metering/quota/usage.ts";
import { Downloads, ResponseRoom } from "../../src/platform/http/downloads.ts";
import { parseInput } from "../../src/platform/http/parse-input.ts";
import { hashSecret } from "../../src/platform/secrets/secrets.ts";
import { openNode } from "../support/engine.ts";
import { inGroups } from "../support/expect.ts";
import { expectConsistentQuota } from "../support/quota.ts";
import { leave } from "../support/refusals.ts";
import { type RawAnswer, type Started, startService, text } from "../support/service.ts";

const pick = <Item>(items: readonly Item[], index: number): Item => {
  const item = items[index % items.length];
  if (item === undefined) throw new Error("there is an item for every index");
  return item;
};
const never = "00000000-0000-7000-8000-000000000000";

describe("the ledger", () => {
  test("every call is one row: request id, workspace, key, operation, status, units, balance after, time, error, duration, client", async () => {
    const started = await startService({ at: "2026-03-15T12:00:00.000Z" });
    const body = { tags: [1, 2, 3].map((tag) => ({ tagName: `${tag}`, tagColor: "#fff", teamId: started.team.id })) };
    const good = await started.call("POST", "/tags", { key: started.key.secret, body });
    started.clock.advance(1.5);
    const bad = await started.call("GET", "/snippet", { key: started.limitedKey.secret, query: { id: never } });
    expect((await started.ledger()) as object[]).toEqual([
      {
        id: good.body ? good.headers.get("x-request-id") : "",
        workspace_id: started.workspace.id,
        key_id: started.key.id,
        key_call: 1,
        operation: "postTags",
        status: 200,
        units: 3,
        balance_after: 99_997,
        team_id: started.team.id,
        admitted_at: "2026-03-15T12:00:00.000Z",
        error_code: null,
        error_message: null,
        duration_microseconds: expect.any(Number),
        client_address: "127.0.0.1",
      },
      {
        id: bad.body.requestId,
        workspace_id: started.workspace.id,
        key_id: started.limitedKey.id,
        key_call: 1,
        operation: "getSnippet",
        status: 404,
        units: 1,
        balance_after: 99_996,
        team_id: null,
        admitted_at: "2026-03-15T12:00:01.500Z",
        error_code: "snippet_not_found",
        error_message: "Snippet not found",
        duration_microseconds: expect.any(Number),
        client_address: "127.0.0.1",
      },
    ]);
  });

  test("a duration is at least as long as the body took to arrive, and less than the response took", async () => {
    const started = await startService();
    const arrivalMilliseconds = 50;
    const body = JSON.stringify({ tagName: "slow", tagColor: "#fff", teamId: started.team.id });
    const sentAt = performance.now();
    const response = await started.fetch(`${started.baseUrl}/tag`, {
      method: "POST",
      headers: { Authorization: `Bearer ${started.key.secret}` },
      body: new ReadableStream({
        start: async (controller) => {
          controller.enqueue(new TextEncoder().encode(body.slice(0, 9)));
          await Bun.sleep(arrivalMilliseconds);
          controller.enqueue(new TextEncoder().encode(body.slice(9)));
          controller.close();
        },
      }),
    });
    const elapsedMilliseconds = performance.now() - sentAt;
    expect(response.status).toBe(200);
    const [row] = await started.ledger();
    const milliseconds = Number(row?.duration_microseconds) / 1_000;
    expect(milliseconds).toBeGreaterThan(arrivalMilliseconds / 2);
    expect(milliseconds).toBeLessThan(elapsedMilliseconds);
  });

  test.each([
    ["a character that no database stores", "a\u0000b\ud800", "a\ufffdb\ufffd is not a known field"],
    ["without end", "x".repeat(100_000), "x".repeat(300)],
  ])("the message of a refusal may repeat a field name %s", async (_, field, recorded) => {
    const started = await startService();
    const { status, body } = await started.call("POST", "/tag", { key: started.key.secret, body: { [field]: 1 } });
    expect([status, body.message]).toEqual([400, `${field} is not a known field`]);
    const rows = await started.ledger();
    expect(rows.map((row) => [row.error_code, row.error_message])).toEqual([["invalid_request", recorded]]);
  });

  test("usage of a month, by operation and by key", async () => {
    const started = await startService({ at: "2026-03-31T23:59:59.000Z" });
    const tag = await started.given.tag();
    await started.client.getTag({ tagId: tag.id });
    await started.call("GET", "/snippet", { key: started.limitedKey.secret, query: { id: never } });
    started.clock.advance(1);
    await started.client.getTag({ tagId: tag.id });
    const usage = (month: string) =>
      started.admin((transaction) => readUsage(transaction, started.workspace.id, month));
    const keyRow = (key: { id: string; secret_start: string }, name: string, calls: number) => ({
      key_id: key.id,
      name,
      secret_start: key.secret_start,
      calls,
      units: calls,
    });
    expect(await usage("2026-03")).toEqual({
      workspace_id: started.workspace.id,
      month: "2026-03",
      calls: 3,
      units: 3,
      by_operation: ["getSnippet", "getTag", "postTag"].map((operation) => ({ operation, calls: 1, units: 1 })),
      by_key: [keyRow(started.key, "All teams", 2), keyRow(started.limitedKey, "One team", 1)],
    });
    expect(await usage("2026-04")).toMatchObject({ calls: 1, units: 1 });
    expect(await usage("2026-05")).toMatchObject({ calls: 0, units: 0, by_operation: [], by_key: [] });
  });
});

describe("under parallel calls", () => {
  /** The cost and balance of a response. Refusals have no balance; it is taken from their ledger row. */
  interface Charge {
    readonly cost: number;
    readonly after: number;
  }

  function chargeOf(answer: RawAnswer, ledger: Awaited<ReturnType<Started["ledger"]>>): Charge {
    const row = ledger.find(({ id }) => id === answer.headers.get("x-request-id"));
    if (!row) throw new Error(`no row in the ledger for an answer of ${answer.status}`);
    const cost = Number(answer.headers.get("x-request-cost"));
    expect({ status: row.status, units: row.units }).toEqual({ status: answer.status, units: cost });
    const after: number | undefined = answer.body.usage?.remainingRequests;
    if (after !== undefined) expect(row.balance_after).toBe(after);
    return { cost, after: after ?? row.balance_after };
  }

  test("400 mixed calls, refused ones included: each balance is the one before minus the call's own cost", async () => {
    const started = await startService();
    const { folder, snippet } = await started.given.snippetInFolder();
    const foreign = await started.given.snippet({ teamId: started.otherTeam.id });
    const tagBody = (count: number) => ({
      tags: Array.from({ length: count }, (_, index) => ({
        tagName: `${index}`,
        tagColor: "#fff",
        teamId: started.team.id,
      })),
    });
    const [all, some] = [started.key.secret, started.limitedKey.secret];
    const kinds = [
      () => started.call("GET", "/snippet", { key: all, query: { id: snippet.id } }),
      () => started.call("GET", "/snippet", { key: some, query: { id: foreign.id } }),
      () => started.call("GET", "/snippet", { key: some, query: { id: never } }),
      () => started.call("GET", "/snippet", { key: all }),
      () => started.call("GET", "/folder", { key: some, query: { folderId: folder.id, limit: 1 } }),
      () => started.call("GET", "/snippets", { key: some, query: { ids: `${snippet.id},${foreign.id},${never}` } }),
      () => started.call("GET", "/tags", { key: all, query: { ids: never } }),
      () => started.call("POST", "/tags", { key: all, body: tagBody(7) }),
      () => started.call("POST", "/tags", { key: some, body: { tags: [...tagBody(2).tags, { tagName: "" }] } }),
      () => started.call("POST", "/tags", { key: some, body: "{" }),
      () =>
        started.call("PUT", "/snippet", {
          key: all,
          query: { id: snippet.id },
          body: { content: text(crypto.randomUUID()) },
        }),
    ];
    const callOf = (index: number) => pick(kinds, index * 7)();
    await leave(started, 500);
    const known = (await started.ledger()).length;
    const before = await started.balance();

    // As many concurrent calls as a slow machine answers before a timeout.
    const answers = await inGroups([...Array(400).keys()], callOf, 40);

    const ledger = await started.ledger();
    const charges = answers.map((answer) => chargeOf(answer, ledger));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400, 403, 404]));
    expect(answers.some(({ body }) => body.error === "quota_exceeded")).toBe(true);
    // All charged calls, from the highest balance down: no gap, no overlap.
    const chain = charges.filter(({ cost }) => cost > 0).sort((one, other) => other.after - one.after);
    let balance = before;
    for (const { cost, after } of chain) {
      expect(after).toBe(balance - cost);
      balance = after;
    }
    expect(balance).toBe(0);
    expect(await started.balance()).toBe(0);
    // Every free call reports a balance that existed.
    const balances = new Set([before, ...chain.map(({ after }) => after)]);
    for (const { cost, after } of charges) if (cost === 0) expect(balances).toContain(after);
    expect(ledger).toHaveLength(known + 400);
    await expectConsistentQuota(started);
  });

  test("balance 1 and 50 parallel calls: exactly one succeeds, ten times", async () => {
    const started = await startService();
    for (let round = 1; round <= 10; round += 1) {
      await leave(started, 1);
      const body = { tagName: `Round ${round}`, tagColor: "#fff", teamId: started.team.id };
      const post = () => started.call("POST", "/tag", { key: started.key.secret, body });

      const answers = await Promise.all(Array.from({ length: 50 }, post));

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 403);
      expect(refused).toHaveLength(49);
      for (const { body } of refused) expect(body.usage).toEqual({ remainingRequests: 0, requiredRequests: 1 });
      expect(await started.balance()).toBe(0);
      expect(
        await started.rows(
          "select id from tags where workspace_id = ? and tag_name = ?",
          started.workspace.id,
          `Round ${round}`,
        ),
      ).toHaveLength(1);
    }
    await expectConsistentQuota(started);
  });

  test("two processes on one database: balance 1 is spent once", async () => {
    const started = await startService();
    const clock = () => started.clock.now;
    const nodes = [await openNode(started.dataDirectory, clock), await openNode(started.dataDirectory, clock)];
    const report = (_: string, cause: unknown) => {
      throw cause;
    };
    const runs = nodes.map(
      (node) => createCalls(node, { requestsPerMinute: 1_000, trashDays: 30, storageBytesMax: 2 ** 30, report }).run,
    );
    const snippet = await started.given.snippet();
    const search = `?id=${snippet.id}`;
    const body = Buffer.from(JSON.stringify({ tagName: "Spent", tagColor: "#fff", teamId: started.team.id }));
    const kinds = [
      { name: "getSnippet", input: parseInput(operations.getSnippet, search, new Uint8Array()), ifNoneMatch: null },
      { name: "postTag", input: parseInput(operations.postTag, "", body), ifNoneMatch: null },
    ] as const;
    const spend = async (index: number) => {
      const run = pick(runs, index);
      const key = { secretHash: hashSecret(started.key.secret), clientAddress: "203.0.113.7" };
      const outcome = await run(key, {
        room: new ResponseRoom(new Downloads()),
        ...pick(kinds, Math.floor(index / 2)),
        bodyBytes: 0,
        origin: { requestId: crypto.randomUUID(), clientAddress: "203.0.113.7", receivedAt: performance.now() },
      });
      if (outcome.kind !== "done" && outcome.kind !== "refused") return outcome.kind;
      const { units, balance_after, error_code } = outcome.entry;
      return `${outcome.kind} ${units} ${balance_after} ${error_code}`;
    };
    try {
      for (let round = 0; round < 10; round += 1) {
        await leave(started, 1);
        const outcomes = await Promise.all(Array.from({ length: 20 }, (_, index) => spend(index)));
        expect(outcomes.sort()).toEqual(["done 1 0 null", ...Array(19).fill("refused 0 0 quota_exceeded")]);
        expect(await started.balance()).toBe(0);
      }
      await expectConsistentQuota(started);
    } finally {
      for (const node of nodes) await node.close();
    }
  });
});
