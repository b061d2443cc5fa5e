// Functions that put a workspace into a state in which calls are refused.
import { changeWorkspace } from "../../src/metering/quota/allowance.ts";
import { monthsOf } from "./quota-totals.ts";
import type { Started } from "./service.ts";

/** Leaves the workspace exactly this balance: sets the allowance to the units used plus these. */
export const leave = (started: Started, units: number): Promise<unknown> =>
  started.admin(async (transaction) => {
    const months = await monthsOf(started.rows, started.workspace.id);
    const used = months.find(({ month }) => month === transaction.now.slice(0, 7))?.drawn ?? 0;
    return changeWorkspace(transaction, started.workspace.id, { monthly_requests: used + units });
  });

export const setSubscription = (started: Started, subscription: "active" | "inactive"): Promise<unknown> =>
  started.admin((transaction) => changeWorkspace(transaction, started.workspace.id, { subscription }));

/** Makes valid calls until the key reaches its rate limit. */
export async function fillWindow(started: Started, key: string, limit: number): Promise<void> {
  for (let count = 0; count < limit; count += 1) {
    const { status } = await started.call("GET", "/tags", { key, query: { ids: Bun.randomUUIDv7() } });
    if (status !== 200) throw new Error(`call ${count + 1} of ${limit} was refused with ${status}`);
  }
}
