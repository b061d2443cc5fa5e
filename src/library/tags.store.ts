// The rows of tags.
import type { Tag } from "../contract/tags.ts";
import { groupStore } from "./groups.store.ts";

export const tagRows = groupStore<Tag>(
  "tags",
  ["id", "tag_name", "tag_color", "parent_tag_id", "team_id", "workspace_id", "created_at", "updated_at"],
  "parent_tag_id",
);
