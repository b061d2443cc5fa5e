// Runs while the pages are bundled. Turns what they need of the contract into plain values, so that its schemas, and the library that makes
// them, stay out of the bundle. This is the only file here that may import values from src.
import { abilities } from "../src/contract/console/abilities.ts";
import { type Action, actions, billingActions } from "../src/contract/console/actions.ts";
import { consoleLimits } from "../src/contract/console/limits.ts";
import {
  type ConsoleOperationName,
  consoleOperationNames,
  consoleOperations,
} from "../src/contract/console/operations.ts";
import { limits } from "../src/contract/limits.ts";
import { type OperationName, operationNames, operations } from "../src/contract/operations.ts";

/** Where an operation of the console is called. */
export interface ConsoleRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** The query names a workspace. */
  readonly isInWorkspace: boolean;
}

/** The route of each operation of the console. */
export function consoleRoutes(): Record<ConsoleOperationName, ConsoleRoute> {
  const rows = consoleOperationNames.map((name) => {
    const { method, path, query } = consoleOperations[name];
    return [name, { method, path, isInWorkspace: "workspaceId" in query }] as const;
  });
  // The keys are exactly the names.
  return Object.fromEntries(rows) as Record<ConsoleOperationName, ConsoleRoute>;
}

/** What the operator may do in a workspace without being a member of it, and where workspaces are billed. */
export function operatorActions(): { readonly always: Action[]; readonly withBilling: Action[] } {
  // Object.keys is typed as string[]; the keys of this constant are exactly its names.
  const withBilling = (Object.keys(actions) as Action[]).filter((action) => actions[action].operator);
  return { always: withBilling.filter((action) => !billingActions.has(action)), withBilling };
}

/** What each role allows, in words that follow "you can". */
export const roleAbilities = (): typeof abilities => abilities;

/** The limits of the console's input, as the service checks them. */
export const inputLimits = (): typeof consoleLimits => consoleLimits;

/** An operation of the public API, as the request log names it. */
export interface ApiOperation {
  readonly name: OperationName;
  readonly method: string;
  readonly path: string;
}

/** The operations of the public API, in the order of their table. */
export const apiOperations = (): readonly ApiOperation[] =>
  operationNames.map((name) => {
    const { method, path } = operations[name];
    return { name, method, path };
  });

/** The limits of snippets and their texts, as the service checks them. */
export const snippetLimits = (): typeof limits => limits;
