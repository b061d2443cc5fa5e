// Snippets: the texts that people keep, with variations, in folders, under tags (interface, Snippet).

import { errors } from "../contract/errors.ts";
import type { BatchItem } from "../contract/operation.ts";
import type { Snippet, SnippetChanges, SnippetInput } from "../contract/snippets.ts";
import type { Transaction } from "../platform/database/database.ts";
import { accessible, accessibleOf, deletedCounts, teamOf, teamRefusals } from "./access.ts";
import { batchOfOne, createdCounts, decideEach, only, wellFormed } from "./batch.ts";
import { type Call, fieldsUpdated, type Handler } from "./call.ts";
import { folderRows } from "./folders.store.ts";
import { refuseTooMuchText } from "./response-size.ts";
import {
  countTagsOfSnippet,
  findSnippetDetail,
  findSnippetOwners,
  findSnippets,
  holdSnippets,
  insertSnippets,
  insertTagsOnSnippets,
  removeSnippets,
  removeTagsOfSnippet,
  sumTextBytes,
  updateSnippet,
} from "./snippets.store.ts";
import { tagRows } from "./tags.store.ts";
import { findFirstVariation, insertVariations } from "./variations.store.ts";
import { changeVariation } from "./variations.ts";

export const getSnippet: Handler<"getSnippet"> = async ({ transaction, caller }, { query }) => {
  const found = await findSnippetDetail(transaction, caller.workspaceId, query.id);
  const snippet = accessible(caller, "Snippet", found);
  return { data: snippet, teamId: snippet.team_id };
};

export const getSnippets: Handler<"getSnippets"> = async ({ transaction, caller }, { query }) => {
  const found = await findSnippetOwners(transaction, caller.workspaceId, query.ids);
  const { rows, counts } = accessibleOf(caller, query.ids, found);
  const snippets = await readSnippets(
    transaction,
    caller.workspaceId,
    rows.map((row) => row.id),
  );
  return { data: snippets, metadata: counts, items: snippets.length, teamId: teamOf(rows) };
};

/** The snippets of these ids, in this order. @throws 400 when their texts are more than one answer may hold */
export async function readSnippets(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<Snippet[]> {
  await refuseTooMuchText(ids.length, () => sumTextBytes(transaction, workspaceId, ids));
  const byId = new Map((await findSnippets(transaction, workspaceId, ids)).map((snippet) => [snippet.id, snippet]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export const postSnippet: Handler<"postSnippet"> = async (call, { body }) => {
  const created = only(await createSnippets(call, batchOfOne(body)));
  return {
    data: { snippetId: created.id },
    metadata: { totalVariations: created.variations.length, tagsAttached: created.tagIds.length },
    teamId: created.row.team_id,
  };
};

export const postSnippets: Handler<"postSnippets"> = async (call, { body }) => {
  const outcome = await createSnippets(call, body);
  const { done, errors } = outcome;
  return {
    data: {
      message: `${done.length} of ${body.length} snippets created`,
      createdSnippets: done.map((created) => ({ snippetId: created.id })),
      errors,
    },
    metadata: createdCounts(outcome),
    items: done.length,
    teamId: teamOf(done.map((created) => created.row)),
  };
};

export const putSnippet: Handler<"putSnippet"> = async (call, { query, body }) => {
  const { transaction, caller } = call;
  const { workspaceId } = caller;
  keepReferences(call, [body]);
  holdSnippets(transaction, "change", workspaceId, [query.id]);
  const [row] = await findSnippetOwners(transaction, workspaceId, [query.id]);
  const snippet = accessible(caller, "Snippet", row);
  const refusal = (await referenceRefusals(call, [body]))({ ...body, teamId: snippet.team_id });
  if (refusal) throw refusal;

  updateSnippet(transaction, workspaceId, snippet.id, changedColumns(body));
  if (body.content) {
    const first = await findFirstVariation(transaction, workspaceId, snippet.id);
    if (first) changeVariation(transaction, workspaceId, first, { content: body.content });
  }
  if (body.tagIds) {
    removeTagsOfSnippet(transaction, workspaceId, snippet.id);
    insertTagsOnSnippets(
      transaction,
      workspaceId,
      body.tagIds.map((tag_id) => ({ snippet_id: snippet.id, tag_id, snippet_created_at: snippet.created_at })),
    );
  }
  return {
    data: { snippetId: snippet.id },
    metadata: {
      fieldsUpdated: fieldsUpdated(body),
      tagsAttached: await countTagsOfSnippet(transaction, workspaceId, snippet.id),
    },
    teamId: snippet.team_id,
  };
};

export const deleteSnippet: Handler<"deleteSnippet"> = async ({ transaction, caller }, { query }) => {
  holdSnippets(transaction, "delete", caller.workspaceId, [query.id]);
  const [row] = await findSnippetOwners(transaction, caller.workspaceId, [query.id]);
  const snippet = accessible(caller, "Snippet", row);
  removeSnippets(transaction, caller.workspaceId, [snippet.id]);
  return { data: { message: "Snippet deleted" }, metadata: {}, teamId: snippet.team_id };
};

export const deleteSnippets: Handler<"deleteSnippets"> = async ({ transaction, caller }, { query }) => {
  holdSnippets(transaction, "delete", caller.workspaceId, query.ids);
  const found = await findSnippetOwners(transaction, caller.workspaceId, query.ids);
  const { rows } = accessibleOf(caller, query.ids, found);
  const ids = rows.map((snippet) => snippet.id);
  if (ids.length > 0) removeSnippets(transaction, caller.workspaceId, ids);
  return {
    data: { message: `${ids.length} of ${query.ids.length} snippets deleted` },
    metadata: deletedCounts(query.ids.length, ids.length),
    items: ids.length,
    teamId: teamOf(rows),
  };
};

async function createSnippets(call: Call, items: readonly BatchItem<SnippetInput>[]) {
  const { transaction, caller } = call;
  const inputs = wellFormed(items);
  keepReferences(call, inputs);
  const teamRefusal = await teamRefusals(
    call,
    inputs.map((input) => input.teamId),
  );
  const referenceRefusal = await referenceRefusals(call, inputs);
  const outcome = await decideEach(
    items,
    (input) => teamRefusal(input.teamId) ?? referenceRefusal(input) ?? newSnippet(transaction.newId(), input),
  );
  const { done } = outcome;
  insertSnippets(
    transaction,
    caller.workspaceId,
    caller.id,
    done.map((created) => created.row),
  );
  insertVariations(
    transaction,
    caller.workspaceId,
    done.flatMap((created) => created.variations),
  );
  insertTagsOnSnippets(
    transaction,
    caller.workspaceId,
    done.flatMap(({ id, tagIds }) =>
      tagIds.map((tag_id) => ({ snippet_id: id, tag_id, snippet_created_at: transaction.now })),
    ),
  );
  return outcome;
}

/** The rows that one snippet consists of. The content given becomes the first variation, named Default. */
const newSnippet = (id: string, input: SnippetInput) => ({
  id,
  row: {
    id,
    team_id: input.teamId,
    folder_id: input.folderId ?? null,
    title: input.title,
    snippet_note: input.note ?? null,
    shortcut: input.shortcut ?? null,
  },
  variations: [{ variationName: "Default", content: input.content }, ...(input.additionalVariations ?? [])].map(
    ({ variationName, content }, index) => ({
      snippet_id: id,
      name: variationName,
      variant_order_index: index,
      content,
    }),
  ),
  tagIds: input.tagIds ?? [],
});

const changedColumns = ({ title, note, shortcut, folderId, isArchived }: SnippetChanges) => ({
  ...(title !== undefined && { title }),
  ...(note !== undefined && { snippet_note: note }),
  ...(shortcut !== undefined && { shortcut }),
  ...(folderId !== undefined && { folder_id: folderId }),
  ...(isArchived !== undefined && { is_archived: isArchived }),
});

interface References {
  readonly folderId?: string | null | undefined;
  readonly tagIds?: readonly string[] | null | undefined;
}

const idsOf = (inputs: readonly References[]) => ({
  folderIds: [...new Set(inputs.flatMap((input) => input.folderId ?? []))],
  tagIds: [...new Set(inputs.flatMap((input) => input.tagIds ?? []))],
});

/** Keeps the folders and tags that snippets are about to refer to. */
function keepReferences({ transaction, caller }: Call, inputs: readonly References[]): void {
  const { folderIds, tagIds } = idsOf(inputs);
  folderRows.keep(transaction, caller.workspaceId, folderIds);
  tagRows.keep(transaction, caller.workspaceId, tagIds);
}

/** Decides for each snippet whether its folder and tags are of its own team; the refusal names the field. */
async function referenceRefusals({ transaction, caller }: Call, inputs: readonly References[]) {
  const { folderIds, tagIds } = idsOf(inputs);
  const [folders, tags] = await Promise.all([
    folderRows.find(transaction, caller.workspaceId, folderIds),
    tagRows.find(transaction, caller.workspaceId, tagIds),
  ]);
  const teamOfFolder = new Map(folders.map((folder) => [folder.id, folder.team_id]));
  const teamOfTag = new Map(tags.map((tag) => [tag.id, tag.team_id]));
  return (input: References & { teamId: string }) => {
    if (input.folderId && teamOfFolder.get(input.folderId) !== input.teamId)
      return errors.invalid("folderId must be a folder of the same team");
    if (input.tagIds?.some((tagId) => teamOfTag.get(tagId) !== input.teamId))
      return errors.invalid("tagIds must be tags of the same team");
    return undefined;
  };
}
