// The month and its grants, a changed allowance, and packages (decisions, Quota and invoices).
import { describe, expect, test } from "bun:test";
import { createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { readConfig } from "../../src/config.ts";
import { grantPackage, readQuota } from "../../src/metering/quota/quota.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { useUnits } from "../support/charges.ts";
import { engine, openNode } from "../support/engine.ts";
import { inGroups, newId } from "../support/expect.ts";
import { buy, callOnce, expectConsistentQuota, quotaOf, refusedWith, setAllowance } from "../support/quota.ts";
import { monthsOf } from "../support/quota-totals.ts";
import { leave } from "../support/refusals.ts";
import { startService } from "../support/service.ts";

const never = "00000000-0000-7000-8000-000000000000";

describe("the month", () => {
  test("the allowance of a new workspace is 100,000 units when nothing else is set", () => {
    expect(readConfig({}).monthlyRequests).toBe(100_000);
  });

  test("the first call of a month opens it with one grant of the allowance", async () => {
    const started = await startService({});
    expect(await monthsOf(started.rows, started.workspace.id)).toEqual([]);
    await callOnce(started);
    expect(await monthsOf(started.rows, started.workspace.id)).toEqual([
      { month: "2026-03", balance: 99_999, granted: 100_000, monthlyGrants: 1, drawn: 1 },
    ]);
  });

  test("the first look at the quota opens it too, and looking again changes nothing", async () => {
    const started = await startService({ at: "2026-05-20T08:30:00.000Z" });
    const quota = {
      workspace_id: started.workspace.id,
      month: "2026-05",
      remaining: 100_000,
      granted: 100_000,
      used: 0,
      used_of_allowance: 0,
      grants: [
        {
          id: newId,
          month: "2026-05",
          kind: "monthly",
          units: 100_000,
          remaining: 100_000,
          reference: null,
          created_at: "2026-05-20T08:30:00.000Z",
        },
      ],
    };
    expect(await quotaOf(started)).toEqual(quota as never);
    expect(await quotaOf(started)).toEqual(quota as never);
    expect(await monthsOf(started.rows, started.workspace.id)).toHaveLength(1);
  });

  test.each([
    ["2026-03-31T23:59:59.999Z", "2026-03", "2026-04"],
    ["2026-12-31T23:59:59.999Z", "2026-12", "2027-01"],
    ["2028-02-29T23:59:59.999Z", "2028-02", "2028-03"],
    ["2027-02-28T23:59:59.999Z", "2027-02", "2027-03"],
  ])("the quota resets on the 1st in UTC: one millisecond after %s", async (at, before, after) => {
    const started = await startService({ at });
    await leave(started, 1);
    await callOnce(started);
    expect(await callOnce(started).catch((error: Error) => error.message)).toBe(
      "Insufficient API requests: 1 required, 0 remaining",
    );
    await setAllowance(started, 50);

    started.clock.advance(0.001);

    await callOnce(started);
    expect(await monthsOf(started.rows, started.workspace.id)).toEqual([
      { month: before, balance: 49, granted: 50, monthlyGrants: 1, drawn: 1 },
      { month: after, balance: 49, granted: 50, monthlyGrants: 1, drawn: 1 },
    ]);
  });

  test("unused requests do not roll over, and add-ons end with their month too", async () => {
    const started = await startService({ at: "2026-03-31T23:59:00.000Z" });
    await buy(started, "1M", "payment-1");
    await callOnce(started);
    started.clock.advance(60);
    expect(await quotaOf(started)).toMatchObject({ month: "2026-04", remaining: 100_000, granted: 100_000, used: 0 });
  });

  test("nothing runs on the 1st: a month without a call or a look has no grant", async () => {
    const started = await startService({ at: "2026-01-31T12:00:00.000Z" });
    await callOnce(started);
    started.clock.advance(40 * 86_400);
    await callOnce(started);
    expect((await monthsOf(started.rows, started.workspace.id)).map(({ month }) => month)).toEqual([
      "2026-01",
      "2026-03",
    ]);
    await expectConsistentQuota(started);
  });

  test("calls that cross the border of a month at the same time open it once", async () => {
    const started = await startService({ at: "2026-03-31T23:59:59.000Z" });
    const fail = async () =>
      (await started.call("GET", "/snippet", { key: started.key.secret, query: { id: never } })).status;
    const workers = Array.from({ length: 20 }, async (_, worker) => {
      for (let count = 0; count < 10; count += 1) {
        expect(await fail()).toBe(404);
        if (worker === 0 && count === 4) started.clock.advance(1);
      }
    });
    await Promise.all(workers);

    await expectConsistentQuota(started);
    const months = await monthsOf(started.rows, started.workspace.id);
    expect(months.map(({ month }) => month)).toEqual(["2026-03", "2026-04"]);
    for (const { drawn } of months) expect(drawn).toBeGreaterThanOrEqual(5);
    expect(months.reduce((sum, { drawn }) => sum + drawn, 0)).toBe(200);
  });

  const stepBack = async () => {
    const started = await startService({ at: "2026-03-31T23:59:59.000Z" });
    await callOnce(started);
    started.clock.advance(2);
    await callOnce(started);
    started.clock.advance(-2);
    await callOnce(started);
    await expectConsistentQuota(started);
    return started;
  };

  test("a clock that steps back over the border of a month goes on in the month it had reached", async () => {
    const started = await stepBack();
    expect(await monthsOf(started.rows, started.workspace.id)).toEqual([
      { month: "2026-03", balance: 99_999, granted: 100_000, monthlyGrants: 1, drawn: 1 },
      { month: "2026-04", balance: 99_998, granted: 100_000, monthlyGrants: 1, drawn: 2 },
    ]);
  });

  // PostgreSQL has its own clock and does not start with the service.
  test.skipIf(engine.name !== "sqlite")("so it does after a restart", async () => {
    const started = await stepBack();
    await started.service.stop();
    const at = new Date(started.clock.now).toISOString();
    const again = await startService({ at, config: { dataDirectory: started.dataDirectory } });
    expect((await again.call("GET", "/snippet", { key: started.key.secret, query: { id: never } })).status).toBe(404);
    expect(await monthsOf(started.rows, started.workspace.id)).toEqual([
      { month: "2026-03", balance: 99_999, granted: 100_000, monthlyGrants: 1, drawn: 1 },
      { month: "2026-04", balance: 99_997, granted: 100_000, monthlyGrants: 1, drawn: 3 },
    ]);
    await again.service.stop();
  });

  test("two nodes whose clocks differ open each month once, whichever is first", async () => {
    const started = await startService({ at: "2026-03-31T23:59:59.500Z" });
    const clocks = [-400, 0, 400].map((skew) => () => started.clock.now + skew);
    const nodes = await inGroups(clocks, (clock) => openNode(started.dataDirectory, clock), 1);
    const look = (node: Database) => node.transaction((transaction) => readQuota(transaction, started.workspace.id));
    try {
      for (let step = 0; step < 10; step += 1) {
        await Promise.all([...nodes, ...nodes].map(look));
        started.clock.advance(0.1);
      }
    } finally {
      for (const node of nodes) await node.close();
    }
    expect(await monthsOf(started.rows, started.workspace.id)).toEqual([
      { month: "2026-03", balance: 100_000, granted: 100_000, monthlyGrants: 1, drawn: 0 },
      { month: "2026-04", balance: 100_000, granted: 100_000, monthlyGrants: 1, drawn: 0 },
    ]);
  });
});

describe("a changed allowance", () => {
  test("acts at once, up and down, and is the next month's too", async () => {
    const started = await startService({ at: "2026-03-31T23:00:00.000Z" });
    await callOnce(started);
    await setAllowance(started, 200_000);
    expect(await quotaOf(started)).toMatchObject({ remaining: 199_999, granted: 200_000, used: 1 });
    await setAllowance(started, 10);
    expect(await quotaOf(started)).toMatchObject({ remaining: 9, granted: 10, used: 1 });
    await expectConsistentQuota(started);
    started.clock.advance(3_600);
    expect(await quotaOf(started)).toMatchObject({ month: "2026-04", remaining: 10, granted: 10, used: 0 });
  });

  test("never takes the grant below what is used", async () => {
    const started = await startService();
    await useUnits(started, 30);
    for (const allowance of [10, 0]) {
      await setAllowance(started, allowance);
      expect(await quotaOf(started)).toMatchObject({ remaining: 0, granted: 30, used: 30, used_of_allowance: 30 });
      await expectConsistentQuota(started);
    }
    expect(await callOnce(started).catch((error: Error) => error.message)).toBe(
      "Insufficient API requests: 1 required, 0 remaining",
    );
    await setAllowance(started, 31);
    expect(await quotaOf(started)).toMatchObject({ remaining: 1, granted: 31, used: 30 });
  });

  test("leaves add-ons as they are", async () => {
    const started = await startService({});
    await setAllowance(started, 40);
    await buy(started, "100K", "payment-a");
    await useUnits(started, 25);
    await setAllowance(started, 5);
    expect(await quotaOf(started)).toMatchObject({
      remaining: 100_000,
      granted: 100_025,
      used: 25,
      grants: [
        { kind: "monthly", units: 25, remaining: 0 },
        { kind: "100K", units: 100_000, remaining: 100_000 },
      ],
    });
    await expectConsistentQuota(started);
  });

  test("made before the first call of the month, it is the month's", async () => {
    const started = await startService({});
    await setAllowance(started, 7);
    await callOnce(started);
    expect(await monthsOf(started.rows, started.workspace.id)).toEqual([
      { month: "2026-03", balance: 6, granted: 7, monthlyGrants: 1, drawn: 1 },
    ]);
  });
});

describe("an add-on package", () => {
  test.each([
    ["100K", 100_000],
    ["500K", 500_000],
    ["1M", 1_000_000],
  ] as const)("of %s is %i units, credited at once", async (name, units) => {
    const started = await startService({ at: "2026-03-15T12:00:00.000Z" });
    await leave(started, 0);
    expect(await callOnce(started).catch((error: Error) => error.message)).toStartWith("Insufficient API requests");

    expect(await buy(started, name, "payment-1")).toEqual({
      workspace_id: started.workspace.id,
      month: "2026-03",
      remaining: units,
      granted: units,
      used: 0,
      used_of_allowance: 0,
      credited: true,
      grants: [
        {
          id: newId,
          month: "2026-03",
          kind: "monthly",
          units: 0,
          remaining: 0,
          reference: null,
          created_at: "2026-03-15T12:00:00.000Z",
        },
        {
          id: newId,
          month: "2026-03",
          kind: name,
          units,
          remaining: units,
          reference: "payment-1",
          created_at: "2026-03-15T12:00:00.000Z",
        },
      ],
    });

    await callOnce(started);
    expect(await started.balance()).toBe(units - 1);
    await expectConsistentQuota(started);
  });

  test("the same reference with the same workspace and package credits nothing and succeeds, in a later month too", async () => {
    const started = await startService({ at: "2026-03-31T12:00:00.000Z" });
    const bought = await Promise.all(Array.from({ length: 5 }, () => buy(started, "100K", "payment-1")));
    const [first, ...others] = bought.sort((one, other) => Number(other.credited) - Number(one.credited));
    expect(first).toMatchObject({ credited: true, remaining: 200_000 });
    for (const other of others) expect(other).toMatchObject({ credited: false, remaining: 200_000 });
    started.clock.advance(86_400);
    expect(await buy(started, "100K", "payment-1")).toMatchObject({
      credited: false,
      month: "2026-04",
      remaining: 100_000,
    });
    await expectConsistentQuota(started);
  });

  test("the same reference with another workspace or package is an error that changes nothing", async () => {
    const started = await startService();
    const other = await started.admin((transaction) => createWorkspace(transaction, "Other", 5));
    // References are unique in the instance, which the tests share.
    const reference = `payment-${started.workspace.id}`;
    await buy(started, "100K", reference);
    const refusal = "Refusal: This payment reference was already used for another workspace or package";
    expect(await refusedWith(buy(started, "500K", reference))).toBe(refusal);
    expect(
      await refusedWith(started.admin((transaction) => grantPackage(transaction, other.id, "100K", reference))),
    ).toBe(refusal);
    expect(await started.balance()).toBe(200_000);
    expect(await monthsOf(started.rows, other.id)).toEqual([]);
    await expectConsistentQuota(started);
  });

  test("the monthly allowance is drawn first, then add-ons in order of purchase", async () => {
    const started = await startService({});
    await setAllowance(started, 10);
    await buy(started, "500K", "first");
    await buy(started, "100K", "second");
    await buy(started, "1M", "third");
    const remaining = async () => (await quotaOf(started)).grants.map((grant) => [grant.kind, grant.remaining]);

    await useUnits(started, 10);
    expect(await remaining()).toEqual([
      ["monthly", 0],
      ["500K", 500_000],
      ["100K", 100_000],
      ["1M", 1_000_000],
    ]);
    await useUnits(started, 500_001);
    expect(await remaining()).toEqual([
      ["monthly", 0],
      ["500K", 0],
      ["100K", 99_999],
      ["1M", 1_000_000],
    ]);
    await useUnits(started, 99_999 + 1_000_000);
    expect((await remaining()).map(([, units]) => units)).toEqual([0, 0, 0, 0]);
    await expectConsistentQuota(started);
  });
});
