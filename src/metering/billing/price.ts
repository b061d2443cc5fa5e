// The price: 10 USD per 100,000 units, no minimum (decisions, Quota and invoices). Amounts are whole microdollars.

export const microdollarsPerUnit = 100;
const microdollarsPerCent = 10_000;
const microdollarsPerDollar = 1_000_000;
const unitsOfPrice = 100_000;

/** The price in words. */
export const priceInWords = (): string =>
  `${usd((unitsOfPrice * microdollarsPerUnit) / microdollarsPerCent)} per ${unitsOfPrice.toLocaleString("en-US")} units`;

/** The exact price of units. */
export const priceMicrodollars = (units: number): number => units * microdollarsPerUnit;

/** Rounds half up to whole cents. An invoice does this once. */
export const toCents = (microdollars: number): number =>
  Math.floor((microdollars + microdollarsPerCent / 2) / microdollarsPerCent);

/** Formats cents: `$1,234.56`. */
export const usd = (cents: number): string =>
  (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });

/** Formats microdollars exactly: `$1.235`, `$0.0001`. */
export const exactUsd = (microdollars: number): string =>
  (microdollars / microdollarsPerDollar).toLocaleString("en-US", {
    style: "currency",
    currency: "USD",
    maximumFractionDigits: 6,
  });
