// The snippets of a team as the tree that every format writes.
import type { Commonplace, FoundSnippet } from "../../../sdk/src/index.ts";
import { firstVariationName, type Tree, type TreeGroup, type TreeSnippet } from "../../../src/library/formats/tree.ts";

const pageItemsMax = 100;

/**
 * Costs 1 unit for each page of 100 snippets, 1 for each snippet, and 1 for folders and tags.
 * @param keepsNotes false for tools that keep settings of their own in notes: someone else's note could contain a command
 */
export async function readTeam(client: Commonplace, teamId: string, keepsNotes: boolean): Promise<Tree> {
  const { data } = await client.getTree({ teamId });
  const snippets: FoundSnippet[] = [];
  for await (const page of client.getSearchPages({ teamId, sort: "created", limit: pageItemsMax }))
    snippets.push(...page.data.snippets);
  return {
    folders: parentsFirst(
      data.folders.map((each) => group(each.id, each.folder_name, each.folder_color, each.parent_folder_id)),
    ),
    tags: parentsFirst(data.tags.map((each) => group(each.id, each.tag_name, each.tag_color, each.parent_tag_id))),
    // Oldest first: a file keeps its name and its order when something is added.
    snippets: snippets.reverse().map((snippet) => toTreeSnippet(snippet, keepsNotes)),
  };
}

const group = (key: string, name: string, color: string, parent: string | null): TreeGroup => ({
  key,
  name,
  color,
  parent,
});

/** A tree names a parent before what is in it. */
function parentsFirst(groups: readonly TreeGroup[]): TreeGroup[] {
  const below = (parent: string | null): TreeGroup[] =>
    groups.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.key)]);
  return below(null);
}

const toTreeSnippet = (snippet: FoundSnippet, keepsNotes: boolean): TreeSnippet => ({
  title: snippet.title,
  note: keepsNotes ? snippet.snippet_note : null,
  shortcut: snippet.shortcut,
  folder: snippet.folder_id,
  tags: snippet.tag_ids,
  isArchived: snippet.is_archived,
  variations: [
    {
      name: firstVariationName,
      type: snippet.content.type,
      content: snippet.content.content,
      changedAt: null,
      formerVersions: [],
    },
  ],
  createdAt: null,
  updatedAt: null,
});
