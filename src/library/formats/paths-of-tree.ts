// The names around what is in a tree.
import { counted, listed, namedOrCounted } from "./messages.ts";
import { ownOf } from "./note-data.ts";
import type { Tool } from "./tool-block.ts";
import type { Tree, TreeGroup, TreeSnippet, TreeVariation, Warning } from "./tree.ts";

/** The names of a folder and of those around it, the outermost first. */
export type FolderNames = (key: string | null) => readonly string[];

export function folderNames({ folders }: Tree): FolderNames {
  const byKey = new Map(folders.map((folder) => [folder.key, folder]));
  const known = new Map<string, readonly string[]>();
  const namesOf = (key: string | null): readonly string[] => {
    const folder = key === null ? undefined : byKey.get(key);
    if (!folder) return [];
    const names = known.get(folder.key) ?? [...namesOf(folder.parent), folder.name];
    known.set(folder.key, names);
    return names;
  };
  return namesOf;
}

/** The names of the tags of a snippet. */
export function tagNames({ tags }: Tree): (snippet: TreeSnippet) => readonly string[] {
  const byKey = new Map(tags.map((tag) => [tag.key, tag.name]));
  return (snippet) => snippet.tags.flatMap((key) => byKey.get(key) ?? []);
}

/** The snippets of each folder, and those in none, in the order in which they appear. */
export const snippetsByFolder = ({ snippets }: Tree): Map<string | null, TreeSnippet[]> =>
  Map.groupBy(snippets, (snippet) => snippet.folder);

/** What an export to any other tool leaves out: folders and tags with no snippet in them, nor in those inside them. */
export function unusedGroups({ folders, tags, snippets }: Tree): Warning[] {
  const countUnused = (groups: readonly TreeGroup[], keys: readonly (string | null)[]) =>
    groups.length - usedKeys(groups, keys).size;
  const counts = [
    [
      countUnused(
        folders,
        snippets.map(({ folder }) => folder),
      ),
      "folder",
    ],
    [
      countUnused(
        tags,
        snippets.flatMap((snippet) => snippet.tags),
      ),
      "tag",
    ],
  ] as const;
  const unused = counts.flatMap(([count, noun]) => (count > 0 ? counted(count, noun) : []));
  return unused.length === 0 ? [] : [{ message: `Left out because no snippets use them: ${listed(unused)}.` }];
}

/** The keys of groups with snippets, and of those around them. */
function usedKeys(groups: readonly TreeGroup[], keys: readonly (string | null)[]): ReadonlySet<string> {
  const parents = new Map(groups.map(({ key, parent }) => [key, parent]));
  const used = new Set<string>();
  for (let key of keys) for (; key !== null && !used.has(key); key = parents.get(key) ?? null) used.add(key);
  return used;
}

/** What the format of another tool has a place for. */
export interface Kept {
  readonly tags?: boolean;
  readonly note?: boolean;
  readonly variations?: boolean;
  readonly nesting?: boolean;
  readonly folders?: boolean;
  readonly archived?: boolean;
}

/** What of a snippet is not data that a tool keeps there for itself. */
interface Own {
  readonly description: string;
  readonly variations: readonly TreeVariation[];
}

/**
 * What an export to another tool leaves out, counted.
 * @param tool its name, or files in the plural
 * @param format the tool whose data in notes is not lost
 */
export function lost(tool: string, tree: Tree, kept: Kept, format?: Tool): Warning[] {
  const warnings: Warning[] = [];
  const lacks = `${tool} ${tool.endsWith("files") ? "do" : "does"} not support`;
  const own = (snippet: TreeSnippet): Own => ownOf(format, snippet);
  const count = (has: (snippet: TreeSnippet, own: Own) => boolean, what: string) => {
    const found = tree.snippets.filter((snippet) => has(snippet, own(snippet))).map(({ title }) => title);
    if (found.length > 0) warnings.push({ message: `${lacks} ${what} (left out of ${namedOrCounted(found)}).` });
  };
  if (!kept.variations) count((_, { variations }) => variations.length > 1, "additional variations");
  count((_, { variations }) => variations.some(({ formerVersions }) => formerVersions.length > 0), "earlier versions");
  if (!kept.tags) count(({ tags }) => tags.length > 0, "tags");
  if (!kept.note) count((_, { description }) => description !== "", "notes");
  if (!kept.folders) count(({ folder }) => folder !== null, "folders");
  if (kept.folders && !kept.nesting && tree.folders.some(({ parent }) => parent !== null))
    warnings.push({ message: `${lacks} nested folders: their names are joined.` });
  const isColored = (group: TreeGroup) => group.color !== null;
  if (tree.folders.some(isColored) || tree.tags.some(isColored))
    warnings.push({ message: `${lacks} colors for folders and tags.` });
  if (!kept.archived) count(({ isArchived }) => isArchived, "the archived state");
  return warnings;
}
