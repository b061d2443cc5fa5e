// Search: finds snippets by what is in them, and lists them.
import { z } from "zod";
import { onePlusItems } from "./costs.ts";
import { cursorParameters } from "./cursor.ts";
import * as example from "./example-workspace.ts";
import { count, id, openEnum } from "./fields.ts";
import { limits } from "./limits.ts";
import { defineOperation, type Resource } from "./operation.ts";
import {
  choiceListParameter,
  choiceParameter,
  flagParameter,
  idFilterParameter,
  idListParameter,
  textParameter,
  timestampParameter,
} from "./query.ts";
import { snippet } from "./snippets.ts";

const resource: Resource = {
  name: "Search",
  description: "Find snippets by their text, or list the snippets of a team, a folder, or a tag.",
};

/** The fields of a snippet that a search looks in. */
export const searchedFields = ["title", "shortcut", "tags", "note", "content"] as const;
export type SearchedField = (typeof searchedFields)[number];

const sorts = ["relevance", "updated", "created", "title"] as const;

/** Where a piece of the query occurs. */
export const searchMatch = z
  .strictObject({
    field: openEnum(searchedFields),
    before: z.string().meta({ description: `Up to ${limits.searchContextLengthMax} characters before the match.` }),
    match: z.string(),
    after: z.string(),
  })
  .meta({ id: "SearchMatch" });
export type SearchMatch = z.output<typeof searchMatch>;

/** A snippet that a search found. */
export const foundSnippet = snippet
  .extend({
    tag_ids: z.array(id()),
    matches: z.array(searchMatch).meta({
      description: `Up to ${limits.searchMatchesMax} places where terms of the query occur. Empty without a query.`,
    }),
  })
  .meta({ id: "FoundSnippet" });
export type FoundSnippet = z.output<typeof foundSnippet>;

export const searchOperations = {
  getSearch: defineOperation({
    method: "GET",
    path: "/search",
    resource,
    summary: "Find snippets, or list all of them",
    description: `Case and accents are ignored. \`metadata\` has \`totalCount\`, or \`totalIsAtLeast\` for more than \
${limits.searchTotalMax.toLocaleString("en-US")} snippets.`,
    isLong: true,
    scope: "read",
    cost: onePlusItems("1 + 1 per snippet returned"),
    query: {
      query: textParameter(
        "What to find. Separate terms with spaces: a snippet must contain each of them, at the beginning of a word, or of a part such as `Name` in `userName`. Words in quotes must be next to each other. `-` before a term excludes snippets that contain it. Without a query, all snippets are listed.",
        limits.searchQueryLengthMax,
      ),
      teamId: idFilterParameter("Only snippets of this team."),
      folderId: idFilterParameter("Only snippets in this folder."),
      inside: flagParameter("With `folderId`: include snippets in its subfolders."),
      tagIds: {
        ...idListParameter("Tag"),
        description: `${idListParameter("Tag").description} Only snippets with all of these tags.`,
        isRequired: false,
        whenAbsent: (): string[] => [],
      },
      contentType: textParameter(
        "Only snippets whose first variation has exactly this content type.",
        limits.contentTypeLengthMax,
      ),
      createdBy: idFilterParameter("Only snippets created by the API key or person with this ID."),
      isArchived: flagParameter("True: only archived snippets. False: only snippets that are not archived."),
      updatedSince: timestampParameter("Earliest `updated_at`, inclusive.", "up"),
      createdSince: timestampParameter("Earliest `created_at`, inclusive.", "up"),
      sort: choiceParameter(
        "The order. Default: `relevance` with a query, otherwise `updated`. `updated` and `created` are newest first.",
        sorts,
      ),
      in: choiceListParameter("The fields to search, as a comma-separated list or a JSON array.", searchedFields),
      ...cursorParameters("snippets"),
    },
    data: z.strictObject({ snippets: z.array(foundSnippet) }),
    metadata: z.strictObject({
      totalCount: count().optional(),
      totalIsAtLeast: z.literal(limits.searchTotalMax).optional(),
    }),
    paging: "cursor",
    isAddition: true,
    example: {
      query: { query: "refund", teamId: example.snippet.team_id },
      result: {
        data: {
          snippets: [
            {
              ...example.snippet,
              tag_ids: [example.tag.id],
              matches: [
                { field: "title", before: "", match: "Refund", after: " on its way" },
                {
                  field: "content",
                  before: "Hello {{name}},\n\nYour ",
                  match: "refund",
                  after: " is on its way. It should reach your account within five bus",
                },
              ],
            },
          ],
        },
        metadata: { totalCount: 1 },
        pagination: { limit: limits.pageItemsDefault, nextCursor: null },
        items: 1,
      },
    },
  }),
};
