// The statements on tags.
import type { Tag } from "../contract/tags.ts";
import { createGroupStore } from "./groups.store.ts";

export const tagStore = createGroupStore<Tag>(
  "tags",
  ["id", "tag_name", "tag_color", "parent_tag_id", "team_id", "workspace_id", "created_at", "updated_at"],
  "parent_tag_id",
  { table: "snippet_tags", column: "tag_id" },
);
