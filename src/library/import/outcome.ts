// What a rule made of a batch of an import, and what it refused.
import { errors, Refusal } from "../../contract/errors.ts";
import type { Call } from "../call.ts";
import type { Warning } from "../formats/tree.ts";

/** What a run of an import has made so far. */
export interface Made {
  readonly snippetIds: string[];
  replaced: number;
  folders: number;
  tags: number;
  /** What was refused. */
  readonly failures: Warning[];
}

export const noneMade = (): Made => ({ snippetIds: [], replaced: 0, folders: 0, tags: 0, failures: [] });

export const countMade = ({ snippetIds, replaced, folders, tags }: Made): number =>
  snippetIds.length + replaced + folders + tags;

export interface Outcome<Created> {
  readonly created: readonly Created[];
  readonly errors: readonly { readonly index: number; readonly message: string }[];
}

/** Each item that went through, with what it became. */
export function succeeded<Item, Created>(
  items: readonly Item[],
  { created, errors: refused }: Outcome<Created>,
): [Item, Created][] {
  const failed = new Set(refused.map(({ index }) => index));
  const passed = items.filter((_, index) => !failed.has(index));
  return passed.flatMap((item, index) =>
    created[index] === undefined ? [] : [[item, created[index]] as [Item, Created]],
  );
}

/** Notes what is refused by the name of the item; a workspace without room ends the import. */
export async function refusable<Created>(
  { transaction }: Call,
  failures: Warning[],
  names: readonly string[],
  work: () => Promise<Outcome<Created>>,
): Promise<Outcome<Created>> {
  try {
    const outcome = await transaction.savepoint(work);
    for (const { index, message } of outcome.errors) failures.push({ message: `"${names[index] ?? ""}": ${message}.` });
    return outcome;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === errors.storageExceeded(0, 0).code) throw error;
    // The rules refuse a batch whose items are all refused.
    for (const name of names) failures.push({ message: `"${name}": ${error.message}.` });
    return { created: [], errors: names.map((_, index) => ({ index, message: error.message })) };
  }
}
