// The change feed: everything that was created, changed, moved, deleted, or restored, in one order.
import { z } from "zod";
import { onePlusItems } from "./costs.ts";
import * as example from "./example-workspace.ts";
import { id, timestamp } from "./fields.ts";
import { limits } from "./limits.ts";
import { defineOperation, type Resource } from "./operation.ts";
import { idFilterParameter, limitParameter, type QueryParameter, secondsParameter } from "./query.ts";

const resource: Resource = {
  name: "Changes",
  description: "What was changed in the library, by keys and in the console, in one order.",
};

export const changeKinds = ["snippet", "variation", "folder", "tag"] as const;
export const changeActions = ["created", "changed", "moved", "deleted", "restored"] as const;

const change = z
  .strictObject({
    kind: z.enum(changeKinds),
    action: z.enum(changeActions),
    id: id(),
    snippet_id: id().nullable().meta({ description: "The snippet of a variation. Null for all other kinds." }),
    team_id: id(),
    at: timestamp(),
  })
  .meta({ id: "Change" });
export type ChangeRecord = z.output<typeof change>;

const exampleCursor = "KbEbTWFkQ0u3nC0nZ8sP5o1GxVqN7yHdL2tRjYwUe9AaSf4mXvTzQcB6hIgDpJk0";
const exampleNextCursor = "pT3xZq9vLw1mYbN8sKcR5hJd0gFuEaWi7oQ2yVtXn4BzGjSkMrCeHfUlDp6IvOwA";

const sinceParameter: QueryParameter<string | undefined> = {
  aliases: [],
  description: "`cursor` of the last response. Omit it to get the current cursor without any changes.",
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
    description: `First get a cursor without \`since\`, then list what you need, then follow the changes. Each change is returned exactly once, in the order in which it became visible, for ${limits.changeDays} days. Changes of teams that the key cannot access now are left out. What follows from a deletion is not listed: the snippets of a deleted folder are in no folder, and the snippets of a deleted tag no longer have it.`,
    scope: "read",
    cost: onePlusItems("1 + 1 per change returned"),
    query: {
      since: sinceParameter,
      teamId: idFilterParameter("Only changes in this team."),
      limit: limitParameter(limits.pageItemsDefault, "Maximum number of changes to return."),
      wait: secondsParameter(
        `Seconds to wait for a change if there is none. The request is charged once, when it is answered.`,
        limits.changeWaitSecondsMax,
      ),
    },
    data: z.strictObject({
      changes: z.array(change),
      cursor: z.string().length(limits.changeCursorLength).meta({ description: "`since` of the next request." }),
      hasMore: z.boolean().meta({ description: "True if the next request need not wait." }),
    }),
    isAddition: true,
    example: {
      query: { since: exampleCursor, teamId: example.team.id },
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
