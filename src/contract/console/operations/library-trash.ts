// The trash, as people see it.
import { z } from "zod";
import { count, id, timestamp } from "../../fields.ts";
import { idQuery, optionalIdQuery, optionalTimestamp, paging, workspaceQuery } from "../fields.ts";
import type { ConsoleOperation } from "../operation.ts";
import { author } from "./author.ts";
import { defaultsOf } from "./defaults.ts";

const trashedSnippet = z
  .strictObject({
    id: id(),
    title: z.string(),
    preview: z.string(),
    shortcut: z.string().nullable(),
    folder_id: id().nullable(),
    team_id: id(),
    is_archived: z.boolean(),
    content_type: z.string(),
    deleted_at: timestamp(),
    deleted_by: author,
    ends_at: optionalTimestamp().meta({
      description: "After this time, the snippet cannot be restored. Null if the trash keeps it until it is emptied.",
    }),
  })
  .meta({ id: "TrashedSnippet" });

const trashedText = z
  .strictObject({
    id: id(),
    team_id: id(),
    title: z.string(),
    snippet_note: z.string().nullable(),
    shortcut: z.string().nullable(),
    variations: z.array(
      z.strictObject({ id: id(), name: z.string(), content_type: z.string(), content: z.string().nullable() }),
    ),
  })
  .meta({ id: "TrashedText" });

const { read, change } = defaultsOf("Library");
const teamQuery = { ...workspaceQuery, teamId: optionalIdQuery("Only snippets of this team.") } as const;

export const libraryTrash = {
  getLibraryTrash: {
    ...read,
    path: "/library/trash",
    summary: "List deleted snippets, most recently deleted first",
    access: "library.read",
    query: { ...teamQuery, ...paging },
    isPaged: true,
    data: z.array(trashedSnippet),
  },
  getLibraryTrashedSnippet: {
    ...read,
    path: "/library/trash/snippet",
    summary: "Get a deleted snippet with the text of its variations",
    description: "The `content` of a variation is null if the texts are too long for one response.",
    access: "library.read",
    query: { ...workspaceQuery, id: idQuery("id", "The ID of the snippet.") },
    data: trashedText,
  },
  deleteLibraryTrash: {
    ...change,
    isAudited: false,
    method: "DELETE",
    path: "/library/trash",
    summary: "Permanently delete the snippets in a team's trash",
    description: "Deletes part of the trash. Repeat the request while `isMore` is true.",
    access: "library.manage",
    // This cannot be undone.
    confirmation: "always",
    query: { ...workspaceQuery, teamId: idQuery("teamId", "The ID of the team.") },
    data: z.strictObject({ deletedCount: count(), isMore: z.boolean() }),
  },
} as const satisfies Record<string, ConsoleOperation>;
