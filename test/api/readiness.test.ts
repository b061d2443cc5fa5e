// The probes /healthz and /readyz, and the shutdown of a service behind a load balancer: not ready first, still serving for a while, then stopped.
import { describe, expect, test } from "bun:test";
import { connect as connectHttp2 } from "node:http2";
import { DatabaseUnavailable } from "../../src/platform/database/database.ts";
import { Probes } from "../../src/platform/http/probes.ts";
import { engine } from "../support/engine.ts";
import { newId } from "../support/expect.ts";
import { until } from "../support/nodes.ts";
import "../support/once.ts";
import { type ServiceProcess, spawnService } from "../support/process.ts";
import { startService, temporaryDirectory } from "../support/service.ts";
import { exchange, openPlain, openTls, parseAnswer, readToEnd, requestText } from "../support/sockets.ts";

const never = "00000000-0000-7000-8000-000000000000";
const originOf = ({ baseUrl }: { baseUrl: string }): string => new URL(baseUrl).origin;
const refusalOf = (message: string, error: string) => ({ success: false, message, error, requestId: newId });
const unavailable = refusalOf("The service cannot reach its database. Nothing was changed or charged", "unavailable");
const draining = refusalOf("The service is shutting down. Nothing was changed or charged", "draining");

/** A service whose database the test can make unavailable. */
async function startWithDatabase() {
  const started = await startService({});
  const { database } = started.service;
  const ping = database.ping.bind(database);
  const state = { isGone: false };
  database.ping = () => (state.isGone ? Promise.reject(new DatabaseUnavailable("planted")) : ping());
  const probe = async (path: string) => {
    const answer = await started.fetch(`${originOf(started)}${path}`);
    return { status: answer.status, retryAfter: answer.headers.get("retry-after"), body: await answer.json() };
  };
  return { started, state, probe };
}

describe("/readyz", () => {
  test("GET answers 200 without a key and free of charge, HEAD the same without a body", async () => {
    const started = await startService();
    const got = await started.fetch(`${originOf(started)}/readyz`);
    expect({ status: got.status, body: await got.json() }).toEqual({ status: 200, body: { status: "ready" } });
    expect(got.headers.get("cache-control")).toBe("no-store");
    expect(got.headers.get("x-request-cost")).toBe("0");
    const head = await started.fetch(`${originOf(started)}/readyz`, { method: "HEAD" });
    expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: "" });
    const socket = await openTls(started.service.port, { ca: started.ca });
    const old = await exchange(socket, "GET /readyz HTTP/1.0\r\n\r\n");
    expect({ status: old.status, body: old.body }).toEqual({ status: 200, body: { status: "ready" } });
  });

  test("other methods: 405; under the API path: 404; on the plain port: 403", async () => {
    const started = await startService();
    const posted = await started.fetch(`${originOf(started)}/readyz`, { method: "POST" });
    expect({ status: posted.status, allow: posted.headers.get("allow") }).toEqual({ status: 405, allow: "GET, HEAD" });
    expect((await started.call("GET", "/readyz")).status).toBe(404);
    const plain = await openPlain(started.service.httpPort ?? 0);
    expect((await exchange(plain, requestText("GET", "/readyz"))).status).toBe(403);
  });

  test("without a database: 503 that says so, with Retry-After, and why in the log; /healthz stays 200; then 200 again", async () => {
    const { started, state, probe } = await startWithDatabase();
    state.isGone = true;
    expect(await probe("/readyz")).toEqual({ status: 503, retryAfter: "1", body: unavailable });
    expect(await probe("/healthz")).toEqual({ status: 200, retryAfter: null, body: { status: "ok" } });
    expect(started.lines.filter((line) => line.includes("planted"))).toHaveLength(1);
    const head = await started.fetch(`${originOf(started)}/readyz`, { method: "HEAD" });
    expect({ status: head.status, text: await head.text() }).toEqual({ status: 503, text: "" });

    state.isGone = false;
    expect(await probe("/readyz")).toEqual({ status: 200, retryAfter: null, body: { status: "ready" } });
    await started.service.stop();
  });

  test("as soon as a request could not be written: 503, although another one was a moment before", async () => {
    const { started, probe } = await startWithDatabase();
    const write = () => {
      const body = { tagName: crypto.randomUUID(), tagColor: "#fff", teamId: started.team.id };
      return started.call("POST", "/tag", { key: started.key.secret, body });
    };
    expect((await write()).status).toBe(200);
    const other = await engine.connect(started.dataDirectory);
    for (const statement of engine.blockWriters) await other.run(statement);
    expect((await write()).status).toBe(503);
    expect((await probe("/readyz")).status).toBe(503);
    await other.run("rollback");
    await other.close();
    await until(async () => (await probe("/readyz")).status === 200, 30_000);
    expect((await write()).status).toBe(200);
    await started.service.stop();
  }, 60_000);

  test("is asked so often that the log tells of good news only at debug, and of bad news as an error", async () => {
    const { started, state, probe } = await startWithDatabase();
    await probe("/healthz");
    await probe("/readyz");
    state.isGone = true;
    await probe("/readyz");
    const calls = started.lines.map((line) => JSON.parse(line)).filter(({ message }) => message === "request");
    expect(calls.map(({ level, path }) => [level, path])).toEqual([
      ["debug", "/healthz"],
      ["debug", "/readyz"],
      ["error", "/readyz"],
    ]);
    await started.service.stop();
  });

  test("a database that hangs: 503 within seconds, one question for all who ask, and /healthz at once", async () => {
    let asked = 0;
    let answer: () => void = () => undefined;
    const ping = () => {
      asked += 1;
      return new Promise<void>((resolve) => {
        answer = resolve;
      });
    };
    const probes = new Probes({ ping }, () => undefined);
    const waiting = Promise.all(Array.from({ length: 50 }, () => probes.readiness(never)));
    expect(probes.health(never).status).toBe(200);
    const startedAt = performance.now();
    expect((await waiting).map(({ status, code }) => [status, code])).toEqual(Array(50).fill([503, "unavailable"]));
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    expect(asked).toBe(1);

    const ready = probes.readiness(never);
    answer();
    expect((await ready).status).toBe(200);
    const next = probes.readiness(never);
    expect(asked).toBe(2);
    answer();
    expect((await next).status).toBe(200);
  });

  test("once the service ends it says no, also to who asked before", async () => {
    let answer: () => void = () => undefined;
    const ping = () =>
      new Promise<void>((resolve) => {
        answer = resolve;
      });
    const probes = new Probes({ ping }, () => undefined);
    const asked = probes.readiness(never);
    probes.isDraining = true;
    answer();
    expect(await asked).toMatchObject({ status: 503, code: "draining", headers: { "Retry-After": "1" } });
    expect(JSON.parse(String((await probes.readiness(never)).body))).toEqual({ ...draining, requestId: never });
  });
});

describe("SIGTERM with COMMONPLACE_DRAIN_SECONDS", () => {
  const settings = { COMMONPLACE_LOG_LEVEL: "info" };
  const start = (seconds: number): Promise<ServiceProcess> =>
    spawnService(temporaryDirectory(), { ...settings, COMMONPLACE_DRAIN_SECONDS: String(seconds) });
  const readiness = async (service: ServiceProcess) => {
    const answer = await service.fetch(`${originOf(service)}/readyz`);
    return { status: answer.status, body: await answer.json(), connection: answer.headers.get("connection") };
  };
  /** Resolves when the service logs that it is shutting down. */
  async function untilDraining(service: ServiceProcess): Promise<void> {
    while ((await readiness(service)).status === 200);
  }
  const isListening = (port: number): Promise<boolean> =>
    openPlain(port).then(
      (socket) => Boolean(socket.destroy()),
      () => false,
    );

  test("/readyz says no at once, calls are answered on old and new connections, then no one is let in, and it ends with 0", async () => {
    const service = await start(3);
    const { key = "" } = service.announced;
    const authorization = `Bearer ${key}`;
    const path = `/api/tags?ids=${never}`;
    const kept = await openTls(service.port, { rejectUnauthorized: false });
    const session = connectHttp2(originOf(service), { rejectUnauthorized: false });
    session.on("error", () => undefined);
    const statusOver2 = () =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ":path": path, authorization });
        stream.on("response", (headers) => resolve(headers[":status"]));
        stream.on("error", reject);
        stream.resume();
        stream.end();
      });
    expect(await statusOver2()).toBe(200);
    expect(await readiness(service)).toMatchObject({ status: 200, body: { status: "ready" } });

    const signalledAt = performance.now();
    service.kill("SIGTERM");
    await untilDraining(service);
    expect(performance.now() - signalledAt).toBeLessThan(2_000);
    expect(await readiness(service)).toEqual({ status: 503, body: draining, connection: "close" });
    expect((await service.fetch(`${originOf(service)}/healthz`)).status).toBe(200);
    const ending = readToEnd(kept);
    kept.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n\r\n`);
    const answer = parseAnswer(await ending);
    expect({ status: answer.status, connection: answer.headers.connection }).toEqual({
      status: 200,
      connection: "close",
    });
    expect([await statusOver2(), await statusOver2()]).toEqual([200, 200]);
    const [fresh, late] = await Promise.all([
      openTls(service.port, { rejectUnauthorized: false }),
      openTls(service.port, { rejectUnauthorized: false }),
    ]);
    expect((await exchange(fresh, requestText("GET", path, { Authorization: authorization }))).status).toBe(200);

    // In flight when the listener closes.
    const body = JSON.stringify({ tagName: "Late", tagColor: "#fff", teamId: service.announced.team_id });
    const lateAnswer = readToEnd(late);
    late.write(
      `POST /api/tag HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    while (await isListening(service.port)) await Bun.sleep(10);
    const drainedMilliseconds = performance.now() - signalledAt;
    late.write(body.slice(10));
    expect(parseAnswer(await lateAnswer)).toMatchObject({ status: 200, body: { data: { tag: { tag_name: "Late" } } } });
    session.destroy();
    expect(await service.ended).toBe(0);
    expect(drainedMilliseconds).toBeGreaterThan(2_900);
    expect(drainedMilliseconds).toBeLessThan(5_000);
    // The shutdown is not a failure.
    const levels = service.log().trimEnd().split("\n");
    expect(levels.map((line) => JSON.parse(line)).filter(({ level }) => level !== "info")).toEqual([]);
  }, 60_000);

  test("the longest wait and a call that never ends: over within 15 s", async () => {
    const service = await start(10);
    const socket = await openTls(service.port, { rejectUnauthorized: false });
    const closed = readToEnd(socket);
    socket.write(
      `POST /api/tag HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${service.announced.key}\r\nContent-Length: 100\r\n\r\n{`,
    );
    await readiness(service);
    const signalledAt = performance.now();
    service.kill("SIGTERM");
    expect(await service.ended).toBe(0);
    expect(performance.now() - signalledAt).toBeGreaterThan(10_000);
    expect(performance.now() - signalledAt).toBeLessThan(15_000);
    await closed;
  }, 60_000);

  test("SIGINT does not wait", async () => {
    const service = await start(10);
    const signalledAt = performance.now();
    service.kill("SIGINT");
    expect(await service.ended).toBe(0);
    expect(performance.now() - signalledAt).toBeLessThan(5_000);
  }, 60_000);

  test.each(["SIGTERM", "SIGINT"] as const)(
    "a second signal, %s, ends it at once",
    async (second) => {
      const service = await start(10);
      const signalledAt = performance.now();
      service.kill("SIGTERM");
      await untilDraining(service);
      service.kill(second);
      expect(await service.ended).not.toBe(0);
      expect(performance.now() - signalledAt).toBeLessThan(5_000);
    },
    60_000,
  );
});
