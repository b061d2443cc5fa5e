// Snippets by their shortcut, and their plain text.
import { errors } from "../contract/errors.ts";
import { isUuid } from "../contract/uuid.ts";
import { requireAccess, requireTeams } from "./access.ts";
import type { Call, Handler } from "./call.ts";
import { findShortcut } from "./shortcuts.store.ts";
import { findSnippetDetail, findSnippetOwners } from "./snippets.store.ts";
import { findFirstVariation, findVariationByName, findVariations, type OwnedVariation } from "./variations.store.ts";

export const getShortcut: Handler<"getShortcut"> = async (call, { query: { shortcut, teamId } }) => {
  const { transaction, caller } = call;
  const id = await requireShortcut(call, await requireTeams(call, teamId), shortcut);
  const snippet = requireAccess(caller, "Snippet", await findSnippetDetail(transaction, caller.workspaceId, id));
  return { data: snippet, teamId: snippet.team_id };
};

export const getText: Handler<"getText"> = async (call, { query: { id, shortcut, teamId, variation } }) => {
  if (id !== undefined && shortcut !== undefined) throw errors.invalid("send either id or shortcut, not both");
  if (id === undefined && shortcut === undefined) throw errors.idRequired("Snippet");
  const teamIds = await requireTeams(call, teamId);
  const snippetId = id ?? (await requireShortcut(call, teamIds, shortcut ?? ""));
  const found =
    variation === undefined ? await findText(call, snippetId) : await findTextOf(call, snippetId, variation);
  if (teamId !== undefined && found.team_id !== teamId) throw errors.notFound("Snippet");
  return { data: found.variation.content.content, version: found.currentVersion.id, teamId: found.team_id };
};

/** @throws Refusal 404 where no team has the shortcut, 409 where several have it */
async function requireShortcut(
  { transaction, caller }: Call,
  teamIds: readonly string[] | undefined,
  shortcut: string,
): Promise<string> {
  const found = await findShortcut(transaction, caller.workspaceId, teamIds, shortcut);
  const [only] = found;
  if (!only) throw errors.notFound("Snippet");
  if (found.length > 1) throw errors.shortcutAmbiguous(found.map(({ team_id }) => team_id));
  return only.snippet_id;
}

/** The first variation of a snippet. */
async function findText({ transaction, caller }: Call, snippetId: string): Promise<OwnedVariation> {
  return requireAccess(caller, "Snippet", await findFirstVariation(transaction, caller.workspaceId, snippetId));
}

/** A variation of a snippet by its ID or else by its name. */
async function findTextOf(
  { transaction, caller }: Call,
  snippetId: string,
  variation: string,
): Promise<OwnedVariation> {
  const [owner] = await findSnippetOwners(transaction, caller.workspaceId, [snippetId]);
  requireAccess(caller, "Snippet", owner);
  const [byId] = isUuid(variation)
    ? await findVariations(transaction, caller.workspaceId, [variation.toLowerCase()])
    : [];
  const found =
    byId?.snippet_id === snippetId
      ? byId
      : await findVariationByName(transaction, caller.workspaceId, snippetId, variation);
  return requireAccess(caller, "Variation", found);
}
