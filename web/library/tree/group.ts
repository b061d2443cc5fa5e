// Folders and tags as one: what both have, under the same names.
import { type MutationInput, useConsoleMutation } from "../../api.ts";
import type { Folder, Tag, Tree } from "../data.ts";
import type { GroupKind } from "./open-dialog.ts";

export interface Group {
  readonly kind: GroupKind;
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly parentId: string | null;
  readonly teamId: string;
  readonly snippetCount: number;
}

const ofFolder = (folder: Folder): Group => ({
  kind: "folder",
  id: folder.id,
  name: folder.folder_name,
  color: folder.folder_color,
  parentId: folder.parent_folder_id,
  teamId: folder.team_id,
  snippetCount: folder.snippet_count,
});

const ofTag = (tag: Tag): Group => ({
  kind: "tag",
  id: tag.id,
  name: tag.tag_name,
  color: tag.tag_color,
  parentId: tag.parent_tag_id,
  teamId: tag.team_id,
  snippetCount: tag.snippet_count,
});

/** All folders or all tags. */
export const groupsOf = (tree: Tree, kind: GroupKind): readonly Group[] =>
  kind === "folder" ? tree.folders.map(ofFolder) : tree.tags.map(ofTag);

/** The names of the groups around one, outermost first: `Orders / Refunds`. */
export function pathNames(groups: ReadonlyMap<string, Group>, parentId: string | null): string {
  const names: string[] = [];
  for (let id = parentId; id !== null && names.length < groups.size; ) {
    const group = groups.get(id);
    if (!group) break;
    names.unshift(group.name);
    id = group.parentId;
  }
  return names.join(" / ");
}

/** The ids of a group and of all groups inside it. */
export function idsWithin(groups: readonly Group[], id: string): ReadonlySet<string> {
  const children = Map.groupBy(groups, ({ parentId }) => parentId);
  const within = new Set([id]);
  // A set is walked with what is added on the way.
  for (const outer of within) for (const inner of children.get(outer) ?? []) within.add(inner.id);
  return within;
}

interface GroupFields {
  readonly name?: string;
  readonly color?: string;
  readonly parentId?: string | null;
}

/** Changes a folder or a tag. */
export function useChangeGroup(kind: GroupKind, onSuccess?: () => void) {
  const options = { invalidates: ["getLibraryTree", "getLibrarySearch"], ...(onSuccess && { onSuccess }) } as const;
  const folder = useConsoleMutation("putLibraryFolder", options);
  const tag = useConsoleMutation("putLibraryTag", options);
  const { error, isPending } = kind === "folder" ? folder : tag;
  const change = (id: string, { name, color, parentId }: GroupFields, onError?: (error: Error) => void): void => {
    const how = onError && { onError };
    if (kind === "folder")
      folder.mutate(
        {
          query: { folderId: id },
          body: {
            ...(name !== undefined && { folderName: name }),
            ...(color !== undefined && { folderColor: color }),
            ...(parentId !== undefined && { parentFolderId: parentId }),
          },
        } satisfies MutationInput<"putLibraryFolder">,
        how,
      );
    else
      tag.mutate(
        {
          query: { tagId: id },
          body: {
            ...(name !== undefined && { tagName: name }),
            ...(color !== undefined && { tagColor: color }),
            ...(parentId !== undefined && { parentTagId: parentId }),
          },
        } satisfies MutationInput<"putLibraryTag">,
        how,
      );
  };
  return { change, error, isPending };
}

/** Creates a folder or a tag. */
export function useCreateGroup(kind: GroupKind, onCreated: (id: string) => void) {
  const invalidates = ["getLibraryTree"] as const;
  const folder = useConsoleMutation("postLibraryFolder", {
    invalidates,
    onSuccess: (data) => onCreated(data.folder.id),
  });
  const tag = useConsoleMutation("postLibraryTag", { invalidates, onSuccess: (data) => onCreated(data.tag.id) });
  const { error, isPending } = kind === "folder" ? folder : tag;
  const create = (teamId: string, name: string, color: string, parentId: string | null): void => {
    if (kind === "folder")
      folder.mutate({ body: { teamId, folderName: name, folderColor: color, parentFolderId: parentId } });
    else tag.mutate({ body: { teamId, tagName: name, tagColor: color, parentTagId: parentId } });
  };
  return { create, error, isPending };
}
