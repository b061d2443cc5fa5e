// Loads the example snippets into a team, and removes them again. What somebody has changed is theirs, and stays.
import { consoleErrors } from "../../contract/console/errors.ts";
import { prepareTeamCheck } from "../access.ts";
import { recordsNothing } from "../acts.ts";
import { batchOfOne } from "../batch.ts";
import type { Call } from "../call.ts";
import { deleteFolders, postFolders } from "../folders.ts";
import { deleteSnippets, postSnippets } from "../snippets.ts";
import { deleteTags, postTags } from "../tags.ts";
import {
  findEmptyExampleFolders,
  findUnchangedExamples,
  findUnusedExampleTags,
  forgetExamples,
  hasExamples,
  insertExamples,
  lockTeam,
} from "./examples.store.ts";
import { exampleFolders, exampleSnippets, exampleTags } from "./texts.ts";

type FolderName = keyof typeof exampleFolders;
type TagName = keyof typeof exampleTags;
// Object.keys is typed as string[]; the keys of these constants are exactly their names.
const folderNames = Object.keys(exampleFolders) as FolderName[];
const tagNames = Object.keys(exampleTags) as TagName[];

/** @returns the ids of the new snippets. @throws Refusal 404, 403; 409 where the team has them already */
export async function addExamples(given: Call, teamId: string): Promise<string[]> {
  const { transaction, caller } = given;
  // Together, they are one act.
  const call: Call = { ...given, recordActs: recordsNothing };
  await requireTeam(call, teamId);
  if (await hasExamples(transaction, caller.workspaceId, teamId)) throw consoleErrors.examplesLoaded();
  const folders = await addFolders(call, teamId);
  const tags = await addTags(call, teamId);
  const items = exampleSnippets.map(({ folder, tags: own, title, shortcut, note, type, text, variations }, index) => ({
    index,
    id: undefined,
    value: {
      teamId,
      title,
      content: { type, content: text },
      folderId: folders.get(folder) ?? null,
      tagIds: own.flatMap((tag) => tags.get(tag) ?? []),
      ...(shortcut !== undefined && { shortcut }),
      ...(note !== undefined && { note }),
      ...(variations && {
        additionalVariations: variations.map(({ name, text: content }) => ({
          variationName: name,
          content: { type, content },
        })),
      }),
    },
  }));
  const { data } = await postSnippets(call, { query: {}, body: items });
  const snippetIds = data.createdSnippets.map(({ snippetId }) => snippetId);
  insertExamples(transaction, caller.workspaceId, teamId, {
    folder: [...folders.values()],
    tag: [...tags.values()],
    snippet: snippetIds,
  });
  given.recordActs([{ action: "examples.add", teamId }]);
  return snippetIds;
}

/** One after another, since a folder has to exist before one inside it. */
async function addFolders(call: Call, teamId: string): Promise<ReadonlyMap<FolderName, string>> {
  const ids = new Map<FolderName, string>();
  for (const name of folderNames) {
    const folder: { name: string; color: string; inside?: FolderName } = exampleFolders[name];
    const value = {
      teamId,
      folderName: folder.name,
      folderColor: folder.color,
      parentFolderId: (folder.inside && ids.get(folder.inside)) ?? null,
    };
    const { data } = await postFolders(call, { query: {}, body: batchOfOne(value) });
    for (const { id } of data.createdFolders) ids.set(name, id);
  }
  return ids;
}

async function addTags(call: Call, teamId: string): Promise<ReadonlyMap<TagName, string>> {
  const items = tagNames.map((name, index) => ({
    index,
    id: undefined,
    value: { teamId, tagName: exampleTags[name].name, tagColor: exampleTags[name].color },
  }));
  const { data } = await postTags(call, { query: {}, body: items });
  return new Map(data.createdTags.map((tag, index) => [tagNames[index] as TagName, tag.id]));
}

/**
 * Removes the examples that nobody has changed, without the trash, and their folders and tags if nothing else is in them.
 * @returns how many snippets were removed, and how many were changed and stay
 */
export async function removeExamples(given: Call, teamId: string) {
  const { transaction, caller } = given;
  const call: Call = { ...given, recordActs: recordsNothing };
  const { workspaceId } = caller;
  await requireTeam(call, teamId);
  const { unchanged, changed } = await findUnchangedExamples(transaction, workspaceId, teamId);
  // They can be loaded again, so they need no trash.
  if (unchanged.length > 0)
    await deleteSnippets({ ...call, trashDays: 0 }, { query: { ids: unchanged }, body: undefined });
  for (let folderIds = await findEmptyExampleFolders(transaction, workspaceId, teamId); folderIds.length > 0; ) {
    await deleteFolders(call, { query: { folderIds }, body: undefined });
    folderIds = await findEmptyExampleFolders(transaction, workspaceId, teamId);
  }
  const tagIds = await findUnusedExampleTags(transaction, workspaceId, teamId);
  if (tagIds.length > 0) await deleteTags(call, { query: { tagIds }, body: undefined });
  await forgetExamples(transaction, workspaceId, teamId);
  const details = { removedCount: unchanged.length, keptCount: changed };
  given.recordActs([{ action: "examples.remove", teamId, details }]);
  return details;
}

/** Locks the team, so that its examples are loaded once. @throws Refusal 404, 403 */
async function requireTeam(call: Call, teamId: string): Promise<void> {
  lockTeam(call.transaction, call.caller.workspaceId, teamId);
  const refusal = (await prepareTeamCheck(call, [teamId]))(teamId);
  if (refusal) throw refusal;
}
