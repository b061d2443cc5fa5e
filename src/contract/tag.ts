// The tag: what is sent to make or change one, and what is returned (interface, Tag).
import { z } from "zod";
import { atLeastOneField, id, object, teamId, text, timestamp, uuid } from "./fields.ts";
import { limits } from "./limits.ts";

const changeable = {
  tagName: text(1, limits.tagNameLengthMax).meta({ description: "Need not be unique." }),
  tagColor: text(1, limits.tagColorLengthMax).meta({ description: "A color such as a hex code." }),
  parentTagId: uuid().nullable().optional().meta({ description: "Makes the tag nested." }),
};
const optional = {
  tagName: changeable.tagName.optional(),
  tagColor: changeable.tagColor.optional(),
  parentTagId: changeable.parentTagId,
};

export const tagInput = object({ ...changeable, teamId: teamId("tag") }).meta({ id: "TagInput" });
export type TagInput = z.output<typeof tagInput>;

export const tagChanges = atLeastOneField(object(optional)).meta({ id: "TagChanges" });
export type TagChanges = z.output<typeof tagChanges>;

export const tagChangesItem = atLeastOneField(object({ id: uuid(), ...optional })).meta({ id: "TagChangesItem" });

export const tag = z
  .strictObject({
    id: id(),
    tag_name: z.string(),
    tag_color: z.string(),
    parent_tag_id: id().nullable(),
    team_id: id(),
    workspace_id: id(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: "Tag" });
export type Tag = z.output<typeof tag>;
