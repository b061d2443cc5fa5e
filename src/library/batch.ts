// Batches of objects: each item stands alone (decisions, section 4). A refused item is a value until the end of the call.

import type { ItemError } from "../contract/envelope.ts";
import { errors, Refusal } from "../contract/errors.ts";
import type { BatchItem } from "../contract/operation.ts";

/** The single form is the batch of one. */
export const batchOfOne = <Value>(value: Value): readonly BatchItem<Value>[] => [{ index: 0, id: undefined, value }];

/** What the well-formed items ask for. */
export const wellFormed = <Value>(items: readonly BatchItem<Value>[]): Value[] =>
  items.flatMap((item) => ("value" in item ? [item.value] : []));

/** Decides item by item, in order: what to do for it, or why not. `decide` may throw the refusal or return it. */
export async function decideEach<Value, Done>(
  items: readonly BatchItem<Value>[],
  decide: (value: Value) => Promise<Done | Refusal> | Done | Refusal,
): Promise<{ done: Done[]; errors: ItemError[] }> {
  const done: Done[] = [];
  const refused: { item: BatchItem<Value>; error: Refusal }[] = [];
  for (const item of items) {
    const outcome = "refusal" in item ? errors.invalid(item.refusal) : await attempt(() => decide(item.value));
    if (outcome instanceof Refusal) refused.push({ item, error: outcome });
    else done.push(outcome);
  }
  const [first] = refused;
  if (done.length === 0 && first) throw first.error;
  return {
    done,
    errors: refused.map(({ item, error }) => ({
      index: item.index,
      ...(item.id === undefined ? {} : { id: item.id }),
      message: error.message,
    })),
  };
}

/** What a batch came to. */
interface Outcome<Done> {
  readonly done: readonly Done[];
  readonly errors: readonly ItemError[];
}

/** The one item of a batch of one, which went through: otherwise its refusal was thrown. */
export function only<Done>({ done }: Outcome<Done>): Done {
  const [one] = done;
  if (one === undefined) throw errors.internal();
  return one;
}

export const createdCounts = ({ done, errors }: Outcome<unknown>) => ({
  requestedCount: done.length + errors.length,
  createdCount: done.length,
  failedCount: errors.length,
});

export const updatedCounts = ({ done, errors }: Outcome<unknown>) => ({
  requestedCount: done.length + errors.length,
  updatedCount: done.length,
  failedCount: errors.length,
});

async function attempt<Done>(decide: () => Promise<Done | Refusal> | Done | Refusal): Promise<Done | Refusal> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
