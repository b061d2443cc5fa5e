// Tags that are typed while a snippet is written. They are created when it is saved, so that a discarded draft leaves none behind.
import { callConsole, queryClient } from "../../api.ts";
import { useWorkspaceId } from "../../workspace.tsx";
import { useLibrary } from "../library-context.tsx";
import { nextColor } from "../tree/colors.ts";

const prefix = "new:";

/** Stands for a tag until it is created. */
export const newTagId = (name: string): string => prefix + name;

/** Undefined for a tag that exists. */
export const nameOfNewTag = (id: string): string | undefined =>
  id.startsWith(prefix) ? id.slice(prefix.length) : undefined;

export const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Creates the tags that do not exist yet. @returns the IDs of all of them, in their order */
export function useCreateTags(): (teamId: string, tagIds: readonly string[]) => Promise<readonly string[]> {
  const { tags } = useLibrary();
  const workspaceId = useWorkspaceId();
  return async (teamId, tagIds) => {
    const own = [...tags.values()].filter((tag) => tag.team_id === teamId);
    const ids: string[] = [];
    let color = own.length;
    for (const id of tagIds) {
      const tagName = nameOfNewTag(id);
      // Somebody may have created it meanwhile.
      const existing = tagName === undefined ? id : own.find(({ tag_name }) => isSameName(tag_name, tagName))?.id;
      if (existing !== undefined) ids.push(existing);
      else {
        const body = { tagName: tagName ?? "", tagColor: nextColor(color++), teamId };
        ids.push((await callConsole("postLibraryTag", { body, workspaceId })).data.tag.id);
      }
    }
    // Their names are in the tree.
    if (color > own.length) await queryClient.invalidateQueries({ queryKey: ["getLibraryTree"] });
    return ids;
  };
}
