// Creates snippets and checks what they refer to.
import { errors, type Refusal } from "../contract/errors.ts";
import type { BatchItem } from "../contract/operation.ts";
import type { SnippetInput, SnippetUpdate } from "../contract/snippets.ts";
import type { Transaction } from "../platform/database/database.ts";
import { prepareTeamCheck } from "./access.ts";
import { decideEach, validValues } from "./batch.ts";
import type { Call } from "./call.ts";
import { folderStore } from "./folders.store.ts";
import { indexSnippets } from "./search/index-snippets.ts";
import { insertTagsOnSnippets } from "./snippet-tags.store.ts";
import { firstVariationName, insertSnippets, type NewSnippet, type TextBytes } from "./snippets.store.ts";
import { bytesOfRow, sum, textBytes } from "./stored-bytes.ts";
import { tagStore } from "./tags.store.ts";
import { insertVariations } from "./variations.store.ts";

/** The times of a snippet that is older than its row. */
export interface GivenTimes {
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Of each variation, the first one included, and of its current version. */
  readonly variations: readonly { readonly createdAt: string; readonly changedAt: string }[];
}

/** Without times, it is created now. */
type NewSnippetInput = SnippetInput & { readonly times?: GivenTimes };

export async function createSnippets(call: Call, items: readonly BatchItem<NewSnippetInput>[]) {
  const { transaction, caller } = call;
  const inputs = validValues(items);
  lockReferences(call, inputs);
  const checkTeam = await prepareTeamCheck(
    call,
    inputs.map((input) => input.teamId),
  );
  const checkReferences = await prepareReferenceCheck(call, inputs);
  const outcome = await decideEach(
    items,
    (input) => checkTeam(input.teamId) ?? checkReferences(input) ?? newSnippet(transaction, input),
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
    null,
    done.flatMap((created) => created.furtherVariations),
  );
  insertTagsOnSnippets(
    transaction,
    caller.workspaceId,
    done.flatMap(({ id, tagIds, row }) =>
      tagIds.map((tag_id) => ({ snippet_id: id, tag_id, snippet_created_at: row.created_at ?? transaction.now })),
    ),
  );
  await call.storeBytes(sum(done.map(({ bytes }) => bytes)));
  call.noteChanges(done.map(({ id, row }) => ({ kind: "snippet", action: "created", id, teamId: row.team_id })));
  await indexSnippets(
    transaction,
    caller.workspaceId,
    done.map(({ id }) => id),
  );
  return outcome;
}

/** The rows of a new snippet. Its content becomes the first variation, which lies in its own row. */
function newSnippet(transaction: Transaction, input: NewSnippetInput) {
  const id = transaction.newId();
  const tagIds = input.tagIds ?? [];
  const furtherVariations = (input.additionalVariations ?? []).map(({ variationName, content }, index) => ({
    id: transaction.newId(),
    snippet_id: id,
    name: variationName,
    variant_order_index: index + 1,
    version_id: transaction.newId(),
    content_type: content.type,
    content: content.content,
    ...furtherTimes(input.times, index + 1),
  }));
  const row: NewSnippet = {
    id,
    team_id: input.teamId,
    folder_id: input.folderId ?? null,
    title: input.title,
    snippet_note: input.note ?? null,
    shortcut: input.shortcut ?? null,
    has_tags: tagIds.length > 0,
    variation_count: 1 + furtherVariations.length,
    content_type: input.content.type,
    content: input.content.content,
    ...(input.times && ownTimes(input.times)),
  };
  return { id, row, furtherVariations, tagIds, bytes: bytesOfSnippet(input) };
}

/** Of a snippet and its first variation, which has the snippet's where its own are null. */
function ownTimes({ createdAt, updatedAt, variations: [first] }: GivenTimes) {
  const ifOther = (time = createdAt) => (time === createdAt ? null : time);
  return {
    created_at: createdAt,
    updated_at: updatedAt,
    variation_created_at: ifOther(first?.createdAt),
    variation_updated_at: ifOther(first?.changedAt),
    // A text that was replaced is older than this.
    changed_at: first?.changedAt ?? createdAt,
  };
}

function furtherTimes(times: GivenTimes | undefined, number: number) {
  const own = times?.variations[number];
  return own && { created_at: own.createdAt, updated_at: own.changedAt, changed_at: own.changedAt };
}

/** What a new snippet takes of the storage. */
export const bytesOfSnippet = ({
  title,
  note,
  shortcut,
  content,
  additionalVariations,
}: Omit<SnippetInput, "teamId">): number =>
  textBytes(title, note, shortcut) +
  bytesOfRow(firstVariationName, content.type, content.content) +
  sum(
    (additionalVariations ?? []).map((each) => bytesOfRow(each.variationName, each.content.type, each.content.content)),
  );

/** The columns that an update sets. */
export const changedColumns = ({ title, note, shortcut, folderId, isArchived, tagIds }: SnippetUpdate) => ({
  ...(title !== undefined && { title }),
  ...(note !== undefined && { snippet_note: note }),
  ...(shortcut !== undefined && { shortcut }),
  ...(folderId !== undefined && { folder_id: folderId }),
  ...(isArchived !== undefined && { is_archived: isArchived }),
  ...(tagIds !== undefined && { has_tags: tagIds.length > 0 }),
});

/** How many bytes longer these changes make the texts of a snippet's own. */
export const addedBytes = (changes: SnippetUpdate, before: TextBytes): number =>
  sum(
    (["title", "note", "shortcut"] as const).map((field) =>
      changes[field] === undefined ? 0 : textBytes(changes[field]) - before[field],
    ),
  );

interface References {
  readonly folderId?: string | null | undefined;
  readonly tagIds?: readonly string[] | null | undefined;
}

const idsOf = (inputs: readonly References[]) => ({
  folderIds: [...new Set(inputs.flatMap((input) => input.folderId ?? []))],
  tagIds: [...new Set(inputs.flatMap((input) => input.tagIds ?? []))],
});

/** Locks the folders and tags that snippets are about to refer to. */
export function lockReferences({ transaction, caller }: Call, inputs: readonly References[]): void {
  const { folderIds, tagIds } = idsOf(inputs);
  folderStore.lockForReference(transaction, caller.workspaceId, folderIds);
  tagStore.lockForReference(transaction, caller.workspaceId, tagIds);
}

/** Reads the folders and tags. Returns a function that refuses a snippet whose folder or tags belong to another team. */
export async function prepareReferenceCheck({ transaction, caller }: Call, inputs: readonly References[]) {
  const { folderIds, tagIds } = idsOf(inputs);
  const [folders, tags] = await Promise.all([
    folderStore.find(transaction, caller.workspaceId, folderIds),
    tagStore.find(transaction, caller.workspaceId, tagIds),
  ]);
  const teamByFolder = new Map(folders.map((folder) => [folder.id, folder.team_id]));
  const teamByTag = new Map(tags.map((tag) => [tag.id, tag.team_id]));
  return (input: References & { readonly teamId: string }): Refusal | undefined => {
    if (input.folderId && teamByFolder.get(input.folderId) !== input.teamId)
      return errors.invalid("folderId must be a folder of the same team");
    if (input.tagIds?.some((tagId) => teamByTag.get(tagId) !== input.teamId))
      return errors.invalid("tagIds must be tags of the same team");
    return undefined;
  };
}
