// Repeated requests: a request with an Idempotency-Key is carried out and charged once, however often it is sent.
import "../support/every-time.ts";
import { describe, expect, test } from "bun:test";
import { deleteOldOutcomes } from "../../src/api/idempotency.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { operationNames, operations } from "../../src/contract/operations.ts";
import { createKey, rotateKey } from "../../src/metering/keys/keys.ts";
import { needsImport } from "../support/case.ts";
import { cases } from "../support/cases.ts";
import { engine } from "../support/engine.ts";
import { expectRefusal, newId } from "../support/expect.ts";
import { expectConsistentBalances } from "../support/quota-totals.ts";
import { leave, setSubscription } from "../support/refusals.ts";
import { type RawAnswer, type RawCall, type Started, startService, text } from "../support/service.ts";
import { makeTargets, neverExisted } from "../support/targets.ts";

const daySeconds = 24 * 60 * 60;
const newKey = (): string => crypto.randomUUID();
const withKey = (idempotencyKey: string) => ({ "Idempotency-Key": idempotencyKey });

/** Creates a folder of the started workspace. */
const postFolder = (started: Started, idempotencyKey: string, call: RawCall = {}) =>
  started.call("POST", "/folder", {
    key: started.key.secret,
    body: { folderName: "A folder", folderColor: "#336699", teamId: started.team.id },
    headers: { "Idempotency-Key": idempotencyKey },
    ...call,
  });

const foldersOf = ({ rows, workspace }: Started) =>
  rows<{ folder_name: string }>("select folder_name from folders where workspace_id = ?", workspace.id);

/** The same status and body, marked, free, under a request ID of its own. */
function expectReplay(repeat: RawAnswer, first: RawAnswer): void {
  expect(repeat.text).toBe(first.text);
  expect(repeat.status).toBe(first.status);
  expect(repeat.headers.get("idempotency-replayed")).toBe("true");
  expect(repeat.headers.get("x-request-cost")).toBe("0");
  expect(repeat.headers.get("x-request-id")).toEqual(newId);
  expect(repeat.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
  expect(first.headers.has("idempotency-replayed")).toBe(false);
}

const writes = operationNames.filter((name) => operations[name].method !== "GET");

describe.each(writes)("%s", (name) => {
  const { method, path }: Operation = operations[name];
  const example = cases[name];

  test("is carried out and charged once; a repeat gets the same bytes for nothing, whether it succeeded or not", async () => {
    const started = await startService();
    const targets = await makeTargets(started, started.team.id, needsImport(example));
    for (const [on, units] of [
      [targets, example.units],
      [neverExisted(), undefined],
    ] as const) {
      const headers = withKey(newKey());
      const send = () =>
        started.call(method, path, { ...example.request(on), key: started.limitedKey.secret, headers });
      const before = await started.balance();
      const first = await send();
      const cost = Number(first.headers.get("x-request-cost"));
      if (units !== undefined) expect({ status: first.status, cost }).toEqual({ status: 200, cost: units });
      const [content, calls] = [await started.content(), (await started.ledger()).length];

      const repeats = [await send(), await send()];

      for (const repeat of repeats) expectReplay(repeat, first);
      expect(await started.content()).toEqual(content);
      expect(await started.balance()).toBe(before - cost);
      expect((await started.ledger()).slice(calls)).toMatchObject(
        repeats.map(({ headers }) => ({
          id: headers.get("x-request-id"),
          operation: name,
          status: first.status,
          units: 0,
          balance_after: before - cost,
          error_code: first.body.error ?? null,
        })),
      );
    }
    await expectConsistentBalances(started.rows, started.workspace.id);
  });
});

describe("a repeat", () => {
  test("counts toward the rate limit, and its headers tell the limit as it is now", async () => {
    const started = await startService({ config: { requestsPerMinute: 3 } });
    const key = newKey();
    const answers = [];
    for (let call = 0; call < 4; call += 1) answers.push(await postFolder(started, key));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map(({ headers }) => headers.get("x-ratelimit-remaining"))).toEqual(["2", "1", "0", "0"]);
    started.clock.advance(60);
    const [first] = answers as [RawAnswer];
    expectReplay(await postFolder(started, key), first);
  });

  test("gets the first response for 24 hours; after that, the request is a new one", async () => {
    const started = await startService({});
    const key = newKey();
    const first = await postFolder(started, key);
    started.clock.advance(daySeconds - 1);
    expectReplay(await postFolder(started, key), first);
    started.clock.advance(1);
    const second = await postFolder(started, key);
    expect(second.body.data.folder.id).not.toBe(first.body.data.folder.id);
    expect(second.headers.has("idempotency-replayed")).toBe(false);
    expectReplay(await postFolder(started, key), second);
    expect(await foldersOf(started)).toHaveLength(2);
  });

  test("is the same request, byte for byte; any other one with the key is refused for 1 unit and changes nothing", async () => {
    const started = await startService();
    const key = newKey();
    const body = { folderName: "A folder", folderColor: "#336699", teamId: started.team.id };
    const first = await postFolder(started, key, { body });
    const before = await started.balance();
    const others: readonly (readonly [string, string, RawCall])[] = [
      ["POST", "/folder", { body: { ...body, folderName: "Another folder" } }],
      ["POST", "/folder", { body: JSON.stringify(body, null, 1) }],
      ["POST", "/folder", { body: "{" }],
      ["POST", "/folder", { body, query: { folderId: first.body.data.folder.id } }],
      ["POST", "/tag", { body }],
      ["DELETE", "/folder", { query: { folderId: first.body.data.folder.id } }],
    ];
    for (const [method, path, call] of others) {
      const answer = await started.call(method, path, { ...call, key: started.key.secret, headers: withKey(key) });
      expectRefusal(
        answer,
        422,
        "This Idempotency-Key belongs to a different request: send a new key with each new request",
        1,
      );
      expect(answer.body.error).toBe("idempotency_key_reused");
    }
    expect(await started.balance()).toBe(before - others.length);
    expectReplay(await postFolder(started, key, { body }), first);
    expect(await foldersOf(started)).toHaveLength(1);
  });

  test("belongs to its API key: another key's requests are its own, and a rotation changes nothing", async () => {
    const started = await startService();
    const idempotencyKey = newKey();
    const first = await postFolder(started, idempotencyKey);
    const other = await postFolder(started, idempotencyKey, { key: started.limitedKey.secret });
    expect(other.body.data.folder.id).not.toBe(first.body.data.folder.id);
    const { secret } = await started.admin((transaction) => rotateKey(transaction, started.key.id, "7d"));
    expectReplay(await postFolder(started, idempotencyKey, { key: secret }), first);
    expectReplay(await postFolder(started, idempotencyKey), first);
    expect(await foldersOf(started)).toHaveLength(2);
  });

  test("sent at the same moment with the secrets from before and after a rotation is carried out once", async () => {
    const started = await startService();
    const { secret } = await started.admin((transaction) => rotateKey(transaction, started.key.id, "7d"));
    const secrets = [started.key.secret, secret];
    for (let round = 0; round < 20; round += 1) {
      const idempotencyKey = newKey();
      const answers = await Promise.all(secrets.map((key) => postFolder(started, idempotencyKey, { key })));
      for (const { status } of answers) expect([200, 409]).toContain(status);
    }
    expect(await foldersOf(started)).toHaveLength(20);
    expect((await started.ledger()).reduce((sum, { units }) => sum + units, 0)).toBe(20);
  });

  test("is refused where the key can no longer access the team: no response tells of it", async () => {
    const started = await startService();
    const { id, secret } = await started.admin((transaction) =>
      createKey(transaction, started.workspace.id, "Both", [started.team.id, started.otherTeam.id]),
    );
    const folders = [started.team, started.otherTeam].map(({ id: teamId }) => ({
      folderName: "A folder",
      folderColor: "#336699",
      teamId,
    }));
    const headers = withKey(newKey());
    const send = () => started.call("POST", "/folders", { key: secret, headers, body: { folders } });
    const first = await send();
    expectReplay(await send(), first);
    await started.admin((transaction) =>
      transaction.run({
        strings: ["delete from api_key_teams where key_id = ", " and team_id = ", ""],
        values: [id, started.otherTeam.id],
      }),
    );
    expectRefusal(await send(), 403, "API key does not have access to this team", 1);
  });

  test("of a batch of 100, and of a response of a megabyte, gets the same bytes", async () => {
    const started = await startService();
    const snippet = await started.given.snippet();
    const snippets = Array.from({ length: 100 }, (_, at) => ({
      title: `Snippet ${at}`,
      content: text("x"),
      teamId: started.team.id,
    }));
    const long = `${"aä€😀\\\u0001".repeat(30_000)}${crypto.randomUUID()}`;
    const variations = Array.from({ length: 3 }, (_, at) => ({ variationName: `Long ${at}`, content: text(long) }));
    for (const [path, query, body, units] of [
      ["/snippets", {}, { snippets }, 100],
      ["/snippet/variations", { snippetId: snippet.id }, { variations }, 3],
    ] as const) {
      const before = await started.balance();
      const headers = withKey(newKey());
      const send = () => started.call("POST", path, { key: started.key.secret, query, body, headers });
      const first = await send();
      expect(first.status).toBe(200);
      expectReplay(await send(), first);
      expect(await started.balance()).toBe(before - units);
    }
  });
});

test("a job deletes what is older than 24 hours, portion by portion, and nothing else", async () => {
  const started = await startService({});
  await postFolder(started, newKey());
  const [row] = await keptRows(started);
  const copies = Array.from({ length: 249 }, () => ({ ...row, idempotency_hash: sha256(newKey()) }));
  await started.admin(async (transaction) => transaction.insert("kept_outcomes", copies));
  started.clock.advance(daySeconds - 1);
  const kept = newKey();
  const first = await postFolder(started, kept);
  started.clock.advance(1);
  let portions = 0;
  const yieldToCalls = async () => {
    portions += 1;
    return true;
  };
  expect(await deleteOldOutcomes(started.service.database, yieldToCalls)).toBe(250);
  expect(portions).toBe(2);
  expect(await keptRows(started)).toHaveLength(1);
  expectReplay(await postFolder(started, kept), first);
});

describe("an outcome that costs nothing is not kept", () => {
  test("too few units, an inactive subscription, a full rate limit: the same key succeeds later", async () => {
    const started = await startService({ config: { requestsPerMinute: 2 } });
    const key = newKey();
    const send = () => postFolder(started, key);
    await leave(started, 0);
    expect((await send()).body).toMatchObject({ error: "quota_exceeded" });
    await leave(started, 5);
    await setSubscription(started, "inactive");
    expect((await send()).body).toMatchObject({ error: "subscription_inactive" });
    await setSubscription(started, "active");
    expect((await send()).body).toMatchObject({ error: "rate_limit_exceeded" });
    started.clock.advance(60);

    const done = await send();

    expect(done).toMatchObject({ status: 200, body: { usage: { remainingRequests: 4 } } });
    expectReplay(await send(), done);
    expect(await started.balance()).toBe(4);
  });

  test("nor is that of a body that is too large, because nobody knows what it was", async () => {
    const started = await startService();
    const key = newKey();
    expect((await postFolder(started, key, { body: "x".repeat(9 * 1024 * 1024) })).status).toBe(413);
    expect((await postFolder(started, key)).status).toBe(200);
  });
});

describe("while the first request is in progress", () => {
  test("a repeat gets 409 at once, for nothing, and waits for no lock; afterwards it gets the response", async () => {
    const started = await startService({});
    const connection = await engine.connect(started.dataDirectory);
    for (;;) {
      const key = newKey();
      for (const statement of engine.blockWriters) await connection.run(statement);
      const sent = [postFolder(started, key), postFolder(started, key)];

      const refused = await Promise.race(sent);

      expectRefusal(refused, 409, "The request with this Idempotency-Key is still in progress", 0);
      expect(refused.headers.get("retry-after")).toBe("1");
      await connection.run("rollback");
      const done = (await Promise.all(sent)).find(({ status }) => status !== 409);
      // The service gives up after two seconds.
      if (done?.status === 503) continue;
      expect(done?.status).toBe(200);
      expectReplay(await postFolder(started, key), done as RawAnswer);
      expect(await started.ledger()).toMatchObject([{ units: 1 }, { units: 0 }]);
      break;
    }
    await connection.close();
  });
});

describe("the header", () => {
  test.each([
    ["empty", ""],
    ["with a space", "a b"],
    ["not ASCII", "schlüssel"],
    ["of 256 characters", "a".repeat(256)],
  ])("%s: 400 for 1 unit, and nothing is done", async (_, key) => {
    const started = await startService();
    const refused = await postFolder(started, key);
    expectRefusal(refused, 400, "Idempotency-Key must be 1 to 255 visible ASCII characters", 1);
    expect(await foldersOf(started)).toEqual([]);
  });

  test.each([
    ["one character", "!"],
    ["255 characters", "~".repeat(255)],
    ["quotes", '"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
  ])("%s: accepted", async (_, key) => {
    const started = await startService();
    const first = await postFolder(started, key);
    expectReplay(await postFolder(started, key), first);
  });

  test("with and without quotes, it is the same key", async () => {
    const started = await startService();
    const key = newKey();
    const first = await postFolder(started, key);
    expectReplay(await postFolder(started, `"${key}"`), first);
    expect(await foldersOf(started)).toHaveLength(1);
    // Of quotes alone, nothing would be left.
    expect((await postFolder(started, '""')).status).toBe(200);
    expect(await foldersOf(started)).toHaveLength(2);
  });

  test("is ignored on GET: each request is carried out and charged", async () => {
    const started = await startService();
    const { id } = await started.given.snippet();
    const headers = withKey("not valid");
    const before = await started.balance();
    for (let call = 0; call < 2; call += 1) {
      const answer = await started.call("GET", "/snippet", { key: started.key.secret, query: { id }, headers });
      expect(answer.status).toBe(200);
      expect(answer.headers.has("idempotency-replayed")).toBe(false);
    }
    expect(await started.balance()).toBe(before - 2);
    expect(await keptRows(started)).toEqual([]);
  });

  test("is stored as a digest only, like the request; the outcome is encrypted; and without it nothing is stored", async () => {
    const started = await startService();
    await started.given.folder();
    expect(await keptRows(started)).toEqual([]);
    const canary = `canary-${newKey()}`;
    const body = { folderName: `name-${canary}`, folderColor: "#336699", teamId: started.team.id };
    await postFolder(started, canary, { body });
    const [row] = await keptRows(started);
    expect(row).toEqual({
      workspace_id: started.workspace.id,
      key_id: started.key.id,
      idempotency_hash: sha256(canary),
      request_hash: sha256(`postFolder\n\n${JSON.stringify(body)}`),
      request_id: newId,
      outcome: expect.stringMatching(/^[0-9A-Za-z+/=]+$/),
      admitted_at: expect.any(String),
    });
    const bytes = Buffer.from(String(row?.outcome), "base64");
    expect(() => Bun.zstdDecompressSync(bytes.subarray(12, -16))).toThrow();
    expect(bytes.toString("latin1")).not.toContain(canary.slice(0, 16));
  });
});

const sha256 = (value: string): string => new Bun.CryptoHasher("sha256").update(value).digest("hex");

const keptRows = ({ rows, workspace }: Started) =>
  rows<Record<string, string>>("select * from kept_outcomes where workspace_id = ?", workspace.id);
