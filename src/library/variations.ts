// Variations: the texts of a snippet, each with its versions. A snippet keeps at least one (interface, Variation).

import { errors } from "../contract/errors.ts";
import type { Transaction } from "../platform/database/database.ts";
import { accessible, reaches, teamOf } from "./access.ts";
import { fieldsUpdated, type Handler } from "./call.ts";
import { refuseTooMuchText } from "./response-size.ts";
import { touchSnippets } from "./snippets.store.ts";
import {
  type Content,
  countVariations,
  findVariationOwners,
  findVariations,
  holdSnippetsOfVariations,
  insertVersion,
  listVersions,
  type OwnedVariation,
  removeVariations,
  sumVersionBytes,
  updateVariation,
} from "./variations.store.ts";

export const getSnippetVariation: Handler<"getSnippetVariation"> = async ({ transaction, caller }, { query }) => {
  const [found] = await findVariations(transaction, caller.workspaceId, [query.variationId]);
  const ofSnippet = found?.variation.snippet_id === query.snippetId ? found : undefined;
  const owned = accessible(caller, "Variation", ofSnippet);
  return { data: owned.variation, teamId: owned.team_id };
};

export const putSnippetVariation: Handler<"putSnippetVariation"> = async ({ transaction, caller }, { query, body }) => {
  holdSnippetsOfVariations(transaction, caller.workspaceId, [query.variationId]);
  const [found] = await findVariations(transaction, caller.workspaceId, [query.variationId]);
  const owned = accessible(caller, "Variation", found);
  const { name = body.variationName, content } = body;
  changeVariation(transaction, caller.workspaceId, owned, {
    ...(name !== undefined && { name }),
    ...(content !== undefined && { content }),
  });
  touchSnippets(transaction, caller.workspaceId, [owned.variation.snippet_id]);
  return {
    data: { variationId: owned.id },
    metadata: { fieldsUpdated: fieldsUpdated(body) },
    teamId: owned.team_id,
  };
};

/** Renames, and stores a content that differs as the next version. A content that stays as it was writes no version. */
export function changeVariation(
  transaction: Transaction,
  workspaceId: string,
  { variation, version }: OwnedVariation,
  { name, content }: { name?: string; content?: Content },
): void {
  const isChanged =
    content && (content.type !== variation.content.type || content.content !== variation.content.content);
  updateVariation(transaction, workspaceId, variation.id, {
    ...(name !== undefined && { name }),
    ...(isChanged && { version_id: insertVersion(transaction, workspaceId, variation.id, version, content) }),
  });
}

export const deleteSnippetVariation: Handler<"deleteSnippetVariation"> = async (call, { query, body }) => {
  const { transaction, caller } = call;
  if ((query.variationId === undefined) === (body === undefined)) {
    if (body === undefined) throw errors.idRequired("Variation");
    throw errors.invalid("variationId in the query and variationIds in the body must not both be given");
  }
  const ids = query.variationId === undefined ? (body?.variationIds ?? []) : [query.variationId];
  holdSnippetsOfVariations(transaction, caller.workspaceId, ids);
  const found = await findVariationOwners(transaction, caller.workspaceId, ids);
  const doomed = found.filter((row) => reaches(caller, row.team_id));
  if (doomed.length === 0) throw found.length > 0 ? errors.teamForbidden() : errors.notFound("Variation");

  const snippetIds = [...new Set(doomed.map((variation) => variation.snippet_id))];
  const counts = await countVariations(transaction, caller.workspaceId, snippetIds);
  const isLeftWithout = (snippetId: string) =>
    doomed.filter((variation) => variation.snippet_id === snippetId).length === counts.get(snippetId);
  if (snippetIds.some(isLeftWithout)) throw errors.lastVariation();

  const doomedIds = new Set(doomed.map((variation) => variation.id));
  removeVariations(transaction, caller.workspaceId, [...doomedIds]);
  touchSnippets(transaction, caller.workspaceId, snippetIds);
  return {
    data: { message: doomed.length === 1 ? "Variation deleted" : `${doomed.length} variations deleted` },
    metadata: {
      deletedVariationIds: ids.filter((id) => doomedIds.has(id)),
      deletedCount: doomed.length,
      affectedSnippets: snippetIds.length,
    },
    items: doomed.length,
    teamId: teamOf(doomed),
  };
};

/** Bounds that no stored time lies beyond. */
const always = { from: "0001-01-01T00:00:00.000Z", to: "9999-12-31T23:59:59.999Z" };

/** In the form of the stored times. An offset may lead out of the years of four digits, where texts no longer compare as times. */
const toBound = (date: Date): string => {
  const milliseconds = Math.max(Date.parse(always.from), Math.min(date.getTime(), Date.parse(always.to)));
  return new Date(milliseconds).toISOString();
};

export const getSnippetVariationHistory: Handler<"getSnippetVariationHistory"> = async (call, { query }) => {
  const { transaction, caller } = call;
  const { variationId, limit, fromDate, toDate } = query;
  const [found] = await findVariationOwners(transaction, caller.workspaceId, [variationId]);
  const owner = accessible(caller, "Variation", found);
  const page = { from: fromDate ? toBound(fromDate) : always.from, to: toDate ? toBound(toDate) : always.to, limit };
  await refuseTooMuchText(limit, () => sumVersionBytes(transaction, caller.workspaceId, variationId, page));
  const { records, total } = await listVersions(transaction, caller.workspaceId, variationId, page);
  return {
    data: records,
    metadata: { hasMore: records.length < total, totalRecords: total },
    items: records.length,
    teamId: owner.team_id,
  };
};
