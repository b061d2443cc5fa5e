// What people do to many snippets or tags at once. The public API has no such operations.
import { z } from "zod";
import { itemErrors, updatedCounts } from "../../envelope.ts";
import { boolean, count, id, idSet, object, uuid } from "../../fields.ts";
import { limits } from "../../limits.ts";
import { batchBody, objectBody } from "../../operation.ts";
import { idQuery, workspaceQuery } from "../fields.ts";
import type { ConsoleOperation } from "../operation.ts";
import { defaultsOf } from "./defaults.ts";

const ofTeam = { ...workspaceQuery, teamId: idQuery("teamId", "The ID of the team.") } as const;
const tagIds = () => idSet(1, limits.tagsPerSnippetMax).optional();

/** Undoing a move skips snippets that someone has moved since. */
const conditions = {
  ifTeamId: uuid().optional().meta({ description: "Refuses the item unless the snippet is in this team." }),
  ifFolderId: uuid()
    .nullable()
    .optional()
    .meta({ description: "Refuses the item unless the snippet is in this folder, or in none if null." }),
};

const snippetMove = object({
  id: uuid(),
  teamId: uuid().optional().meta({
    description:
      "Another team. The snippet leaves its folder, keeps its history, and has the tags in `addTagIds`; without those, the other team’s tags with the same names.",
  }),
  folderId: uuid()
    .nullable()
    .optional()
    .meta({ description: "A folder in the snippet’s team, or in `teamId`. Null removes the snippet from its folder." }),
  addTagIds: tagIds(),
  removeTagIds: tagIds(),
  isArchived: boolean().optional(),
  ...conditions,
}).meta({ id: "SnippetMove" });
export type SnippetMove = z.output<typeof snippetMove>;

/** The same in a response. */
const undo = z.strictObject({
  id: id(),
  teamId: id().optional(),
  folderId: id().nullable().optional(),
  addTagIds: z.array(id()).optional(),
  removeTagIds: z.array(id()).optional(),
  isArchived: z.boolean().optional(),
  ifTeamId: id().optional(),
  ifFolderId: id().nullable().optional(),
});

const { change } = defaultsOf("Library");
const changes = { ...change, confirmation: "never", isAudited: false, isLarge: true } as const;

export const libraryMoves = {
  putLibrarySnippets: {
    ...changes,
    method: "PUT",
    path: "/library/snippets",
    summary: "Move, tag, untag, or archive many snippets, also into another team",
    description:
      "Each item changes one snippet. In the response, `undo` is the item that reverts the change. If nothing had to change, it has only an `id`.",
    access: "library.write",
    query: workspaceQuery,
    body: batchBody("snippets", snippetMove),
    data: z.strictObject({ updatedSnippets: z.array(z.strictObject({ snippetId: id(), undo })), errors: itemErrors }),
    metadata: updatedCounts,
  },
  postLibraryTagMerge: {
    ...changes,
    method: "POST",
    path: "/library/tag/merge",
    summary: "Merge a tag into another tag in the same team",
    description:
      "Snippets with the tag get the other tag. Tags nested in it move into the other tag. The tag is deleted.",
    access: "library.manage",
    query: workspaceQuery,
    body: objectBody(object({ tagId: uuid(), intoTagId: uuid() })),
    data: z.strictObject({ tagId: id(), snippetCount: count() }),
  },
  postLibraryExamples: {
    ...changes,
    method: "POST",
    path: "/library/examples",
    summary: "Load 20 example snippets into a team",
    access: "library.manage",
    query: ofTeam,
    body: undefined,
    data: z.strictObject({ snippetIds: z.array(id()) }),
  },
  deleteLibraryExamples: {
    ...changes,
    method: "DELETE",
    path: "/library/examples",
    summary: "Remove the example snippets that nobody has changed",
    description:
      "Their folders and tags are removed with them, unless they contain anything else. None of this goes to the trash.",
    access: "library.manage",
    query: ofTeam,
    body: undefined,
    data: z.strictObject({ removedCount: count(), keptCount: count() }),
  },
} as const satisfies Record<string, ConsoleOperation>;
