// Snippets: their schemas and their operations (decisions, Records).
import { z } from "zod";
import { one, perItem } from "./costs.ts";
import { createdCounts, deletedCounts, itemErrors, listCounts, nothing } from "./envelope.ts";
import * as example from "./example-workspace.ts";
import {
  array,
  atLeastOneField,
  boolean,
  content,
  contentInput,
  fieldsUpdated,
  id,
  idSet,
  message,
  object,
  teamId,
  text,
  timestamp,
  uuid,
} from "./fields.ts";
import { limits } from "./limits.ts";
import { batchBody, defineOperation, objectBody, type Resource } from "./operation.ts";
import { idListParameter, idParameter } from "./query.ts";
import { variationInput } from "./variations.ts";

export const resource: Resource = {
  name: "Snippets",
  description: "Pieces of text or code, each with a title. A snippet belongs to a team and can have a folder and tags.",
};

const title = () => text(1, limits.titleLengthMax);
const note = () => text(0, limits.noteLengthMax).nullable().meta({ description: "Returned as `snippet_note`." });
const shortcut = () =>
  text(0, limits.shortcutLengthMax).nullable().meta({
    description: "A short string that stands for the snippet, such as `/refund`. Shortcuts do not have to be unique.",
  });
const folderId = () => uuid().nullable().optional().meta({ description: "A folder of the same team." });

export const snippetInput = object({
  title: title(),
  content: contentInput(),
  teamId: teamId("snippet"),
  note: note().optional(),
  shortcut: shortcut().optional(),
  folderId: folderId(),
  tagIds: idSet(0, limits.tagsPerSnippetMax).nullable().optional().meta({ description: "Tags of the same team." }),
  additionalVariations: array(variationInput, 0, limits.additionalVariationsMax).nullable().optional(),
}).meta({ id: "SnippetInput" });
export type SnippetInput = z.output<typeof snippetInput>;

export const snippetUpdate = atLeastOneField(
  object({
    title: title().optional(),
    content: contentInput().optional().meta({ description: "Replaces the content of the first variation." }),
    note: note().optional(),
    shortcut: shortcut().optional(),
    folderId: folderId(),
    tagIds: idSet(0, limits.tagsPerSnippetMax).optional().meta({ description: "Replaces all tags of the snippet." }),
    isArchived: boolean().optional().meta({ description: "True archives the snippet, false unarchives it." }),
  }),
).meta({ id: "SnippetUpdate" });
export type SnippetUpdate = z.output<typeof snippetUpdate>;

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

/** A snippet in a list. */
export const snippet = z.strictObject(fields).meta({ id: "Snippet" });
export type Snippet = z.output<typeof snippet>;

/** A single snippet, with the IDs that other operations need. */
export const snippetDetail = z
  .strictObject({
    ...fields,
    created_by: id().meta({
      description: "The ID of the API key or person that created the snippet. All zeros if an operator imported it.",
    }),
    tag_ids: z.array(id()),
    variations: z.array(z.strictObject({ id: id(), name: z.string(), variant_order_index: z.int() })),
  })
  .meta({ id: "SnippetDetail" });
export type SnippetDetail = z.output<typeof snippetDetail>;

/** What a create or an update returns. */
export const snippetReference = z.strictObject({ snippetId: id() });

const idQuery = { id: idParameter("Snippet", "snippetId") };
const idListQuery = { ids: idListParameter("Snippet", "snippetIds") };

export const snippetOperations = {
  getSnippet: defineOperation({
    method: "GET",
    path: "/snippet",
    resource,
    summary: "Get a snippet",
    scope: "read",
    cost: one,
    query: idQuery,
    data: snippetDetail,
    example: {
      query: { id: example.snippet.id },
      result: { data: example.snippetDetail },
    },
  }),
  postSnippet: defineOperation({
    method: "POST",
    path: "/snippet",
    resource,
    summary: "Create a snippet",
    scope: "write",
    cost: one,
    body: objectBody(snippetInput),
    data: snippetReference,
    metadata: z.strictObject({ totalVariations: z.int(), tagsAttached: z.int() }),
    example: {
      body: {
        title: example.snippet.title,
        content: example.snippet.content,
        teamId: example.snippet.team_id,
        note: example.snippet.snippet_note,
        shortcut: example.snippet.shortcut,
        folderId: example.folder.id,
        tagIds: [example.tag.id],
        additionalVariations: [{ variationName: "Formal", content: example.formalContent }],
      },
      result: { data: { snippetId: example.snippet.id }, metadata: { totalVariations: 2, tagsAttached: 1 } },
    },
  }),
  putSnippet: defineOperation({
    method: "PUT",
    path: "/snippet",
    resource,
    summary: "Update a snippet",
    description: "Omitted fields stay unchanged. Null clears `note`, `shortcut`, and `folderId`.",
    scope: "write",
    cost: one,
    query: idQuery,
    body: objectBody(snippetUpdate),
    data: snippetReference,
    metadata: fieldsUpdated.extend({
      tagsAttached: z.int().meta({ description: "The number of tags that the snippet has now." }),
    }),
    example: {
      query: { id: example.snippet.id },
      body: { title: "Refund sent", note: null, tagIds: [example.tag.id, example.innerTag.id] },
      result: {
        data: { snippetId: example.snippet.id },
        metadata: { fieldsUpdated: { title: true, note: true, tagIds: true }, tagsAttached: 2 },
      },
    },
  }),
  deleteSnippet: defineOperation({
    method: "DELETE",
    path: "/snippet",
    resource,
    summary: "Delete a snippet",
    scope: "write",
    cost: one,
    query: idQuery,
    data: message,
    metadata: nothing,
    example: {
      query: { id: example.snippet.id },
      result: { data: { message: "Snippet deleted" }, metadata: {} },
    },
  }),
  getSnippets: defineOperation({
    method: "GET",
    path: "/snippets",
    resource,
    summary: "Get multiple snippets",
    description:
      "Returns the snippets in the order requested. IDs that do not exist or that the key cannot access are only counted, in `metadata`.",
    scope: "read",
    cost: perItem("1 per accessible snippet"),
    query: idListQuery,
    data: z.array(snippet),
    metadata: listCounts,
    example: {
      query: { ids: `${example.codeSnippet.id},${example.unknownId}` },
      result: { data: [example.codeSnippet], metadata: example.twoRequestedOneMissing, items: 1 },
    },
  }),
  postSnippets: defineOperation({
    method: "POST",
    path: "/snippets",
    resource,
    summary: "Create multiple snippets",
    scope: "write",
    cost: perItem("1 per snippet"),
    body: batchBody("snippets", snippetInput),
    data: z.strictObject({ message: z.string(), createdSnippets: z.array(snippetReference), errors: itemErrors }),
    metadata: createdCounts,
    example: {
      body: {
        snippets: [
          {
            title: example.snippet.title,
            content: example.snippet.content,
            teamId: example.snippet.team_id,
            folderId: example.folder.id,
          },
          {
            title: example.codeSnippet.title,
            content: example.codeSnippet.content,
            teamId: example.codeSnippet.team_id,
          },
        ],
      },
      result: {
        data: {
          message: "2 of 2 snippets created",
          createdSnippets: [{ snippetId: example.snippet.id }, { snippetId: example.codeSnippet.id }],
          errors: [],
        },
        metadata: { requestedCount: 2, createdCount: 2, failedCount: 0 },
        items: 2,
      },
    },
  }),
  deleteSnippets: defineOperation({
    method: "DELETE",
    path: "/snippets",
    resource,
    summary: "Delete multiple snippets",
    scope: "write",
    cost: perItem("1 per accessible snippet deleted"),
    query: idListQuery,
    data: message,
    metadata: deletedCounts,
    example: {
      query: { ids: `${example.snippet.id},${example.codeSnippet.id}` },
      result: { data: { message: "2 of 2 snippets deleted" }, metadata: example.twoDeleted, items: 2 },
    },
  }),
};
