// The cost of a call: three rules, each in words for the docs and as a function for the charge.

export interface Cost {
  /** The cost as the interface's summary puts it. */
  readonly words: string;
  /**
   * True where the cost is known only after the work. The response then carries `usage.usageDeducted`, and a read is charged
   * after it has run.
   */
  readonly dependsOnItems: boolean;
  /** Units for a call that changed or returned this many items. */
  readonly units: (items: number) => number;
}

/** One unit, whatever the response contains. */
export const one: Cost = { words: "1", dependsOnItems: false, units: () => 1 };

/** One unit per item; nothing for no items. */
export const perItem = (words: string): Cost => ({ words, dependsOnItems: true, units: (items) => items });

/** One unit for the resource, plus one per item listed with it. */
export const onePlusItems = (words: string): Cost => ({ words, dependsOnItems: true, units: (items) => 1 + items });

/** Units for an authenticated call that fails, whatever its size, but never more than the balance (decisions, Costs). */
export const failedCallUnits = 1;

/** Codes of refusals that cost nothing although the key is valid. Failures of the service (5xx) cost nothing either. */
const uncharged = new Set([
  "subscription_inactive",
  "insufficient_scope",
  "quota_exceeded",
  "storage_exceeded",
  "api_key_budget_exceeded",
  "request_in_progress",
]);

/** Units charged for a refused call. */
export const unitsOfRefusal = (status: number, code: string): number =>
  status >= 500 || uncharged.has(code) ? 0 : failedCallUnits;
