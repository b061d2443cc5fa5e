// Why a call cost what it cost, in one sentence made of the table that it was charged by.

import { failedCallUnits } from "../../contract/costs.ts";
import type { Method } from "../../contract/operation.ts";
import { type OperationName, operations } from "../../contract/operations.ts";

export interface Charged {
  readonly operation: string;
  readonly status: number;
  readonly units: number;
  readonly balance_after: number;
}

const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name);

/** The row of the operation; undefined for one that a later version has and this one has not. */
export const operationOf = (name: string) => (isOperation(name) ? operations[name] : undefined);

export function explain(call: Charged): string {
  const price = `${call.units.toLocaleString("en-US")} ${call.units === 1 ? "unit" : "units"}`;
  return `${price}: ${call.status < 400 ? reasonOf(call) : reasonOfRefusal(call)}`;
}

function reasonOf({ operation, units }: Charged): string {
  const row = operationOf(operation);
  if (!row) return "what this operation costs";
  const { cost, method, summary } = row;
  if (!cost.isDeductedShown) return `${doing(summary)} costs ${cost.words}`;
  const items = units - cost.units(0);
  return `${cost.words}, ${items === 0 ? "none" : items.toLocaleString("en-US")} ${done[method]}`;
}

function reasonOfRefusal({ status, units, balance_after }: Charged): string {
  if (status >= 500) return `failed (${status}); our own failures cost nothing`;
  const failed = `a failed call costs ${failedCallUnits} as far as the balance reaches`;
  if (units > 0) return `refused (${status}); ${failed}`;
  // A failed call would have been charged: it was one of the refusals that are free.
  if (status === 403 && balance_after >= failedCallUnits)
    return `refused (${status}); an inactive subscription or a quota that is used up costs nothing`;
  return `refused (${status}); ${failed}, and nothing was left`;
}

const done: Readonly<Record<Method, string>> = {
  GET: "returned",
  POST: "created",
  PUT: "changed",
  DELETE: "deleted",
};

const verbs: readonly (readonly [string, string])[] = [
  ["Read ", "reading "],
  ["Create ", "creating "],
  ["Change ", "changing "],
  ["Delete ", "deleting "],
];

/** What an operation does, as a noun: `Delete a folder, keep its snippets` is `deleting a folder`. */
function doing(summary: string): string {
  const [act = summary] = summary.split(/, | and /);
  for (const [verb, noun] of verbs) if (act.startsWith(verb)) return `${noun}${act.slice(verb.length)}`;
  return "this operation";
}
