// The folders and tags of a preview as the rows of a tree, from top to bottom. What is closed has no rows.
import type { Preview } from "./import-run.ts";

export type PreviewGroup = Preview["data"]["folders"][number];

export interface GroupRow {
  /** Unique in the tree. */
  readonly key: string;
  readonly parentKey: string | undefined;
  /** `tags` is the heading of the tags. */
  readonly kind: "folder" | "tags" | "tag";
  readonly name: string;
  /** From 1. */
  readonly level: number;
  /** From 1, among the rows with the same parent. */
  readonly position: number;
  readonly siblingCount: number;
  /** Undefined without anything inside. */
  readonly isOpen: boolean | undefined;
  /** Undefined for the heading. */
  readonly isNew: boolean | undefined;
  /** Snippets that will be created in it. */
  readonly count: number;
}

const { compare } = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const tagsKey = "tags";

export function listGroupRows(
  folders: readonly PreviewGroup[],
  tags: readonly PreviewGroup[],
  isOpen: (key: string) => boolean,
): readonly GroupRow[] {
  const rows: GroupRow[] = [];
  const addAll = (kind: "folder" | "tag", groups: readonly PreviewGroup[], top: Top) => {
    const inside = Map.groupBy(groups.keys(), (at) => groups[at]?.parent ?? null);
    const add = (parent: number | null, { level, parentKey, further }: Top) => {
      const siblings = (inside.get(parent) ?? []).toSorted((one, other) =>
        compare(groups[one]?.name ?? "", groups[other]?.name ?? ""),
      );
      for (const [index, at] of siblings.entries()) {
        const group = groups[at];
        if (!group) continue;
        const key = `${kind}-${at}`;
        const opens = inside.has(at) ? isOpen(key) : undefined;
        rows.push({
          ...{ key, parentKey, kind, level, isOpen: opens, name: group.name },
          ...{ position: index + 1, siblingCount: siblings.length + further },
          ...{ isNew: group.is_new, count: group.snippet_count },
        });
        if (opens) add(at, { level: level + 1, parentKey: key, further: 0 });
      }
    };
    add(null, top);
  };
  const further = tags.length > 0 ? 1 : 0;
  addAll("folder", folders, { level: 1, parentKey: undefined, further });
  if (further === 0) return rows;
  const topCount = folders.filter(({ parent }) => parent === null).length + 1;
  const isTagsOpen = isOpen(tagsKey);
  rows.push({
    ...{ key: tagsKey, parentKey: undefined, kind: "tags", name: "Tags", level: 1, isOpen: isTagsOpen },
    ...{ position: topCount, siblingCount: topCount, isNew: undefined, count: 0 },
  });
  if (isTagsOpen) addAll("tag", tags, { level: 2, parentKey: tagsKey, further: 0 });
  return rows;
}

interface Top {
  readonly level: number;
  readonly parentKey: string | undefined;
  /** Rows after these with the same parent. */
  readonly further: number;
}
