// The example of an operation as a whole call: its request, and the response with envelope and cost.
import type { Operation } from "./operation.ts";

export interface ExampleCall {
  readonly request: { readonly query: Readonly<Record<string, string | number | undefined>>; readonly body: unknown };
  readonly response: {
    readonly success: true;
    readonly data: unknown;
    readonly usage: { readonly remainingRequests: number; readonly usageDeducted?: number };
    readonly metadata?: unknown;
    readonly pagination?: unknown;
  };
}

const balanceBefore = 98_750;

/** The example of an operation. The units follow from its cost, as in the service. */
export function exampleOf({ cost, example }: Operation): ExampleCall {
  const { query = {}, body, result } = example;
  const units = cost.units(result.items ?? 1);
  return {
    request: { query, body },
    response: {
      success: true,
      data: result.data,
      usage: { remainingRequests: balanceBefore - units, ...(cost.dependsOnItems && { usageDeducted: units }) },
      ...(result.metadata !== undefined && { metadata: result.metadata }),
      ...(result.pagination !== undefined && { pagination: result.pagination }),
    },
  };
}
