// Requests of a known key that are not admitted: counted by key, minute and reason, and shown in the request log.
import { describe, expect, test } from "bun:test";
import { activateKey, deactivateKey, deleteKey, rotateKey } from "../../src/metering/keys/keys.ts";
import { addRefused, type RefusedRow } from "../../src/metering/keys/refused-requests.store.ts";
import { deleteRefused, type RefusedRequest, RefusedRequests } from "../../src/metering/keys/refused-requests.ts";
import { newSecret } from "../../src/metering/keys/secret.ts";
import { OutcomeUnknown } from "../../src/platform/database/database.ts";
import { type Wait, wait } from "../../src/platform/jobs.ts";
import { startConsole } from "../support/console.ts";
import { until } from "../support/nodes.ts";
import { type Started, startService } from "../support/service.ts";
import { insertLedgerCalls } from "../support/usage.ts";

const at = "2026-03-15T12:00:20.000Z";
const minute = "2026-03-15T12:00:00.000Z";
const never = "00000000-0000-7000-8000-000000000000";

/** Jobs with short intervals run at once, the others never. */
const quickly: Wait = (milliseconds, signal) => wait(milliseconds > 10_000 ? milliseconds : 5, signal);

const ask = (started: Pick<Started, "call">, key: string, times = 1) =>
  Promise.all(
    Array.from(
      { length: times },
      async () => (await started.call("GET", "/tag", { key, query: { tagId: never } })).status,
    ),
  );

const rowsOf = (started: Pick<Started, "rows" | "workspace">) =>
  started.rows<RefusedRow>(
    "select key_id, minute, reason, requests, client_address from refused_requests where workspace_id = ? order by minute, key_id, reason",
    started.workspace.id,
  );

/** Waits for the job. */
const untilCounted = (started: Started, requests: number) =>
  until(async () => (await rowsOf(started)).reduce((sum, row) => sum + row.requests, 0) === requests, 60_000);

describe("what is counted", () => {
  test("a flood beyond the rate limit adds one row per minute, and no row to the ledger", async () => {
    const started = await startService({ at, wait: quickly, config: { requestsPerMinute: 3 } });
    const statuses = await ask(started, started.key.secret, 200);
    expect(statuses.filter((status) => status === 429)).toHaveLength(197);
    await untilCounted(started, 197);
    started.clock.advance(45);
    await ask(started, started.key.secret, 5);
    await untilCounted(started, 202);
    const row = { key_id: started.key.id, reason: "rate_limit", client_address: "127.0.0.1" };
    expect(await rowsOf(started)).toEqual([
      { ...row, minute, requests: 197 } as RefusedRow,
      { ...row, minute: "2026-03-15T12:01:00.000Z", requests: 5 } as RefusedRow,
    ]);
    expect(await started.ledger()).toHaveLength(3);
  });

  test("requests with a deactivated key, and with a secret whose overlap has ended", async () => {
    const started = await startService({ at, wait: quickly });
    const { key, limitedKey } = started;
    await started.admin((transaction) => rotateKey(transaction, key.id, "1h"));
    expect(await ask(started, key.secret)).toEqual([404]);
    started.clock.advance(3_600);
    await started.admin((transaction) => deactivateKey(transaction, limitedKey.id));
    expect(await ask(started, key.secret, 2)).toEqual([401, 401]);
    expect(await ask(started, limitedKey.secret, 3)).toEqual([401, 401, 401]);
    await untilCounted(started, 5);
    expect(new Set((await rowsOf(started)).map((row) => row.minute))).toEqual(new Set(["2026-03-15T13:00:00.000Z"]));
    expect(new Set((await rowsOf(started)).map((row) => [row.key_id, row.reason, row.requests].join(" ")))).toEqual(
      new Set([`${key.id} secret_expired 2`, `${limitedKey.id} key_inactive 3`]),
    );
    await started.admin((transaction) => activateKey(transaction, limitedKey.id));
    expect(await ask(started, limitedKey.secret)).toEqual([404]);
  });

  test("the replaced secret of a deactivated key, and large bodies, which are refused before they are read", async () => {
    const started = await startService({ at, wait: quickly, config: { requestsPerMinute: 1 } });
    const { key, limitedKey } = started;
    await started.admin(async (transaction) => {
      await rotateKey(transaction, key.id, "7d");
      await deactivateKey(transaction, key.id);
    });
    const body = { tagName: "x".repeat(100_000), tagColor: "#fff", teamId: never };
    expect((await started.call("POST", "/tag", { key: key.secret, body })).status).toBe(401);
    expect(await ask(started, limitedKey.secret)).toEqual([404]);
    expect((await started.call("POST", "/tag", { key: limitedKey.secret, body })).status).toBe(429);
    await untilCounted(started, 2);
    expect(new Set((await rowsOf(started)).map((row) => [row.key_id, row.reason].join(" ")))).toEqual(
      new Set([`${key.id} key_inactive`, `${limitedKey.id} rate_limit`]),
    );
  });

  test("nothing of an unknown or deleted key; and a stop writes what was counted", async () => {
    const started = await startService({ at, config: { requestsPerMinute: 1 } });
    const { service, key, limitedKey } = started;
    await started.admin(async (transaction) => {
      await deactivateKey(transaction, limitedKey.id);
      await deleteKey(transaction, limitedKey.id);
    });
    expect(await ask(started, newSecret())).toEqual([401]);
    expect(await ask(started, limitedKey.secret)).toEqual([401]);
    expect((await ask(started, key.secret, 3)).sort()).toEqual([404, 429, 429]);
    expect(await rowsOf(started)).toEqual([]);
    await service.stop();
    expect((await rowsOf(started)).map((row) => [row.key_id, row.requests])).toEqual([[key.id, 2]]);
  });
});

describe("writing", () => {
  test("is exact when several nodes count the same; the client is named where it was one", async () => {
    const { service, rows, workspace, key, limitedKey } = await startService();
    const nodes = [1, 2, 3].map(() => new RefusedRequests(service.database, Date.now));
    const refused = { workspaceId: workspace.id, reason: "rate_limit", at } as const;
    for (let round = 0; round < 10; round += 1) {
      for (const [index, node] of nodes.entries())
        for (let request = 0; request < 7; request += 1) {
          node.count({ ...refused, keyId: key.id }, `203.0.113.${index}`);
          node.count({ ...refused, keyId: limitedKey.id }, "203.0.113.9");
        }
      await Promise.all(nodes.map((node) => node.write()));
    }
    expect(new Set((await rowsOf({ rows, workspace })).map((row) => JSON.stringify(row)))).toEqual(
      new Set(
        [
          { key_id: key.id, minute, reason: "rate_limit", requests: 210, client_address: null },
          { key_id: limitedKey.id, minute, reason: "rate_limit", requests: 210, client_address: "203.0.113.9" },
        ].map((row) => JSON.stringify(row)),
      ),
    );
  });

  test("that failed is repeated; one that may have been done is not", async () => {
    const { service, rows, workspace, key } = await startService();
    const refused: RefusedRequest = { workspaceId: workspace.id, keyId: key.id, reason: "rate_limit", at };
    const failures = [new Error("gone"), new OutcomeUnknown(undefined, {})];
    const failing = Object.assign(Object.create(service.database), {
      transaction: (...work: Parameters<typeof service.database.transaction>) => {
        const failure = failures.shift();
        return failure ? Promise.reject(failure) : service.database.transaction(...work);
      },
    });
    const counted = new RefusedRequests(failing, Date.now);
    counted.count(refused, "203.0.113.1");
    expect(await counted.write().catch((error: Error) => error.message)).toBe("gone");
    counted.count(refused, "203.0.113.1");
    expect(await counted.write().catch((error: Error) => error.name)).toBe("OutcomeUnknown");
    counted.count(refused, "203.0.113.1");
    await counted.write();
    await counted.write();
    expect((await rowsOf({ rows, workspace })).map((row) => row.requests)).toEqual([1]);
  });

  test("of hundreds of keys and minutes is complete, and so is their deletion", async () => {
    const { service, rows, workspace, key, admin } = await startService({});
    const counted = new RefusedRequests(service.database, Date.now);
    const start = Date.parse("2026-01-01T00:00:00.000Z");
    for (let index = 0; index < 450; index += 1)
      counted.count(
        {
          workspaceId: workspace.id,
          keyId: key.id,
          reason: "rate_limit",
          at: new Date(start + index * 60_000).toISOString(),
        },
        "::1",
      );
    await counted.write();
    expect(await rowsOf({ rows, workspace })).toHaveLength(450);
    const before = new Date(start + 449 * 60_000).toISOString();
    expect(await deleteRefused(service.database, before, async () => true)).toBe(449);
    expect((await rowsOf({ rows, workspace })).map((row) => row.minute)).toEqual([before]);
    expect(await admin(async ({ now }) => now > before)).toBe(true);
  });
});

describe("the request log", () => {
  const moment = (seconds: number) => new Date(Date.parse("2026-03-15T10:00:00.000Z") + seconds * 1_000).toISOString();

  async function startLogged() {
    const started = await startConsole();
    const { admin, workspace, key, limitedKey } = started;
    const calls = Array.from({ length: 30 }, (_, index) => ({
      at: moment(Math.floor(index / 2) * 37),
      keyId: index % 3 === 0 ? limitedKey.id : key.id,
    }));
    const refused = Array.from({ length: 12 }, (_, index) => ({
      minute: moment(Math.floor(index / 2) * 120),
      key_id: index % 2 === 0 ? limitedKey.id : key.id,
      reason: index % 3 === 0 ? "key_inactive" : "rate_limit",
      requests: index + 1,
      client_address: index === 4 ? null : "203.0.113.7",
      workspace_id: workspace.id,
    }));
    const ids = await admin(async (transaction) => {
      for (const row of refused) addRefused(transaction, row);
      return insertLedgerCalls(transaction, workspace.id, calls);
    });
    const entries = [
      ...calls.map((call, index) => ({ at: call.at, keyId: call.keyId, name: ids[index] ?? "", order: 1, index })),
      ...refused.map((row) => ({
        at: row.minute,
        keyId: row.key_id,
        name: `${row.key_id} ${row.reason} ${row.requests}`,
        order: 0,
        index: row.key_id,
      })),
    ].sort((left, right) =>
      left.at !== right.at
        ? left.at < right.at
          ? 1
          : -1
        : right.order - left.order || (left.index < right.index ? 1 : -1),
    );
    return { ...started, entries, owner: await started.person({ role: "owner" }) };
  }

  // biome-ignore lint/suspicious/noExplicitAny: as the response has it
  const nameOf = (row: any): string => row.id ?? `${row.key_id} ${reasons[row.error_code]} ${row.requests}`;
  const reasons: Record<string, string> = { rate_limit_exceeded: "rate_limit", invalid_api_key: "key_inactive" };

  test.each([1, 2, 4, 7, 50])("merges both by time, in pages of %d, complete and without doubles", async (limit) => {
    const { owner, entries, key, given } = await startLogged();
    for (const keyId of [undefined, key.id]) {
      const seen: string[] = [];
      let cursor: string | null = "";
      while (cursor !== null) {
        const query = { limit, to: "2026-03-15", ...(keyId && { keyId }), ...(cursor !== "" && { cursor }) };
        const { body } = await owner.call("getLog", { query });
        expect(body.data.length).toBeLessThanOrEqual(limit);
        seen.push(...body.data.map(nameOf));
        cursor = body.nextCursor;
        await given.tag();
      }
      const expected = entries.filter((entry) => keyId === undefined || entry.keyId === keyId);
      expect(seen.filter((name) => expected.some((entry) => entry.name === name))).toEqual(
        expected.map(({ name }) => name),
      );
    }
  });

  test("filters by status, key and day; refused requests have no operation and no request ID", async () => {
    const { owner, entries, limitedKey } = await startLogged();
    const find = async (query: Record<string, string>) =>
      (await owner.call("getLog", { query: { ...query, limit: 100 } })).body.data.map(nameOf);
    const counted = entries.filter(({ order }) => order === 0);
    const of = (reason: string) => counted.filter(({ name }) => name.includes(reason)).map(({ name }) => name);
    expect(await find({ status: "429" })).toEqual(of("rate_limit"));
    expect(await find({ status: "401" })).toEqual(of("key_inactive"));
    expect(await find({ status: "429", keyId: limitedKey.id })).toEqual(
      of("rate_limit").filter((name) => name.startsWith(limitedKey.id)),
    );
    expect(await find({ status: "429", from: "2026-03-16" })).toEqual([]);
    expect(await find({ status: "200" })).toEqual(entries.filter(({ order }) => order === 1).map(({ name }) => name));
    expect(await find({ operation: "getSnippet" })).toHaveLength(30);
    expect(await find({ requestId: entries.find(({ order }) => order === 1)?.name ?? "" })).toHaveLength(1);
  });

  test("the ID of a refused request finds the groups of its minute, at the minute's end also those of the next", async () => {
    const { owner, entries, key } = await startLogged();
    const find = async (query: Record<string, string>) => (await owner.call("getLog", { query })).body.data.map(nameOf);
    const idAt = (at: string, version = "7") => {
      const time = Date.parse(at).toString(16).padStart(12, "0");
      return `${time.slice(0, 8)}-${time.slice(8)}-${version}000-8000-000000000000`;
    };
    const groupsOf = (...minutes: string[]) =>
      entries.filter(({ order, at }) => order === 0 && minutes.includes(at)).map(({ name }) => name);
    const [minute, next] = [moment(120), moment(180)];
    expect(await find({ requestId: idAt(moment(150)) })).toEqual(groupsOf(minute));
    expect(groupsOf(minute)).toHaveLength(2);
    expect(await find({ requestId: idAt(moment(119)) })).toEqual(groupsOf(minute));
    expect(await find({ requestId: idAt(next) })).toEqual([]);
    expect(await find({ requestId: idAt(moment(150)), keyId: key.id })).toEqual(
      groupsOf(minute).filter((name) => name.startsWith(key.id)),
    );
    expect(await find({ requestId: idAt(moment(150)), from: "2026-03-16" })).toEqual([]);
    expect(await find({ requestId: idAt(moment(150)), operation: "getSnippet" })).toEqual([]);
    expect(await find({ requestId: idAt(moment(150), "4") })).toEqual([]);
    expect(await find({ requestId: "ffffffff-ffff-7fff-bfff-ffffffffffff" })).toEqual([]);
  });

  test("each row has the reason, the number of requests, and the address, in the export too", async () => {
    const { owner, key } = await startLogged();
    const row = {
      id: null,
      requests: 4,
      at: "2026-03-15T10:02:00.000Z",
      key_id: key.id,
      key_name: "All teams",
      operation: "",
      method: "",
      path: "",
      team_id: null,
      team_name: null,
      status: 401,
      units: 0,
      balance_after: null,
      error_code: "invalid_api_key",
      error_message: "Invalid or inactive API key",
      duration_microseconds: null,
      client_address: "203.0.113.7",
      explanation: "0 units: requests with a deactivated key are not charged",
    };
    const { body } = await owner.call("getLog", { query: { keyId: key.id, limit: 100 } });
    expect(body.data).toContainEqual(row);
    expect(body.data).toContainEqual({
      ...row,
      requests: 6,
      at: "2026-03-15T10:04:00.000Z",
      status: 429,
      error_code: "rate_limit_exceeded",
      error_message: "Rate limit exceeded",
      explanation: "0 units: rate-limited requests are not charged",
    });
    const { text } = await owner.call("getLogExport", { query: { keyId: key.id, status: "401" } });
    const [head, ...lines] = text.trimEnd().split("\r\n");
    expect(head).toEndWith('"Error code","Error message","Duration (microseconds)","IP address","Requests"');
    expect(lines).toHaveLength(2);
    expect(lines).toContain(
      `"2026-03-15T10:02:00.000Z",,"","","",401,0,,"${row.explanation}","${key.id}","All teams",,,"invalid_api_key","Invalid or inactive API key",,"203.0.113.7",4`,
    );
  });
});
