// What each refused request costs, and whether it counts toward the rate limit (decisions, Costs).
import { describe, expect, test } from "bun:test";
import { errorGuide } from "../../scripts/error-guide.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import { type Connection, engine } from "../support/engine.ts";
import { expectRefusal, newId } from "../support/expect.ts";
import { fillWindow, leave, setSubscription } from "../support/refusals.ts";
import { type RawAnswer, type RawCall, type Started, startService, text } from "../support/service.ts";

const never = "00000000-0000-7000-8000-000000000000";

/** A connection that bypasses the service. */
const openBehind = (started: Started): Promise<Connection> => engine.connect(started.dataDirectory);

describe("what a refused call costs, and whether it counts for the rate limit", () => {
  const limit = 50;
  interface Row {
    readonly name: string;
    readonly status: number;
    readonly units: number;
    readonly isCounted: boolean;
    /** Makes the call with a key that was not used before. */
    readonly make: (started: Started, key: string) => Promise<RawAnswer | Response>;
    /** Restores the state before the count. */
    readonly after?: (started: Started) => Promise<unknown>;
  }
  const table: readonly Row[] = [
    {
      name: "HTTPS",
      status: 403,
      units: 0,
      isCounted: false,
      make: ({ service }, key) =>
        fetch(`http://localhost:${service.httpPort}/api/snippet`, { headers: { Authorization: `Bearer ${key}` } }),
    },
    {
      name: "unknown path",
      status: 404,
      units: 0,
      isCounted: false,
      make: ({ call }, key) => call("GET", "/snip", { key }),
    },
    {
      name: "unknown method",
      status: 405,
      units: 0,
      isCounted: false,
      make: ({ call }, key) => call("PATCH", "/snippet", { key }),
    },
    {
      name: "wrong scheme",
      status: 401,
      units: 0,
      isCounted: false,
      make: ({ call }, key) => call("GET", "/snippet", { headers: { Authorization: `Basic ${key}` } }),
    },
    {
      name: "damaged key",
      status: 401,
      units: 0,
      isCounted: false,
      make: ({ call }, key) => call("GET", "/snippet", { key: `${key.slice(0, -1)}?` }),
    },
    {
      name: "inactive subscription",
      status: 403,
      units: 0,
      isCounted: true,
      make: async (started, key) => {
        await setSubscription(started, "inactive");
        return started.call("GET", "/snippet", { key, query: { id: never } });
      },
      after: (started) => setSubscription(started, "active"),
    },
    {
      name: "wrong query",
      status: 400,
      units: 1,
      isCounted: true,
      make: ({ call }, key) => call("GET", "/snippet", { key, query: { id: "no-uuid" } }),
    },
    {
      name: "wrong body",
      status: 400,
      units: 1,
      isCounted: true,
      make: ({ call }, key) => call("POST", "/snippet", { key, body: [] }),
    },
    {
      name: "body too large",
      status: 413,
      units: 1,
      isCounted: true,
      make: ({ call }, key) => call("POST", "/snippet", { key, body: new Uint8Array(8 * 1024 * 1024 + 1) }),
    },
    {
      name: "unknown id",
      status: 404,
      units: 1,
      isCounted: true,
      make: ({ call }, key) => call("GET", "/snippet", { key, query: { id: never } }),
    },
    {
      name: "team out of reach",
      status: 403,
      units: 1,
      isCounted: true,
      make: async (started, key) => {
        const { id } = await started.given.folder({ teamId: started.otherTeam.id });
        return started.call("GET", "/folder", { key, query: { id } });
      },
    },
    {
      name: "quota",
      status: 403,
      units: 0,
      isCounted: true,
      make: async (started, key) => {
        // Enough for the 1 unit that a failed call costs, too little for the call.
        await leave(started, 2);
        const folder = { folderName: "New", folderColor: "#fff", teamId: started.team.id };
        const refused = await started.call("POST", "/folders", { key, body: { folders: [folder, folder, folder] } });
        expect(await started.balance()).toBe(2);
        return refused;
      },
      after: (started) => leave(started, 1_000),
    },
  ];

  test.each(table)(
    "$name: $status, $units units, counted: $isCounted",
    async ({ status, units, isCounted, make, after }) => {
      const started = await startService({ config: { requestsPerMinute: limit } });
      const { id, secret } = await started.admin((transaction) =>
        createKey(transaction, started.workspace.id, "Fresh", [started.team.id]),
      );
      const charged = async () => (await started.ledger()).filter((row) => row.key_id === id);

      const refused = await make(started, secret);

      expect(refused.status).toBe(status);
      expect(refused.headers.get("x-request-cost")).toBe(String(units));
      const { error } = refused instanceof Response ? await refused.json() : refused.body;
      expect([error, errorGuide[error]?.cost]).toEqual([error, String(units)]);
      expect((await charged()).map((row) => ({ status: row.status, units: row.units }))).toEqual(
        isCounted ? [{ status, units }] : [],
      );
      await after?.(started);
      const next = await started.call("GET", "/tags", { key: secret, query: { ids: never } });
      expect(next.headers.get("x-ratelimit-remaining")).toBe(String(limit - 1 - (isCounted ? 1 : 0)));
    },
  );

  test("a call beyond the rate limit costs nothing and does not count itself", async () => {
    const started = await startService({ config: { requestsPerMinute: 2 } });
    await fillWindow(started, started.key.secret, 2);
    const refused = await started.call("GET", "/snippet", { key: started.key.secret, query: { id: never } });
    expectRefusal(refused, 429, "Rate limit exceeded. Try again in 60 seconds", 0);
    expect(await started.ledger()).toHaveLength(2);
    expect(await started.balance()).toBe(100_000);
  });

  test("our own failure: 500, nothing changed, nothing charged, counted", async () => {
    const started = await startService({ config: { requestsPerMinute: limit } });
    const tag = await started.given.tag();
    const behind = await openBehind(started);
    for (const statement of engine.refuseInserts("snippet_tags", "a planted failure")) await behind.run(statement);
    const [content, before, calls] = [
      await started.content(),
      await started.balance(),
      (await started.ledger()).length,
    ];

    const failed = await started.call("POST", "/snippet", {
      key: started.key.secret,
      body: { title: "New", content: text("New"), teamId: started.team.id, tagIds: [tag.id] },
    });

    expect(failed.body).toEqual({
      success: false,
      message: "The service could not process this request. It was not charged",
      error: "internal_error",
      requestId: newId,
    });
    expect(failed.status).toBe(500);
    expect(failed.headers.get("x-request-cost")).toBe("0");
    expect(failed.headers.get("x-ratelimit-remaining")).toBe(String(limit - calls - 1));
    expect(await started.content()).toEqual(content);
    expect(await started.balance()).toBe(before);
    expect((await started.ledger()).at(-1)).toMatchObject({
      id: failed.body.requestId,
      operation: "postSnippet",
      status: 500,
      units: 0,
      balance_after: before,
    });
    const told = started.lines.map((line) => JSON.parse(line)).filter((line) => line.message === "request failed");
    expect(told).toEqual([
      {
        level: "error",
        message: "request failed",
        requestId: failed.body.requestId,
        cause: expect.stringContaining("a planted failure"),
      },
    ]);

    for (const statement of engine.allowInserts("snippet_tags")) await behind.run(statement);
    await behind.close();
    expect(await started.given.snippet({ tagIds: [tag.id] })).toMatchObject({ tag_ids: [tag.id] });
  });

  test("a table that is gone: 500 for the calls that need it, and no other", async () => {
    const started = await startService({});
    const { id } = await started.given.snippet();
    const behind = await openBehind(started);
    await behind.run("alter table tags rename to tags_gone");
    const failed = await started.call("GET", "/tag", { key: started.key.secret, query: { id: never } });
    expect(failed.status).toBe(500);
    expect((await started.client.getSnippet({ id })).data.id).toBe(id);
    await behind.run("alter table tags_gone rename to tags");
    await behind.close();
    expectRefusal(
      await started.call("GET", "/tag", { key: started.key.secret, query: { id: never } }),
      404,
      "Tag not found",
    );
  });

  test("nobody can commit: 503 with Retry-After, nothing changed or charged, and all is well afterwards", async () => {
    const started = await startService({});
    await started.given.folder();
    const [content, before, ledger] = [await started.content(), await started.balance(), await started.ledger()];
    const behind = await openBehind(started);
    for (const statement of engine.blockWriters) await behind.run(statement);
    const post = () =>
      started.call("POST", "/folder", {
        key: started.key.secret,
        body: { folderName: "New", folderColor: "#fff", teamId: started.team.id },
      });

    const refused = await post();

    expect(refused.body).toEqual({
      success: false,
      message: "The service cannot reach its database. Nothing was changed or charged",
      error: "unavailable",
      requestId: newId,
    });
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("x-request-cost")).toBe("0");
    expect(await started.content()).toEqual(content);
    expect(await started.ledger()).toEqual(ledger);
    expect(await started.balance()).toBe(before);

    await behind.run("rollback");
    await behind.close();
    expect((await post()).status).toBe(200);
    expect(await started.balance()).toBe(before - 1);
  });

  test("a failed call costs 1 unit whatever its size", async () => {
    const started = await startService();
    await leave(started, 100);
    const hundred = <Item>(item: Item): Item[] => Array.from({ length: 100 }, () => item);
    const folder = { folderName: "New", folderColor: "#fff", teamId: never };
    for (const [method, path, body, status] of [
      ["POST", "/snippets", { snippets: hundred({}) }, 400],
      ["POST", "/folders", { folders: hundred(folder) }, 404],
      ["PUT", "/tags", { tags: Array.from({ length: 100 }, () => ({ id: Bun.randomUUIDv7(), tagName: "New" })) }, 404],
    ] as const) {
      const before = await started.balance();
      const answer = await started.call(method, path, { key: started.key.secret, body });
      expectRefusal(answer, status, /./, 1);
      expect(await started.balance()).toBe(before - 1);
    }
  });

  test("a failed call never takes the balance below zero, and is not itself refused for quota", async () => {
    const started = await startService();
    await leave(started, 3);
    const fail = () => started.call("GET", "/snippet", { key: started.key.secret, query: { id: never } });

    const answers = await Promise.all(Array.from({ length: 10 }, fail));

    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(404));
    expect(answers.map((answer) => Number(answer.headers.get("x-request-cost"))).sort()).toEqual([
      0, 0, 0, 0, 0, 0, 0, 1, 1, 1,
    ]);
    expect(await started.balance()).toBe(0);
    // Request IDs follow the arrival of calls, balances the order in which they were charged.
    const balances = (await started.ledger()).map((row) => row.balance_after);
    expect(balances.sort((one, other) => other - one)).toEqual([2, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });

  test("required is the cost of the call as it would have been executed", async () => {
    const started = await startService();
    const { folder } = await started.given.snippetInFolder();
    const second = await started.given.snippet({ folderId: folder.id });
    await leave(started, 0);
    const required = async (method: string, path: string, call: RawCall) => {
      const { status, body } = await started.call(method, path, { ...call, key: started.key.secret });
      return { status, usage: body.usage, message: body.message };
    };
    const refusal = (units: number) => ({
      status: 403,
      usage: { requiredRequests: units, remainingRequests: 0 },
      message: `Insufficient API requests: ${units} required, 0 remaining`,
    });
    const good = { folderName: "New", folderColor: "#fff", teamId: started.team.id };

    expect(
      await required("POST", "/folders", { body: { folders: [good, {}, good, { ...good, teamId: never }, good] } }),
    ).toEqual(refusal(3));
    expect(await required("DELETE", "/snippets", { query: { ids: `${second.id},${never}` } })).toEqual(refusal(1));
    expect(await required("GET", "/folder", { query: { folderId: folder.id } })).toEqual(refusal(3));
    expect(await required("GET", "/folder", { query: { folderId: folder.id, limit: 1 } })).toEqual(refusal(2));
    expect(
      await required("PUT", "/folders", {
        body: {
          folders: [
            { id: folder.id, folderName: "New" },
            { id: never, folderName: "New" },
          ],
        },
      }),
    ).toEqual(refusal(1));
  });

  test("a list in which nothing is accessible costs nothing, also at balance 0", async () => {
    const started = await startService();
    await leave(started, 0);
    for (const [method, path] of [
      ["GET", "/snippets"],
      ["DELETE", "/snippets"],
      ["GET", "/tags"],
      ["DELETE", "/folders"],
    ] as const) {
      const answer = await started.call(method, path, { key: started.key.secret, query: { ids: never } });
      expect(answer.body).toMatchObject({ success: true, usage: { remainingRequests: 0, usageDeducted: 0 } });
      expect(answer.headers.get("x-request-cost")).toBe("0");
    }
  });

  test("X-Request-Cost is what was charged: the ledger says the same of every call", async () => {
    const started = await startService();
    const { folder, snippet } = await started.given.snippetInFolder();
    const [, ...known] = await started.ledger();
    const key = started.key.secret;
    const good = { tagName: "New", tagColor: "#fff", teamId: started.team.id };
    const answers = [
      await started.call("POST", "/tags", { key, body: { tags: [good, {}, good] } }),
      await started.call("GET", "/folder", { key, query: { folderId: folder.id } }),
      await started.call("GET", "/snippets", { key, query: { ids: `${snippet.id},${never}` } }),
      await started.call("GET", "/snippet", { key, query: { id: never } }),
      await started.call("DELETE", "/folders", { key, query: { ids: never } }),
    ];
    expect(answers.map((answer) => Number(answer.headers.get("x-request-cost")))).toEqual([2, 2, 1, 1, 0]);
    expect((await started.ledger()).slice(1 + known.length).map(({ id, units }) => [id, units])).toEqual(
      answers.map((answer) => [answer.headers.get("x-request-id") ?? "", Number(answer.headers.get("x-request-cost"))]),
    );
  });

  test("remainingRequests is the balance after this call", async () => {
    const started = await startService();
    for (let count = 0; count < 3; count += 1) {
      const { usage } = await started.client.getTags({ tagIds: [never] });
      expect(usage.remainingRequests).toBe(await started.balance());
      const created = await started.client.postTag({ tagName: "New", tagColor: "#fff", teamId: started.team.id });
      expect(created.usage.remainingRequests).toBe(await started.balance());
    }
  });
});
