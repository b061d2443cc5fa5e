// Decisions, section 10: the month, grants, the ledger, add-on packages, price and invoices.
import { describe, expect, test } from "bun:test";
import { changeWorkspace, createWorkspace } from "../../src/accounts/workspaces/workspaces.ts";
import { readConfig } from "../../src/config.ts";
import { listInvoices } from "../../src/metering/billing/invoices.ts";
import { priceMicrodollars, toCents, usd } from "../../src/metering/billing/price.ts";
import { insertLedgerEntry } from "../../src/metering/quota/quota.store.ts";
import { charge, grantPackage, type PackageName, showQuota } from "../../src/metering/quota/quota.ts";
import { showUsage } from "../../src/metering/quota/usage.ts";
import type { Database, Transaction } from "../../src/platform/database/database.ts";
import { expectBooksToBalance, monthsOf } from "../support/books.ts";
import { engine, openNode } from "../support/engine.ts";
import { inGroups, newId } from "../support/expect.ts";
import { leave } from "../support/refusals.ts";
import { type RawAnswer, type Started, startService, text } from "../support/service.ts";

const never = "00000000-0000-7000-8000-000000000000";

const quotaOf = (started: Started) => started.admin((transaction) => showQuota(transaction, started.workspace.id));
const invoicesOf = (started: Started) =>
  started.admin((transaction) => listInvoices(transaction, started.workspace.id));
const invoiceNumber = ({ workspace }: Started, month: string): string =>
  `INV-${month}-${workspace.id.slice(-12).toUpperCase()}`;
const setAllowance = (started: Started, monthly_requests: number) =>
  started.admin((transaction) => changeWorkspace(transaction, started.workspace.id, { monthly_requests }));
const buy = (started: Started, name: PackageName, reference: string) =>
  started.admin((transaction) => grantPackage(transaction, started.workspace.id, name, reference));
/** The refusal of an administrative act. */
const refusedWith = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "done",
    (error: Error) => `${error.name}: ${error.message}`,
  );
const expectBalancedBooks = (started: Started): Promise<void> =>
  expectBooksToBalance(started.rows, started.workspace.id);

/** One call that costs this much, as the till books it: more units than a test could use up by calls. */
const use = (started: Started, units: number) =>
  started.admin(async (transaction) => {
    await showQuota(transaction, started.workspace.id);
    const balance = await charge(transaction, started.workspace.id, units);
    if (balance === undefined) throw new Error(`the workspace does not have ${units} units`);
    await insertLedgerEntry(transaction, {
      id: transaction.newId(),
      workspace_id: started.workspace.id,
      key_id: started.emptyKey.id,
      key_call: 1_000_000 - balance,
      operation: "getSnippets",
      status: 200,
      units,
      balance_after: balance,
      team_id: null,
    });
  });

/** A call that costs 1. */
const callOnce = (started: Started) => started.given.tag();

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
    await expectBalancedBooks(started);
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

    await expectBalancedBooks(started);
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
    await expectBalancedBooks(started);
    return started;
  };

  test("a clock that steps back over the border of a month goes on in the month it had reached", async () => {
    const started = await stepBack();
    expect(await monthsOf(started.rows, started.workspace.id)).toEqual([
      { month: "2026-03", balance: 99_999, granted: 100_000, monthlyGrants: 1, drawn: 1 },
      { month: "2026-04", balance: 99_998, granted: 100_000, monthlyGrants: 1, drawn: 2 },
    ]);
  });

  // A PostgreSQL tells the time itself, and is not started with the service.
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
    const look = (node: Database) => node.transaction((transaction) => showQuota(transaction, started.workspace.id));
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
    await expectBalancedBooks(started);
    started.clock.advance(3_600);
    expect(await quotaOf(started)).toMatchObject({ month: "2026-04", remaining: 10, granted: 10, used: 0 });
  });

  test("never takes the grant below what is used", async () => {
    const started = await startService();
    await use(started, 30);
    for (const allowance of [10, 0]) {
      await setAllowance(started, allowance);
      expect(await quotaOf(started)).toMatchObject({ remaining: 0, granted: 30, used: 30, used_of_allowance: 30 });
      await expectBalancedBooks(started);
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
    await use(started, 25);
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
    await expectBalancedBooks(started);
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
    await expectBalancedBooks(started);
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
    await expectBalancedBooks(started);
  });

  test("the same reference with another workspace or package is an error that changes nothing", async () => {
    const started = await startService();
    const other = await started.admin((transaction) => createWorkspace(transaction, "Other", 5));
    // References are unique in the instance, which tests share.
    const reference = `payment-${started.workspace.id}`;
    await buy(started, "100K", reference);
    const refusal = "Refusal: This payment reference was already used for another workspace or package";
    expect(await refusedWith(buy(started, "500K", reference))).toBe(refusal);
    expect(
      await refusedWith(started.admin((transaction) => grantPackage(transaction, other.id, "100K", reference))),
    ).toBe(refusal);
    expect(await started.balance()).toBe(200_000);
    expect(await monthsOf(started.rows, other.id)).toEqual([]);
    await expectBalancedBooks(started);
  });

  test("the monthly allowance is drawn first, then add-ons in order of purchase", async () => {
    const started = await startService({});
    await setAllowance(started, 10);
    await buy(started, "500K", "first");
    await buy(started, "100K", "second");
    await buy(started, "1M", "third");
    const remaining = async () => (await quotaOf(started)).grants.map((grant) => [grant.kind, grant.remaining]);

    await use(started, 10);
    expect(await remaining()).toEqual([
      ["monthly", 0],
      ["500K", 500_000],
      ["100K", 100_000],
      ["1M", 1_000_000],
    ]);
    await use(started, 500_001);
    expect(await remaining()).toEqual([
      ["monthly", 0],
      ["500K", 0],
      ["100K", 99_999],
      ["1M", 1_000_000],
    ]);
    await use(started, 99_999 + 1_000_000);
    expect((await remaining()).map(([, units]) => units)).toEqual([0, 0, 0, 0]);
    await expectBalancedBooks(started);
  });
});

describe("the ledger", () => {
  test("every call is one row: request id, workspace, key, operation, status, units, balance after, time", async () => {
    const started = await startService({ at: "2026-03-15T12:00:00.000Z" });
    const body = { tags: [1, 2, 3].map((tag) => ({ tagName: `${tag}`, tagColor: "#fff", teamId: started.team.id })) };
    const good = await started.call("POST", "/tags", { key: started.key.secret, body });
    started.clock.advance(1.5);
    const bad = await started.call("GET", "/snippet", { key: started.limitedKey.secret, query: { id: never } });
    expect((await started.ledger()) as object[]).toEqual([
      {
        id: good.body ? good.headers.get("x-request-id") : "",
        workspace_id: started.workspace.id,
        key_id: started.key.id,
        key_call: 1,
        operation: "postTags",
        status: 200,
        units: 3,
        balance_after: 99_997,
        team_id: started.team.id,
        admitted_at: "2026-03-15T12:00:00.000Z",
      },
      {
        id: bad.body.requestId,
        workspace_id: started.workspace.id,
        key_id: started.limitedKey.id,
        key_call: 1,
        operation: "getSnippet",
        status: 404,
        units: 1,
        balance_after: 99_996,
        team_id: null,
        admitted_at: "2026-03-15T12:00:01.500Z",
      },
    ]);
  });

  test("usage of a month, by operation and by key", async () => {
    const started = await startService({ at: "2026-03-31T23:59:59.000Z" });
    const tag = await started.given.tag();
    await started.client.getTag({ tagId: tag.id });
    await started.call("GET", "/snippet", { key: started.limitedKey.secret, query: { id: never } });
    started.clock.advance(1);
    await started.client.getTag({ tagId: tag.id });
    const usage = (month: string) =>
      started.admin((transaction) => showUsage(transaction, started.workspace.id, month));
    const keyRow = (key: { id: string; secret_start: string }, name: string, calls: number) => ({
      key_id: key.id,
      name,
      secret_start: key.secret_start,
      calls,
      units: calls,
    });
    expect(await usage("2026-03")).toEqual({
      workspace_id: started.workspace.id,
      month: "2026-03",
      calls: 3,
      units: 3,
      by_operation: ["getSnippet", "getTag", "postTag"].map((operation) => ({ operation, calls: 1, units: 1 })),
      by_key: [keyRow(started.key, "All teams", 2), keyRow(started.limitedKey, "One team", 1)],
    });
    expect(await usage("2026-04")).toMatchObject({ calls: 1, units: 1 });
    expect(await usage("2026-05")).toMatchObject({ calls: 0, units: 0, by_operation: [], by_key: [] });
  });
});

describe("price and invoices", () => {
  test.each([
    [0, 0, 0],
    [1, 100, 0],
    [49, 4_900, 0],
    [50, 5_000, 1],
    [149, 14_900, 1],
    [150, 15_000, 2],
    [100_000, 10_000_000, 1_000],
    [1_000_000, 100_000_000, 10_000],
    [123_456_789_050, 12_345_678_905_000, 1_234_567_891],
  ])("%i units are %i micro-dollars, %i cents", (units, microdollars, cents) => {
    expect(priceMicrodollars(units)).toBe(microdollars);
    expect(toCents(microdollars)).toBe(cents);
  });

  test("cents are shown as dollars", () => {
    expect([0, 1, 1_000, 123_456_789].map(usd)).toEqual(["$0.00", "$0.01", "$10.00", "$1,234,567.89"]);
  });

  test("the invoice of a month is made on the 1st of the next, and stays as it is", async () => {
    const started = await startService({ at: "2026-12-31T23:59:59.999Z" });
    await use(started, 12_345);
    await use(started, 5);
    expect(await invoicesOf(started)).toEqual([]);

    started.clock.advance(0.001);

    const invoice = {
      workspace_id: started.workspace.id,
      workspace_name: "Test workspace",
      number: invoiceNumber(started, "2026-12"),
      month: "2026-12",
      issued_at: "2027-01-01T00:00:00.000Z",
      lines: [
        {
          description: "Requests from the monthly allowance",
          units: 12_350,
          unit_price_microdollars: 100,
          amount_microdollars: 1_235_000,
          is_paid: false,
          paid_at: null,
          reference: null,
        },
      ],
      // 123.5 cents: rounded half up, once.
      total_cents: 124,
      paid_cents: 0,
      due_cents: 124,
      paid_at: null,
    };
    expect(await invoicesOf(started)).toEqual([invoice]);
    await callOnce(started);
    await setAllowance(started, 1);
    started.clock.advance(31 * 86_400);
    const later = await invoicesOf(started);
    expect(later.map(({ month }) => month)).toEqual(["2027-01", "2026-12"]);
    expect(later[1]).toEqual(invoice);
  });

  test("it charges what was drawn from the allowance; an add-on is on it as paid", async () => {
    const started = await startService({ at: "2026-03-31T12:00:00.000Z" });
    await setAllowance(started, 1_000);
    await buy(started, "100K", "payment-7");
    await use(started, 1_500);
    started.clock.advance(86_400);
    expect(await invoicesOf(started)).toEqual([
      {
        workspace_id: started.workspace.id,
        workspace_name: "Test workspace",
        number: invoiceNumber(started, "2026-03"),
        month: "2026-03",
        issued_at: "2026-04-01T00:00:00.000Z",
        lines: [
          {
            description: "Requests from the monthly allowance",
            units: 1_000,
            unit_price_microdollars: 100,
            amount_microdollars: 100_000,
            is_paid: false,
            paid_at: null,
            reference: null,
          },
          {
            description: "Add-on package 100K",
            units: 100_000,
            unit_price_microdollars: 100,
            amount_microdollars: 10_000_000,
            is_paid: true,
            paid_at: "2026-03-31T12:00:00.000Z",
            reference: "payment-7",
          },
        ],
        total_cents: 1_010,
        paid_cents: 1_000,
        due_cents: 10,
        paid_at: null,
      },
    ]);
  });

  test("an add-on without usage is on an invoice of its own month, with nothing due", async () => {
    const started = await startService({ at: "2026-03-31T12:00:00.000Z" });
    await buy(started, "500K", "payment-8");
    started.clock.advance(86_400);
    const [invoice, ...others] = await invoicesOf(started);
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({ total_cents: 5_000, paid_cents: 5_000, due_cents: 0 });
    expect(invoice?.lines.map(({ description }) => description)).toEqual(["Add-on package 500K"]);
  });

  test("a month without usage has no invoice", async () => {
    const started = await startService({ at: "2026-03-31T12:00:00.000Z" });
    await quotaOf(started);
    await started.call("GET", "/tags", { key: started.key.secret, query: { ids: never } });
    started.clock.advance(86_400);
    expect(await invoicesOf(started)).toEqual([]);
  });

  test("there is no minimum charge: a month of 49 units is an invoice of 0 cents", async () => {
    const started = await startService({ at: "2026-03-31T12:00:00.000Z" });
    await use(started, 49);
    started.clock.advance(86_400);
    expect(await invoicesOf(started)).toMatchObject([{ total_cents: 0, due_cents: 0, lines: [{ units: 49 }] }]);
  });
});

describe("under parallel calls", () => {
  /** What an answer says was charged and left. Refusals do not say what is left; their row in the ledger does. */
  interface Charge {
    readonly cost: number;
    readonly after: number;
  }

  function chargeOf(answer: RawAnswer, ledger: Awaited<ReturnType<Started["ledger"]>>): Charge {
    const row = ledger.find(({ id }) => id === answer.headers.get("x-request-id"));
    if (!row) throw new Error(`no row in the ledger for an answer of ${answer.status}`);
    const cost = Number(answer.headers.get("x-request-cost"));
    expect({ status: row.status, units: row.units }).toEqual({ status: answer.status, units: cost });
    const after: number | undefined = answer.body.usage?.remainingRequests;
    if (after !== undefined) expect(row.balance_after).toBe(after);
    return { cost, after: after ?? row.balance_after };
  }

  test("400 mixed calls, refused ones included: each balance is the one before minus the call's own cost", async () => {
    const started = await startService();
    const { folder, snippet } = await started.given.snippetInFolder();
    const foreign = await started.given.snippet({ teamId: started.otherTeam.id });
    const tagBody = (count: number) => ({
      tags: Array.from({ length: count }, (_, index) => ({
        tagName: `${index}`,
        tagColor: "#fff",
        teamId: started.team.id,
      })),
    });
    const [all, some] = [started.key.secret, started.limitedKey.secret];
    const kinds = [
      () => started.call("GET", "/snippet", { key: all, query: { id: snippet.id } }),
      () => started.call("GET", "/snippet", { key: some, query: { id: foreign.id } }),
      () => started.call("GET", "/snippet", { key: some, query: { id: never } }),
      () => started.call("GET", "/snippet", { key: all }),
      () => started.call("GET", "/folder", { key: some, query: { folderId: folder.id, limit: 1 } }),
      () => started.call("GET", "/snippets", { key: some, query: { ids: `${snippet.id},${foreign.id},${never}` } }),
      () => started.call("GET", "/tags", { key: all, query: { ids: never } }),
      () => started.call("POST", "/tags", { key: all, body: tagBody(7) }),
      () => started.call("POST", "/tags", { key: some, body: { tags: [...tagBody(2).tags, { tagName: "" }] } }),
      () => started.call("POST", "/tags", { key: some, body: "{" }),
      () =>
        started.call("PUT", "/snippet", {
          key: all,
          query: { id: snippet.id },
          body: { content: text(crypto.randomUUID()) },
        }),
    ];
    const callOf = (index: number) => {
      const make = kinds[(index * 7) % kinds.length];
      if (!make) throw new Error("there is a kind for every index");
      return make();
    };
    await leave(started, 500);
    const known = (await started.ledger()).length;
    const before = await started.balance();

    const answers = await Promise.all(Array.from({ length: 400 }, (_, index) => callOf(index)));

    const ledger = await started.ledger();
    const charges = answers.map((answer) => chargeOf(answer, ledger));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400, 403, 404]));
    expect(answers.some(({ body }) => body.error === "quota_exceeded")).toBe(true);
    // Whatever cost something, from the fullest balance down: no gap, no overlap.
    const chain = charges.filter(({ cost }) => cost > 0).sort((one, other) => other.after - one.after);
    let balance = before;
    for (const { cost, after } of chain) {
      expect(after).toBe(balance - cost);
      balance = after;
    }
    expect(balance).toBe(0);
    expect(await started.balance()).toBe(0);
    // Whatever cost nothing saw a balance that there was.
    const balances = new Set([before, ...chain.map(({ after }) => after)]);
    for (const { cost, after } of charges) if (cost === 0) expect(balances).toContain(after);
    expect(ledger).toHaveLength(known + 400);
    await expectBalancedBooks(started);
  });

  test("balance 1 and 50 parallel calls: exactly one succeeds, ten times", async () => {
    const started = await startService();
    for (let round = 1; round <= 10; round += 1) {
      await leave(started, 1);
      const body = { tagName: `Round ${round}`, tagColor: "#fff", teamId: started.team.id };
      const post = () => started.call("POST", "/tag", { key: started.key.secret, body });

      const answers = await Promise.all(Array.from({ length: 50 }, post));

      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 403);
      expect(refused).toHaveLength(49);
      for (const { body } of refused) expect(body.usage).toEqual({ remainingRequests: 0, requiredRequests: 1 });
      expect(await started.balance()).toBe(0);
      expect(
        await started.rows(
          "select id from tags where workspace_id = ? and tag_name = ?",
          started.workspace.id,
          `Round ${round}`,
        ),
      ).toHaveLength(1);
    }
    await expectBalancedBooks(started);
  });

  test("two processes on one database: balance 1 is spent once", async () => {
    const started = await startService();
    const clock = () => started.clock.now;
    const nodes = [await openNode(started.dataDirectory, clock), await openNode(started.dataDirectory, clock)];
    const spend = (transaction: Transaction) => charge(transaction, started.workspace.id, 1);
    try {
      for (let round = 0; round < 10; round += 1) {
        await setAllowance(started, round + 1);
        const outcomes = await Promise.all(
          Array.from({ length: 20 }, (_, index) => nodes[index % 2]?.transaction(spend)),
        );
        expect(outcomes.filter((outcome) => outcome !== undefined)).toEqual([0]);
        expect(await started.balance()).toBe(0);
      }
    } finally {
      for (const node of nodes) await node.close();
    }
  });
});
