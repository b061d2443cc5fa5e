// Search: finds snippets by what is in them, and lists them.
import { z } from "zod";
import { onePlusItems } from "./costs.ts";
import { cursorParameters } from "./cursor.ts";
import * as example from "./example-workspace.ts";
import { count, id } from "./fields.ts";
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
  description: "Finds snippets by their texts, and lists those of a team, a folder or a tag.",
};

/** The fields of a snippet that a search looks in. */
export const searchedFields = ["title", "shortcut", "tags", "note", "content"] as const;
export type SearchedField = (typeof searchedFields)[number];

const sorts = ["relevance", "updated", "created", "title"] as const;

/** Where a piece of the query occurs. */
export const searchMatch = z
  .strictObject({
    field: z.enum(searchedFields),
    before: z.string().meta({ description: `Up to ${limits.searchContextLengthMax} characters in front of it.` }),
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
      description: `Up to ${limits.searchMatchesMax} places where pieces of the query occur. Empty without a query.`,
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
    description: `Upper and lower case, and accents, make no difference. \`metadata\` has \`totalCount\`, or \`totalIsAtLeast\` for more than \
${limits.searchTotalMax} snippets.`,
    isLong: true,
    cost: onePlusItems("1 + 1 per snippet returned"),
    query: {
      query: textParameter(
        'What to find. Separate pieces by spaces: each one must occur in the snippet, at the beginning of a word or of a part of one. Words in quotes are found next to each other; "-" in front of a piece leaves out what contains it.',
        limits.searchQueryLengthMax,
      ),
      teamId: idFilterParameter("Snippets of this team."),
      folderId: idFilterParameter("Snippets in this folder."),
      inside: flagParameter("With `folderId`: also snippets in folders inside it."),
      tagIds: {
        ...idListParameter("Tag"),
        description: `${idListParameter("Tag").description} Snippets with all of these tags.`,
        isRequired: false,
        whenAbsent: (): string[] => [],
      },
      contentType: textParameter(
        "Snippets whose first variation has exactly this content type.",
        limits.contentTypeLengthMax,
      ),
      createdBy: idFilterParameter("Snippets that this API key or person created."),
      isArchived: flagParameter("Archived snippets instead of the others."),
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
                  before: "Hello {name},\n\nyour ",
                  match: "refund",
                  after: " is on its way. It reaches your account within three working",
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
