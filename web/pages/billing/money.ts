// Money without rounding, so that calculations can be checked.
const exactFormatter = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 6 });

/** 1234500 micro-dollars → `$1.2345` */
export const formatExactUsd = (microdollars: number): string => exactFormatter.format(microdollars / 1_000_000);

/** True when rounding to cents changes the amount. */
export const isRounded = (microdollars: number): boolean => microdollars % 10_000 !== 0;
