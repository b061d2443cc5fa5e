// The cost of a call in one sentence, made from the table that it was charged by.
import { failedCallUnits } from "../../contract/costs.ts";
import type { Method } from "../../contract/operation.ts";
import { type OperationName, operations } from "../../contract/operations.ts";

export interface Charged {
  readonly operation: string;
  readonly status: number;
  readonly units: number;
  readonly balance_after: number;
  /** Null for a successful call, and for one that was recorded before codes were. */
  readonly error_code: string | null;
}

const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name);

/** The row of the operation; undefined for an operation of a later version. */
export const operationOf = (name: string) => (isOperation(name) ? operations[name] : undefined);

/** Such as `GET /search`, as the documentation and the console name an operation. */
export function titleOf(name: string): string {
  const row = operationOf(name);
  return row ? `${row.method} ${row.path}` : name;
}

/** Such as `1 unit: reading a snippet costs 1 unit`. */
export function explain(call: Charged): string {
  const price = `${call.units.toLocaleString("en-US")} ${call.units === 1 ? "unit" : "units"}`;
  return `${price}: ${call.status < 400 ? reasonOf(call) : reasonOfRefusal(call)}`;
}

function reasonOf({ operation, status, units }: Charged): string {
  const row = operationOf(operation);
  if (!row) return "the cost of this operation";
  const { cost, method, summary } = row;
  if (status === 304) return "requests for unchanged text are free";
  // Only a list can be deleted in vain. What else was carried out was charged.
  if (units === 0 && method !== "GET" && !(method === "DELETE" && cost.dependsOnItems)) return repeated;
  if (!cost.dependsOnItems) return `${nounOf(method, summary)} costs ${cost.words} unit`;
  const items = units - cost.units(0);
  return `${cost.words}; ${items === 0 ? "none" : items.toLocaleString("en-US")} ${doneIn(cost.words) ?? done[method]}`;
}

function reasonOfRefusal({ status, units, balance_after, error_code }: Charged): string {
  if (status >= 500) return "server errors are not charged";
  const failed = `failed requests cost ${failedCallUnits} unit`;
  if (units > 0) return failed;
  if (error_code === "quota_exceeded") return "requests that need more units than were left are not charged";
  if (error_code === "api_key_budget_exceeded")
    return "requests beyond the monthly budget of their key are not charged";
  if (error_code === "insufficient_scope") return "requests that the key is not allowed to make are not charged";
  if (error_code === "storage_exceeded") return "requests that need more storage than was left are not charged";
  if (error_code === "subscription_inactive") return "requests without an active subscription are not charged";
  if (error_code !== null && balance_after >= failedCallUnits) return repeated;
  // A failed call would have been charged, so this refusal is a free one.
  if (status === 403 && balance_after >= failedCallUnits)
    return "requests refused for an inactive subscription, or for lack of units or storage, are not charged";
  return `${failed}, but none were left`;
}

/** What was done to the items, where the cost says it: `restored` in `1 per snippet restored`, or `deleted or restored`. */
const doneIn = (words: string): string | undefined => /\b(?:[a-z]+ed or )?[a-z]+ed$/.exec(words)?.[0];

const repeated = "repeats of an earlier request are not charged";

const done: Readonly<Record<Method, string>> = {
  GET: "returned",
  POST: "created",
  PUT: "updated",
  DELETE: "deleted",
};

const gerunds: Readonly<Record<Method, string>> = {
  GET: "reading",
  POST: "creating",
  PUT: "updating",
  DELETE: "deleting",
};

/** What an operation does, as a noun and without what follows from it: `Delete a folder and keep its snippets` is `deleting a folder`. */
function nounOf(method: Method, summary: string): string {
  const [clause = summary] = summary.split(/, | of a team| and (?:keep|remove) /);
  return `${gerunds[method]} ${clause.slice(clause.indexOf(" ") + 1)}`;
}
