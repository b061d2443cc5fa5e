// The resources that the tests' requests target.
import { type Started, text } from "./service.ts";

/** IDs for one request: of the caller's own team, of another team, or of nothing. */
export interface Targets {
  readonly teamId: string;
  readonly snippetId: string;
  /** A snippet in the trash. */
  readonly trashedSnippetId: string;
  /** The first variation of the snippet. */
  readonly variationId: string;
  readonly secondVariationId: string;
  readonly folderId: string;
  readonly tagId: string;
  /** The shortcut of the snippet, which no other one has. */
  readonly shortcut: string;
}

/** Creates a snippet with two variations, in a folder and with a tag, in a team of the started workspace. */
export async function makeTargets(
  { client, given }: Pick<Started, "client" | "given">,
  teamId: string,
): Promise<Targets> {
  const folder = await given.folder({ teamId });
  const tag = await given.tag({ teamId });
  const snippet = await given.snippet({
    teamId,
    folderId: folder.id,
    tagIds: [tag.id],
    shortcut: Bun.randomUUIDv7(),
    additionalVariations: [{ variationName: "Second", content: text("Second text") }],
  });
  const [first, second] = snippet.variations;
  const trashed = await client.postSnippet({ title: "In the trash", content: text("Trashed"), teamId });
  await client.deleteSnippet({ id: trashed.data.snippetId });
  return {
    teamId,
    snippetId: snippet.id,
    trashedSnippetId: trashed.data.snippetId,
    variationId: first?.id ?? "",
    secondVariationId: second?.id ?? "",
    folderId: folder.id,
    tagId: tag.id,
    shortcut: snippet.shortcut ?? "",
  };
}

/** IDs that never existed. */
export const neverExisted = (): Targets => ({
  teamId: Bun.randomUUIDv7(),
  snippetId: Bun.randomUUIDv7(),
  trashedSnippetId: Bun.randomUUIDv7(),
  variationId: Bun.randomUUIDv7(),
  secondVariationId: Bun.randomUUIDv7(),
  folderId: Bun.randomUUIDv7(),
  tagId: Bun.randomUUIDv7(),
  shortcut: Bun.randomUUIDv7(),
});
