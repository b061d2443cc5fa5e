// The trash, as people see it.

import { requireAccess } from "../../library/access.ts";
import { findAuthors } from "../../library/authors.store.ts";
import type { Call } from "../../library/call.ts";
import { emptyTrash } from "../../library/empty-trash.ts";
import { findTrashedPreviews, findVariationTexts, listVariationRows } from "../../library/listed-snippets.store.ts";
import { goneUntil } from "../../library/restore-snippets.ts";
import { findTrashedHead, listTrashed } from "../../library/trash.store.ts";
import { addDays } from "../../platform/time.ts";
import { pageOf, parseTimeCursor } from "../paging.ts";
import { teamIdsOf } from "./door.ts";
import { countFitting } from "./read.ts";

interface TrashQuery {
  readonly teamId: string | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
}

export async function readTrash(call: Call, { teamId, cursor, limit }: TrashQuery) {
  const { transaction, caller, trashDays } = call;
  const scope = { teamIds: await teamIdsOf(call, teamId), after: goneUntil(call) };
  const [at = "", id = ""] = parseTimeCursor(cursor) ?? [];
  const position = cursor === undefined ? undefined : ([at, id] as const);
  const rows = await listTrashed(transaction, caller.workspaceId, scope, position, limit + 1, 0);
  const { page, nextCursor } = pageOf(rows, limit, (row) => [row.deletedAt, row.snippet.id]);
  const ids = page.map(({ snippet }) => snippet.id);
  const previews = await findTrashedPreviews(transaction, caller.workspaceId, ids);
  const writers = page.map((row) => row.deletedBy);
  const authorOf = await findAuthors(transaction, caller.workspaceId, writers);
  const data = page.map(({ snippet, deletedAt, deletedBy }) => ({
    id: snippet.id,
    title: snippet.title,
    preview: previews.get(snippet.id) ?? "",
    shortcut: snippet.shortcut,
    folder_id: snippet.folder_id,
    team_id: snippet.team_id,
    is_archived: snippet.is_archived,
    content_type: snippet.content.type,
    deleted_at: deletedAt,
    deleted_by: authorOf(deletedBy),
    ends_at: trashDays === undefined ? null : addDays(deletedAt, trashDays),
  }));
  return { data, nextCursor };
}

export const emptyPart = async (call: Call, teamId: string) =>
  emptyTrash(call.transaction, call.caller.workspaceId, { teamIds: await teamIdsOf(call, teamId) });

/** A deleted snippet with its texts, as far as they fit into one response. @throws Refusal 404, 403 */
export async function readTrashedSnippet(call: Call, id: string) {
  const { transaction, caller } = call;
  const { workspaceId } = caller;
  const found = await findTrashedHead(transaction, workspaceId, { after: goneUntil(call) }, id);
  const head = requireAccess(caller, "Snippet", found);
  const variations = await listVariationRows(transaction, workspaceId, id, "trash");
  const shown = variations.slice(0, countFitting(variations)).map((variation) => variation.variant_order_index);
  const texts = await findVariationTexts(transaction, workspaceId, id, shown, "trash");
  return {
    ...head,
    variations: variations.map(({ id: variationId, name, variant_order_index, content_type }) => ({
      ...{ id: variationId, name, content_type },
      content: texts.get(variant_order_index) ?? null,
    })),
  };
}
