// The exact messages of refusals, and the headers of every response.
import { describe, expect, test } from "bun:test";
import { newSecret } from "../../src/metering/keys/secret.ts";
import { expectRefusal, newId } from "../support/expect.ts";
import { fillWindow, leave, setSubscription } from "../support/refusals.ts";
import { type RawCall, refusalOf, startService, text } from "../support/service.ts";

const never = "00000000-0000-7000-8000-000000000000";

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
      [{ colour: "red" }, "colour is not a known field"],
      [{ titel: "New" }, "titel is not a known field. Did you mean title?"],
      [{ folder_id: never }, "folder_id is not a known field. Did you mean folderId?"],
      [{ content: { ...text("New"), contents: "" } }, "content.contents is not a known field. Did you mean content?"],
      [{ [`title${"x".repeat(50)}`]: "" }, `title${"x".repeat(50)} is not a known field`],
      [{ ["x".repeat(100_000)]: "", titel: "" }, `${"x".repeat(100_000)} is not a known field`],
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
      await bare("/api/reference"),
      await bare("/api/reference/reference.css"),
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
    expect([limited.status, limited.headers.get("x-ratelimit-reset")]).toEqual([429, "1773576061"]);
    started.clock.now = 1_773_576_061_000;
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
