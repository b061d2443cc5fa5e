// Variations of a snippet and their history: schemas and operations (decisions, Records).
import { z } from "zod";
import { one, perItem } from "./costs.ts";
import { createdCounts, itemErrors } from "./envelope.ts";
import * as example from "./example-workspace.ts";
import {
  array,
  atLeastOneField,
  content,
  contentInput,
  count,
  fieldsUpdated,
  id,
  idSet,
  message,
  object,
  text,
  timestamp,
  uuid,
} from "./fields.ts";
import { limits } from "./limits.ts";
import { batchBody, defineOperation, objectBody, optionalBody, type Resource } from "./operation.ts";
import { idParameter, limitParameter, optionalIdParameter, timestampParameter } from "./query.ts";

const resource: Resource = {
  name: "Variations",
  description:
    "Alternative forms of a snippet's text, each with its own history. A snippet always has at least one variation.",
};

const variationName = () => text(1, limits.variationNameLengthMax);

/** A variation that is added to a snippet. */
export const variationInput = object({ content: contentInput(), variationName: variationName() });
export type VariationInput = z.output<typeof variationInput>;

export const variationUpdate = atLeastOneField(
  object({
    name: variationName().optional(),
    variationName: variationName().optional().meta({ description: "An alias for `name`." }),
    content: contentInput().optional(),
  }),
)
  .refine(({ name, variationName }) => name === undefined || variationName === undefined || name === variationName, {
    error: "name and variationName must be the same",
  })
  .meta({ id: "VariationUpdate" });
export type VariationUpdate = z.output<typeof variationUpdate>;

export const variationIds = object({ variationIds: idSet(1, limits.batchItemsMax) }).meta({ id: "VariationIds" });

export const variation = z
  .strictObject({
    id: id(),
    name: z.string(),
    content,
    snippet_id: id(),
    variant_order_index: z.int(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: "Variation" });
export type Variation = z.output<typeof variation>;

export const historyRecord = z
  .strictObject({ id: id(), changed_at: timestamp(), content })
  .meta({ id: "HistoryRecord" });
export type HistoryRecord = z.output<typeof historyRecord>;

const deletedVariations = z.strictObject({
  deletedVariationIds: z.array(id()),
  deletedCount: count(),
  affectedSnippets: count(),
});

export const variationOperations = {
  getSnippetVariation: defineOperation({
    method: "GET",
    path: "/snippet/variation",
    resource,
    summary: "Get a variation",
    scope: "read",
    cost: one,
    query: { snippetId: idParameter("Snippet"), variationId: idParameter("Variation") },
    data: variation,
    example: {
      query: { snippetId: example.snippet.id, variationId: example.secondVariationId },
      result: {
        data: example.formalVariation,
      },
    },
  }),
  putSnippetVariation: defineOperation({
    method: "PUT",
    path: "/snippet/variation",
    resource,
    summary: "Update a variation",
    description: "Changing the content adds a version to the history. Changing the name does not.",
    scope: "write",
    cost: one,
    query: { variationId: idParameter("Variation") },
    body: objectBody(variationUpdate),
    data: z.strictObject({ variationId: id() }),
    metadata: fieldsUpdated,
    example: {
      query: { variationId: example.secondVariationId },
      body: { name: "Very formal" },
      result: { data: { variationId: example.secondVariationId }, metadata: { fieldsUpdated: { name: true } } },
    },
  }),
  deleteSnippetVariation: defineOperation({
    method: "DELETE",
    path: "/snippet/variation",
    resource,
    summary: "Delete one or more variations",
    description:
      "Send either `variationId` as a query parameter or `variationIds` in the body. If a snippet would lose its last variation, the request fails and nothing is deleted.",
    scope: "write",
    cost: perItem("1 per variation deleted"),
    query: { variationId: optionalIdParameter("Variation") },
    body: optionalBody(variationIds),
    data: message,
    metadata: deletedVariations,
    example: {
      body: { variationIds: [example.secondVariationId] },
      result: {
        data: { message: "Variation deleted" },
        metadata: { deletedVariationIds: [example.secondVariationId], deletedCount: 1, affectedSnippets: 1 },
        items: 1,
      },
    },
  }),
  getSnippetVariationHistory: defineOperation({
    method: "GET",
    path: "/snippet/variation/history",
    resource,
    summary: "List the history of a variation",
    description: "Newest first. The current content is the first record.",
    scope: "read",
    cost: perItem("1 per history record returned"),
    query: {
      variationId: idParameter("Variation"),
      limit: limitParameter(limits.pageItemsDefault, "Maximum number of records to return."),
      fromDate: timestampParameter("Earliest `changed_at`, inclusive.", "up"),
      toDate: timestampParameter("Latest `changed_at`, inclusive."),
    },
    data: z.array(historyRecord),
    metadata: z.strictObject({ hasMore: z.boolean(), totalRecords: z.int() }),
    example: {
      query: { variationId: example.firstVariationId, limit: 2, fromDate: "2026-01-01T00:00:00Z" },
      result: {
        data: [
          {
            id: "019bdbb6-87b2-7e20-8a95-f47c1d3b6e08",
            changed_at: example.snippet.updated_at,
            content: example.snippet.content,
          },
          {
            id: "019bb14a-5f80-7b12-9d64-2c8e5a0f7b31",
            changed_at: example.snippet.created_at,
            content: { type: "plaintext", content: "Hello {{name}}, your refund is on its way." },
          },
        ],
        metadata: { hasMore: false, totalRecords: 2 },
        items: 2,
      },
    },
  }),
};

const ofSnippet = { snippetId: idParameter("Snippet", "id") };

export const variationOrder = object({
  variationIds: array(uuid(), 1, limits.variationsPerSnippetMax)
    .refine((ids) => new Set(ids).size === ids.length, { error: "must contain each ID only once" })
    .meta({ description: "All variations of the snippet, in their new order." }),
}).meta({ id: "VariationOrder" });

/** Additional operations: all variations of a snippet at once. */
export const variationListOperations = {
  getSnippetVariations: defineOperation({
    method: "GET",
    path: "/snippet/variations",
    resource,
    summary: "Get all variations of a snippet",
    scope: "read",
    cost: perItem("1 per variation"),
    query: ofSnippet,
    data: z.strictObject({ variations: z.array(variation) }),
    isAddition: true,
    example: {
      query: { snippetId: example.snippet.id },
      result: { data: { variations: [example.firstVariation, example.formalVariation] }, items: 2 },
    },
  }),
  postSnippetVariations: defineOperation({
    method: "POST",
    path: "/snippet/variations",
    resource,
    summary: "Add variations to a snippet",
    description: `New variations are placed after the last one. A snippet can have at most ${limits.variationsPerSnippetMax} variations.`,
    scope: "write",
    cost: perItem("1 per variation added"),
    query: ofSnippet,
    body: batchBody("variations", variationInput),
    data: z.strictObject({ variations: z.array(variation), errors: itemErrors }),
    metadata: createdCounts,
    isAddition: true,
    example: {
      query: { snippetId: example.snippet.id },
      body: { variations: [{ variationName: "Formal", content: example.formalContent }] },
      result: {
        data: { variations: [example.formalVariation], errors: [] },
        metadata: { requestedCount: 1, createdCount: 1, failedCount: 0 },
        items: 1,
      },
    },
  }),
  putSnippetVariationsOrder: defineOperation({
    method: "PUT",
    path: "/snippet/variations/order",
    resource,
    summary: "Change the order of a snippet's variations",
    description: "The first variation supplies the content of the snippet.",
    scope: "write",
    cost: one,
    query: ofSnippet,
    body: objectBody(variationOrder),
    data: z.strictObject({
      variations: z.array(z.strictObject({ id: id(), name: z.string(), variant_order_index: z.int() })),
    }),
    isAddition: true,
    example: {
      query: { snippetId: example.snippet.id },
      body: { variationIds: [example.secondVariationId, example.firstVariationId] },
      result: {
        data: {
          variations: [
            { id: example.secondVariationId, name: "Formal", variant_order_index: 0 },
            { id: example.firstVariationId, name: "Default", variant_order_index: 1 },
          ],
        },
      },
    },
  }),
};
