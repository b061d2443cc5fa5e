// What a call costs: three price rules, in words for people and in numbers for the till.

export interface Cost {
  /** As the interface's summary puts it. */
  readonly words: string;
  /** True where the answer carries `usage.usageDeducted`: everywhere but at a plain 1 (decisions, section 4). */
  readonly isDeductedShown: boolean;
  /** Units for a call that touched or returned this many items. */
  readonly units: (items: number) => number;
}

/** One unit, whatever the answer holds. */
export const one: Cost = { words: "1", isDeductedShown: false, units: () => 1 };

/** One unit per item: nothing touched, nothing charged. */
export const perItem = (words: string): Cost => ({ words, isDeductedShown: true, units: (items) => items });

/** One unit for the resource and one for each item listed with it. */
export const onePlusItems = (words: string): Cost => ({ words, isDeductedShown: true, units: (items) => 1 + items });

/** An authenticated call that fails costs this, whatever its size, as far as the balance reaches (decisions, section 6). */
export const failedCallUnits = 1;

/** Refusals of an admitted call that cost nothing, by code; our own failures (5xx) cost nothing either. */
const uncharged = new Set(["subscription_inactive", "quota_exceeded"]);

/** What a refused call is charged. */
export const unitsOfRefusal = (status: number, code: string): number =>
  status >= 500 || uncharged.has(code) ? 0 : failedCallUnits;
