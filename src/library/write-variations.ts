// Creates variations and changes them. Every new text is a version of its own.
import type { Transaction } from "../platform/database/database.ts";
import { addMilliseconds } from "../platform/time.ts";
import { insertVariations, type NewVariation, type OwnedVariation, updateVariation } from "./variations.store.ts";
import { type Content, insertVersions, type Version } from "./versions.store.ts";

type VariationInput = Omit<NewVariation, "id" | "version_id"> & { readonly content: Content };

/** Inserts variations, each with its first version. */
export function createVariations(
  transaction: Transaction,
  workspaceId: string,
  inputs: readonly VariationInput[],
): void {
  const created = inputs.map(({ content, ...input }) => ({
    variation: { ...input, id: transaction.newId(), version_id: transaction.newId() },
    content,
  }));
  insertVariations(
    transaction,
    workspaceId,
    created.map(({ variation }) => variation),
  );
  insertVersions(
    transaction,
    workspaceId,
    created.map(({ variation, content }) => ({
      id: variation.version_id,
      variation_id: variation.id,
      content,
      changed_at: transaction.now,
    })),
  );
}

/** Renames a variation, and adds a version if the content differs. Equal content adds none. */
export function changeVariation(
  transaction: Transaction,
  workspaceId: string,
  { variation, currentVersion }: OwnedVariation,
  { name, content }: { name?: string; content?: Content },
): void {
  const isChanged =
    content && (content.type !== variation.content.type || content.content !== variation.content.content);
  const version = isChanged && nextVersion(transaction, currentVersion);
  if (version) insertVersions(transaction, workspaceId, [{ ...version, variation_id: variation.id, content }]);
  updateVariation(transaction, workspaceId, variation.id, {
    ...(name !== undefined && { name }),
    ...(version && { version_id: version.id }),
  });
}

/**
 * The ID and time of the version after `current`. It must be listed as the newer one, so its time moves on where it would not be: a
 * transaction that began earlier may change the snippet later, and IDs that two nodes create in one millisecond have no order.
 */
function nextVersion(transaction: Transaction, current: Version): Version {
  const { now } = transaction;
  const id = transaction.newId();
  const isNewer = now > current.changed_at || (now === current.changed_at && id > current.id);
  return { id, changed_at: isNewer ? now : addMilliseconds(current.changed_at, 1) };
}
