// Runs while the pages are bundled: the interface's operations as people know them, without their table in the bundle.
import { type OperationName, operationNames, operations } from "../../../src/contract/operations.ts";

export interface KnownOperation {
  readonly name: OperationName;
  readonly method: string;
  readonly path: string;
}

export const knownOperations = (): readonly KnownOperation[] =>
  operationNames.map((name) => {
    const { method, path } = operations[name];
    return { name, method, path };
  });
