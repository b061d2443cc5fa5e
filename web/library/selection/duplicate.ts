// A copy of a snippet, with all its variations, in the same place.
import { callConsole } from "../../api.ts";
import type { BodyOf } from "../../call.ts";
import type { Snippet } from "../data.ts";

const titleLengthMax = 200;

/** What creates the copy. It has no shortcut: that is the original’s. @param snippet with all its texts */
export function copyOf(snippet: Snippet): BodyOf<"postLibrarySnippet"> {
  const [first, ...others] = snippet.variations.map(({ name, content_type, content }) => ({
    variationName: name,
    content: { type: content_type, content: content ?? "" },
  }));
  return {
    title: [...`Copy of ${snippet.title}`].slice(0, titleLengthMax).join(""),
    teamId: snippet.team_id,
    content: first?.content ?? { type: "plaintext", content: "" },
    note: snippet.snippet_note,
    folderId: snippet.folder_id,
    tagIds: [...snippet.tag_ids],
    additionalVariations: others,
  };
}

/** @returns the ID of the copy. @throws ApiError */
export async function duplicateSnippet(snippet: Snippet, workspaceId: string): Promise<string> {
  const { data } = await callConsole("postLibrarySnippet", { body: copyOf(snippet), workspaceId });
  const id = data.snippetId;
  const [first] = snippet.variations;
  const created = await callConsole("getLibrarySnippet", { query: { id }, workspaceId });
  const [copy] = created.data.variations;
  // The first variation of a new snippet has the same name everywhere.
  if (first && copy && first.name !== copy.name)
    await callConsole("putLibrarySnippetVariation", {
      query: { variationId: copy.id },
      body: { name: first.name },
      workspaceId,
    });
  return id;
}
