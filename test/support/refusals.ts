// Ways to put a workspace into a state in which calls are refused.
import { changeWorkspace } from "../../src/workspaces/workspaces.ts";
import type { Started } from "./service.ts";

/** Leaves the workspace exactly this much of the month, by an allowance of what it used and that. */
export const leave = (started: Started, units: number): Promise<unknown> =>
  started.admin((transaction) => {
    const month = transaction.now.slice(0, 7);
    const [row] = started.rows<{ used: number }>(
      "select coalesce(sum(units), 0) as used from ledger where workspace_id = ? and substr(admitted_at, 1, 7) = ?",
      started.workspace.id,
      month,
    );
    return changeWorkspace(transaction, started.workspace.id, { monthly_requests: (row?.used ?? 0) + units });
  });

export const setSubscription = (started: Started, subscription: "active" | "inactive"): Promise<unknown> =>
  started.admin((transaction) => changeWorkspace(transaction, started.workspace.id, { subscription }));

/** Makes good calls until the key's window is full. */
export async function fillWindow(started: Started, key: string, limit: number): Promise<void> {
  for (let count = 0; count < limit; count += 1) {
    const { status } = await started.call("GET", "/tags", { key, query: { ids: Bun.randomUUIDv7() } });
    if (status !== 200) throw new Error(`call ${count + 1} of ${limit} was refused with ${status}`);
  }
}
