// THE TABLE of operations. Routing, validation, cost, OpenAPI, the SDK and the test matrix are derived from it; nothing else
// repeats a method, a path or a price. Method and path give the name of a row: `DELETE /folders` is `deleteFolders`.
import { changeOperations } from "./changes.ts";
import { folderOperations } from "./folders.ts";
import type { InputOf, Operation, ResultOf } from "./operation.ts";
import { searchOperations } from "./search.ts";
import { shortcutOperations } from "./shortcuts.ts";
import { snippetOperations } from "./snippets.ts";
import { tagOperations } from "./tags.ts";
import { teamOperations } from "./teams.ts";
import { transferOperations } from "./transfer.ts";
import { trashOperations } from "./trash.ts";
import { variationListOperations, variationOperations } from "./variations.ts";

/** The version of the interface (Versioning), in the description and on every response. */
export const apiVersion = "1.0.0";

export const operations = {
  ...snippetOperations,
  ...variationOperations,
  ...folderOperations,
  ...tagOperations,
  // Additional operations.
  ...teamOperations,
  ...shortcutOperations,
  ...variationListOperations,
  ...searchOperations,
  ...trashOperations,
  ...transferOperations,
  ...changeOperations,
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
export type Input<Name extends OperationName> = InputOf<(typeof operations)[Name]>;
export type Result<Name extends OperationName> = ResultOf<(typeof operations)[Name]>;

/** The names in the order of the interface's summary. */
// Object.keys is typed as string[]; the keys of this constant are exactly its names.
export const operationNames = Object.keys(operations) as OperationName[];
