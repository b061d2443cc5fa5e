// Decisions, section 8: at most 20 admitted calls of a key in any 60 seconds, and 60 failed authentications of an address.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { admit } from "../../src/api/authenticate.ts";
import { readConfig } from "../../src/config.ts";
import { FailedAuthentications } from "../../src/metering/keys/failed-authentications.ts";
import { type AdmissionRow, admissionOf } from "../../src/metering/keys/keys.store.ts";
import { createKey, deactivateKey } from "../../src/metering/keys/keys.ts";
import { resetSeconds } from "../../src/metering/keys/rate-limit.ts";
import { newSecret } from "../../src/metering/keys/secret.ts";
import { insertLedgerEntry } from "../../src/metering/quota/quota.store.ts";
import { networkOf } from "../../src/platform/client-network.ts";
import type { Transaction } from "../../src/platform/database/database.ts";
import { hashSecret } from "../../src/platform/secrets/secrets.ts";
import { engine, momentsAround, openNode } from "../support/engine.ts";
import { expectRefusal } from "../support/expect.ts";
import { type Options, type RawAnswer, type Started, startService, temporaryDirectory } from "../support/service.ts";

const at = "2026-03-15T12:00:00.000Z";
const never = "00000000-0000-7000-8000-000000000000";
const limited = (options: Options = {}) =>
  startService({ at, ...options, config: { requestsPerMinute: 20, ...options.config } });

const ask = (started: Pick<Started, "call">, key: string): Promise<RawAnswer> =>
  started.call("GET", "/tags", { key, query: { ids: never } });

/** How many of so many calls were admitted; the others must be refused for the rate limit. */
async function admittedOf(started: Pick<Started, "call">, key: string, calls: number): Promise<number> {
  let admitted = 0;
  for (let count = 0; count < calls; count += 1) {
    const { status } = await ask(started, key);
    if (status === 200) admitted += 1;
    else expect(status).toBe(429);
  }
  return admitted;
}

/** The same instance after a stop: a new service on the same data, at the same moment. */
async function restart(started: Started, config: Options["config"] = {}): Promise<Started> {
  await started.service.stop();
  return limited({
    at: new Date(started.clock.now).toISOString(),
    config: { dataDirectory: started.dataDirectory, ...config },
  });
}

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

  // A PostgreSQL tells the time itself, and is not started with the service.
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
});

describe("the limit against a brute-force model, on a virtual clock", () => {
  const windowMilliseconds = 60_000;
  const startMilliseconds = Date.parse(at);

  /** The rule said in the simplest way: every admitted moment is kept, every question counts them all. */
  class Model {
    readonly #moments: number[] = [];
    #inWindow = (now: number) => this.#moments.filter((moment) => moment > now - windowMilliseconds).length;

    admits(now: number, limit: number): boolean {
      return this.#inWindow(now) < limit;
    }
    add(now: number): void {
      this.#moments.push(now);
    }
    /** The least whole number of seconds, at least 1, after which a call would be admitted. */
    retryAfterSeconds(now: number, limit: number): number {
      let seconds = 1;
      while (this.#inWindow(now + seconds * 1_000) >= limit) seconds += 1;
      return seconds;
    }
    /** The most admitted calls in any 60 seconds. */
    worstWindow(): number {
      return Math.max(
        0,
        ...this.#moments.map((end) => this.#inWindow(end) - this.#moments.filter((m) => m > end).length),
      );
    }
  }

  /** The transaction, at a moment of the test's choice. */
  const atMoment = (transaction: Transaction, milliseconds: number): Transaction => ({
    now: new Date(milliseconds).toISOString(),
    newId: () => transaction.newId(),
    all: (query) => transaction.all(query),
    first: (query) => transaction.first(query),
    run: (query) => transaction.run(query),
    send: (query) => transaction.send(query),
    lock: (purpose, query) => transaction.lock(purpose, query),
    insert: (table, rows) => transaction.insert(table, rows),
    savepoint: (work) => transaction.savepoint(work),
  });

  interface Arrival {
    readonly afterMilliseconds: number;
    readonly key: number;
    /** From this call on, as after a restart with another setting. */
    readonly newLimit: number | undefined;
  }
  const arrival: fc.Arbitrary<Arrival> = fc.record({
    afterMilliseconds: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 50 }) },
      { weight: 3, arbitrary: fc.integer({ min: 0, max: 8_000 }) },
      { weight: 2, arbitrary: fc.constantFrom(0, 1, 999, 1_000, 1_001, 3_000, 59_999, 60_000, 60_001) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 90_000 }) },
    ),
    key: fc.constantFrom(0, 0, 0, 1),
    newLimit: fc.oneof(
      { weight: 30, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 20 }) },
    ),
  });

  // The rule is the same on every engine; where each statement is a journey, fewer sequences hold the SQL to it.
  const sequences = engine.name === "sqlite" ? 2_000 : 400;
  test(`${sequences} random sequences: the same calls admitted, Retry-After exact, never more than the limit in any 60 s`, async () => {
    const database = await openNode(temporaryDirectory(), () => startMilliseconds);
    let [admittedCalls, limitedCalls] = [0, 0];
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 20 }),
          fc.array(arrival, { minLength: 1, maxLength: 60, size: "max" }),
          async (firstLimit, arrivals) => {
            await database.transaction(async (transaction) => {
              const workspace = await createWorkspace(transaction, "Model", 1_000_000);
              const keys = [
                await createKey(transaction, workspace.id, "One", "all"),
                await createKey(transaction, workspace.id, "Two", "all"),
              ].map((key) => ({ id: key.id, hash: hashSecret(key.secret), model: new Model() }));
              let [now, limit, isLowered] = [startMilliseconds, firstLimit, false];
              for (const { afterMilliseconds, key: index, newLimit } of arrivals) {
                now += afterMilliseconds;
                if (newLimit !== undefined) {
                  isLowered ||= newLimit < limit;
                  limit = newLimit;
                }
                const key = keys[index];
                if (!key) throw new Error("a sequence has two keys");
                const moment = atMoment(transaction, now);
                const look = admissionOf(key.hash).look(momentsAround(now));
                const row = await transaction.first<AdmissionRow>(look);
                const admission = await admit(moment, row, { secretHash: key.hash }, limit);
                expect(admission.kind).toBe(key.model.admits(now, limit) ? "admitted" : "limited");
                if (admission.kind === "limited") {
                  limitedCalls += 1;
                  expect(resetSeconds(admission.window, admission.now)).toBe(key.model.retryAfterSeconds(now, limit));
                } else if (admission.kind === "admitted") {
                  admittedCalls += 1;
                  key.model.add(now);
                  insertLedgerEntry(moment, {
                    id: transaction.newId(),
                    workspace_id: workspace.id,
                    key_id: key.id,
                    key_call: admission.keyCall,
                    operation: "getSnippet",
                    status: 200,
                    units: 0,
                    balance_after: 0,
                    team_id: null,
                  });
                }
              }
              if (!isLowered && limit === firstLimit)
                for (const { model } of keys) expect(model.worstWindow()).toBeLessThanOrEqual(limit);
            });
          },
        ),
        { numRuns: sequences },
      );
      // Sequences in which nothing was refused would prove nothing.
      expect(Math.min(admittedCalls, limitedCalls)).toBeGreaterThan(2.5 * sequences);
    } finally {
      await database.close();
    }
  }, 60_000);
});

describe("failed authentication", () => {
  const wrong = (started: Started, headers: Record<string, string> = {}) =>
    started.call("GET", "/snippet", { key: newSecret(), headers });

  test("60 failures of an address in 60 s are 401, further ones 429 with Retry-After", async () => {
    const started = await limited();
    for (let count = 0; count < 30; count += 1) {
      expect((await wrong(started)).status).toBe(401);
      expect((await started.call("GET", "/snippet")).status).toBe(401);
    }
    started.clock.advance(10);
    for (const answer of [
      await wrong(started),
      await started.call("GET", "/snippet"),
      await started.call("GET", "/snippet", { key: "x" }),
    ]) {
      expectRefusal(answer, 429, "Rate limit exceeded. Try again in 50 seconds", 0);
      expect(answer.headers.get("retry-after")).toBe("50");
    }
    started.clock.advance(49);
    expect((await wrong(started)).headers.get("retry-after")).toBe("1");
    started.clock.advance(1);
    expect((await wrong(started)).status).toBe(401);
  });

  test("a valid key from the same address is still admitted, and its calls do not count as failures", async () => {
    const started = await limited();
    for (let count = 0; count < 59; count += 1) await wrong(started);
    expect(await admittedOf(started, started.key.secret, 20)).toBe(20);
    expect((await wrong(started)).status).toBe(401);
    expect((await wrong(started)).status).toBe(429);
    expect(await admittedOf(started, started.limitedKey.secret, 20)).toBe(20);
  });

  test("a deactivated key and a key that ran into its limit: the one fails, the other does not", async () => {
    const started = await limited();
    await admittedOf(started, started.limitedKey.secret, 80);
    await started.admin((transaction) => deactivateKey(transaction, started.key.id));
    for (let count = 0; count < 60; count += 1) expect((await ask(started, started.key.secret)).status).toBe(401);
    expect((await ask(started, started.key.secret)).status).toBe(429);
  });

  test("the address behind a trusted proxy is the client's, not the proxy's", async () => {
    const started = await limited({ config: { trustedProxies: ["127.0.0.1"] } });
    const from = (client: string) => wrong(started, { "X-Forwarded-For": client });
    for (let count = 0; count < 60; count += 1) expect((await from("192.0.2.1")).status).toBe(401);
    expect((await from("192.0.2.1")).status).toBe(429);
    expect((await from("192.0.2.2")).status).toBe(401);
    // What stands before the last untrusted address is the client's own invention.
    expect((await from("203.0.113.9, 192.0.2.1")).status).toBe(429);
    expect((await from("192.0.2.1, 127.0.0.1")).status).toBe(429);
    expect((await from("192.0.2.1, 203.0.113.9")).status).toBe(401);
    expect((await wrong(started)).status).toBe(401);
  });

  test("a last hop that is no address hides nobody behind an invented one", async () => {
    const started = await limited({ config: { trustedProxies: ["127.0.0.1"] } });
    for (let count = 0; count < 60; count += 1)
      await wrong(started, { "X-Forwarded-For": `203.0.113.${count}, unknown` });
    expect((await wrong(started, { "X-Forwarded-For": "203.0.113.99, unknown" })).status).toBe(429);
  });

  test("X-Forwarded-For of somebody who is no trusted proxy is ignored", async () => {
    const started = await limited({ config: { trustedProxies: ["192.0.2.7"] } });
    for (let count = 0; count < 60; count += 1)
      expect((await wrong(started, { "X-Forwarded-For": `192.0.2.${count}` })).status).toBe(401);
    expect((await wrong(started, { "X-Forwarded-For": "192.0.2.200" })).status).toBe(429);
  });

  test("IPv6: all of a /64 are one client, another /64 is another", async () => {
    const started = await limited({ config: { trustedProxies: ["127.0.0.1"] } });
    const from = (client: string) => wrong(started, { "X-Forwarded-For": client });
    for (let count = 0; count < 60; count += 1)
      expect((await from(`2001:db8:1:2::${count.toString(16)}`)).status).toBe(401);
    expect((await from("2001:db8:1:2:ffff:ffff:ffff:ffff")).status).toBe(429);
    expect((await from("2001:db8:1:3::1")).status).toBe(401);
  });

  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:db8::1:2:3:4:5", "2001:db8:0:1::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ])("the network of %s is %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });

  test("the window of failures slides, and many addresses do not make it forget recent ones", () => {
    let now = 0;
    const failures = new FailedAuthentications(() => now);
    for (let count = 0; count < 60; count += 1) {
      expect(failures.add("192.0.2.1")).toBeUndefined();
      now += 500;
    }
    expect(failures.add("192.0.2.1")).toBe(30);
    for (let count = 0; count < 20_000; count += 1)
      failures.add(`10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`);
    expect(failures.add("192.0.2.1")).toBe(30);
    now += 30_000;
    expect(failures.add("192.0.2.1")).toBeUndefined();
    expect(failures.add("192.0.2.1")).toBe(1);
  });
});
