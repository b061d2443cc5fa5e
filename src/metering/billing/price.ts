// The price (interface, Quota and billing 2): 10 USD per 100,000 units, no minimum. Money is kept in whole micro-dollars.

export const microdollarsPerUnit = 100;
const microdollarsPerCent = 10_000;
const microdollarsPerDollar = 1_000_000;
const unitsOfPrice = 100_000;

/** The price in words. */
export const priceInWords = (): string =>
  `${(unitsOfPrice * microdollarsPerUnit) / microdollarsPerDollar} USD per ${unitsOfPrice.toLocaleString("en-US")} units`;

/** What units cost, exactly. */
export const priceMicrodollars = (units: number): number => units * microdollarsPerUnit;

/** Rounded half up to whole cents: done once, on the invoice. */
export const toCents = (microdollars: number): number =>
  Math.floor((microdollars + microdollarsPerCent / 2) / microdollarsPerCent);

/** Cents as people write them: `$1,234.56`. */
export const usd = (cents: number): string =>
  (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });

/** Nothing rounded: `$1.235`, `$0.0001`. */
export const exactUsd = (microdollars: number): string =>
  (microdollars / microdollarsPerDollar).toLocaleString("en-US", {
    style: "currency",
    currency: "USD",
    maximumFractionDigits: 6,
  });
