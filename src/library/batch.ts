// Batches: each item succeeds or fails on its own (decisions, Bodies). A refused item is a value, not an exception.
import type { ItemError } from "../contract/envelope.ts";
import { errors, Refusal } from "../contract/errors.ts";
import type { BatchItem } from "../contract/operation.ts";

/** The single form of an operation as a batch with one item. */
export const batchOfOne = <Value>(value: Value): readonly BatchItem<Value>[] => [{ index: 0, id: undefined, value }];

/** The values of the well-formed items. */
export const validValues = <Value>(items: readonly BatchItem<Value>[]): Value[] =>
  items.flatMap((item) => ("value" in item ? [item.value] : []));

/** The items that succeeded, in order, and the errors of the others. */
interface Outcome<Done> {
  readonly done: readonly Done[];
  readonly errors: readonly ItemError[];
}

/**
 * Decides about the items one after another.
 * @param decide returns what was done for an item; returns or throws the refusal otherwise
 * @throws Refusal of the first item, if every item is refused
 */
export async function decideEach<Value, Done>(
  items: readonly BatchItem<Value>[],
  decide: (value: Value) => Promise<Done | Refusal> | Done | Refusal,
): Promise<{ done: Done[]; errors: ItemError[] }> {
  const done: Done[] = [];
  const refused: { item: BatchItem<Value>; error: Refusal }[] = [];
  for (const item of items) {
    const decision = "refusal" in item ? errors.invalid(item.refusal) : await catchRefusal(() => decide(item.value));
    if (decision instanceof Refusal) refused.push({ item, error: decision });
    else done.push(decision);
  }
  const [first] = refused;
  if (done.length === 0 && first) throw first.error;
  return {
    done,
    errors: refused.map(({ item: { index, id }, error: { message, code } }) => ({
      ...(id === undefined ? { index } : { index, id }),
      ...{ message, error: code },
    })),
  };
}

async function catchRefusal<Done>(decide: () => Promise<Done | Refusal> | Done | Refusal): Promise<Done | Refusal> {
  try {
    return await decide();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** The item of a batch of one. It succeeded, because its refusal would have been thrown. */
export function onlyItem<Done>({ done }: Outcome<Done>): Done {
  const [item] = done;
  if (item === undefined) throw errors.internal();
  return item;
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
