// What a month costs, and its invoice (decisions, Quota and invoices).
import { describe, expect, test } from "bun:test";
import { priceMicrodollars, toCents, usd } from "../../src/metering/billing/price.ts";
import { useUnits } from "../support/charges.ts";
import { buy, callOnce, invoicesOf, quotaOf, setAllowance } from "../support/quota.ts";
import { startService } from "../support/service.ts";

const never = "00000000-0000-7000-8000-000000000000";

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
    await useUnits(started, 12_345);
    await useUnits(started, 5);
    expect(await invoicesOf(started)).toEqual([]);

    started.clock.advance(0.001);

    const invoice = {
      workspace_id: started.workspace.id,
      workspace_name: "Test workspace",
      number: null,
      month: "2026-12",
      issued_at: "2027-01-01T00:00:00.000Z",
      lines: [
        {
          description: "Units from the monthly allowance",
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
    await useUnits(started, 1_500);
    started.clock.advance(86_400);
    expect(await invoicesOf(started)).toEqual([
      {
        workspace_id: started.workspace.id,
        workspace_name: "Test workspace",
        number: null,
        month: "2026-03",
        issued_at: "2026-04-01T00:00:00.000Z",
        lines: [
          {
            description: "Units from the monthly allowance",
            units: 1_000,
            unit_price_microdollars: 100,
            amount_microdollars: 100_000,
            is_paid: false,
            paid_at: null,
            reference: null,
          },
          {
            description: "100K add-on package",
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
    expect(invoice?.lines.map(({ description }) => description)).toEqual(["500K add-on package"]);
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
    await useUnits(started, 49);
    started.clock.advance(86_400);
    expect(await invoicesOf(started)).toMatchObject([{ total_cents: 0, due_cents: 0, lines: [{ units: 49 }] }]);
  });
});
