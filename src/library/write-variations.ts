// Changes and deletes variations. A text that is replaced is kept as a former version.
import type { Transaction } from "../platform/database/database.ts";
import type { Value } from "../platform/database/sql.ts";
import { addMilliseconds } from "../platform/time.ts";
import type { Call } from "./call.ts";
import { updateSnippet } from "./snippets.store.ts";
import { bytesOfRow, sum, textBytes } from "./stored-bytes.ts";
import {
  type MeasuredVariation,
  type OwnedVariation,
  removeVariations,
  replaceFirstVariation,
  updateVariation,
  type Version,
} from "./variations.store.ts";
import { keepVersion, removeVersions } from "./versions.store.ts";

export interface Content {
  readonly type: string;
  readonly content: string;
}

interface VariationUpdate {
  readonly name?: string | undefined;
  readonly content?: Content | undefined;
}

const isOther = ({ variation }: OwnedVariation, content: Content | undefined): content is Content =>
  content !== undefined && (content.type !== variation.content.type || content.content !== variation.content.content);

/** The bytes that a change of a variation adds: another content is another row, since the one before is kept. */
export const bytesOfChange = (owned: OwnedVariation, { name, content }: VariationUpdate): number =>
  (name === undefined ? 0 : textBytes(name) - textBytes(owned.variation.name)) +
  (isOther(owned, content) ? bytesOfRow(content.type, content.content) : 0);

/** Renames a variation, and gives it another version if the content differs. Equal content adds none. Its snippet is changed with it. */
export async function changeVariation(call: Call, owned: OwnedVariation, changes: VariationUpdate): Promise<void> {
  changeColumns(call, owned, changes);
  await call.storeBytes(bytesOfChange(owned, changes));
}

function changeColumns(call: Call, owned: OwnedVariation, changes: VariationUpdate): void {
  const { transaction, caller } = call;
  if (owned.isFirst) {
    const columns = changeFirstVariation(call, owned, changes);
    updateSnippet(transaction, caller.workspaceId, caller.id, owned.snippet_id, columns);
    return;
  }
  const { name } = changes;
  updateVariation(transaction, caller.workspaceId, owned.id, {
    ...(name !== undefined && { name }),
    ...changeContent(call, owned, changes.content),
  });
  updateSnippet(transaction, caller.workspaceId, caller.id, owned.snippet_id, {});
}

/** The columns of the snippet that this change of its first variation sets. */
export const changeFirstVariation = (
  call: Call,
  first: OwnedVariation,
  { name, content }: VariationUpdate,
): Readonly<Record<string, Value>> => ({
  ...(name !== undefined && { variation_name: name }),
  ...changeContent(call, first, content),
  variation_updated_at: call.transaction.now,
});

/** Keeps the current version of the variation if the content differs, and returns the columns of the next one. */
function changeContent(
  { transaction, caller }: Call,
  owned: OwnedVariation,
  content: Content | undefined,
): Readonly<Record<string, Value>> {
  if (!isOther(owned, content)) return {};
  keepVersion(transaction, caller.workspaceId, owned);
  const { id, changed_at } = nextVersion(transaction, owned.currentVersion);
  return {
    version_id: id,
    changed_at,
    changed_by: caller.id,
    content_type: content.type,
    content: content.content,
  };
}

/**
 * The ID and time of the version after `current`. It must be listed as the newer one, so its time moves on where it would not be: a
 * transaction that began earlier may change the snippet later, and IDs that two nodes create in one millisecond have no order.
 */
function nextVersion(transaction: Transaction, current: Version): Pick<Version, "id" | "changed_at"> {
  const { now } = transaction;
  const id = transaction.newId();
  const isNewer = now > current.changed_at || (now === current.changed_at && id > current.id);
  return { id, changed_at: isNewer ? now : addMilliseconds(current.changed_at, 1) };
}

/** Deletes variations with their versions. Each of their snippets keeps at least one, which takes the place of a first one that goes. */
export async function deleteVariations(
  { transaction, caller, storeBytes }: Call,
  variations: readonly MeasuredVariation[],
): Promise<void> {
  const { workspaceId } = caller;
  const formerBytes: Promise<number>[] = [];
  const further = variations.filter(({ isFirst }) => !isFirst);
  if (further.length > 0)
    removeVariations(
      transaction,
      workspaceId,
      further.map(({ id }) => id),
    );
  for (const [snippetId, deleted] of Map.groupBy(variations, (variation) => variation.snippet_id)) {
    const [{ variationCount } = { variationCount: 0 }] = deleted;
    formerBytes.push(
      removeVersions(
        transaction,
        workspaceId,
        snippetId,
        deleted.map((variation) => variation.variation_number),
      ),
    );
    if (deleted.some(({ isFirst }) => isFirst)) replaceFirstVariation(transaction, workspaceId, snippetId);
    updateSnippet(transaction, workspaceId, caller.id, snippetId, { variation_count: variationCount - deleted.length });
  }
  await storeBytes(-sum(variations.map(({ bytes }) => bytes)) - sum(await Promise.all(formerBytes)));
}
