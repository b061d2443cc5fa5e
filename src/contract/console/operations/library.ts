// The library as people use it: reads for the pages, and the writes of the public API, derived from its table.
import { z } from "zod";
import { count, id, timestamp } from "../../fields.ts";
import { flagParameter, idParameter } from "../../query.ts";
import { foundSnippet, searchOperations } from "../../search.ts";
import { snippetDetail } from "../../snippets.ts";
import { folderInTree, tagInTree } from "../../teams.ts";
import { variationOperations } from "../../variations.ts";
import { teamRoles } from "../actions.ts";
import { cursorQuery, optionalIdQuery, paging, workspaceQuery } from "../fields.ts";
import type { ConsoleOperation } from "../operation.ts";
import { author } from "./author.ts";
import { defaultsOf } from "./defaults.ts";
import { libraryImports } from "./library-imports.ts";
import { libraryMoves } from "./library-moves.ts";
import { libraryTrash } from "./library-trash.ts";
import { libraryWrites } from "./library-writes.ts";

const listedSnippet = z
  .strictObject({
    id: id(),
    title: z.string(),
    preview: z.string().meta({ description: "The beginning of the text, at most 300 characters." }),
    shortcut: z.string().nullable(),
    tag_ids: z.array(id()),
    folder_id: id().nullable(),
    team_id: id(),
    is_archived: z.boolean(),
    content_type: z.string(),
    variation_count: count(),
    created_at: timestamp(),
    updated_at: timestamp(),
    updated_by: author,
    matches: foundSnippet.shape.matches,
  })
  .meta({ id: "ListedSnippet" });

const state = z.string().meta({ description: "A new value after each change. Send it as `ifState` with an update." });

const variation = z.strictObject({
  id: id(),
  name: z.string(),
  variant_order_index: z.int(),
  content_type: z.string(),
  content: z.string().nullable().meta({
    description:
      "Null if the snippet's variations are too long for one response. Get the variation on its own instead.",
  }),
  content_bytes: count(),
  state,
  updated_at: timestamp(),
  changed_at: timestamp().meta({ description: "When the text was written." }),
  changed_by: author,
});

const snippet = snippetDetail
  .omit({ content: true, variations: true, created_by: true })
  .extend({ state, created_by: author, updated_by: author, variations: z.array(variation) })
  .meta({ id: "SnippetForPeople" });

const version = z
  .strictObject({
    id: id(),
    is_current: z.boolean(),
    changed_at: timestamp(),
    changed_by: author,
    content_type: z.string(),
    content: z.string(),
  })
  .meta({ id: "Version" });

const act = z
  .strictObject({
    id: id(),
    at: timestamp(),
    author,
    team_id: id(),
    action: z
      .string()
      .meta({ description: "A noun and what was done to it, such as `snippet.create` or `tag.merge`." }),
    snippet_id: id().nullable(),
    name: z.string().nullable().meta({
      description:
        "The current title of the snippet, or the name of the folder or tag. Null if the snippet has been permanently deleted.",
    }),
    details: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: "LibraryAct" });

const team = z.strictObject({
  id: id(),
  name: z.string(),
  visibility: z.enum(["private", "internal"]),
  /** The caller's role in it. */
  own_role: z.enum(teamRoles).nullable(),
  may_write: z.boolean(),
  may_manage: z.boolean(),
  snippet_count: count(),
  archived_count: count(),
  trashed_count: count(),
  has_examples: z.boolean().meta({ description: "Whether example snippets were loaded and have not been removed." }),
});

const archivedCount = {
  archived_count: count().meta({ description: "Number of archived snippets directly in it." }),
};

const { read } = defaultsOf("Library");
const reads = { ...read, access: "library.read" } as const;

export const libraryOperations = {
  getLibrarySearch: {
    ...reads,
    path: "/library/search",
    summary: "Search snippets, or list all of them",
    isOwnTransaction: true,
    query: {
      ...workspaceQuery,
      ...searchOperations.getSearch.query,
      includeArchived: flagParameter("Include archived snippets. `isArchived` is ignored then."),
    },
    isPaged: true,
    data: z.array(listedSnippet),
    metadata: searchOperations.getSearch.metadata.extend({
      correctedQuery: z.string().optional().meta({
        description: "The query as it was corrected, because nothing was found with the one that was sent.",
      }),
    }),
  },
  getLibrarySnippet: {
    ...reads,
    path: "/library/snippet",
    summary: "Get a snippet with the text of all its variations",
    query: { ...workspaceQuery, id: idParameter("Snippet", "snippetId") },
    data: snippet,
  },
  getLibrarySnippetVariation: {
    ...reads,
    path: "/library/snippet/variation",
    summary: "Get a variation",
    query: { ...workspaceQuery, variationId: idParameter("Variation") },
    data: variationOperations.getSnippetVariation.data,
  },
  getLibraryTree: {
    ...reads,
    path: "/library/tree",
    summary: "Get the teams you can read, with their folders and tags",
    query: { ...workspaceQuery, teamId: optionalIdQuery("Only this team.") },
    data: z.strictObject({
      teams: z.array(team),
      folders: z.array(folderInTree.extend(archivedCount).meta({ id: "FolderForPeople" })),
      tags: z.array(tagInTree.extend(archivedCount).meta({ id: "TagForPeople" })),
    }),
    metadata: z.strictObject({
      isTruncated: z.boolean().meta({ description: "True if a team has more than 10,000 folders or tags." }),
      trashDays: count().nullable().meta({
        description:
          "The number of days a deleted snippet can be restored. If 0, deleting is permanent; if null, there is no limit.",
      }),
    }),
  },
  getLibraryHistory: {
    ...reads,
    path: "/library/history",
    summary: "List the versions of a variation, newest first",
    description:
      "The first version of the first page is the current text. A page can be shorter if its versions are long.",
    query: { ...workspaceQuery, variationId: idParameter("Variation"), ...paging },
    isPaged: true,
    data: z.array(version),
  },
  getLibraryEvents: {
    ...reads,
    path: "/library/events",
    summary: "Find out which teams have changes",
    description:
      "With `Accept: text/event-stream`, the response is a stream of `{teamIds}`; null means any team. Otherwise, it lists the teams with changes since the `position` of the previous response.",
    query: { ...workspaceQuery, since: { ...cursorQuery, description: "`position` of the previous response." } },
    isOwnTransaction: true,
    isStream: true,
    data: z.strictObject({ position: z.string(), teamIds: z.array(id()).nullable() }),
  },
  getLibraryActivity: {
    ...reads,
    path: "/library/activity",
    summary: "List what people and API keys did in the library, newest first",
    description:
      "Kept for 365 days. What one request with an API key did many times in a team is one entry with a `count`.",
    query: {
      ...workspaceQuery,
      teamId: optionalIdQuery("Only this team."),
      snippetId: optionalIdQuery("Only this snippet."),
      authorId: optionalIdQuery("Only what this person or API key did."),
      ...paging,
    },
    isPaged: true,
    data: z.array(act),
  },
  ...libraryTrash,
  ...libraryMoves,
  ...libraryImports,
  ...libraryWrites,
} as const satisfies Record<string, ConsoleOperation>;
