// What people read of single snippets: their texts, with who wrote them.
import { limits } from "../../contract/limits.ts";
import { requireAccess } from "../../library/access.ts";
import { findAuthors } from "../../library/authors.store.ts";
import type { Call } from "../../library/call.ts";
import { findSnippetHead, findVariationTexts, listVariationRows } from "../../library/listed-snippets.store.ts";
import { findCurrentVersion, findVersionTexts, listFormerVersions } from "../../library/listed-versions.store.ts";
import { stateOfSnippet, stateOfVariation } from "../../library/state.ts";
import { findVariationOwners } from "../../library/variations.store.ts";
import { formatCursor, parseTimeCursor } from "../paging.ts";

/** Texts in one response for people, in bytes: the longest one always fits. */
const textBytesMax = 4 * limits.contentLengthMax;

/** How many of the first texts fit into one response; at least one. */
export function countFitting(texts: readonly { readonly content_bytes: number }[]): number {
  let bytes = 0;
  const excess = texts.findIndex(({ content_bytes }, index) => {
    bytes += content_bytes;
    return index > 0 && bytes > textBytesMax;
  });
  return excess === -1 ? texts.length : excess;
}

/** @throws Refusal 404, 403 */
export async function readSnippet({ transaction, caller }: Call, id: string) {
  const { workspaceId } = caller;
  const head = requireAccess(caller, "Snippet", await findSnippetHead(transaction, workspaceId, id));
  const variations = await listVariationRows(transaction, workspaceId, id);
  const shown = variations.slice(0, countFitting(variations)).map((variation) => variation.variant_order_index);
  const texts = await findVariationTexts(transaction, workspaceId, id, shown);
  const writers = [head.created_by, head.updated_by, ...variations.map((variation) => variation.changed_by)];
  const authorOf = await findAuthors(transaction, workspaceId, writers);
  return {
    ...head,
    state: stateOfSnippet(head, variations),
    created_by: authorOf(head.created_by),
    updated_by: authorOf(head.updated_by),
    variations: variations.map(({ version_id, ...variation }) => ({
      ...variation,
      state: stateOfVariation(version_id, variation.name),
      content: texts.get(variation.variant_order_index) ?? null,
      changed_by: authorOf(variation.changed_by),
    })),
  };
}

interface HistoryQuery {
  readonly variationId: string;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** A page of the versions of a variation, newest first. @throws Refusal 404, 403 */
export async function readHistory({ transaction, caller }: Call, { variationId, cursor, limit }: HistoryQuery) {
  const { workspaceId } = caller;
  const [owner] = await findVariationOwners(transaction, workspaceId, [variationId]);
  const place = requireAccess(caller, "Variation", owner);
  const after = parseTimeCursor(cursor);
  const current = after ? undefined : await findCurrentVersion(transaction, workspaceId, place);
  const former = await listFormerVersions(transaction, workspaceId, place, after, current ? limit - 1 : limit);
  const versions = current ? [current, ...former] : former;
  const page = versions.slice(0, Math.min(limit, countFitting(versions)));
  const texts = await findVersionTexts(
    transaction,
    workspaceId,
    place,
    page.map(({ id }) => id),
  );
  const authorOf = await findAuthors(
    transaction,
    workspaceId,
    page.map((version) => version.changed_by),
  );
  const last = page.at(-1);
  return {
    data: page.map(({ id, changed_at, changed_by, content_type }) => ({
      id,
      is_current: id === current?.id,
      changed_at,
      changed_by: authorOf(changed_by),
      content_type,
      content: (id === current?.id ? texts.current : texts.former.get(id)) ?? "",
    })),
    nextCursor: last && versions.length > page.length ? formatCursor([last.changed_at, last.id]) : null,
  };
}
