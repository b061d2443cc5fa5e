// The state of a snippet or a variation, as a short text that every change makes another one. A time would not do: two changes can happen
// within a millisecond. Where a change was taken back, the state is the former one, and nothing would be overwritten unseen.
import { createHash } from "node:crypto";
import { consoleErrors } from "../contract/console/errors.ts";
import type { Call } from "./call.ts";
import { findSnippetHead, listVariationRows, type SnippetHead, type VariationRow } from "./listed-snippets.store.ts";
import type { OwnedVariation } from "./variations.store.ts";

const digest = (parts: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 22);

/** A text is known by its version. */
export const stateOfVariation = (versionId: string, name: string): string => digest([versionId, name]);

export const stateOfSnippet = (
  { title, snippet_note, shortcut, folder_id, is_archived, tag_ids }: SnippetHead,
  variations: readonly VariationRow[],
): string =>
  digest([
    ...[title, snippet_note, shortcut, folder_id, is_archived, tag_ids],
    variations.map(({ id, name, version_id }) => [id, name, version_id]),
  ]);

/** The snippet is locked for change. @throws Refusal 409 where the caller read another state of it */
export async function requireSnippetState({ transaction, caller, ifState }: Call, id: string): Promise<void> {
  if (ifState === undefined) return;
  const head = await findSnippetHead(transaction, caller.workspaceId, id);
  const variations = await listVariationRows(transaction, caller.workspaceId, id);
  if (head && stateOfSnippet(head, variations) !== ifState) throw consoleErrors.changedMeanwhile();
}

/** The snippet of the variation is locked for change. @throws Refusal 409 where the caller read another state of the variation */
export function requireVariationState({ ifState }: Call, { currentVersion, variation }: OwnedVariation): void {
  if (ifState !== undefined && stateOfVariation(currentVersion.id, variation.name) !== ifState)
    throw consoleErrors.changedMeanwhile();
}
