// The change feed: everything that was created, changed, moved, deleted, or restored, in one order.
import { z } from "zod";
import { onePlusItems } from "./costs.ts";
import * as example from "./example-workspace.ts";
import { id, openEnum, timestamp } from "./fields.ts";
import { limits } from "./limits.ts";
import { defineOperation, type Resource } from "./operation.ts";
import { idFilterParameter, limitParameter, type QueryParameter, secondsParameter } from "./query.ts";

const resource: Resource = {
  name: "Changes",
  description: "What keys and people have created, changed, moved, deleted, or restored, in order.",
};

export const changeKinds = ["snippet", "variation", "folder", "tag"] as const;
export const changeActions = ["created", "changed", "moved", "deleted", "restored"] as const;

const change = z
  .strictObject({
    kind: openEnum(changeKinds, "What was changed. Ignore changes of a kind that you do not know."),
    action: openEnum(changeActions),
    id: id(),
    snippet_id: id()
      .nullable()
      .meta({ description: "The snippet of a variation. Null if `kind` is `snippet`, `folder`, or `tag`." }),
    team_id: id(),
    at: timestamp(),
  })
  .meta({ id: "Change" });
export type ChangeRecord = z.output<typeof change>;

const exampleCursor = "KbEbTWFkQ0u3nC0nZ8sP5o1GxVqN7yHdL2tRjYwUe9AaSf4mXvTzQcB6hIgDpJk0";
const exampleNextCursor = "pT3xZq9vLw1mYbN8sKcR5hJd0gFuEaWi7oQ2yVtXn4BzGjSkMrCeHfUlDp6IvOwA";

const cursorParameter: QueryParameter<string | undefined> = {
  aliases: [],
  description: "The `cursor` of the previous response. Omit it to get the current cursor and no changes.",
  schema: { type: "string", minLength: limits.changeCursorLength, maxLength: limits.changeCursorLength },
  isRequired: false,
  whenAbsent: () => undefined,
  // The rule refuses what is no cursor: only it knows the list that a cursor has to belong to.
  parse: (text) => text,
};

export const changeOperations = {
  getChanges: defineOperation({
    method: "GET",
    path: "/changes",
    resource,
    summary: "List changes since a cursor",
    description: `First get a cursor by omitting \`cursor\`, then list what you need, and then ask for the changes since that cursor. Changes are available for ${limits.changeDays} days. Each one is returned exactly once, in the order in which the changes became visible. Changes in teams that the key cannot access now are left out. Deleting a folder or a tag is a single change: its snippets are then in no folder, or no longer have the tag, and are not listed.`,
    scope: "read",
    cost: onePlusItems("1 + 1 per change returned"),
    query: {
      cursor: cursorParameter,
      teamId: idFilterParameter("Only changes in this team."),
      limit: limitParameter(limits.pageItemsDefault, "Maximum number of changes to return."),
      waitSeconds: secondsParameter(
        `Seconds to wait if there are no changes yet. The request is charged once, when the service responds.`,
        limits.changeWaitSecondsMax,
      ),
    },
    data: z.strictObject({
      changes: z.array(change),
      cursor: z.string().length(limits.changeCursorLength).meta({ description: "The `cursor` of the next request." }),
      hasMore: z.boolean().meta({ description: "True if there are more changes. Send the next request right away." }),
    }),
    isAddition: true,
    example: {
      query: { cursor: exampleCursor, teamId: example.team.id },
      result: {
        data: {
          changes: [
            {
              kind: "snippet",
              action: "changed",
              id: example.codeSnippet.id,
              snippet_id: null,
              team_id: example.team.id,
              at: example.changedAt,
            },
          ],
          cursor: exampleNextCursor,
          hasMore: false,
        },
        items: 1,
      },
    },
  }),
};
