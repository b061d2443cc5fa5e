// Decisions, sections 6 and 7: the order of checks, what a refused call costs, and what it says.
import { describe, expect, test } from "bun:test";
import { createKey, deactivateKey } from "../../src/metering/keys/keys.ts";
import { newSecret } from "../../src/metering/keys/secret.ts";
import { type Connection, engine } from "../support/engine.ts";
import { expectRefusal, newId } from "../support/expect.ts";
import { fillWindow, leave, setSubscription } from "../support/refusals.ts";
import { type RawAnswer, type RawCall, refusalOf, type Started, startService, text } from "../support/service.ts";

const never = "00000000-0000-7000-8000-000000000000";

/** A call in which everything behind the key is wrong: the query, the body, the ids. */
const allWrong: RawCall = { query: { folderId: "no-uuid" }, body: "{" };
const putFolder = (started: Started, call: RawCall): Promise<RawAnswer> => started.call("PUT", "/folder", call);

/** A connection behind the service's back. */
const openBehind = (started: Started): Promise<Connection> => engine.connect(started.dataDirectory);

describe("the earlier check wins over every later one", () => {
  test("1 HTTPS: neither the path nor the method nor the key is looked at", async () => {
    const started = await startService();
    const answers = [];
    for (const [method, path] of [
      ["GET", "/api/snippet"],
      ["PATCH", "/api/snippet"],
      ["GET", "/nowhere"],
      ["GET", "/healthz"],
    ] as const) {
      const response = await fetch(`http://localhost:${started.service.httpPort}${path}`, { method });
      answers.push({
        status: response.status,
        cost: response.headers.get("x-request-cost"),
        body: await response.json(),
      });
    }
    for (const answer of answers)
      expect(answer).toEqual({
        status: 403,
        cost: "0",
        body: { success: false, message: "HTTPS is required", error: "https_required", requestId: newId },
      });
  });

  test("2 the path, then the method, come before the Authorization header", async () => {
    const started = await startService();
    for (const key of [undefined, newSecret(), started.key.secret]) {
      expectRefusal(await started.call("GET", "/snippet/", { key }), 404, "Not found", 0);
      expectRefusal(await started.call("PATCH", "/nowhere", { key }), 404, "Not found", 0);
      const wrongMethod = await started.call("PATCH", "/snippet", { key, body: "{" });
      expectRefusal(wrongMethod, 405, "Method not allowed", 0);
      expect(wrongMethod.headers.get("allow")).toBe("GET, POST, PUT, DELETE");
    }
    expect(await started.ledger()).toEqual([]);
  });

  test("3 the Authorization header comes before query and body", async () => {
    const started = await startService({});
    const answer = await putFolder(started, allWrong);
    expectRefusal(answer, 401, "Authorization header with Bearer token is required", 0);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test("4 the key comes before its rate limit, its subscription, the call and the quota", async () => {
    const started = await startService({ config: { requestsPerMinute: 2 } });
    await fillWindow(started, started.key.secret, 2);
    await setSubscription(started, "inactive");
    await leave(started, 0);
    await started.admin((transaction) => deactivateKey(transaction, started.key.id));

    for (const key of [started.key.secret, newSecret()]) {
      const answer = await putFolder(started, { ...allWrong, key });
      expectRefusal(answer, 401, "Invalid or inactive API key", 0);
      expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect(await started.ledger()).toHaveLength(2);
  });

  test("5 the rate limit comes before the subscription, the call and the quota", async () => {
    const started = await startService({ config: { requestsPerMinute: 2 } });
    await fillWindow(started, started.key.secret, 2);
    await setSubscription(started, "inactive");
    await leave(started, 0);

    const answer = await putFolder(started, { ...allWrong, key: started.key.secret });

    expectRefusal(answer, 429, "Rate limit exceeded. Try again in 60 seconds", 0);
    expect(await started.ledger()).toHaveLength(2);
  });

  test("6 the subscription comes before the call and the quota", async () => {
    const started = await startService();
    await setSubscription(started, "inactive");
    await leave(started, 0);
    const answer = await putFolder(started, { ...allWrong, key: started.key.secret });
    expectRefusal(answer, 403, "Workspace subscription is not active", 0);
  });

  test("7 query and body come before existence, team and quota", async () => {
    const started = await startService();
    const foreign = await started.given.folder({ teamId: started.otherTeam.id });
    await leave(started, 0);
    for (const folderId of [never, foreign.id])
      for (const body of ["{", { colour: "#fff" }, {}]) {
        const call = { query: { folderId }, body, key: started.limitedKey.secret };
        expectRefusal(await putFolder(started, call), 400, /JSON|colour|at least one|field/, 0);
      }
  });

  test("8 existence comes before team, and both before the quota", async () => {
    const started = await startService();
    const foreign = await started.given.folder({ teamId: started.otherTeam.id });
    await leave(started, 0);
    const rename = (folderId: string) =>
      putFolder(started, { query: { folderId }, body: { folderName: "New" }, key: started.limitedKey.secret });

    expectRefusal(await rename(never), 404, "Folder not found", 0);
    expectRefusal(await rename(foreign.id), 403, "API key does not have access to this team", 0);
    const own = await started.given.folder().catch((error: Error) => error.message);
    expect(own).toBe("Insufficient API requests: 1 required, 0 remaining");
  });

  test("the target comes before the references in the body", async () => {
    const started = await startService();
    const foreign = await started.given.folder({ teamId: started.otherTeam.id });
    const own = await started.given.folder();
    const move = (folderId: string) =>
      putFolder(started, { query: { folderId }, body: { parentFolderId: never }, key: started.limitedKey.secret });

    expectRefusal(await move(never), 404, "Folder not found");
    expectRefusal(await move(foreign.id), 403, "API key does not have access to this team");
    expectRefusal(await move(own.id), 400, /^parentFolderId /);
  });

  test("a body beyond 8 MiB is 413 in its place: behind key, rate limit and subscription", async () => {
    const started = await startService({ config: { requestsPerMinute: 1 } });
    const body = " ".repeat(8 * 1024 * 1024 + 1);
    const post = (key?: string) => started.call("POST", "/snippet", { key, body });

    expectRefusal(await post(), 401, "Authorization header with Bearer token is required", 0);
    expectRefusal(await post(newSecret()), 401, "Invalid or inactive API key", 0);
    const before = await started.balance();
    expectRefusal(await post(started.key.secret), 413, "Request body is too large", 1);
    expect(await started.balance()).toBe(before - 1);
    expectRefusal(await post(started.key.secret), 429, /^Rate limit exceeded/, 0);
    await setSubscription(started, "inactive");
    expectRefusal(await post(started.limitedKey.secret), 403, "Workspace subscription is not active", 0);
  });

  test("a body of 8 MiB exactly is read", async () => {
    const started = await startService();
    const body = JSON.stringify({ title: "Long", content: text("x"), teamId: started.team.id });
    const answer = await started.call("POST", "/snippet", {
      key: started.key.secret,
      body: body.padEnd(8 * 1024 * 1024, " "),
    });
    expect(answer.status).toBe(200);
  });
});

describe("what a refused call costs, and whether it counts for the rate limit", () => {
  const limit = 50;
  interface Row {
    readonly name: string;
    readonly status: number;
    readonly units: number;
    readonly isCounted: boolean;
    /** Makes the call with a key that was not used before. */
    readonly make: (started: Started, key: string) => Promise<{ status: number; headers: Headers }>;
    /** What is undone before the counting. */
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
      message: "The service failed to answer this call. It was not charged",
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
    const told = started.lines.map((line) => JSON.parse(line)).filter((line) => line.message === "failure");
    expect(told).toEqual([
      {
        level: "error",
        message: "failure",
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
    for (const statement of engine.holdWriters) await behind.run(statement);
    const post = () =>
      started.call("POST", "/folder", {
        key: started.key.secret,
        body: { folderName: "New", folderColor: "#fff", teamId: started.team.id },
      });

    const refused = await post();

    expect(refused.body).toEqual({
      success: false,
      message: "The service can not reach its database. Nothing was changed or charged",
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
    // Request ids are of the calls' arrival, balances of the order in which they were charged.
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

describe("messages", () => {
  const messages: readonly (readonly [
    method: string,
    path: string,
    call: RawCall,
    status: number,
    code: string,
    message: string,
  ])[] = [
    ["GET", "/snippet", { query: { id: never } }, 404, "snippet_not_found", "Snippet not found"],
    [
      "PUT",
      "/snippet/variation",
      { query: { variationId: never }, body: { name: "New" } },
      404,
      "variation_not_found",
      "Variation not found",
    ],
    ["GET", "/folder", { query: { id: never } }, 404, "folder_not_found", "Folder not found"],
    ["GET", "/tag", { query: { id: never } }, 404, "tag_not_found", "Tag not found"],
    [
      "POST",
      "/tag",
      { body: { tagName: "New", tagColor: "#fff", teamId: never } },
      404,
      "team_not_found",
      "Team not found",
    ],
    ["GET", "/snippet", {}, 400, "id_required", "Snippet ID is required"],
    ["DELETE", "/snippet", {}, 400, "id_required", "Snippet ID is required"],
    ["GET", "/snippets", {}, 400, "ids_required", "Snippet IDs are required"],
    ["DELETE", "/snippets", {}, 400, "ids_required", "Snippet IDs are required"],
    ["GET", "/snippet/variation", { query: { variationId: never } }, 400, "id_required", "Snippet ID is required"],
    ["GET", "/snippet/variation", { query: { snippetId: never } }, 400, "id_required", "Variation ID is required"],
    ["PUT", "/snippet/variation", { body: { name: "New" } }, 400, "id_required", "Variation ID is required"],
    ["GET", "/snippet/variation/history", {}, 400, "id_required", "Variation ID is required"],
    ["GET", "/folder", {}, 400, "id_required", "Folder ID is required"],
    ["PUT", "/folder", { body: { folderName: "New" } }, 400, "id_required", "Folder ID is required"],
    ["DELETE", "/folder", {}, 400, "id_required", "Folder ID is required"],
    ["GET", "/folders", {}, 400, "ids_required", "Folder IDs are required"],
    ["DELETE", "/folders", {}, 400, "ids_required", "Folder IDs are required"],
    ["GET", "/tag", {}, 400, "id_required", "Tag ID is required"],
    ["PUT", "/tag", { body: { tagName: "New" } }, 400, "id_required", "Tag ID is required"],
    ["DELETE", "/tag", {}, 400, "id_required", "Tag ID is required"],
    ["GET", "/tags", {}, 400, "ids_required", "Tag IDs are required"],
    ["DELETE", "/tags", {}, 400, "ids_required", "Tag IDs are required"],
    ["GET", "/snippet", { query: { snippetId: "x" } }, 400, "invalid_request", "snippetId must be a UUID"],
    ["POST", "/tag", { body: "{" }, 400, "invalid_json", "The request body is not valid JSON"],
    ["POST", "/tag", {}, 400, "body_required", "A JSON body is required"],
    ["PATCH", "/tag", {}, 405, "method_not_allowed", "Method not allowed"],
    ["GET", "/nothing", {}, 404, "not_found", "Not found"],
  ];

  test.each([...messages])("%s %s %j: %d %s", async (method, path, call, status, code, message) => {
    const started = await startService();
    const answer = await started.call(method, path, { ...call, key: started.key.secret });
    expect({ status: answer.status, body: answer.body }).toEqual({
      status,
      body: { success: false, message, error: code, requestId: newId },
    });
  });

  test("400 names the field and the rule", async () => {
    const started = await startService();
    const snippet = { title: "New", content: text("New"), teamId: started.team.id };
    for (const [changes, message] of [
      [{ title: "" }, "title must be 1 to 200 characters"],
      [{ title: "x".repeat(201) }, "title must be 1 to 200 characters"],
      [{ note: "x".repeat(5_001) }, /^note must be .*5000 characters$/],
      [{ folder_id: never }, "folder_id is not a known field"],
    ] as const) {
      const answer = await started.call("POST", "/snippet", {
        key: started.key.secret,
        body: { ...snippet, ...changes },
      });
      expectRefusal(answer, 400, message);
    }
  });

  test("401, 403 and 429 carry the messages of the interface and their codes", async () => {
    const started = await startService({ config: { requestsPerMinute: 4 } });
    const foreign = await started.given.folder({ teamId: started.otherTeam.id });
    const refuse = async (key?: string, headers?: Record<string, string>) => {
      const { status, body } = await started.call("DELETE", "/folder", {
        key,
        query: { id: foreign.id },
        ...(headers && { headers }),
      });
      return { status, body };
    };
    const refusal = (status: number, message: string, error: string, usage?: object) => ({
      status,
      body: { success: false, message, error, requestId: newId, ...(usage && { usage }) },
    });

    const missing = refusal(401, "Authorization header with Bearer token is required", "authorization_required");
    expect(await refuse()).toEqual(missing);
    for (const Authorization of ["Bearer", "Bearer ", `Basic ${started.key.secret}`, started.key.secret])
      expect(await refuse(undefined, { Authorization })).toEqual(missing);
    const invalid = refusal(401, "Invalid or inactive API key", "invalid_api_key");
    for (const key of [
      "x",
      newSecret(),
      `${started.key.secret}x`,
      `${started.key.secret} x`,
      started.key.id,
      started.key.secret_start,
    ])
      expect(await refuse(key)).toEqual(invalid);
    expect(await refuse(started.limitedKey.secret)).toEqual(
      refusal(403, "API key does not have access to this team", "team_forbidden"),
    );
    await leave(started, 0);
    expect(await refuse(started.key.secret)).toEqual(
      refusal(403, "Insufficient API requests: 1 required, 0 remaining", "quota_exceeded", {
        requiredRequests: 1,
        remainingRequests: 0,
      }),
    );
    await setSubscription(started, "inactive");
    expect(await refuse(started.key.secret)).toEqual(
      refusal(403, "Workspace subscription is not active", "subscription_inactive"),
    );
    await refuse(started.key.secret);
    expect(await refuse(started.key.secret)).toEqual(
      refusal(429, "Rate limit exceeded. Try again in 60 seconds", "rate_limit_exceeded"),
    );
  });

  test("the scheme is read without regard to case, and spaces after it do not matter", async () => {
    const started = await startService();
    for (const Authorization of [
      `bearer ${started.key.secret}`,
      `BEARER   ${started.key.secret}`,
      `Bearer ${started.key.secret} `,
    ]) {
      const answer = await started.call("GET", "/tags", { headers: { Authorization }, query: { ids: never } });
      expect(answer.status).toBe(200);
    }
  });

  test("the last variation: 400", async () => {
    const started = await startService();
    const { variations } = await started.given.snippet();
    expect(await refusalOf(started.client.deleteSnippetVariation({ variationId: variations[0]?.id ?? "" }))).toEqual({
      status: 400,
      code: "last_variation",
      message: "A snippet must keep at least one variation",
    });
  });

  test("a body is read as JSON whatever its Content-Type", async () => {
    const started = await startService();
    const body = JSON.stringify({ tagName: "Größe", tagColor: "#fff", teamId: started.team.id });
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml", "nonsense"]) {
      const answer = await started.call("POST", "/tag", {
        key: started.key.secret,
        body,
        headers: { "Content-Type": type },
      });
      expect(answer.body.data.tag.tag_name).toBe("Größe");
    }
  });
});

describe("headers", () => {
  test("every reply has X-Request-Id, X-Request-Cost and X-API-Version 1.0.0, and no two the same id", async () => {
    const started = await startService({ config: { requestsPerMinute: 2 } });
    const key = started.key.secret;
    const origin = started.baseUrl.replace("/api", "");
    const bare = async (path: string, method = "GET") => started.fetch(`${origin}${path}`, { method });
    const replies: { status: number; headers: Headers }[] = [
      await bare("/healthz"),
      await bare("/healthz", "HEAD"),
      await bare("/healthz", "POST"),
      await bare("/api/openapi.json"),
      await bare("/api/docs"),
      await bare("/api/docs/reference.css"),
      await bare("/nowhere"),
      await bare("/api/snippet", "HEAD"),
      await bare("/api/snippet", "OPTIONS"),
      await fetch(`http://localhost:${started.service.httpPort}/`),
      await started.call("GET", "/snippet"),
      await started.call("GET", "/snippet", { key: "x" }),
      await started.call("GET", "/snippet", { key }),
      await started.call("GET", "/tags", { key, query: { ids: never } }),
      await started.call("GET", "/snippet", { key }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([
      200, 200, 405, 200, 200, 200, 404, 405, 405, 403, 401, 401, 400, 200, 429,
    ]);
    for (const { headers } of replies) {
      expect(headers.get("x-request-id") ?? "").toEqual(newId);
      expect(headers.get("x-request-cost")).toMatch(/^\d+$/);
      expect(headers.get("x-api-version")).toBe("1.0.0");
    }
    expect(new Set(replies.map((reply) => reply.headers.get("x-request-id"))).size).toBe(replies.length);
  });

  const rateHeaders = [
    "ratelimit-policy",
    "ratelimit",
    "x-ratelimit-limit",
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
  ];
  const rateOf = ({ headers }: { headers: Headers }) => rateHeaders.map((name) => headers.get(name));

  test("a call with a valid key is told the policy, what is left and when it resets", async () => {
    const started = await startService({ at: "2026-03-15T12:00:00.250Z", config: { requestsPerMinute: 3 } });
    const key = started.key.secret;
    const good = () => started.call("GET", "/tags", { key, query: { ids: never } });
    const reset = (seconds: number) => String(Math.ceil(Date.parse("2026-03-15T12:00:00.250Z") / 1_000) + seconds);

    expect(rateOf(await good())).toEqual(['"default";q=3;w=60', '"default";r=2;t=60', "3", "2", reset(60)]);
    started.clock.advance(10);
    const refused = await started.call("GET", "/snippet", { key, query: { id: never } });
    expect(rateOf(refused)).toEqual(['"default";q=3;w=60', '"default";r=1;t=50', "3", "1", reset(60)]);
    started.clock.advance(10.5);
    expect(rateOf(await good())).toEqual(['"default";q=3;w=60', '"default";r=0;t=40', "3", "0", expect.any(String)]);
    const limited = await good();
    expect(rateOf(limited)).toEqual(['"default";q=3;w=60', '"default";r=0;t=40', "3", "0", expect.any(String)]);
    expect(limited.headers.get("retry-after")).toBe("40");
  });

  test("X-RateLimit-Reset is never before the moment at which there is room", async () => {
    const started = await startService({ at: "2026-03-15T12:00:00.999Z", config: { requestsPerMinute: 1 } });
    await fillWindow(started, started.key.secret, 1);
    const limited = await started.call("GET", "/tags", { key: started.key.secret });
    started.clock.now = Number(limited.headers.get("x-ratelimit-reset")) * 1_000;
    await fillWindow(started, started.key.secret, 1);
  });

  test("a call without a valid key is told nothing of a rate limit", async () => {
    const started = await startService({});
    for (const reply of [
      await started.call("GET", "/snippet"),
      await started.call("GET", "/snippet", { key: newSecret() }),
      await started.call("GET", "/nowhere", { key: started.key.secret }),
      await started.call("PATCH", "/snippet", { key: started.key.secret }),
    ])
      expect(rateOf(reply)).toEqual([null, null, null, null, null]);
  });

  test("answers are not to be cached or sniffed", async () => {
    const started = await startService();
    const answer = await started.call("GET", "/snippet", { key: started.key.secret });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
  });
});

test("info.version of the description is 1.0.0, and no path has a version", async () => {
  const started = await startService();
  const response = await started.fetch(`${started.baseUrl}/openapi.json`);
  const { info, paths } = (await response.json()) as { info: { version: string }; paths: Record<string, unknown> };
  expect(info.version).toBe("1.0.0");
  expect(Object.keys(paths).filter((path) => /\bv?\d/.test(path))).toEqual([]);
});
