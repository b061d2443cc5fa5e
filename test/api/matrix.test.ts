// The matrix: every operation × every promise that holds for all of them.
import "../support/every-time.ts";
import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { errorBody, paginationOf } from "../../src/contract/envelope.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { operationNames, operations } from "../../src/contract/operations.ts";
import { createKey, deactivateKey } from "../../src/metering/keys/keys.ts";
import { newSecret } from "../../src/metering/keys/secret.ts";
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { needsImport, requiredNoun } from "../support/case.ts";
import { cases } from "../support/cases.ts";
import { type RawAnswer, type Started, startService } from "../support/service.ts";
import { makeTargets, neverExisted, type Targets } from "../support/targets.ts";

/** The exact schema of an operation's response. */
function envelopeOf(operation: Operation): z.ZodType {
  const usage = z.strictObject({
    remainingRequests: z.int().min(0),
    ...(operation.cost.dependsOnItems && { usageDeducted: z.int().min(0) }),
  });
  return z.strictObject({
    success: z.literal(true),
    data: operation.data,
    usage,
    ...(operation.metadata && { metadata: operation.metadata }),
    ...(operation.paging && { pagination: paginationOf[operation.paging] }),
  });
}

function expectRefusal(answer: RawAnswer, status: number, message: string, units: number): void {
  expect(answer.body).toEqual({ ...answer.body, success: false, message });
  expect(answer.status).toBe(status);
  expect(errorBody.safeParse(answer.body).error).toBeUndefined();
  expect(answer.headers.get("x-request-cost")).toBe(String(units));
  expect(answer.headers.get("x-request-id")).toBe(answer.body.requestId);
  expect(answer.headers.get("x-api-version")).toBe("1.0.0");
}

/** Leaves the workspace exactly this balance, by the size of the month's grant. */
const leave = (started: Started, units: number) =>
  started.admin(async (transaction) => {
    const used = (await started.ledger()).reduce((sum, row) => sum + row.units, 0);
    await changeWorkspace(transaction, started.workspace.id, { monthly_requests: used + units });
  });

const refusalWithoutId = (answer: RawAnswer) => ({ ...answer.body, requestId: undefined });

describe.each([...operationNames])("%s", (name) => {
  const operation: Operation = operations[name];
  const example = cases[name];
  const noun = requiredNoun(example);
  const hasIds = example.places.length > 0;
  const needsIds = example.places.some((place) => !place.isOptional);
  const send = (started: Started, targets: Targets, key?: string) =>
    started.call(operation.method, operation.path, { ...example.request(targets), key });

  test("answers in its shape, at the cost of the table, charged once in the ledger", async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id, needsImport(example));
    const before = await started.balance();

    const answer = await send(started, targets, started.limitedKey.secret);

    expect(answer.body).toMatchObject({ success: true });
    expect(answer.status).toBe(200);
    expect(envelopeOf(operation).safeParse(answer.body).error).toBeUndefined();
    expect(answer.body.usage.remainingRequests).toBe(before - example.units);
    if (operation.cost.dependsOnItems) expect(answer.body.usage.usageDeducted).toBe(example.units);
    expect(answer.headers.get("x-request-cost")).toBe(String(example.units));
    const type = operation.isText ? "text/plain" : operation.isFile ? "application/" : "application/json";
    expect(answer.headers.get("content-type")).toStartWith(type);
    expect(answer.headers.get("strict-transport-security")).toContain("max-age=");
    expect(await started.balance()).toBe(before - example.units);
    expect((await started.ledger()).at(-1)).toMatchObject({
      id: answer.headers.get("x-request-id"),
      operation: name,
      status: 200,
      units: example.units,
      balance_after: before - example.units,
      key_id: started.limitedKey.id,
    });
  });

  test("without a key, with a wrong one, with a deactivated one: 401, free", async () => {
    const started = await startService();
    const targets = neverExisted();
    await started.admin((transaction) => deactivateKey(transaction, started.limitedKey.id));
    // All tests share one address: waits until the other tests' failures no longer count.
    started.clock.advance(60);
    const [before, calls] = [await started.balance(), (await started.ledger()).length];

    const missing = await send(started, targets);
    expectRefusal(missing, 401, "Authorization header with Bearer token is required", 0);
    expect(missing.headers.get("www-authenticate")).toBe("Bearer");
    for (const key of [newSecret(), "cpl_wrong", started.limitedKey.secret])
      expectRefusal(await send(started, targets, key), 401, "Invalid or inactive API key", 0);

    expect(await started.balance()).toBe(before);
    expect(await started.ledger()).toHaveLength(calls);
  });

  test("with an inactive subscription: 403, free", async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id, needsImport(example));
    await started.admin((transaction) =>
      changeWorkspace(transaction, started.workspace.id, { subscription: "inactive" }),
    );
    const [before, content] = [await started.balance(), await started.content()];

    expectRefusal(await send(started, targets, started.key.secret), 403, "Workspace subscription is not active", 0);

    expect(await started.balance()).toBe(before);
    expect(await started.content()).toEqual(content);
    expect((await started.ledger()).at(-1)).toMatchObject({ status: 403, units: 0 });
  });

  test("with one unit too few: 403, nothing changed, free; with exactly enough: done", async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id, needsImport(example));
    await leave(started, example.units - 1);
    const content = await started.content();

    const refused = await send(started, targets, started.key.secret);

    expectRefusal(
      refused,
      403,
      `Insufficient API requests: ${example.units} required, ${example.units - 1} remaining`,
      0,
    );
    expect(refused.body.usage).toEqual({ requiredRequests: example.units, remainingRequests: example.units - 1 });
    expect(refused.body.error).toBe("quota_exceeded");
    expect(await started.content()).toEqual(content);
    expect(await started.balance()).toBe(example.units - 1);

    await leave(started, example.units);
    const done = await send(started, targets, started.key.secret);
    expect(done.body).toMatchObject({ success: true, usage: { remainingRequests: 0 } });
    expect(await started.balance()).toBe(0);
  });

  test("a team out of reach: 403 for 1 unit, or left out for nothing; nothing changed", async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.otherTeam.id, needsImport(example));
    for (const key of [started.limitedKey.secret, started.emptyKey.secret]) {
      const [before, content] = [await started.balance(), await started.content()];

      const answer = await send(started, targets, key);

      if (noun) {
        expectRefusal(answer, 403, "API key does not have access to this team", 1);
        expect(await started.balance()).toBe(before - 1);
      } else if (!hasIds) {
        expect(answer.body).toMatchObject({ success: true });
        expect(await started.balance()).toBe(before - example.units);
      } else {
        expect(answer.body).toMatchObject({ success: true, metadata: { requestedCount: 1, inaccessibleCount: 1 } });
        expect(answer.headers.get("x-request-cost")).toBe("0");
        expect(await started.balance()).toBe(before);
      }
      expect(await started.content()).toEqual(content);
    }
  });

  test("an id of another workspace and one that never was: the same bytes", async () => {
    const [started, stranger] = [await startService(), await startService()];
    const theirs = await makeTargets(stranger, stranger.team.id, needsImport(example));
    const theirContent = await stranger.content();
    for (const key of [started.key.secret, started.limitedKey.secret]) {
      const before = await started.balance();

      const foreign = await send(started, theirs, key);
      const never = await send(started, neverExisted(), key);

      if (noun) {
        expectRefusal(foreign, 404, `${noun} not found`, 1);
        expectRefusal(never, 404, `${noun} not found`, 1);
        expect(await started.balance()).toBe(before - 2);
      } else if (!hasIds) {
        expect([foreign.status, never.status]).toEqual([200, 200]);
        continue;
      } else {
        expect(foreign.body).toMatchObject({ success: true, usage: { remainingRequests: before } });
        expect(await started.balance()).toBe(before);
      }
      expect(refusalWithoutId(foreign)).toEqual(refusalWithoutId(never));
      expect(await stranger.content()).toEqual(theirContent);
    }
  });

  const malformed =
    example.body && !example.body.isInsteadOfQuery ? { body: "{" } : needsIds ? { query: "" } : undefined;
  test.skipIf(!malformed)("a malformed call: 400 for 1 unit, and for nothing where the balance is 0", async () => {
    const started = await startService();
    const before = await started.balance();
    const fail = () => started.call(operation.method, operation.path, { ...malformed, key: started.key.secret });

    const refused = await fail();

    expect(refused.status).toBe(400);
    expectRefusal(refused, 400, refused.body.message, 1);
    expect(refused.body.message).toMatch(/ID is required|IDs are required|is not valid JSON/);
    expect(await started.balance()).toBe(before - 1);
    expect((await started.ledger()).at(-1)).toMatchObject({ operation: name, status: 400, units: 1 });

    await leave(started, 0);
    expectRefusal(await fail(), 400, refused.body.message, 0);
    expect(await started.balance()).toBe(0);
  });

  test("methods that the path does not have: 405 with Allow, free", async () => {
    const started = await startService();
    const allowed = operationNames
      .filter((other) => operations[other].path === operation.path)
      .map((other) => operations[other].method);
    for (const method of ["HEAD", "OPTIONS", "PATCH", "GET", "POST", "PUT", "DELETE"]) {
      if (allowed.some((other) => other === method)) continue;
      const answer = await started.call(method, operation.path, { key: started.key.secret });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")?.split(", ").sort()).toEqual([...allowed].sort());
      if (method !== "HEAD") expectRefusal(answer, 405, "Method not allowed", 0);
    }
    expect(await started.ledger()).toHaveLength(0);
  });

  test("over plain HTTP: 403 whatever the key, which is never looked at", async () => {
    const started = await startService();
    const url = `http://localhost:${started.service.httpPort}/api${operation.path}`;
    const answer = await fetch(url, {
      method: operation.method,
      headers: { Authorization: `Bearer ${started.key.secret}`, "X-Forwarded-Proto": "https" },
      redirect: "manual",
    });
    expect(await answer.json()).toMatchObject({
      success: false,
      message: "HTTPS is required",
      error: "https_required",
    });
    expect(answer.status).toBe(403);
    expect(answer.headers.get("strict-transport-security")).toBeNull();
    expect(await started.ledger()).toHaveLength(0);
    expect(await started.rows("select last_used_at from api_keys where id = ?", started.key.id)).toEqual([
      { last_used_at: null },
    ]);
  });
});

// Twenty calls for each operation, each with its own key and thus its own limit, on one service.
test("the 21st call of a key within a minute: 429 on every operation, free, and never carried out", async () => {
  const started = await startService({ config: { requestsPerMinute: 20 } });
  for (const name of operationNames) {
    const operation: Operation = operations[name];
    const key = await started.admin((transaction) => createKey(transaction, started.workspace.id, name, "all"));
    const targets = neverExisted();
    const send = () =>
      started.call(operation.method, operation.path, { ...cases[name].request(targets), key: key.secret });
    const admitted = await Promise.all(Array.from({ length: 20 }, send));
    for (const { status } of admitted) expect(status).not.toBe(429);
    const remaining = admitted.map(({ headers }) => Number(headers.get("x-ratelimit-remaining")));
    expect(remaining.sort((left, right) => left - right)).toEqual(Array.from({ length: 20 }, (_, index) => index));
    const before = await started.balance();
    const refused = await send();
    expectRefusal(refused, 429, "Rate limit exceeded. Try again in 60 seconds", 0);
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(await started.balance()).toBe(before);
  }
});
