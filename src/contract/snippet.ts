// The snippet: what is sent to make or change one, and what is returned (interface, Resources and their fields).
import { z } from "zod";
import {
  array,
  atLeastOneField,
  boolean,
  content,
  contentInput,
  id,
  idSet,
  object,
  teamId,
  text,
  timestamp,
  uuid,
} from "./fields.ts";
import { limits } from "./limits.ts";

const title = () => text(1, limits.titleLengthMax);
const note = () => text(0, limits.noteLengthMax).nullable().meta({ description: "Read back as `snippet_note`." });
const shortcut = () =>
  text(0, limits.shortcutLengthMax).nullable().meta({ description: "A keyboard shortcut. Need not be unique." });
const folderId = () => uuid().nullable().optional().meta({ description: "A folder of the same team." });
const variationName = () => text(1, limits.variationNameLengthMax);

export const snippetInput = object({
  title: title(),
  content: contentInput(),
  teamId: teamId("snippet"),
  note: note().optional(),
  shortcut: shortcut().optional(),
  folderId: folderId(),
  tagIds: idSet(0, limits.tagsPerSnippetMax).nullable().optional().meta({ description: "Tags of the same team." }),
  additionalVariations: array(
    object({ content: contentInput(), variationName: variationName() }),
    0,
    limits.additionalVariationsMax,
  )
    .nullable()
    .optional(),
}).meta({ id: "SnippetInput" });
export type SnippetInput = z.output<typeof snippetInput>;

export const snippetChanges = atLeastOneField(
  object({
    title: title().optional(),
    content: contentInput().optional().meta({ description: "Changes the first variation." }),
    note: note().optional(),
    shortcut: shortcut().optional(),
    folderId: folderId(),
    tagIds: idSet(0, limits.tagsPerSnippetMax).optional().meta({ description: "Replaces the set of tags." }),
    isArchived: boolean().optional().meta({ description: "Archives and un-archives." }),
  }),
).meta({ id: "SnippetChanges" });
export type SnippetChanges = z.output<typeof snippetChanges>;

const fields = {
  id: id(),
  title: z.string(),
  content,
  snippet_note: z.string().nullable(),
  shortcut: z.string().nullable(),
  folder_id: id().nullable(),
  team_id: id(),
  workspace_id: id(),
  is_archived: z.boolean(),
  created_at: timestamp(),
  updated_at: timestamp(),
};

/** A snippet as lists show it. */
export const snippet = z.strictObject(fields).meta({ id: "Snippet" });
export type Snippet = z.output<typeof snippet>;

/** A snippet read alone, with the ids that the other operations ask for. */
export const snippetDetail = z
  .strictObject({
    ...fields,
    created_by: id(),
    tag_ids: z.array(id()),
    variations: z.array(z.strictObject({ id: id(), name: z.string(), variant_order_index: z.int() })),
  })
  .meta({ id: "SnippetDetail" });
export type SnippetDetail = z.output<typeof snippetDetail>;

export const snippetReference = z.strictObject({ snippetId: id() });
