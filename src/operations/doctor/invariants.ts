// The checks of what holds for the stored data at all times.
import { formatNumber } from "../format.ts";
import { type Check, examplesMax, listSome, ok, problem } from "./check.ts";
import { findViolations, invariants } from "./invariants.store.ts";
import type { StoredData } from "./stored-data.ts";

export const invariantChecks: readonly Check<StoredData>[] = invariants.map((invariant) => ({
  name: invariant.name,
  question: invariant.question,
  remedy: invariant.remedy,
  examine: async ({ engine, read }) => {
    const { total, examples } = await read((transaction) =>
      findViolations(transaction, engine, invariant, examplesMax),
    );
    if (total === 0) return ok(invariant.confirmation);
    const shown = examples.map((row) => `${row.what} in workspace ${row.workspace_id}`);
    return problem(`${formatNumber(total)} ${total === 1 ? "violation" : "violations"}: ${listSome(shown, total)}`);
  },
}));
