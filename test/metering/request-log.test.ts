// The console's request log: complete, filtered, each row explaining itself, and as CSV that is safe to open.
import { describe, expect, test } from "bun:test";
import { findKey, updateKey } from "../../src/metering/keys/keys.store.ts";
import { csvLine } from "../../src/metering/usage/csv.ts";
import { explain } from "../../src/metering/usage/explanation.ts";
import { exportLog } from "../../src/metering/usage/export.ts";
import { readLog } from "../../src/metering/usage/log.ts";
import { startConsole } from "../support/console.ts";
import { holdStreams } from "../support/response-attacks.ts";
import { insertLedgerCalls } from "../support/usage.ts";

const minute = (index: number) => new Date(Date.parse("2026-03-15T10:00:00.000Z") + index * 60_000).toISOString();

describe("an explanation", () => {
  test.each<[string, number, number, string]>([
    ["getSnippet", 200, 1, "1 unit: reading a snippet costs 1 unit"],
    ["getTree", 200, 1, "1 unit: reading all folders and tags costs 1 unit"],
    ["deleteTag", 200, 1, "1 unit: deleting a tag costs 1 unit"],
    ["deleteFolder", 200, 1, "1 unit: deleting a folder costs 1 unit"],
    ["deleteTag", 200, 1, "1 unit: deleting a tag costs 1 unit"],
    ["putSnippet", 200, 1, "1 unit: updating a snippet costs 1 unit"],
    ["getSnippets", 200, 3, "3 units: 1 per accessible snippet; 3 returned"],
    ["getSnippets", 200, 0, "0 units: 1 per accessible snippet; none returned"],
    ["postSnippets", 200, 1_200, "1,200 units: 1 per snippet; 1,200 created"],
    ["putTags", 200, 1, "1 unit: 1 per tag; 1 updated"],
    ["deleteFolders", 200, 2, "2 units: 1 per folder; 2 deleted"],
    ["getFolder", 200, 11, "11 units: 1 + 1 per snippet returned; 10 returned"],
    ["getFolder", 200, 1, "1 unit: 1 + 1 per snippet returned; none returned"],
    ["getFolders", 200, 12, "12 units: 1 per folder and 1 per snippet returned; 12 returned"],
    ["postSnippetsRestore", 200, 3, "3 units: 1 per snippet restored; 3 restored"],
    ["postSnippetVariations", 200, 2, "2 units: 1 per variation added; 2 added"],
    ["getText", 304, 0, "0 units: requests for unchanged text are free"],
    ["getSnippet", 404, 1, "1 unit: failed requests cost 1 unit"],
    ["postSnippet", 413, 1, "1 unit: failed requests cost 1 unit"],
    ["getSnippet", 500, 0, "0 units: server errors are not charged"],
    [
      "getSnippet",
      403,
      0,
      "0 units: requests refused for an inactive subscription, or for lack of units or storage, are not charged",
    ],
    ["postSnippet", 200, 0, "0 units: repeats of an earlier request are not charged"],
    ["putTags", 200, 0, "0 units: repeats of an earlier request are not charged"],
    ["deleteTags", 200, 0, "0 units: 1 per tag; none deleted"],
    ["ofALaterVersion", 200, 2, "2 units: the cost of this operation"],
  ])("of %s %d for %d", (operation, status, units, sentence) => {
    expect(explain({ operation, status, units, balance_after: 5, error_code: null })).toBe(sentence);
  });

  test.each([
    ["quota_exceeded", 5, "0 units: requests that need more units than were left are not charged"],
    ["quota_exceeded", 0, "0 units: requests that need more units than were left are not charged"],
    ["team_forbidden", 5, "0 units: repeats of an earlier request are not charged"],
    ["subscription_inactive", 5, "0 units: requests without an active subscription are not charged"],
  ])("of %s with a balance of %d", (error_code, balance_after, sentence) => {
    expect(explain({ operation: "getSnippet", status: 403, units: 0, balance_after, error_code })).toBe(sentence);
  });

  test("of a failed call that found nothing to draw from", () => {
    expect(explain({ operation: "getTag", status: 404, units: 0, balance_after: 0, error_code: null })).toBe(
      "0 units: failed requests cost 1 unit, but none were left",
    );
  });
});

const noon = "2026-03-15T12:00:00.000Z";
const nobody = "00000000-0000-7000-8000-000000000000";
const cursorOf = (parts: readonly string[]): string => Buffer.from(JSON.stringify(parts)).toString("base64url");
const cursorMessage = "cursor must be the nextCursor of a response";

describe("GET /log", () => {
  test("each request is listed with its time, key, team, outcome, cost, and the reason for the cost", async () => {
    const { person, given, call, key, team } = await startConsole();
    await given.tag();
    const refused = await call("GET", "/tag", { key: key.secret, query: { tagId: crypto.randomUUID() } });
    const owner = await person({ role: "owner" });
    const { status, body } = await owner.call("getLog");
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      nextCursor: null,
      data: [
        {
          id: refused.headers.get("X-Request-Id"),
          at: expect.any(String),
          key_id: key.id,
          key_name: "All teams",
          operation: "getTag",
          method: "GET",
          path: "/tag",
          team_id: null,
          team_name: null,
          status: 404,
          units: 1,
          balance_after: 99_998,
          requests: 1,
          error_code: "tag_not_found",
          error_message: "Tag not found",
          duration_microseconds: expect.any(Number),
          client_address: "127.0.0.1",
          explanation: "1 unit: failed requests cost 1 unit",
        },
        {
          id: expect.any(String),
          at: expect.any(String),
          key_id: key.id,
          key_name: "All teams",
          operation: "postTag",
          method: "POST",
          path: "/tag",
          team_id: team.id,
          team_name: "Own team",
          status: 200,
          units: 1,
          balance_after: 99_999,
          requests: 1,
          error_code: null,
          error_message: null,
          duration_microseconds: expect.any(Number),
          client_address: "127.0.0.1",
          explanation: "1 unit: creating a tag costs 1 unit",
        },
      ],
    });
  });

  test.each(["all", "one key"])("in pages is complete and without doubles while calls come in (%s)", async (of) => {
    const { admin, person, workspace, key, limitedKey, given } = await startConsole();
    const calls = Array.from({ length: 25 }, (_, index) => ({
      at: minute(Math.floor(index / 3)),
      keyId: index % 5 === 0 ? limitedKey.id : key.id,
    }));
    const ids = await admin((transaction) => insertLedgerCalls(transaction, workspace.id, calls));
    const expected = ids.filter((_, index) => of === "all" || calls[index]?.keyId === key.id);
    const owner = await person({ role: "owner" });
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { body } = await owner.call("getLog", {
        query: { limit: 4, ...(of === "all" ? {} : { keyId: key.id }), ...(cursor === "" ? {} : { cursor }) },
      });
      seen.push(...body.data.map((row: { id: string }) => row.id));
      expect(body.data.length).toBeLessThanOrEqual(4);
      cursor = body.nextCursor;
      await given.tag();
    }
    expect(seen).toEqual(expected.reverse());
  });

  test("goes on through many calls of which few fit", async () => {
    const { admin, workspace, key, service } = await startConsole();
    const calls = Array.from({ length: 100 }, (_, index) => ({
      at: minute(index),
      keyId: key.id,
      status: index % 40 === 7 ? 500 : 200,
    }));
    const ids = await admin((transaction) => insertLedgerCalls(transaction, workspace.id, calls));
    for (const keyId of [undefined, key.id]) {
      const found: string[] = [];
      let after: Awaited<ReturnType<typeof readLog>>["next"] | undefined;
      let pages = 0;
      while (after !== null) {
        const from = after;
        const page = await service.database.read((transaction) =>
          readLog(transaction, workspace.id, { status: 500, keyId }, { after: from, limit: 50 }, [5, 10]),
        );
        found.push(...page.entries.map((entry) => entry.id ?? ""));
        after = page.next;
        pages += 1;
      }
      expect(found).toEqual([87, 47, 7].map((index) => ids[index] ?? ""));
      expect(pages).toBe(7);
    }
  });

  test("of a key passes the days without its calls, and the calls of other keys between them", async () => {
    const { admin, workspace, key, limitedKey, service } = await startConsole();
    const on = (day: number) => new Date(Date.parse("2026-01-01T12:00:00.000Z") + day * 86_400_000).toISOString();
    const others = Array.from({ length: 400 }, (_, index) => ({ at: on(index >> 1), keyId: limitedKey.id }));
    const own = [0, 2, 150, 151].map((day) => ({ at: on(day), keyId: key.id }));
    await admin((transaction) => insertLedgerCalls(transaction, workspace.id, others));
    const ids = await admin((transaction) => insertLedgerCalls(transaction, workspace.id, own));
    const found: string[] = [];
    let after: Awaited<ReturnType<typeof readLog>>["next"] | undefined;
    let pages = 0;
    while (after !== null) {
      const from = after;
      const page = await service.database.read((transaction) =>
        readLog(transaction, workspace.id, { keyId: key.id }, { after: from, limit: 50 }, [3, 3]),
      );
      found.push(...page.entries.map((entry) => entry.id ?? ""));
      after = page.next;
      pages += 1;
    }
    expect(found).toEqual(ids.toReversed());
    // 404 calls in steps of 3 would be 68 pages.
    expect(pages).toBeLessThanOrEqual(4);
  });

  test("filters by key, operation, status, days and request, all at once", async () => {
    const { admin, person, workspace, key, limitedKey } = await startConsole();
    const wanted = { at: "2026-03-14T23:59:59.999Z", keyId: key.id, operation: "getTag", status: 404 };
    const ids = await admin((transaction) =>
      insertLedgerCalls(transaction, workspace.id, [
        { ...wanted, at: "2026-03-13T23:59:59.999Z" },
        { ...wanted, at: "2026-03-14T00:00:00.000Z" },
        { ...wanted, keyId: limitedKey.id },
        { ...wanted, operation: "getTags" },
        { ...wanted, status: 200 },
        wanted,
        { ...wanted, at: "2026-03-15T00:00:00.000Z" },
      ]),
    );
    const owner = await person({ role: "owner" });
    const find = async (query: Record<string, string>) =>
      (await owner.call("getLog", { query })).body.data.map((row: { id: string }) => ids.indexOf(row.id));
    const days = { from: "2026-03-14", to: "2026-03-14" };
    expect(await find({ ...days, keyId: key.id, operation: "getTag", status: "404" })).toEqual([5, 1]);
    expect(await find({ ...days, operation: "getTag", status: "404" })).toEqual([5, 2, 1]);
    expect(await find({ ...days })).toEqual([5, 4, 3, 2, 1]);
    expect(await find({ from: "2026-03-15" })).toEqual([6]);
    expect(await find({ to: "2026-03-13", keyId: key.id })).toEqual([0]);
    expect(await find({ requestId: ids[3] ?? "" })).toEqual([3]);
    expect(await find({ requestId: (ids[3] ?? "").toUpperCase(), keyId: key.id })).toEqual([3]);
    expect(await find({ requestId: ids[3] ?? "", status: "200" })).toEqual([]);
    expect(await find({ keyId: crypto.randomUUID() })).toEqual([]);
  });

  test("knows nothing of another workspace, whatever is asked for", async () => {
    const [own, other] = [await startConsole(), await startConsole()];
    await other.given.tag();
    const [theirs] = await other.ledger();
    const owner = await own.person({ role: "owner" });
    for (const query of [{}, { keyId: other.key.id }, { requestId: theirs?.id ?? "" }])
      expect((await owner.call("getLog", { query })).body).toEqual({ success: true, data: [], nextCursor: null });
  });

  test.each([
    [{ cursor: "bm9uZQ" }, "cursor must be the nextCursor of a response"],
    ...[
      ["x"],
      ["x", nobody, "", noon, nobody],
      [noon, "x", "", noon, nobody],
      [noon, nobody, "x", noon, nobody],
      [noon, nobody, "", noon],
      [noon, nobody, "", "2026-99-99T00:00:00.000Z", nobody],
      [noon, nobody, "", noon, "x"],
    ].map((parts): [Record<string, string>, string] => [{ cursor: cursorOf(parts) }, cursorMessage]),
    [{ status: "418" }, "status must be one of 200, 304, 400, 401, 403, 404, 409, 413, 422, 429, 500"],
    [{ from: "2026-03-02", to: "2026-03-01" }, '"from" must not be later than "to"'],
    [{ requestId: "1" }, "requestId must be a UUID"],
  ])("%p: 400 naming the field", async (query: Record<string, string>, message) => {
    const { person } = await startConsole();
    const { status, body } = await (await person({ role: "owner" })).call("getLog", { query });
    expect([status, body.message]).toEqual([400, message]);
  });
});

/** The cells of each line, by the rules of RFC 4180. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (const [, quoted, plain, end] of text.matchAll(cell)) {
    rows.at(-1)?.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

describe("CSV", () => {
  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1"])("takes %p for text", (text) => {
    expect(csvLine([text])).toBe(`"'${text}"\r\n`);
  });

  test("keeps commas, quotes and lines within a cell, and numbers as numbers", () => {
    const cells = ['a,"b"', "two\r\nlines", "ä😀", "a=1"];
    expect(parseCsv(csvLine(cells))).toEqual([cells]);
    expect(csvLine([1, null, "x"])).toBe('1,,"x"\r\n');
  });
});

describe("GET /log/export", () => {
  test("is the log as CSV, newest first, with the same filters and hostile names made harmless", async () => {
    const { admin, person, workspace, key, team } = await startConsole();
    const hostile = '=HYPERLINK("https://elsewhere.example","x"),\r\n@x';
    const ids = await admin(async (transaction) => {
      const row = await findKey(transaction, key.id);
      if (row) updateKey(transaction, row, { name: hostile });
      return insertLedgerCalls(transaction, workspace.id, [
        { at: minute(0), keyId: key.id },
        { at: minute(1), keyId: key.id, status: 404 },
        { at: minute(2), keyId: key.id, teamId: team.id, units: 3, operation: "getTags" },
      ]);
    });
    const owner = await person({ role: "owner" });
    const answer = await owner.call("getLogExport");
    expect([answer.status, answer.headers.get("Content-Type"), answer.headers.get("Content-Disposition")]).toEqual([
      ...[200, "text/csv; charset=utf-8", 'attachment; filename="request-log.csv"'],
    ]);
    const [head, ...rows] = parseCsv(answer.text);
    expect(head).toEqual([
      ...["Time (UTC)", "Request ID", "Method", "Path", "Operation", "Status", "Units", "Balance after"],
      ...["Explanation", "Key ID", "Key", "Team ID", "Team"],
      ...["Error code", "Error message", "Duration (microseconds)", "IP address", "Requests"],
    ]);
    expect(rows.map((row) => row[1])).toEqual([...ids].reverse());
    expect(rows[0]).toEqual([
      ...[minute(2), ids[2] ?? "", "GET", "/tags", "getTags", "200", "3", "0"],
      ...["3 units: 1 per accessible tag; 3 returned", key.id, `'${hostile}`, team.id, "Own team"],
      ...["", "", "1500", "203.0.113.7", "1"],
    ]);
    const filtered = await owner.call("getLogExport", { query: { status: "404", from: "2026-03-15" } });
    expect(parseCsv(filtered.text).map((row) => row[1])).toEqual(["Request ID", ids[1] ?? ""]);
    expect(filtered.headers.get("Content-Disposition")).toContain('"request-log-2026-03-15.csv"');
  });

  test("of no calls is its head", async () => {
    const { person } = await startConsole();
    const answer = await (await person({ role: "owner" })).call("getLogExport");
    expect(parseCsv(answer.text)).toHaveLength(1);
  });

  test("goes through thousands of rows, each of them once", async () => {
    const { admin, person, workspace, key } = await startConsole();
    const calls = Array.from({ length: 2_500 }, (_, index) => ({ at: minute(Math.floor(index / 5)), keyId: key.id }));
    const ids = await admin((transaction) => insertLedgerCalls(transaction, workspace.id, calls));
    const answer = await (await person({ role: "owner" })).call("getLogExport");
    expect(
      parseCsv(answer.text)
        .slice(1)
        .map((row) => row[1]),
    ).toEqual(ids.reverse());
  });

  test("ends where it is full, and says so in its last line", async () => {
    const { admin, service, workspace, key } = await startConsole();
    const book = (count: number) =>
      admin((transaction) =>
        insertLedgerCalls(transaction, workspace.id, Array(count).fill({ at: minute(0), keyId: key.id })),
      );
    const read = () =>
      new Response(
        exportLog(
          service.database,
          workspace.id,
          {},
          (cause) => {
            throw cause;
          },
          20,
        ),
      ).text();
    await book(20);
    expect(parseCsv(await read())).toHaveLength(21);
    await book(1);
    const rows = parseCsv(await read());
    expect(rows).toHaveLength(22);
    expect(rows.at(-1)).toEqual(["Truncated after 20 rows. Export fewer days to get every row"]);
  });

  test("reads on only while somebody takes it, and ends with whoever goes away", async () => {
    const { admin, service, workspace, key } = await startConsole();
    const calls = Array.from({ length: 5_000 }, () => ({ at: minute(0), keyId: key.id }));
    await admin((transaction) => insertLedgerCalls(transaction, workspace.id, calls));
    let reads = 0;
    const counting = new Proxy(service.database, {
      get: (target, name) => {
        if (name === "read") reads += 1;
        const value = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const reader = exportLog(counting, workspace.id, {}, () => undefined).getReader();
    expect(reads).toBe(0);
    await reader.read();
    await reader.read();
    expect(reads).toBe(2);
    await reader.cancel();
    await new Promise(setImmediate);
    expect(reads).toBe(2);
  });

  test("takes room of the large responses of its person until it was sent: eight may be on their way, taken or not", async () => {
    const { admin, service, person, workspace, key } = await startConsole();
    const calls = Array.from({ length: 3_000 }, () => ({ at: minute(0), keyId: key.id }));
    await admin((transaction) => insertLedgerCalls(transaction, workspace.id, calls));
    const owner = await person({ role: "owner" });
    const aim = {
      port: service.port,
      key: undefined,
      target: `/console/api/log/export?workspaceId=${workspace.id}`,
      headers: { cookie: owner.cookie },
    };
    const connection = await holdStreams(aim, 8);
    await connection.until(() => connection.received.headers === 8);
    const { status, body } = await owner.call("getLogExport");
    expect([status, body.error]).toEqual([503, "busy"]);
    await connection.close();
    while ((await owner.call("getLogExport")).status === 503);
  });

  test("breaks off where a read fails, so that nobody takes it for whole", async () => {
    const { service, workspace } = await startConsole();
    const failures: unknown[] = [];
    const broken = { ...service.database, read: () => Promise.reject(new Error("gone")) };
    const reader = exportLog(broken, workspace.id, {}, (cause) => failures.push(cause)).getReader();
    expect(await reader.read().catch((error: Error) => error.message)).toBe("gone");
    expect(failures).toHaveLength(1);
  });

  test("is refused to who may not read the log, before anything is sent", async () => {
    const { person } = await startConsole();
    for (const name of ["getLog", "getLogExport"] as const) {
      const { status, body } = await (await person({ role: "member" })).call(name);
      expect([status, body.error]).toEqual([403, "forbidden"]);
    }
  });
});
