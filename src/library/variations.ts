// Variations: the texts of a snippet, each with its versions. A snippet keeps at least one variation (decisions, Bodies).
import { errors } from "../contract/errors.ts";
import { canAccess, commonTeam, exists, requireAccess, teamForbidden } from "./access.ts";
import { actOn } from "./acts.ts";
import { fieldsUpdated, type Handler } from "./call.ts";
import { onlyOfLockedSnippets } from "./locked.ts";
import { limitResponseText } from "./response-size.ts";
import { indexSnippets } from "./search/index-snippets.ts";
import { requireVariationState } from "./state.ts";
import { findVariationOwners, findVariations, lockSnippetsOfVariations } from "./variations.store.ts";
import { countVersions, listVersions, sumVersionBytes } from "./versions.store.ts";
import { changeVariation, deleteVariations } from "./write-variations.ts";

export const getSnippetVariation: Handler<"getSnippetVariation"> = async ({ transaction, caller }, { query }) => {
  const [found] = await findVariations(transaction, caller.workspaceId, [query.variationId]);
  const ofSnippet = found?.variation.snippet_id === query.snippetId ? found : undefined;
  const owned = requireAccess(caller, "Variation", ofSnippet);
  return { data: owned.variation, teamId: owned.team_id };
};

export const putSnippetVariation: Handler<"putSnippetVariation"> = async (call, { query, body }) => {
  const { transaction, caller } = call;
  const locked = lockSnippetsOfVariations(transaction, caller.workspaceId, [query.variationId]);
  const variations = findVariations(transaction, caller.workspaceId, [query.variationId]);
  const [found] = await onlyOfLockedSnippets(locked, variations);
  const owned = requireAccess(caller, "Variation", found);
  requireVariationState(call, owned);
  const { name = body.variationName, content } = body;
  await changeVariation(call, owned, {
    ...(name !== undefined && { name }),
    ...(content !== undefined && { content }),
  });
  const { id, team_id: teamId, snippet_id: snippetId } = owned;
  call.noteChanges([{ kind: "variation", action: "changed", id, teamId, snippetId }]);
  const action = content === undefined ? "variation.rename" : "variation.change";
  call.recordActs([{ action, teamId, snippetId }]);
  await indexSnippets(transaction, caller.workspaceId, [owned.snippet_id]);
  return {
    data: { variationId: owned.id },
    metadata: { fieldsUpdated: fieldsUpdated(body) },
    teamId: owned.team_id,
  };
};

export const deleteSnippetVariation: Handler<"deleteSnippetVariation"> = async (call, { query, body }) => {
  const { transaction, caller } = call;
  if ((query.variationId === undefined) === (body === undefined)) {
    if (body === undefined) throw errors.idRequired("Variation");
    throw errors.invalid("send either variationId in the query or variationIds in the body, not both");
  }
  const ids = query.variationId === undefined ? (body?.variationIds ?? []) : [query.variationId];
  const locked = lockSnippetsOfVariations(transaction, caller.workspaceId, ids);
  const owners = await onlyOfLockedSnippets(locked, findVariationOwners(transaction, caller.workspaceId, ids));
  const found = owners.filter((row) => exists(caller, row));
  const deleted = found.filter((row) => canAccess(caller, row.team_id));
  if (deleted.length === 0) throw found.length > 0 ? teamForbidden(caller) : errors.notFound("Variation");

  const bySnippet = Map.groupBy(deleted, (variation) => variation.snippet_id);
  for (const variations of bySnippet.values())
    if (variations.length === variations[0]?.variationCount) throw errors.lastVariation();

  await deleteVariations(call, deleted);
  const byId = new Map(deleted.map((variation) => [variation.id, variation]));
  call.noteChanges(
    ids
      .flatMap((id) => byId.get(id) ?? [])
      .map(({ id, team_id: teamId, snippet_id: snippetId }) => ({
        kind: "variation",
        action: "deleted",
        id,
        teamId,
        snippetId,
      })),
  );
  call.recordActs(
    [...bySnippet].map(([id, variations]) =>
      actOn("variation.delete", { id, team_id: variations[0]?.team_id ?? "" }, { variations: variations.length }),
    ),
  );
  await indexSnippets(transaction, caller.workspaceId, [...bySnippet.keys()]);
  const deletedIds = new Set(deleted.map((variation) => variation.id));
  return {
    data: { message: deleted.length === 1 ? "Variation deleted" : `${deleted.length} variations deleted` },
    metadata: {
      deletedVariationIds: ids.filter((id) => deletedIds.has(id)),
      deletedCount: deleted.length,
      affectedSnippets: bySnippet.size,
    },
    items: deleted.length,
    teamId: commonTeam(deleted),
  };
};

/** A range that includes every stored time. */
const allTime = { from: "0001-01-01T00:00:00.000Z", to: "9999-12-31T23:59:59.999Z" };

/** The time as text, like stored times. UTC offsets can lead beyond four-digit years, where texts do not sort by time. */
const toBound = (date: Date): string => {
  const milliseconds = Math.max(Date.parse(allTime.from), Math.min(date.getTime(), Date.parse(allTime.to)));
  return new Date(milliseconds).toISOString();
};

export const getSnippetVariationHistory: Handler<"getSnippetVariationHistory"> = async (call, { query }) => {
  const { transaction, caller } = call;
  const { variationId, limit, fromDate, toDate } = query;
  const [found] = await findVariationOwners(transaction, caller.workspaceId, [variationId]);
  const owner = requireAccess(caller, "Variation", found);
  const page = { from: fromDate ? toBound(fromDate) : allTime.from, to: toDate ? toBound(toDate) : allTime.to, limit };
  await limitResponseText(call, limit, () => sumVersionBytes(transaction, caller.workspaceId, owner, page));
  const [total, records] = await Promise.all([
    countVersions(transaction, caller.workspaceId, owner, page),
    listVersions(transaction, caller.workspaceId, owner, page),
  ]);
  return {
    data: records,
    metadata: { hasMore: records.length < total, totalRecords: total },
    items: records.length,
    teamId: owner.team_id,
  };
};
