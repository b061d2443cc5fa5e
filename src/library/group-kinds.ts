// The two kinds of groups: folders and tags.
import type { Folder, FolderInput, FolderUpdate } from "../contract/folders.ts";
import { limits } from "../contract/limits.ts";
import type { Tag, TagInput, TagUpdate } from "../contract/tags.ts";
import { folderStore } from "./folders.store.ts";
import type { GroupKind } from "./groups.ts";
import { tagStore } from "./tags.store.ts";

export const folderKind: GroupKind<Folder, FolderInput, FolderUpdate> = {
  noun: "Folder",
  most: limits.foldersMax,
  store: folderStore,
  parentField: "parentFolderId",
  parentOf: (body) => body.parentFolderId,
  textsOf: (row) => [row.folder_name, row.folder_color],
  toRow: (group, input) => ({
    ...group,
    folder_name: input.folderName,
    folder_color: input.folderColor,
    parent_folder_id: input.parentFolderId ?? null,
  }),
  toColumns: ({ folderName, folderColor, parentFolderId }) => ({
    ...(folderName !== undefined && { folder_name: folderName }),
    ...(folderColor !== undefined && { folder_color: folderColor }),
    ...(parentFolderId !== undefined && { parent_folder_id: parentFolderId }),
  }),
};

export const tagKind: GroupKind<Tag, TagInput, TagUpdate> = {
  noun: "Tag",
  most: limits.tagsMax,
  store: tagStore,
  parentField: "parentTagId",
  parentOf: (body) => body.parentTagId,
  textsOf: (row) => [row.tag_name, row.tag_color],
  toRow: (group, input) => ({
    ...group,
    tag_name: input.tagName,
    tag_color: input.tagColor,
    parent_tag_id: input.parentTagId ?? null,
  }),
  toColumns: ({ tagName, tagColor, parentTagId }) => ({
    ...(tagName !== undefined && { tag_name: tagName }),
    ...(tagColor !== undefined && { tag_color: tagColor }),
    ...(parentTagId !== undefined && { parent_tag_id: parentTagId }),
  }),
};
