// What a drop on a row of the tree does, with its way back.
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { callConsole } from "../../api.ts";
import { quote } from "../../components/format.ts";
import { useWorkspace } from "../../workspace.tsx";
import { sayMoved } from "../selection/plan.ts";
import { ChangedSince, offerUndo } from "../selection/undo.ts";
import { useActs } from "../selection/use-acts.ts";
import type { TreeRow } from "./build-tree.ts";
import { type Dragged, dropOn } from "./drop.ts";

/** Nests a folder or a tag in another one, and offers to take it back. */
export function useNest(): (what: Exclude<Dragged, { kind: "snippets" }>, parentId: string | null) => Promise<void> {
  const { id: workspaceId } = useWorkspace();
  const client = useQueryClient();
  return useCallback(
    async (what, parentId) => {
      const set = async (parent: string | null) => {
        if (what.kind === "folder")
          await callConsole("putLibraryFolder", {
            query: { folderId: what.folder.id },
            body: { parentFolderId: parent },
            workspaceId,
          });
        else
          await callConsole("putLibraryTag", {
            query: { tagId: what.tag.id },
            body: { parentTagId: parent },
            workspaceId,
          });
        await client.invalidateQueries({ queryKey: ["getLibraryTree"] });
      };
      await set(parentId);
      const [name, before] =
        what.kind === "folder"
          ? [what.folder.folder_name, what.folder.parent_folder_id]
          : [what.tag.tag_name, what.tag.parent_tag_id];
      offerUndo(`Moved ${quote(name)}`, workspaceId, async () => {
        if ((await findParent(what, workspaceId)) !== parentId) throw new ChangedSince();
        await set(before);
      });
    },
    [client, workspaceId],
  );
}

/** The folder or tag that this one is in now; undefined if it is gone. */
async function findParent(what: Exclude<Dragged, { kind: "snippets" }>, workspaceId: string) {
  const { data } = await callConsole("getLibraryTree", { workspaceId });
  return what.kind === "folder"
    ? data.folders.find(({ id }) => id === what.folder.id)?.parent_folder_id
    : data.tags.find(({ id }) => id === what.tag.id)?.parent_tag_id;
}

/** What a drop on a row does; undefined where it does nothing. `around` are the keys of the rows that it is in. */
export function useTreeDrop(): (
  what: Dragged,
  row: TreeRow,
  around: readonly string[],
) => (() => Promise<void>) | undefined {
  const acts = useActs();
  const nest = useNest();
  return useCallback(
    (what, row, around) => {
      const drop = dropOn(what, row, around);
      if (!drop) return undefined;
      if (drop.act === "nestFolder" || drop.act === "nestTag")
        return what.kind === "snippets" ? undefined : () => nest(what, drop.parentId);
      const dropped = what.kind === "snippets" ? what.snippets : [];
      if (drop.act === "tagSnippets")
        return () =>
          acts.change(
            dropped,
            { addTagIds: [drop.tagId] },
            (snippets) => `Tagged ${snippets} with ${quote(row.name)}`,
            "Tagging snippets",
          );
      return () =>
        acts.change(
          dropped,
          { folderId: drop.folderId },
          sayMoved(dropped.length, drop.folderId === null ? undefined : row.name),
          "Moving snippets",
        );
    },
    [acts, nest],
  );
}
