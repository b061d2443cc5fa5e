// The server: health check, paths, and its log.
import "../support/once.ts";
import { describe, expect, test } from "bun:test";
import type { TLSSocket } from "node:tls";
import { readConfig } from "../../src/config.ts";
import { startService as start } from "../../src/service.ts";
import { expectRefusal, newId } from "../support/expect.ts";
import { spawnService } from "../support/process.ts";
import { type Started, startService, temporaryDirectory } from "../support/service.ts";
import { exchange, openTls, requestText } from "../support/sockets.ts";

const never = "00000000-0000-7000-8000-000000000000";

const open = (started: Started): Promise<TLSSocket> => openTls(started.service.port, { ca: started.ca });

const originOf = (started: Started): string => new URL(started.baseUrl).origin;

describe("/healthz", () => {
  test("GET answers 200 without a key, HEAD the same without a body", async () => {
    const started = await startService();
    const got = await started.fetch(`${originOf(started)}/healthz`);
    expect(await got.json()).toEqual({ status: "ok" });
    expect(got.status).toBe(200);
    expect(got.headers.get("cache-control")).toBe("no-store");
    const head = await started.fetch(`${originOf(started)}/healthz`, { method: "HEAD" });
    expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: "" });
  });

  test("other methods: 405 with Allow", async () => {
    const started = await startService();
    const answer = await started.fetch(`${originOf(started)}/healthz`, { method: "POST" });
    expect({ status: answer.status, allow: answer.headers.get("allow") }).toEqual({ status: 405, allow: "GET, HEAD" });
  });

  test("answers a load balancer that speaks HTTP/1.0 and sends no Host", async () => {
    const started = await startService();
    const answer = await exchange(await open(started), "GET /healthz HTTP/1.0\r\n\r\n");
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { status: "ok" } });
  });

  test("is not under the API path", async () => {
    const started = await startService();
    expectRefusal(await started.call("GET", "/healthz"), 404, "Not found", 0);
  });
});

describe("paths", () => {
  test.each([
    "/",
    "/api",
    "/api/",
    "/snippet",
    "/api/snippet/",
    "//api/snippet",
    "/api//snippet",
    "/API/snippet",
    "/api/Snippet",
    "/api/%73nippet",
    "/api%2Fsnippet",
    "/api/snippet%20",
    "/api/snippet.json",
    "/api/snippet;a=b",
    "/api/snippet/variation/",
    "/api/snippet/../../etc/passwd",
    "/api/constructor",
    "/__proto__",
  ])("%s is unknown: 404 in the error body", async (path) => {
    const started = await startService();
    const answer = await exchange(
      await open(started),
      requestText("GET", path, { Authorization: `Bearer ${started.key.secret}` }),
    );
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 404,
      body: { success: false, message: "Not found", error: "not_found", requestId: newId },
    });
    expect(await started.ledger()).toEqual([]);
  });

  test("a query of another path does not make it one", async () => {
    const started = await startService();
    const answer = await exchange(await open(started), requestText("GET", "/?/api/snippet", {}));
    expect(answer.status).toBe(404);
  });

  test.each([
    ["/", ""],
    ["/snippets-of/team_1/", "/snippets-of/team_1"],
  ])(
    "the API path %s stands before every operation, and the health check stays where it is",
    async (setting, apiPath) => {
      const config = readConfig({ COMMONPLACE_API_PATH: setting });
      expect(config.apiPath).toBe(apiPath);
      const started = await startService({ config: { apiPath } });
      const status = async (path: string) => (await started.fetch(`${originOf(started)}${path}`)).status;
      expect(started.baseUrl).toBe(`${originOf(started)}${apiPath}`);
      expect((await started.client.getTags({ tagIds: [never] })).success).toBe(true);
      expect(await status(`${apiPath}/openapi.json`)).toBe(200);
      expect(await status("/api/snippet")).toBe(404);
      expect(await status("/healthz")).toBe(200);
      await started.service.stop();
    },
  );

  test.each(["api", "/a b", "/a//b", "/a?b", "/ä"])("the API path %p is refused at the start", (setting) => {
    expect(() => readConfig({ COMMONPLACE_API_PATH: setting })).toThrow("COMMONPLACE_API_PATH must be a path");
  });

  test("a port that is taken: one clear line that names the setting", async () => {
    const started = await startService();
    const defaults = readConfig({ COMMONPLACE_DATA_DIRECTORY: temporaryDirectory() });
    for (const [ports, setting] of [
      [{ port: started.service.port, httpPort: undefined }, "COMMONPLACE_HTTPS_PORT"],
      [{ port: 0, httpPort: started.service.port }, "COMMONPLACE_HTTP_PORT"],
    ] as const) {
      const starting = start({ ...defaults, ...ports });
      expect(
        await starting.then(
          () => "started",
          (error: Error) => `${error.name}: ${error.message}`,
        ),
      ).toBe(
        `OperatorError: port ${started.service.port} is already in use. If Commonplace is running, stop it; otherwise set ${setting} to another port`,
      );
    }
  });
});

describe("the log", () => {
  test("one line a call, with the request id of its answer and nothing that the client wrote", async () => {
    const started = await startService({});
    const good = await started.call("POST", "/tag", {
      key: started.key.secret,
      body: { tagName: "A private name", tagColor: "#fff", teamId: started.team.id },
    });
    const bad = await started.call("GET", "/snippet", {
      key: started.limitedKey.secret,
      query: { id: "a-private-query" },
    });
    const stranger = await started.call("GET", "/snippet", {
      key: "wrong",
      headers: { "User-Agent": "a private agent" },
    });
    const lost = await started.call("GET", "/lost");

    const shared = {
      level: "info",
      message: "request",
      durationMilliseconds: expect.any(Number),
      clientAddress: "127.0.0.1",
    };
    expect(started.lines.map((line) => JSON.parse(line))).toEqual([
      {
        ...shared,
        requestId: good.headers.get("x-request-id"),
        method: "POST",
        path: "/api/tag",
        operation: "postTag",
        status: 200,
        units: 1,
        workspaceId: started.workspace.id,
        keyId: started.key.id,
      },
      {
        ...shared,
        requestId: bad.body.requestId,
        method: "GET",
        path: "/api/snippet",
        operation: "getSnippet",
        status: 400,
        code: "invalid_request",
        units: 1,
        workspaceId: started.workspace.id,
        keyId: started.limitedKey.id,
      },
      {
        ...shared,
        requestId: stranger.body.requestId,
        method: "GET",
        path: "/api/snippet",
        operation: "getSnippet",
        status: 401,
        code: "invalid_api_key",
        units: 0,
      },
      {
        ...shared,
        requestId: lost.body.requestId,
        method: "GET",
        path: "/api/lost",
        status: 404,
        code: "not_found",
        units: 0,
      },
    ]);
  });

  test("the process writes them to standard error as JSON lines with their time, and nothing else there", async () => {
    const service = await spawnService(temporaryDirectory());
    const client = service.clientFor(service.announced.key ?? "");
    const ids = [];
    for (let count = 0; count < 20; count += 1)
      ids.push((await client.getTags({ tagIds: [never] })).response?.requestId);
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);

    const lines = service
      .log()
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.requestId)).toEqual(ids);
    for (const line of lines) expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(service.log()).not.toContain(service.announced.key?.slice(8));
  });

  test("off writes nothing", async () => {
    const service = await spawnService(temporaryDirectory(), { COMMONPLACE_LOG_LEVEL: "off" });
    await service.clientFor(service.announced.key ?? "").getTags({ tagIds: [never] });
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);
    expect(service.log()).toBe("");
  });
});
