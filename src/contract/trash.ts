// The trash: deleted snippets can be listed and restored.
import { z } from "zod";
import { onePlusItems, perItem } from "./costs.ts";
import { cursorParameters } from "./cursor.ts";
import { itemErrors } from "./envelope.ts";
import * as example from "./example-workspace.ts";
import { count, id, idSet, object, timestamp } from "./fields.ts";
import { limits } from "./limits.ts";
import { defineOperation, objectBody, type Resource } from "./operation.ts";
import { idFilterParameter } from "./query.ts";
import { snippet, snippetReference } from "./snippets.ts";

const resource: Resource = {
  name: "Trash",
  description:
    "Deleted snippets. They can be restored within 30 days, or within the number of days that the operator of the service has set. No other operation finds them.",
};

export const trashedSnippet = snippet
  .extend({
    deleted_at: timestamp(),
    deleted_by: id().meta({ description: "The ID of the API key or person that deleted the snippet." }),
  })
  .meta({ id: "TrashedSnippet" });

export const trashOperations = {
  getTrash: defineOperation({
    method: "GET",
    path: "/trash",
    resource,
    summary: "List deleted snippets",
    description: "Most recently deleted first.",
    scope: "read",
    cost: onePlusItems("1 + 1 per snippet returned"),
    query: { teamId: idFilterParameter("Only deleted snippets of this team."), ...cursorParameters("snippets") },
    data: z.strictObject({ snippets: z.array(trashedSnippet) }),
    paging: "cursor",
    isAddition: true,
    example: {
      query: { teamId: example.snippet.team_id },
      result: {
        data: { snippets: [{ ...example.codeSnippet, deleted_at: example.changedAt, deleted_by: example.keyId }] },
        pagination: { limit: limits.pageItemsDefault, nextCursor: null },
        items: 1,
      },
    },
  }),
  postSnippetsRestore: defineOperation({
    method: "POST",
    path: "/snippets/restore",
    resource,
    summary: "Restore deleted snippets",
    description:
      "A restored snippet keeps its ID, variations, history, and timestamps. It returns to its folder and keeps its tags, if they still exist. Duplicate IDs are ignored: the `index` in an error is the position among the unique IDs.",
    scope: "write",
    cost: perItem("1 per snippet restored"),
    body: objectBody(object({ snippetIds: idSet(1, limits.batchItemsMax) }).meta({ id: "RestoreInput" })),
    data: z.strictObject({ restoredSnippets: z.array(snippetReference), errors: itemErrors }),
    metadata: z.strictObject({ requestedCount: count(), restoredCount: count(), failedCount: count() }),
    isAddition: true,
    example: {
      body: { snippetIds: [example.codeSnippet.id, example.unknownId] },
      result: {
        data: {
          restoredSnippets: [{ snippetId: example.codeSnippet.id }],
          errors: [{ index: 1, id: example.unknownId, message: "Snippet not found", error: "snippet_not_found" }],
        },
        metadata: { requestedCount: 2, restoredCount: 1, failedCount: 1 },
        items: 1,
      },
    },
  }),
};
