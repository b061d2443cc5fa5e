// The console's quota and usage: every day is listed, every unit is attributed, and the forecast explains its method.
import { describe, expect, test } from "bun:test";
import { createKey, deactivateKey, deleteKey } from "../../src/metering/keys/keys.ts";
import { type Forecast, forecast, type Pace, windowStart } from "../../src/metering/usage/forecast.ts";
import { computeAxis, labeledDays } from "../../web/pages/usage/scale.ts";
import { stackUsage } from "../../web/pages/usage/series.ts";
import { drawUnits } from "../support/charges.ts";
import { startConsole } from "../support/console.ts";
import { databaseConfig, engine } from "../support/engine.ts";
import { temporaryDirectory } from "../support/service.ts";
import { insertLedgerCalls } from "../support/usage.ts";

const at = "2026-03-15T12:00:00.000Z";

describe("a forecast", () => {
  const pace: Pace = {
    now: at,
    monthEndsAt: "2026-04-01T00:00:00.000Z",
    since: "2025-01-01T00:00:00.000Z",
    unitsInWindow: 650,
    used: 1_400,
    remaining: 98_600,
  };

  test("begins with the six days before today", () => {
    expect(windowStart(at)).toBe("2026-03-09");
    expect(windowStart("2026-03-02T00:00:00.000Z")).toBe("2026-02-24");
  });

  test.each<[string, Partial<Pace>, Forecast]>([
    ["that lasts", {}, { units_per_day: 100, ends_at: null, units_by_month_end: 1_400 + 1_650 }],
    [
      "that ends before the month",
      { remaining: 300 },
      { units_per_day: 100, ends_at: "2026-03-18T12:00:00.000Z", units_by_month_end: 3_050 },
    ],
    ["that is just enough", { remaining: 1_650 }, { units_per_day: 100, ends_at: null, units_by_month_end: 3_050 }],
    ["of what is used up", { remaining: 0 }, { units_per_day: 100, ends_at: at, units_by_month_end: 3_050 }],
    ["without usage", { unitsInWindow: 0, used: 0 }, { units_per_day: null, ends_at: null, units_by_month_end: 0 }],
    [
      "without a quota",
      { unitsInWindow: 0, used: 0, remaining: 0 },
      { units_per_day: null, ends_at: at, units_by_month_end: 0 },
    ],
    [
      "of a young workspace counts from its beginning",
      { since: "2026-03-13T12:00:00.000Z" },
      { units_per_day: 325, ends_at: null, units_by_month_end: 1_400 + Math.round(325 * 16.5) },
    ],
    [
      "of the first minutes does not take them for the pace of a month",
      { since: "2026-03-15T11:55:00.000Z", unitsInWindow: 10 },
      { units_per_day: 10, ends_at: null, units_by_month_end: 1_400 + 165 },
    ],
  ])("%s", (_, changes, expected) => {
    expect(forecast({ ...pace, ...changes })).toEqual(expected);
  });
});

describe("GET /quota", () => {
  test("says what is left this month, of which grants, and how long it lasts", async () => {
    const { person, given, workspace, admin, key } = await startConsole();
    for (let call = 0; call < 4; call += 1) await given.tag();
    await admin(async (transaction) => {
      await drawUnits(transaction, workspace.id, 6);
      await insertLedgerCalls(transaction, workspace.id, [{ at, keyId: key.id, units: 6 }]);
    });
    const member = await person({ role: "member" });
    const { status, body } = await member.call("getQuota");
    expect(status).toBe(200);
    expect(body.data).toEqual({
      month: "2026-03",
      granted: 100_000,
      used: 10,
      remaining: 99_990,
      grants: [{ kind: "monthly", units: 100_000, remaining: 99_990, reference: null, created_at: expect.any(String) }],
      resets_at: "2026-04-01T00:00:00.000Z",
      log_kept_from: "2025-12-15T00:00:00.000Z",
      forecast: { units_per_day: 10, ends_at: null, units_by_month_end: 10 + 165 },
    });
  });
});

describe("GET /usage", () => {
  test("without days: the last 30, each of them, with today", async () => {
    const { person, given } = await startConsole();
    await given.tag();
    const { data } = (await (await person({ role: "member" })).call("getUsage")).body;
    expect([data.from, data.to, data.by, data.days.length]).toEqual(["2026-02-14", "2026-03-15", "operation", 30]);
    expect(data.parts).toEqual([{ id: "postTag", name: "POST /tag", calls: 1, units: 1 }]);
    expect(data.days.at(-1)).toEqual({ day: "2026-03-15", calls: 1, units: 1, units_by_part: [1] });
    expect(data.days.slice(0, -1).every((one: { units: number }) => one.units === 0)).toBe(true);
    expect(data.days[14].day).toBe("2026-02-28");
  });

  test("splits the same units by operation, key and team, the most first; what is deleted keeps its name", async () => {
    const { admin, person, workspace, team, otherTeam, key } = await startConsole();
    await admin(async (transaction) => {
      const gone = await createKey(transaction, workspace.id, "Gone", "all");
      await deactivateKey(transaction, gone.id);
      const call = { at: "2026-03-10T10:00:00.000Z", keyId: key.id, operation: "getTag", teamId: team.id };
      await insertLedgerCalls(transaction, workspace.id, [
        call,
        { ...call, units: 4, operation: "getTags", teamId: null },
        { ...call, at: "2026-03-11T23:59:59.999Z", keyId: gone.id, units: 7, teamId: otherTeam.id },
        { ...call, at: "2026-03-12T00:00:00.000Z", status: 404, teamId: null },
      ]);
      await deleteKey(transaction, gone.id);
    });
    const member = await person({ role: "member" });
    const usageBy = async (by: string) =>
      (await member.call("getUsage", { query: { by, from: "2026-03-10", to: "2026-03-12" } })).body.data;
    const byKey = await usageBy("key");
    expect(byKey).toEqual({
      from: "2026-03-10",
      to: "2026-03-12",
      by: "key",
      calls: 4,
      units: 13,
      parts: [
        { id: expect.any(String), name: "Gone", calls: 1, units: 7 },
        { id: key.id, name: "All teams", calls: 3, units: 6 },
      ],
      days: [
        { day: "2026-03-10", calls: 2, units: 5, units_by_part: [0, 5] },
        { day: "2026-03-11", calls: 1, units: 7, units_by_part: [7, 0] },
        { day: "2026-03-12", calls: 1, units: 1, units_by_part: [0, 1] },
      ],
    });
    expect((await usageBy("team")).parts).toEqual([
      { id: otherTeam.id, name: "Other team", calls: 1, units: 7 },
      { id: "", name: "No team or several teams", calls: 2, units: 5 },
      { id: team.id, name: "Own team", calls: 1, units: 1 },
    ]);
    expect((await usageBy("operation")).parts).toEqual([
      { id: "getTag", name: "GET /tag", calls: 3, units: 9 },
      { id: "getTags", name: "GET /tags", calls: 1, units: 4 },
    ]);
  });

  test("has an end: beyond fifty parts, those with the least units are one", async () => {
    const { admin, person, workspace } = await startConsole();
    await admin(async (transaction) => {
      for (let index = 1; index <= 60; index += 1) {
        const { id } = await createKey(transaction, workspace.id, `Key ${index}`, []);
        await insertLedgerCalls(transaction, workspace.id, [{ at, keyId: id, units: index }]);
      }
    });
    const member = await person({ role: "member" });
    const { data } = (await member.call("getUsage", { query: { by: "key" } })).body;
    expect(data.parts).toHaveLength(50);
    expect(data.parts[0]).toMatchObject({ name: "Key 60", units: 60 });
    expect(data.parts[49]).toEqual({ id: "others", name: "11 others", calls: 11, units: 66 });
    expect(data.days.at(-1).units_by_part.reduce((sum: number, units: number) => sum + units, 0)).toBe(data.units);
  });

  test.each([
    [{ from: "2026-03-16", to: "2026-03-15" }, '"from" must not be later than "to"'],
    [{ from: "2025-03-14", to: "2026-03-15" }, '"from" must be at most 366 days before "to"'],
    [{ from: "2026-02-30" }, '"from" must be a date, such as 2026-01-31'],
    [{ by: "colour" }, '"by" must be "operation", "key", or "team"'],
  ])("%p: 400 naming the field", async (query, message) => {
    const { person } = await startConsole();
    const { status, body } = await (await person({ role: "member" })).call("getUsage", { query });
    expect([status, body.message]).toEqual([400, message]);
  });

  test("of a whole leap year is one answer", async () => {
    const { person } = await startConsole();
    const member = await person({ role: "member" });
    const { data } = (await member.call("getUsage", { query: { from: "2028-01-01", to: "2028-12-31" } })).body;
    expect([data.days.length, data.units, data.parts]).toEqual([366, 0, []]);
  });
});

describe.skipIf(engine.name !== "postgres")("plans of PostgreSQL", () => {
  test("the console's reads of usage and log read no table of calls from end to end", async () => {
    const config = await databaseConfig(temporaryDirectory());
    const first = await startConsole({ config });
    const connection = await engine.connect(config.dataDirectory);
    await connection.run("vacuum analyze");
    await first.service.stop();
    const sessionsEnd = async () => {
      const others = `select pid from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
      while ((await connection.rows(others)).length > 0) await Bun.sleep(5);
    };
    await sessionsEnd();
    await connection.rows("select pg_stat_reset()");
    const started = await startConsole({ config });
    const owner = await started.person({ role: "owner" });
    for (let round = 0; round < 7; round += 1) {
      await started.given.tag();
      for (const by of ["operation", "key", "team"]) await owner.call("getUsage", { query: { by } });
      await owner.call("getQuota");
      await owner.call("getLog");
      await owner.call("getLog", { query: { keyId: started.key.id, status: "404", from: "2026-03-01" } });
      await owner.call("getLogExport");
    }
    await started.service.stop();
    await sessionsEnd();
    expect(
      await connection.rows(
        `select relname as name from pg_stat_user_tables
         where seq_scan > 0 and relname in ('ledger', 'usage_totals', 'usage_days')`,
      ),
    ).toEqual([]);
    await connection.close();
  });
});

describe("a chart", () => {
  test.each([
    [0, 1],
    [1, 1],
    [7, 8],
    [498, 600],
    [1_000, 1_000],
    [1_001, 1_500],
    [2_345_678, 3_000_000],
  ])("of at most %d has an axis to a round number of whole units: %d", (largest, end) => {
    const axis = computeAxis(largest);
    expect(axis.end).toBe(end);
    expect(axis.steps[0]).toBe(0);
    expect(axis.steps.at(-1)).toBe(axis.end);
    expect(axis.steps.every(Number.isInteger)).toBe(true);
    expect(axis.steps.length).toBeLessThanOrEqual(6);
  });

  test("names its last day, and no two so near that they touch", () => {
    for (const [days, width] of [
      [30, 300],
      [366, 1_100],
      [1, 300],
      [7, 900],
    ] as const) {
      const named = [...labeledDays(days, width)].sort((left, right) => left - right);
      expect(named.at(-1)).toBe(days - 1);
      const apart = named.slice(1).map((index, place) => ((index - (named[place] ?? 0)) * width) / days);
      expect(apart.every((pixels) => pixels >= 72)).toBe(true);
    }
  });

  test("shows the five largest parts and the rest as one, and loses no unit", () => {
    const parts = Array.from({ length: 9 }, (_, index) => ({
      id: `${index}`,
      name: `P${index}`,
      calls: 1,
      units: 9 - index,
    }));
    const units_by_part = parts.map((part) => part.units);
    const day = { day: "2026-03-15", calls: 9, units: 45, units_by_part };
    const usage = { from: day.day, to: day.day, by: "operation" as const, calls: 9, units: 45, parts, days: [day] };
    const { series, days } = stackUsage(usage);
    expect(series.map((one) => one.name)).toEqual(["P0", "P1", "P2", "P3", "P4", "4 others"]);
    expect(days).toEqual([{ day: day.day, units: 45, values: [9, 8, 7, 6, 5, 10] }]);
  });
});
