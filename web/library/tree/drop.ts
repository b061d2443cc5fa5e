// What happens when something is dropped on a row of the tree. Nothing crosses the border of a team.
import type { Folder, SnippetRow, Tag } from "../data.ts";
import { folderKey, type TreeRow, tagKey, teamKey } from "./build-tree.ts";

/** What of a snippet decides where it can be dropped, and names it. */
export type DraggedSnippet = Pick<SnippetRow, "id" | "title" | "team_id" | "folder_id" | "tag_ids">;

export type Dragged =
  | { readonly kind: "snippets"; readonly snippets: readonly DraggedSnippet[] }
  | { readonly kind: "folder"; readonly folder: Folder }
  | { readonly kind: "tag"; readonly tag: Tag };

export type Drop =
  | { readonly act: "moveSnippets"; readonly folderId: string | null }
  | { readonly act: "tagSnippets"; readonly tagId: string }
  | { readonly act: "nestFolder"; readonly parentId: string | null }
  | { readonly act: "nestTag"; readonly parentId: string | null };

/**
 * What a drop on this row does; undefined where it does nothing.
 * @param around the keys of the rows that the target is in
 */
export function dropOn(dragged: Dragged, target: TreeRow, around: readonly string[]): Drop | undefined {
  const { team } = target;
  switch (dragged.kind) {
    case "snippets": {
      const { snippets } = dragged;
      if (!team.may_write || snippets.some(({ team_id }) => team_id !== team.id)) return undefined;
      if (target.kind === "tag") {
        const tagId = target.tag.id;
        return snippets.every(({ tag_ids }) => tag_ids.includes(tagId)) ? undefined : { act: "tagSnippets", tagId };
      }
      if (target.kind === "tags") return undefined;
      const folderId = target.kind === "folder" ? target.folder.id : null;
      return snippets.every(({ folder_id }) => folder_id === folderId) ? undefined : { act: "moveSnippets", folderId };
    }
    case "folder": {
      const { id, team_id, parent_folder_id } = dragged.folder;
      const isInItself = target.key === folderKey(id) || around.includes(folderKey(id));
      if (!team.may_manage || team_id !== team.id || isInItself) return undefined;
      if (target.kind !== "folder" && target.key !== teamKey(team_id)) return undefined;
      const parentId = target.kind === "folder" ? target.folder.id : null;
      return parentId === parent_folder_id ? undefined : { act: "nestFolder", parentId };
    }
    case "tag": {
      const { id, team_id, parent_tag_id } = dragged.tag;
      const isInItself = target.key === tagKey(id) || around.includes(tagKey(id));
      if (!team.may_manage || team_id !== team.id || isInItself) return undefined;
      if (target.kind !== "tag" && target.kind !== "tags") return undefined;
      const parentId = target.kind === "tag" ? target.tag.id : null;
      return parentId === parent_tag_id ? undefined : { act: "nestTag", parentId };
    }
  }
}
