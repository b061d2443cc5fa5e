// At most 20 requests of a key are admitted in any 60 seconds (decisions, Rate limit).
import "../support/every-time.ts";
import { describe, expect, test } from "bun:test";
import { readConfig } from "../../src/config.ts";
import { engine } from "../support/engine.ts";
import { expectRefusal } from "../support/expect.ts";
import { admittedOf, ask, limited, restart } from "../support/rate-limit.ts";
import { insertLedgerCalls } from "../support/usage.ts";

describe("the limit of a key", () => {
  test("the limit is 20 calls per minute when nothing else is set", () => {
    expect(readConfig({}).requestsPerMinute).toBe(20);
    for (const value of ["0", "-1", "1.5", "many"])
      expect(() => readConfig({ COMMONPLACE_REQUESTS_PER_MINUTE: value })).toThrow(
        "COMMONPLACE_REQUESTS_PER_MINUTE must be a whole number from 1",
      );
    expect(readConfig({ COMMONPLACE_REQUESTS_PER_MINUTE: "1" }).requestsPerMinute).toBe(1);
  });

  test("20 calls are admitted, the 21st is not", async () => {
    const started = await limited();
    expect(await admittedOf(started, started.key.secret, 20)).toBe(20);
    const refused = await ask(started, started.key.secret);
    expectRefusal(refused, 429, "Rate limit exceeded. Try again in 60 seconds", 0);
    expect(refused.headers.get("retry-after")).toBe("60");
  });

  test("20 of 40 calls at the same time are admitted", async () => {
    const started = await limited();
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(started, started.key.secret)));
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(20);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(20);
  });

  test("a sliding window, not a fixed one: a border of the minute lets no second 20 in", async () => {
    const started = await limited({ at: "2026-03-15T12:00:59.000Z" });
    expect(await admittedOf(started, started.key.secret, 20)).toBe(20);
    started.clock.advance(2);
    expect(await admittedOf(started, started.key.secret, 20)).toBe(0);
    started.clock.advance(57.999);
    expect(await admittedOf(started, started.key.secret, 1)).toBe(0);
    started.clock.advance(0.001);
    expect(await admittedOf(started, started.key.secret, 21)).toBe(20);
  });

  test("not a token bucket: a rest earns nothing beyond 20", async () => {
    const started = await limited();
    expect(await admittedOf(started, started.key.secret, 10)).toBe(10);
    started.clock.advance(30);
    expect(await admittedOf(started, started.key.secret, 20)).toBe(10);
    started.clock.advance(30);
    expect(await admittedOf(started, started.key.secret, 20)).toBe(10);
    started.clock.advance(29.999);
    expect(await admittedOf(started, started.key.secret, 20)).toBe(0);
  });

  test("asked evenly, every 3 seconds, a key is never refused", async () => {
    const started = await limited();
    for (let count = 0; count < 100; count += 1) {
      expect((await ask(started, started.key.secret)).status).toBe(200);
      started.clock.advance(3);
    }
  });

  test("waiting Retry-After is enough, one second less is not", async () => {
    const started = await limited();
    for (const seconds of [0, 0.4, 1, 12.345, 0.001]) {
      started.clock.advance(seconds);
      await admittedOf(started, started.key.secret, 4);
    }
    for (let round = 0; round < 8; round += 1) {
      const refused = await ask(started, started.key.secret);
      const seconds = Number(refused.headers.get("retry-after"));
      expect(refused.body.message).toBe(`Rate limit exceeded. Try again in ${seconds} seconds`);
      expect(seconds).toBeInteger();
      expect(seconds).toBeGreaterThanOrEqual(1);
      started.clock.advance(seconds - 1);
      expect((await ask(started, started.key.secret)).status).toBe(429);
      started.clock.advance(1);
      expect(await admittedOf(started, started.key.secret, 20)).toBeGreaterThanOrEqual(1);
    }
  });

  test("Retry-After is at least 1, also a millisecond before there is room", async () => {
    const started = await limited({ config: { requestsPerMinute: 1 } });
    await ask(started, started.key.secret);
    started.clock.advance(59.999);
    const refused = await ask(started, started.key.secret);
    expect({ status: refused.status, retryAfter: refused.headers.get("retry-after") }).toEqual({
      status: 429,
      retryAfter: "1",
    });
    started.clock.advance(0.001);
    expect((await ask(started, started.key.secret)).status).toBe(200);
  });

  test("refused calls do not count: who keeps asking waits no longer", async () => {
    const started = await limited();
    await admittedOf(started, started.key.secret, 20);
    for (let second = 0; second < 60; second += 1) {
      expect((await ask(started, started.key.secret)).headers.get("retry-after")).toBe(String(60 - second));
      started.clock.advance(1);
    }
    expect((await ask(started, started.key.secret)).status).toBe(200);
  });

  test("failed calls of a valid key count like good ones", async () => {
    const started = await limited();
    for (let count = 0; count < 20; count += 1)
      expectRefusal(await started.call("GET", "/snippet", { key: started.key.secret }), 400, "Snippet ID is required");
    expect((await ask(started, started.key.secret)).status).toBe(429);
  });

  test("each key has a limit of its own, within a workspace too", async () => {
    const started = await limited();
    await admittedOf(started, started.key.secret, 20);
    expect((await ask(started, started.key.secret)).status).toBe(429);
    expect(await admittedOf(started, started.limitedKey.secret, 21)).toBe(20);
  });

  test("the limit is exact across two nodes of an instance", async () => {
    const started = await limited();
    const other = await limited({ config: { dataDirectory: started.dataDirectory } });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ask(index % 2 === 0 ? started : other, started.key.secret)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    for (const node of [started, other])
      expect((await ask(node, started.key.secret)).headers.get("retry-after")).toBe("60");
    await other.service.stop();
  });

  test("the limit survives a restart", async () => {
    const started = await limited();
    await admittedOf(started, started.key.secret, 15);
    started.clock.advance(20);

    const again = await restart(started);

    expect(await admittedOf(again, started.key.secret, 10)).toBe(5);
    expect((await ask(again, started.key.secret)).headers.get("retry-after")).toBe("40");
    again.clock.advance(40);
    expect(await admittedOf(again, started.key.secret, 20)).toBe(15);
  });

  test("a limit that was lowered at a restart counts the calls before it, and Retry-After is still enough", async () => {
    const started = await limited();
    for (let count = 0; count < 20; count += 1) {
      await ask(started, started.key.secret);
      started.clock.advance(1);
    }

    const again = await restart(started, { requestsPerMinute: 5 });

    const refused = await ask(again, started.key.secret);
    // Of the 20 calls of 20 seconds, 16 have to leave: the 16th was made 5 seconds ago.
    expect(refused.headers.get("retry-after")).toBe("55");
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    again.clock.advance(54);
    expect((await ask(again, started.key.secret)).status).toBe(429);
    again.clock.advance(1);
    expect(await admittedOf(again, started.key.secret, 2)).toBe(1);
  });

  test("a limit that was raised at a restart lets the rest in", async () => {
    const started = await limited({ config: { requestsPerMinute: 3 } });
    await admittedOf(started, started.key.secret, 3);
    const again = await restart(started, { requestsPerMinute: 5 });
    expect(await admittedOf(again, started.key.secret, 5)).toBe(2);
  });

  test("a clock that steps back opens no window, and waiting Retry-After stays enough", async () => {
    const started = await limited();
    await admittedOf(started, started.key.secret, 20);
    started.clock.advance(-3_600);
    expect(await admittedOf(started, started.key.secret, 5)).toBe(0);
    started.clock.advance(59);
    expect((await ask(started, started.key.secret)).headers.get("retry-after")).toBe("1");
  });

  // PostgreSQL has its own clock and does not start with the service.
  test.skipIf(engine.name !== "sqlite")("nor does it over a restart", async () => {
    const started = await limited();
    await admittedOf(started, started.key.secret, 20);
    started.clock.advance(-3_541);
    const again = await restart(started);
    expect((await ask(again, started.key.secret)).headers.get("retry-after")).toBe("60");
    again.clock.advance(60);
    expect((await ask(again, started.key.secret)).status).toBe(200);
  });

  test("calls of a time that is far from now do not lock a key out: there the earlier clock was wrong", async () => {
    const started = await limited();
    await admittedOf(started, started.key.secret, 20);
    started.clock.advance(-10 * 365 * 86_400);
    const again = await restart(started);
    expect(await admittedOf(again, started.key.secret, 25)).toBe(20);
  });

  test("a call that a fast clock recorded counts once the window reaches it, also where only refused calls came before", async () => {
    const started = await limited({ config: { requestsPerMinute: 3 } });
    const { admin, workspace, key, clock } = started;
    const callsAt = [5, 5, 5, 70].map((seconds) => ({
      at: new Date(clock.now + seconds * 1_000).toISOString(),
      keyId: key.id,
    }));
    await admin((transaction) => insertLedgerCalls(transaction, workspace.id, callsAt));
    expect((await ask(started, key.secret)).status).toBe(429);
    clock.advance(66);
    const admitted = await ask(started, key.secret);
    expect([admitted.status, admitted.headers.get("x-ratelimit-remaining")]).toEqual([200, "1"]);
  });
});
