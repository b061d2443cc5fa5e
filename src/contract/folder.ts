// The folder: what is sent to make or change one, and what is returned (interface, Folder).
import { z } from "zod";
import { atLeastOneField, count, id, object, teamId, text, timestamp, uuid } from "./fields.ts";
import { limits } from "./limits.ts";
import { snippet } from "./snippet.ts";

const changeable = {
  folderName: text(1, limits.folderNameLengthMax).meta({ description: "Need not be unique." }),
  folderColor: text(1, limits.folderColorLengthMax).meta({ description: "A color such as a hex code." }),
  parentFolderId: uuid().nullable().optional().meta({ description: "Makes the folder nested." }),
};
const optional = {
  folderName: changeable.folderName.optional(),
  folderColor: changeable.folderColor.optional(),
  parentFolderId: changeable.parentFolderId,
};

export const folderInput = object({ ...changeable, teamId: teamId("folder") }).meta({ id: "FolderInput" });
export type FolderInput = z.output<typeof folderInput>;

export const folderChanges = atLeastOneField(object(optional)).meta({ id: "FolderChanges" });
export type FolderChanges = z.output<typeof folderChanges>;

export const folderChangesItem = atLeastOneField(object({ id: uuid(), ...optional })).meta({ id: "FolderChangesItem" });

const fields = {
  id: id(),
  folder_name: z.string(),
  folder_color: z.string(),
  parent_folder_id: id().nullable(),
  team_id: id(),
  workspace_id: id(),
  created_at: timestamp(),
  updated_at: timestamp(),
};
export const folder = z.strictObject(fields).meta({ id: "Folder" });
export type Folder = z.output<typeof folder>;

export const folderWithSnippets = z
  .strictObject({ ...fields, snippets: z.array(snippet), total_snippets: count() })
  .meta({ id: "FolderWithSnippets" });
