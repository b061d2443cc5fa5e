// The trash: deleted snippets, which can be restored until their time is over (decisions, Additional operations).
import { commonTeam, requireTeams } from "./access.ts";
import type { Handler } from "./call.ts";
import { cursorPage, cursorPart, readCursor } from "./cursor.ts";
import { listedTextBytesMax } from "./read-snippets.ts";
import { fittingTexts, reserveResponseText } from "./response-size.ts";
import { goneUntil, restoreSnippets } from "./restore-snippets.ts";
import { findTrashedTexts, listTrashed, type TrashedText } from "./trash.store.ts";

export const getTrash: Handler<"getTrash"> = async (call, { query: { teamId, limit, cursor } }) => {
  const { transaction, caller } = call;
  const list = { name: "getTrash", parameters: { teamId } };
  const position = readCursor(list, cursor, cursorPart.moment, cursorPart.id);
  const scope = { teamIds: await requireTeams(call, teamId), after: goneUntil(call) };
  const rows = await listTrashed(
    transaction,
    caller.workspaceId,
    scope,
    position,
    limit + 1,
    listedTextBytesMax(limit + 1),
  );
  const itemsMax = fittingTexts(rows.map((row) => row.textBytes));
  const { page, pagination } = cursorPage(list, rows, { limit, itemsMax }, ({ deletedAt, snippet }) => [
    deletedAt,
    snippet.id,
  ]);
  const longIds = page.filter(({ snippet }) => snippet.content.content === null).map(({ snippet }) => snippet.id);
  if (longIds.length > 0)
    reserveResponseText(
      call,
      page.reduce((sum, { textBytes }) => sum + textBytes, 0),
    );
  const longTexts =
    longIds.length > 0
      ? await findTrashedTexts(transaction, caller.workspaceId, longIds)
      : new Map<string, TrashedText>();
  const snippets = page.map(({ snippet, deletedAt, deletedBy }) => {
    const long = longTexts.get(snippet.id);
    // Only a snippet without its text says how long that is.
    const { textBytes: _, ...fields } = { textBytes: 0, ...snippet };
    return {
      ...fields,
      content: { type: snippet.content.type, content: long?.content ?? snippet.content.content ?? "" },
      snippet_note: long ? long.snippet_note : snippet.snippet_note,
      deleted_at: deletedAt,
      deleted_by: deletedBy,
    };
  });
  return { data: { snippets }, pagination, items: snippets.length, teamId: teamId ?? commonTeam(snippets) };
};

export const postSnippetsRestore: Handler<"postSnippetsRestore"> = async (call, { body: { snippetIds } }) => {
  const { done, errors } = await restoreSnippets(call, snippetIds);
  return {
    data: { restoredSnippets: done.map((snippet) => ({ snippetId: snippet.id })), errors },
    metadata: { requestedCount: snippetIds.length, restoredCount: done.length, failedCount: errors.length },
    items: done.length,
    teamId: commonTeam(done),
  };
};
