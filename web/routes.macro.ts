// Runs while the pages are bundled: what they need of the contract, as plain values. The checks, and the library that makes them, stay out
// of the bundle, and nothing is written twice.
import { type Action, actions } from "../src/contract/console/actions.ts";
import { consoleLimits } from "../src/contract/console/limits.ts";
import {
  type ConsoleOperationName,
  consoleOperationNames,
  consoleOperations,
} from "../src/contract/console/operations.ts";

export interface ConsoleRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** The query names a workspace. */
  readonly isOfWorkspace: boolean;
}

/** How each operation is called. */
export function consoleRoutes(): Record<ConsoleOperationName, ConsoleRoute> {
  const rows = consoleOperationNames.map((name) => {
    const { method, path, query } = consoleOperations[name];
    return [name, { method, path, isOfWorkspace: "workspaceId" in query }] as const;
  });
  // The keys are exactly the names.
  return Object.fromEntries(rows) as Record<ConsoleOperationName, ConsoleRoute>;
}

/** What the operator may do in a workspace of which they are no member. */
export function operatorActions(): Action[] {
  // Object.keys is typed as string[]; the keys of this constant are exactly its names.
  return (Object.keys(actions) as Action[]).filter((action) => actions[action].operator);
}

/** The largest and smallest values of what can be typed. */
export const inputLimits = (): typeof consoleLimits => consoleLimits;
