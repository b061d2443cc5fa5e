// The statements on folders.
import type { Folder } from "../contract/folders.ts";
import { createGroupStore } from "./groups.store.ts";

export const folderStore = createGroupStore<Folder>(
  "folders",
  ["id", "folder_name", "folder_color", "parent_folder_id", "team_id", "workspace_id", "created_at", "updated_at"],
  "parent_folder_id",
  { table: "snippets", column: "folder_id" },
);
