// All variations of a snippet at once: they are read, added, and brought into another order.
import { errors } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { requireAccess } from "./access.ts";
import { actOn } from "./acts.ts";
import { createdCounts, decideEach, validValues } from "./batch.ts";
import type { Call, Handler } from "./call.ts";
import { onlyLockedSnippets } from "./locked.ts";
import { limitResponseText } from "./response-size.ts";
import { indexSnippets } from "./search/index-snippets.ts";
import { findSnippetOwners, lockSnippets, type SnippetOwner, updateSnippet } from "./snippets.store.ts";
import { bytesOfRow, sum } from "./stored-bytes.ts";
import { copyFirstVariation, listPlaces, placeFurtherVariations, sumVariationBytes } from "./variation-lists.store.ts";
import { insertVariations, listVariations, type NewVariation, replaceFirstVariation } from "./variations.store.ts";

export const getSnippetVariations: Handler<"getSnippetVariations"> = async (call, { query }) => {
  const { transaction, caller } = call;
  const snippet = await requireSnippet(call, query.snippetId);
  await limitResponseText(call, limits.variationsPerSnippetMax, () =>
    sumVariationBytes(transaction, caller.workspaceId, snippet.id),
  );
  const owned = await listVariations(transaction, caller.workspaceId, snippet.id);
  const variations = owned.map(({ variation }) => variation);
  return { data: { variations }, items: variations.length, teamId: snippet.team_id };
};

export const postSnippetVariations: Handler<"postSnippetVariations"> = async (call, { query, body }) => {
  const { transaction, caller } = call;
  // A batch without any well-formed item is a malformed body, whatever it is for.
  if (validValues(body).length === 0) await decideEach(body, errors.internal);
  const { snippet, places } = await lockPlaces(call, query.snippetId);
  const nextIndex = 1 + Math.max(...places.map((place) => place.variant_order_index));
  const nextNumber = 1 + Math.max(...places.map((place) => place.variation_number));
  const added: NewVariation[] = [];
  const outcome = await decideEach(body, ({ variationName, content }) => {
    if (places.length + added.length >= limits.variationsPerSnippetMax)
      return errors.tooManyVariations(limits.variationsPerSnippetMax);
    const place = { snippet_id: snippet.id, variant_order_index: nextIndex + added.length };
    const shared = { id: transaction.newId(), name: variationName, created_at: transaction.now };
    added.push({
      ...shared,
      ...place,
      variation_number: nextNumber + added.length,
      version_id: transaction.newId(),
      content_type: content.type,
      content: content.content,
    });
    return { ...shared, content, ...place, updated_at: transaction.now };
  });
  insertVariations(transaction, caller.workspaceId, caller.id, added);
  updateSnippet(transaction, caller.workspaceId, caller.id, snippet.id, {
    variation_count: places.length + added.length,
  });
  await call.storeBytes(sum(added.map(({ name, content_type, content }) => bytesOfRow(name, content_type, content))));
  const { id: snippetId, team_id: teamId } = snippet;
  call.noteChanges(added.map(({ id }) => ({ kind: "variation", action: "created", id, teamId, snippetId })));
  call.recordActs([actOn("variation.create", snippet, { variations: added.length })]);
  await indexSnippets(transaction, caller.workspaceId, [snippet.id]);
  return {
    data: { variations: outcome.done, errors: outcome.errors },
    metadata: createdCounts(outcome),
    items: added.length,
    teamId: snippet.team_id,
  };
};

export const putSnippetVariationsOrder: Handler<"putSnippetVariationsOrder"> = async (call, { query, body }) => {
  const { transaction, caller } = call;
  const { snippet, places } = await lockPlaces(call, query.snippetId);
  const byId = new Map(places.map((place) => [place.id, place]));
  const ordered = body.variationIds.flatMap((id) => byId.get(id) ?? []);
  if (ordered.length !== body.variationIds.length || ordered.length !== places.length)
    throw errors.invalid("variationIds must contain all variations of the snippet");
  const variations = ordered.map(({ id, name }, index) => ({ id, name, variant_order_index: index }));
  const [first] = places;
  if (first?.id === variations[0]?.id) {
    placeFurtherVariations(transaction, caller.workspaceId, snippet.id, variations.slice(1));
    updateSnippet(transaction, caller.workspaceId, caller.id, snippet.id, {
      variant_order_index: 0,
      variation_number: first?.variation_number ?? null,
    });
  } else {
    copyFirstVariation(transaction, caller.workspaceId, snippet.id);
    placeFurtherVariations(transaction, caller.workspaceId, snippet.id, variations);
    replaceFirstVariation(transaction, caller.workspaceId, snippet.id);
    updateSnippet(transaction, caller.workspaceId, caller.id, snippet.id, {});
  }
  call.noteChanges([{ kind: "snippet", action: "changed", id: snippet.id, teamId: snippet.team_id }]);
  call.recordActs([actOn("variation.reorder", snippet)]);
  await indexSnippets(transaction, caller.workspaceId, [snippet.id]);
  return { data: { variations }, teamId: snippet.team_id };
};

async function requireSnippet({ transaction, caller }: Call, id: string): Promise<SnippetOwner> {
  const [owner] = await findSnippetOwners(transaction, caller.workspaceId, [id]);
  return requireAccess(caller, "Snippet", owner);
}

/** Locks a snippet, so that its variations stay as they are listed. */
async function lockPlaces(call: Call, snippetId: string) {
  const { transaction, caller } = call;
  const locked = lockSnippets(transaction, "change", caller.workspaceId, [snippetId]);
  const owners = findSnippetOwners(transaction, caller.workspaceId, [snippetId]);
  const [owner] = await onlyLockedSnippets(locked, owners);
  const snippet = requireAccess(caller, "Snippet", owner);
  return { snippet, places: await listPlaces(transaction, caller.workspaceId, snippet.id) };
}
