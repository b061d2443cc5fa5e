// The limits of a key: scope, expiry, networks, monthly budget, and a rate limit of its own (decisions, Keys).
import { describe, expect, test } from "bun:test";
import { createCalls } from "../../src/api/charge-call.ts";
import { operationNames, operations } from "../../src/contract/operations.ts";
import { changeKey, createKey, rotateKey } from "../../src/metering/keys/keys.ts";
import type { LimitChanges } from "../../src/metering/keys/limit-settings.ts";
import { Downloads, ResponseRoom } from "../../src/platform/http/downloads.ts";
import { hashSecret } from "../../src/platform/secrets/secrets.ts";
import { engine, openNode } from "../support/engine.ts";
import { expectRefusal } from "../support/expect.ts";
import { leave, setSubscription } from "../support/refusals.ts";
import { type Options, type Started, startService } from "../support/service.ts";

const at = "2026-03-15T12:00:00.000Z";
const never = "00000000-0000-7000-8000-000000000000";
const daySeconds = 86_400;

const start = (config: Options["config"] = {}) =>
  startService({ at, config: { requestsPerMinute: 20, trustedProxies: ["127.0.0.1"], ...config } });

/** A new key with these limits. */
const limitedTo = (started: Pick<Started, "admin" | "workspace">, limits: LimitChanges) =>
  started.admin((transaction) => createKey(transaction, started.workspace.id, "Limited", "all", null, limits));

const change = (started: Pick<Started, "admin">, id: string, limits: LimitChanges) =>
  started.admin((transaction) => changeKey(transaction, id, limits));

/** Reads for nothing, from an address. */
const ask = (started: Pick<Started, "call">, key: string, client = "203.0.113.9") =>
  started.call("GET", "/tags", { key, query: { ids: never }, headers: { "X-Forwarded-For": client } });

const statusOf = async (...call: Parameters<typeof ask>) => (await ask(...call)).status;

/** Costs 1 unit. */
const post = (started: Pick<Started, "call" | "team">, key: string, headers: Record<string, string> = {}) =>
  started.call("POST", "/tag", { key, body: { tagName: "A", tagColor: "#fff", teamId: started.team.id }, headers });

const rowsOf = async (started: Started, keyId: string) =>
  (await started.ledger())
    .filter((row) => row.key_id === keyId)
    .map(({ operation, status, units, error_code }) => [operation, status, units, error_code]);

/** What the log records of the newest request. */
const lastLine = ({ lines }: Pick<Started, "lines">) =>
  lines.map((line) => JSON.parse(line)).findLast(({ message }) => message === "request");

test("a key without limits is admitted without extra headers or limits", async () => {
  const started = await start();
  const answer = await ask(started, started.key.secret);
  expect(answer.status).toBe(200);
  expect(answer.headers.has("x-key-expires-at")).toBe(false);
  expect(answer.headers.get("ratelimit-policy")).toBe('"default";q=20;w=60');
  const body = { tagName: "T", tagColor: "#000000", teamId: started.team.id };
  expect((await started.call("POST", "/tag", { body, key: started.key.secret })).status).toBe(200);
  const [row] = await started.rows(
    "select scope, expires_at, networks, monthly_budget, budget_month, budget_used, requests_per_minute from api_keys where id = ?",
    started.key.id,
  );
  expect(Object.values(row ?? {})).toEqual(["read_write", null, null, null, null, null, null]);
});

describe("scope", () => {
  test("a read-only key can use only operations that read", async () => {
    const started = await start({ requestsPerMinute: 1_000 });
    const { id, secret } = await limitedTo(started, { scope: "read" });
    const refused = [];
    for (const name of operationNames) {
      const { method, path } = operations[name];
      const { status, body } = await started.call(method, path, { key: secret, ...(method !== "GET" && { body: {} }) });
      if (body?.error === "insufficient_scope") refused.push(name);
      expect({ name, isRefused: body?.error === "insufficient_scope", status }).toEqual({
        name,
        isRefused: method !== "GET",
        status: method === "GET" ? expect.any(Number) : 403,
      });
    }
    expect((await rowsOf(started, id)).filter(([, , , code]) => code === "insufficient_scope")).toEqual(
      refused.map((name) => [name, 403, 0, "insufficient_scope"]),
    );
  });

  test("is checked after the rate limit, and before the subscription and the body: 403, counted, not charged", async () => {
    const started = await start();
    const { secret } = await limitedTo(started, { scope: "read", requestsPerMinute: 1 });
    await setSubscription(started, "inactive");
    const refused = await started.call("POST", "/tag", { key: secret, body: "{" });
    expectRefusal(refused, 403, "API key has read access only", 0);
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0");
    expect((await started.call("POST", "/tag", { key: secret, body: "{" })).status).toBe(429);
    expect(await started.balance()).toBe(100_000);
  });
});

describe("expiry", () => {
  test("the key works until the millisecond it expires, and then gets 401 with its own code", async () => {
    const started = await start();
    const { id, secret } = await limitedTo(started, { expiresAt: "2026-03-15T13:00:00Z" });
    started.clock.advance(3_599.999);
    expect(await statusOf(started, secret)).toBe(200);
    started.clock.advance(0.001);
    const refused = await ask(started, secret);
    expectRefusal(refused, 401, "API key has expired", 0);
    expect(refused.body.error).toBe("api_key_expired");
    expect(refused.headers.get("www-authenticate")).toBe("Bearer");
    expect(lastLine(started)).toMatchObject({ status: 401, code: "api_key_expired", keyId: id });
    const large = { tagName: "x".repeat(100_000) };
    expect((await started.call("POST", "/tag", { key: secret, body: large })).body.error).toBe("api_key_expired");
    expect(await rowsOf(started, id)).toHaveLength(1);
  });

  test("responses announce it in the last 14 days, refusals too", async () => {
    const started = await start();
    const expiresAt = new Date(started.clock.now + 15 * daySeconds * 1_000).toISOString();
    const { secret } = await limitedTo(started, { expiresAt, requestsPerMinute: 3 });
    const announced = async () => (await ask(started, secret)).headers.get("x-key-expires-at");
    expect(await announced()).toBeNull();
    started.clock.advance(daySeconds - 0.001);
    expect(await announced()).toBeNull();
    started.clock.advance(0.001);
    expect(await announced()).toBe(expiresAt);
    const invalid = await started.call("GET", "/tag", { key: secret });
    const limited = await ask(started, secret);
    expect([invalid, limited].map(({ status, headers }) => [status, headers.get("x-key-expires-at")])).toEqual([
      [400, expiresAt],
      [429, expiresAt],
    ]);
  });

  test("both secrets of a rotated key expire with it", async () => {
    const started = await start();
    const { id, secret: old } = await limitedTo(started, { expiresAt: "2026-03-15T13:00:00Z" });
    const { secret } = await started.admin((transaction) => rotateKey(transaction, id, "7d"));
    expect([await statusOf(started, old), await statusOf(started, secret)]).toEqual([200, 200]);
    started.clock.advance(3_600);
    for (const key of [old, secret]) expect((await ask(started, key)).body.error).toBe("api_key_expired");
  });
});

describe("networks", () => {
  test("the key works only from its networks: other addresses get 403, which does not count toward the rate limit", async () => {
    const started = await start();
    const { id, secret, networks } = await limitedTo(started, {
      networks: ["203.0.113.77/28", "2001:DB8:0::/33", "198.51.100.7", "203.0.113.64/28"],
    });
    expect(networks).toEqual(["203.0.113.64/28", "2001:db8::/33", "198.51.100.7/32"]);
    for (const [client, status] of [
      ["203.0.113.79", 200],
      ["203.0.113.80", 403],
      ["::ffff:203.0.113.64", 200],
      ["2001:db8:7fff::1", 200],
      ["2001:db8:8000::1", 403],
      ["198.51.100.8", 403],
      // What comes before the last hop that is not trusted may be invented.
      ["203.0.113.79, 192.0.2.1", 403],
      ["192.0.2.1, 198.51.100.7", 200],
    ] as const)
      expect([client, await statusOf(started, secret, client)]).toEqual([client, status]);
    const refused = await ask(started, secret, "192.0.2.1");
    expectRefusal(refused, 403, "API key cannot be used from this address", 0);
    expect(refused.headers.has("ratelimit")).toBe(false);
    expect(lastLine(started)).toMatchObject({ code: "network_not_allowed", clientAddress: "192.0.2.1", keyId: id });
    expect(await rowsOf(started, id)).toHaveLength(4);
  });

  test("strangers with the secret use up nothing of the rate limit", async () => {
    const started = await start();
    const { secret } = await limitedTo(started, { networks: ["203.0.113.0/24"], requestsPerMinute: 1 });
    for (let count = 0; count < 3; count += 1) expect(await statusOf(started, secret, "192.0.2.1")).toBe(403);
    expect(await statusOf(started, secret)).toBe(200);
    expect(await statusOf(started, secret, "192.0.2.1")).toBe(403);
  });
});

describe("monthly budget", () => {
  test("50 requests at once use exactly the budget; the others change nothing and cost nothing", async () => {
    const started = await start({ requestsPerMinute: 1_000 });
    const { id, secret } = await limitedTo(started, { monthlyBudget: 7 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(started, secret)));
    const refused = answers.filter(({ status }) => status === 403);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(refused).toHaveLength(43);
    for (const { body } of refused)
      expect(body).toMatchObject({
        error: "api_key_budget_exceeded",
        message: "Monthly budget of the API key exceeded: 1 required, 0 remaining",
        usage: { requiredRequests: 1, remainingRequests: 0 },
      });
    expect(await started.balance()).toBe(100_000 - 7);
    expect(await started.rows("select id from tags where workspace_id = ?", started.workspace.id)).toHaveLength(7);
    // A failed call costs a unit, but is not refused because of it; what costs nothing is not refused either.
    expectRefusal(await started.call("GET", "/tag", { key: secret, query: { tagId: never } }), 404, "Tag not found", 0);
    expect(await statusOf(started, secret)).toBe(200);
    expect((await change(started, id, { monthlyBudget: 8 })).budget_used).toBe(7);
    expectRefusal(await started.call("GET", "/tag", { key: secret, query: { tagId: never } }), 404, "Tag not found", 1);
    expect((await post(started, secret)).body.error).toBe("api_key_budget_exceeded");
    expect(await statusOf(started, started.key.secret)).toBe(200);
  });

  test("a call that needs more than is left costs nothing, and leaves it for a smaller one", async () => {
    const started = await start();
    const { secret } = await limitedTo(started, { monthlyBudget: 2 });
    const tag = { tagName: "A", tagColor: "#fff", teamId: started.team.id };
    const refused = await started.call("POST", "/tags", { key: secret, body: { tags: [tag, tag, tag] } });
    expectRefusal(refused, 403, "Monthly budget of the API key exceeded: 3 required, 2 remaining", 0);
    expect((await started.call("POST", "/tags", { key: secret, body: { tags: [tag, tag] } })).status).toBe(200);
  });

  test("the budget is exact when several processes admit requests", async () => {
    const started = await start();
    const { id, secret } = await limitedTo(started, { monthlyBudget: 5 });
    const clock = () => started.clock.now;
    const nodes = [await openNode(started.dataDirectory, clock), await openNode(started.dataDirectory, clock)];
    const report = (_: string, cause: unknown) => {
      throw cause;
    };
    const runs = nodes.map(
      (node) => createCalls(node, { requestsPerMinute: 1_000, trashDays: 30, storageBytesMax: 2 ** 30, report }).run,
    );
    const spend = async (index: number) => {
      const clientAddress = "203.0.113.9";
      const outcome = await runs[index % 2]?.(
        { secretHash: hashSecret(secret), clientAddress },
        {
          name: "getMe",
          input: { query: {}, body: undefined },
          ifNoneMatch: null,
          bodyBytes: 0,
          room: new ResponseRoom(new Downloads()),
          origin: { requestId: crypto.randomUUID(), clientAddress, receivedAt: performance.now() },
        },
      );
      return outcome?.kind;
    };
    try {
      const kinds = await Promise.all(Array.from({ length: 30 }, (_, index) => spend(index)));
      expect(kinds.sort()).toEqual([...Array(5).fill("done"), ...Array(25).fill("refused")]);
      const [row] = await started.rows("select budget_month, budget_used from api_keys where id = ?", id);
      expect(row).toEqual({ budget_month: "2026-03", budget_used: 5 });
    } finally {
      for (const node of nodes) await node.close();
    }
  });

  test("counts what the key used this month before it had a budget, and begins again on the 1st (UTC)", async () => {
    const started = await start();
    const { id, secret } = await limitedTo(started, {});
    for (let count = 0; count < 3; count += 1) await post(started, secret);
    expect(await change(started, id, { monthlyBudget: 3 })).toMatchObject({ monthly_budget: 3, budget_used: 3 });
    expect((await post(started, secret)).body.error).toBe("api_key_budget_exceeded");
    started.clock.advance((Date.parse("2026-04-01T00:00:00.000Z") - started.clock.now) / 1_000 - 0.001);
    expect((await post(started, secret)).body.error).toBe("api_key_budget_exceeded");
    started.clock.advance(0.001);
    expect((await post(started, secret)).status).toBe(200);
    expect((await change(started, id, { monthlyBudget: 5 })).budget_used).toBe(1);
    expect(await change(started, id, { monthlyBudget: null })).toMatchObject({
      monthly_budget: null,
      budget_used: null,
    });
    for (let count = 0; count < 3; count += 1) expect((await post(started, secret)).status).toBe(200);
    expect((await change(started, id, { monthlyBudget: 4 })).budget_used).toBe(4);
  });

  test("comes before the quota, on every engine", async () => {
    const started = await start();
    const { secret } = await limitedTo(started, { monthlyBudget: 0 });
    await leave(started, 0);
    expect((await post(started, secret)).body.error).toBe("api_key_budget_exceeded");
    expect((await post(started, started.key.secret)).body.error).toBe("quota_exceeded");
  });
});

describe("a rate limit of its own", () => {
  test("a key's own rate limit is exact, with the usual headers and its own code", async () => {
    const started = await start();
    const { id, secret } = await limitedTo(started, { requestsPerMinute: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(started, secret)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = await ask(started, secret);
    expectRefusal(refused, 429, "Rate limit of the API key exceeded. Try again in 60 seconds", 0);
    expect(refused.body.error).toBe("api_key_rate_limit_exceeded");
    expect(
      ["retry-after", "ratelimit-policy", "ratelimit", "x-ratelimit-limit", "x-ratelimit-remaining"].map((name) =>
        refused.headers.get(name),
      ),
    ).toEqual(["60", '"default";q=3;w=60', '"default";r=0;t=60', "3", "0"]);
    started.clock.advance(60);
    const me = await started.call("GET", "/me", { key: secret });
    expect(me.headers.get("x-ratelimit-remaining")).toBe("2");
    expect(await rowsOf(started, id)).toHaveLength(4);
  });

  test("is at most that of all keys", async () => {
    const started = await start({ requestsPerMinute: 2 });
    const { secret } = await limitedTo(started, { requestsPerMinute: 50 });
    expect([await statusOf(started, secret), await statusOf(started, secret)]).toEqual([200, 200]);
    expect((await ask(started, secret)).body.error).toBe("rate_limit_exceeded");
  });
});

test("a change applies to the very next request, whichever process made it", async () => {
  const started = await start();
  const { id, secret } = await limitedTo(started, {});
  const behind = await engine.connect(started.dataDirectory);
  const update = (assignment: string) => behind.run(`update api_keys set ${assignment} where id = ?`, id);
  const seen: unknown[] = [];
  for (const assignment of [
    "scope = 'read'",
    "scope = 'read_write', monthly_budget = 0",
    "monthly_budget = null, requests_per_minute = 1",
    `requests_per_minute = null, networks = '["192.0.2.0/24"]'`,
    `expires_at = '${at}'`,
  ]) {
    expect((await post(started, secret)).status).toBe(200);
    await update(assignment);
    seen.push((await post(started, secret)).body.error);
    await update(
      "scope = 'read_write', monthly_budget = null, requests_per_minute = null, networks = null, expires_at = null",
    );
  }
  await behind.close();
  expect(seen).toEqual([
    "insufficient_scope",
    "api_key_budget_exceeded",
    "api_key_rate_limit_exceeded",
    "network_not_allowed",
    "api_key_expired",
  ]);
});

test("a repeat follows the key as it is now", async () => {
  const started = await start();
  const { id, secret } = await limitedTo(started, { monthlyBudget: 1 });
  const repeat = () => post(started, secret, { "Idempotency-Key": "first", "X-Forwarded-For": "203.0.113.9" });
  const first = await repeat();
  expect(first.status).toBe(200);
  // It costs nothing, so an exhausted budget does not refuse it.
  expect((await repeat()).text).toBe(first.text);
  for (const [limits, code] of [
    [{ scope: "read" }, "insufficient_scope"],
    [{ scope: "read_write", networks: ["192.0.2.0/24"] }, "network_not_allowed"],
    [{ networks: [], requestsPerMinute: 1 }, "api_key_rate_limit_exceeded"],
  ] as const) {
    await change(started, id, limits);
    expect((await repeat()).body.error).toBe(code);
  }
  await change(started, id, { requestsPerMinute: null });
  const again = await repeat();
  expect([again.text, again.headers.get("idempotency-replayed")]).toEqual([first.text, "true"]);
  expect((await started.rows("select id from tags where workspace_id = ?", started.workspace.id)).length).toBe(1);
});
