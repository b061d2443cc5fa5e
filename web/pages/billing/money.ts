// Money with nothing rounded, for arithmetic that can be followed.
const exactFormatter = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 6 });

/** 1234500 micro-dollars → `$1.2345` */
export const formatExactUsd = (microdollars: number): string => exactFormatter.format(microdollars / 1_000_000);

/** Whether rounding to cents changes it. */
export const isRounded = (microdollars: number): boolean => microdollars % 10_000 !== 0;
