// Tags: their schemas and their operations.
import { z } from "zod";
import { one, onePlusItems, perItem } from "./costs.ts";
import { createdCounts, deletedCounts, itemErrors, listCounts, nothing, paginate, updatedCounts } from "./envelope.ts";
import * as example from "./example-workspace.ts";
import { atLeastOneField, fieldsUpdated, id, message, object, teamId, text, timestamp, uuid } from "./fields.ts";
import { limits } from "./limits.ts";
import { batchBody, defineOperation, objectBody, type Resource } from "./operation.ts";
import { idListParameter, idParameter, pageParameters } from "./query.ts";
import { snippet } from "./snippets.ts";

const resource: Resource = {
  name: "Tags",
  description: "Tags label the snippets of a team and can be nested. A snippet can have several tags.",
};

const changeable = {
  tagName: text(1, limits.tagNameLengthMax).meta({ description: "Names do not have to be unique." }),
  tagColor: text(1, limits.tagColorLengthMax).meta({ description: "A color, such as `#336699`." }),
  parentTagId: uuid().nullable().optional().meta({ description: "The parent tag. Null for a top-level tag." }),
};
const optional = {
  tagName: changeable.tagName.optional(),
  tagColor: changeable.tagColor.optional(),
  parentTagId: changeable.parentTagId,
};

export const tagInput = object({ ...changeable, teamId: teamId("tag") }).meta({ id: "TagInput" });
export type TagInput = z.output<typeof tagInput>;

export const tagUpdate = atLeastOneField(object(optional)).meta({ id: "TagUpdate" });
export type TagUpdate = z.output<typeof tagUpdate>;

export const tagUpdateItem = atLeastOneField(object({ id: uuid(), ...optional })).meta({ id: "TagUpdateItem" });

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

const idQuery = { tagId: idParameter("Tag", "id") };
const idListQuery = { tagIds: idListParameter("Tag", "ids") };
const exampleInput = {
  tagName: example.tag.tag_name,
  tagColor: example.tag.tag_color,
  teamId: example.tag.team_id,
};
/** The inner tag of the examples before it was nested. */
const otherTag = { ...example.innerTag, parent_tag_id: null };

export const tagOperations = {
  getTag: defineOperation({
    method: "GET",
    path: "/tag",
    resource,
    summary: "Get a tag and its snippets",
    scope: "read",
    cost: onePlusItems("1 + 1 per snippet returned"),
    query: { ...idQuery, ...pageParameters },
    data: z.strictObject({ tag, snippets: z.array(snippet) }),
    paging: "offset",
    example: {
      query: { tagId: example.tag.id, limit: 1 },
      result: { data: { tag: example.tag, snippets: [example.snippet] }, pagination: paginate(1, 0, 2), items: 1 },
    },
  }),
  postTag: defineOperation({
    method: "POST",
    path: "/tag",
    resource,
    summary: "Create a tag",
    scope: "write",
    cost: one,
    body: objectBody(tagInput),
    data: z.strictObject({ tag }),
    example: { body: exampleInput, result: { data: { tag: example.tag } } },
  }),
  putTag: defineOperation({
    method: "PUT",
    path: "/tag",
    resource,
    summary: "Update a tag",
    scope: "write",
    cost: one,
    query: idQuery,
    body: objectBody(tagUpdate),
    data: z.strictObject({ tag }),
    metadata: fieldsUpdated,
    example: {
      query: { tagId: example.tag.id },
      body: { tagName: "customer support" },
      result: {
        data: { tag: { ...example.tag, tag_name: "customer support", updated_at: example.changedAt } },
        metadata: { fieldsUpdated: { tagName: true } },
      },
    },
  }),
  deleteTag: defineOperation({
    method: "DELETE",
    path: "/tag",
    resource,
    summary: "Delete a tag and remove it from its snippets",
    scope: "write",
    cost: one,
    query: idQuery,
    data: message,
    metadata: nothing,
    example: {
      query: { tagId: example.innerTag.id },
      result: { data: { message: "Tag deleted" }, metadata: {} },
    },
  }),
  getTags: defineOperation({
    method: "GET",
    path: "/tags",
    resource,
    summary: "Get multiple tags",
    scope: "read",
    cost: perItem("1 per accessible tag"),
    query: idListQuery,
    data: z.strictObject({ tags: z.array(tag) }),
    metadata: listCounts,
    example: {
      query: { tagIds: `${example.tag.id},${example.innerTag.id}` },
      result: { data: { tags: [example.tag, example.innerTag] }, metadata: example.twoRequestedAllFound, items: 2 },
    },
  }),
  postTags: defineOperation({
    method: "POST",
    path: "/tags",
    resource,
    summary: "Create multiple tags",
    scope: "write",
    cost: perItem("1 per tag"),
    body: batchBody("tags", tagInput),
    data: z.strictObject({ createdTags: z.array(tag), errors: itemErrors }),
    metadata: createdCounts,
    example: {
      body: {
        tags: [exampleInput, { tagName: otherTag.tag_name, tagColor: otherTag.tag_color, teamId: otherTag.team_id }],
      },
      result: {
        data: { createdTags: [example.tag, otherTag], errors: [] },
        metadata: { requestedCount: 2, createdCount: 2, failedCount: 0 },
        items: 2,
      },
    },
  }),
  putTags: defineOperation({
    method: "PUT",
    path: "/tags",
    resource,
    summary: "Update multiple tags",
    scope: "write",
    cost: perItem("1 per tag"),
    body: batchBody("tags", tagUpdateItem),
    data: z.strictObject({ updatedTags: z.array(tag), errors: itemErrors }),
    metadata: updatedCounts,
    example: {
      body: {
        tags: [
          { id: example.innerTag.id, tagColor: "#862e9c", parentTagId: null },
          { id: example.unknownId, tagName: "old" },
        ],
      },
      result: {
        data: {
          updatedTags: [
            { ...example.innerTag, tag_color: "#862e9c", parent_tag_id: null, updated_at: example.changedAt },
          ],
          errors: [{ index: 1, id: example.unknownId, message: "Tag not found", error: "tag_not_found" }],
        },
        metadata: { requestedCount: 2, updatedCount: 1, failedCount: 1 },
        items: 1,
      },
    },
  }),
  deleteTags: defineOperation({
    method: "DELETE",
    path: "/tags",
    resource,
    summary: "Delete multiple tags and remove them from their snippets",
    scope: "write",
    cost: perItem("1 per tag"),
    query: idListQuery,
    data: message,
    metadata: deletedCounts,
    example: {
      query: { tagIds: `${example.tag.id},${example.innerTag.id}` },
      result: { data: { message: "2 of 2 tags deleted" }, metadata: example.twoDeleted, items: 2 },
    },
  }),
};
