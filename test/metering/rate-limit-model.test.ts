// Decisions, section 8: the rate limit against a model that counts by brute force.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { admit } from "../../src/api/authenticate.ts";
import { Admissions } from "../../src/metering/admission/admission.ts";
import { createKey } from "../../src/metering/keys/keys.ts";
import { resetSeconds } from "../../src/metering/keys/rate-limit.ts";
import type { Transaction } from "../../src/platform/database/database.ts";
import { hashSecret } from "../../src/platform/secrets/secrets.ts";
import { engine, momentsAround, openNode } from "../support/engine.ts";
import { at } from "../support/rate-limit.ts";
import { temporaryDirectory } from "../support/service.ts";

describe("the limit against a brute-force model, on a virtual clock", () => {
  const windowMilliseconds = 60_000;
  const startMilliseconds = Date.parse(at);

  /** The simplest implementation of the rule: stores every admitted call and counts them all. */
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

  /** A transaction at a time that the test chooses. */
  const atMoment = (transaction: Transaction, milliseconds: number): Transaction => ({
    now: new Date(milliseconds).toISOString(),
    newId: () => transaction.newId(),
    all: (query) => transaction.all(query),
    first: (query) => transaction.first(query),
    run: (query) => transaction.run(query),
    send: (query) => transaction.send(query),
    lock: (purpose, query) => transaction.lock(purpose, query),
    lockVisible: (purpose, query) => transaction.lockVisible(purpose, query),
    insert: (table, rows) => transaction.insert(table, rows),
    update: (table, keyColumns, rows) => transaction.update(table, keyColumns, rows),
    add: (table, keyColumns, rows) => transaction.add(table, keyColumns, rows),
    savepoint: (work) => transaction.savepoint(work),
  });

  interface Arrival {
    readonly afterMilliseconds: number;
    readonly key: number;
    /** From this call on, as after a restart with another setting. */
    readonly newLimit: number | undefined;
    /** Everything is read again, as after a restart; otherwise what is in memory goes on. */
    readonly isReloaded: boolean;
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
    isReloaded: fc.boolean(),
  });

  // The rule is the same on every engine; on PostgreSQL, where each statement is a round trip, fewer sequences check the SQL.
  const sequences = engine.name === "sqlite" ? 1_000 : 100;
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
              // A node on PostgreSQL remembers nothing from one call to the next.
              const isLasting = engine.name === "sqlite";
              const admissions = new Admissions({ isLasting, isExclusive: true });
              for (const { afterMilliseconds, key: index, newLimit, isReloaded } of arrivals) {
                now += afterMilliseconds;
                if (newLimit !== undefined) {
                  isLowered ||= newLimit < limit;
                  limit = newLimit;
                }
                const key = keys[index];
                if (!key) throw new Error("a sequence has two keys");
                const moment = atMoment(transaction, now);
                if (isReloaded || !isLasting) admissions.clear();
                if (!admissions.find(key.hash))
                  await admissions.load(
                    moment,
                    await transaction.all(admissions.opening([key.hash]).read(momentsAround(now))),
                  );
                const admission = await admit(moment, admissions, { secretHash: key.hash }, limit);
                expect(admission.kind).toBe(key.model.admits(now, limit) ? "admitted" : "limited");
                if (admission.kind === "limited") {
                  limitedCalls += 1;
                  expect(resetSeconds(admission.window, admission.now)).toBe(key.model.retryAfterSeconds(now, limit));
                } else if (admission.kind === "admitted") {
                  admittedCalls += 1;
                  key.model.add(now);
                  admissions.charge(admission.caller, {
                    id: transaction.newId(),
                    key_call: admission.keyCall,
                    operation: "getSnippet",
                    status: 200,
                    units: 0,
                    team_id: null,
                    error_code: null,
                    error_message: null,
                    duration_microseconds: 0,
                    client_address: "127.0.0.1",
                    admitted_at: moment.now,
                  });
                  await admissions.flush(moment);
                }
              }
              if (!isLowered && limit === firstLimit)
                for (const { model } of keys) expect(model.worstWindow()).toBeLessThanOrEqual(limit);
            });
          },
        ),
        { numRuns: sequences },
      );
      // Sequences without a refusal would prove nothing.
      expect(Math.min(admittedCalls, limitedCalls)).toBeGreaterThan(2.5 * sequences);
    } finally {
      await database.close();
    }
  }, 60_000);
});
