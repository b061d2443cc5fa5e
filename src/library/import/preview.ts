// What the plan of an import looks like before it runs: the first snippets, and the folders and tags with what comes into them.
import { limits } from "../../contract/limits.ts";
import type { Result } from "../../contract/operations.ts";
import type { ImportTree, TreeSnippet } from "../formats/tree.ts";
import type { Plan, PlannedGroup } from "./plan.ts";
import type { ImportSource } from "./run.ts";

type Shown = Pick<Result<"postImport">["data"], "snippets" | "folders" | "tags" | "table">;

export const nothingShown: Shown = { snippets: [], folders: [], tags: [], table: null };

export function shownOf(plan: Plan, { tree, table }: Pick<ImportSource, "tree" | "table">): Shown {
  const created = plan.snippets.flatMap(({ kind, at }) => (kind === "create" ? (tree.snippets.at(at) ?? []) : []));
  return {
    snippets: firstSnippets(plan, tree),
    folders: groupsOf(plan.folders, created, ({ folder }) => (folder === null ? [] : [folder]), true),
    tags: groupsOf(plan.tags, created, ({ tags }) => tags, false),
    table: table
      ? { rows: table.rows.map((row) => [...row]), fields: [...table.fields], has_headings: table.hasHeadings }
      : null,
  };
}

function firstSnippets({ snippets, duplicates }: Plan, tree: ImportTree): Shown["snippets"] {
  const folders = new Map(tree.folders.map((folder) => [folder.key, folder]));
  const pathOf = (key: string | null): string[] => {
    const folder = key === null ? undefined : folders.get(key);
    return folder ? [...pathOf(folder.parent), folder.name] : [];
  };
  return snippets.slice(0, limits.importPreviewMax).flatMap(({ kind, at }) => {
    const snippet = tree.snippets.at(at);
    if (!snippet) return [];
    const { title, shortcut, folder, variations } = snippet;
    const [path, like] = [pathOf(folder), duplicates[at]];
    return {
      ...{ title, shortcut, content_type: variations[0]?.type ?? "plaintext", action: kind },
      folder: path.length === 0 ? null : path.join(" / "),
      duplicate: like ? { snippet_id: like.id, title: like.title, match: like.match } : null,
    };
  });
}

/** The outermost groups first, so that a list that ends early has all that the others are in. */
function groupsOf(
  planned: readonly PlannedGroup[],
  created: readonly TreeSnippet[],
  keysOf: (snippet: TreeSnippet) => readonly string[],
  isInnerCounted: boolean,
): Shown["folders"] {
  const counts = new Map<string, number>();
  for (const key of created.flatMap(keysOf)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const levels = new Map<string, number>();
  for (const { group } of planned)
    levels.set(group.key, group.parent === null ? 0 : (levels.get(group.parent) ?? 0) + 1);
  if (isInnerCounted)
    // What is inside comes after what it is in.
    for (const { group } of planned.toReversed())
      if (group.parent !== null)
        counts.set(group.parent, (counts.get(group.parent) ?? 0) + (counts.get(group.key) ?? 0));
  const levelOf = ({ group }: PlannedGroup): number => levels.get(group.key) ?? 0;
  const shown = planned.toSorted((one, other) => levelOf(one) - levelOf(other)).slice(0, limits.importPreviewGroupsMax);
  const positions = new Map(shown.map(({ group }, position) => [group.key, position]));
  return shown.map(({ group, existingId }) => ({
    name: group.name,
    parent: group.parent === null ? null : (positions.get(group.parent) ?? null),
    is_new: existingId === null,
    snippet_count: counts.get(group.key) ?? 0,
  }));
}
