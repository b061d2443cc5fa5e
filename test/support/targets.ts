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
  /** An import of one snippet in a folder, where the test asked for one. */
  readonly importId: string;
}

type Client = Pick<Started, "client">;

/** Creates a snippet with two variations, in a folder and with a tag, in a team of the started workspace. */
export async function makeTargets(started: Client, teamId: string, hasImport = false): Promise<Targets> {
  const [made] = await makeManyTargets(started, [teamId], hasImport);
  return made ?? neverExisted();
}

/** A file of a tool: a snippet, in a folder. */
export const importedFile = '{ "Imported": { "prefix": "!imported", "body": "Imported text" } }';

/** Creates targets for each of these teams, which may repeat, with as few requests as for one: setting up takes most of a test's time. */
export async function makeManyTargets(
  { client }: Client,
  teamIds: readonly string[],
  hasImport = false,
): Promise<Targets[]> {
  const [folders, tags] = await Promise.all([
    client.postFolders({
      folders: teamIds.map((teamId) => ({ folderName: "A folder", folderColor: "#336699", teamId })),
    }),
    client.postTags({ tags: teamIds.map((teamId) => ({ tagName: "A tag", tagColor: "#993366", teamId })) }),
  ]);
  const named = teamIds.map((teamId, index) => ({
    teamId,
    folderId: folders.data.createdFolders[index]?.id ?? "",
    tagId: tags.data.createdTags[index]?.id ?? "",
    shortcut: Bun.randomUUIDv7(),
  }));
  const { data } = await client.postSnippets({
    snippets: [
      ...named.map(({ tagId, ...fields }) => ({
        title: "A snippet",
        content: text("Hello"),
        ...fields,
        tagIds: [tagId],
        additionalVariations: [{ variationName: "Second", content: text("Second text") }],
      })),
      ...teamIds.map((teamId) => ({ title: "In the trash", content: text("Trashed"), teamId })),
    ],
  });
  const ids = data.createdSnippets.map(({ snippetId }) => snippetId);
  const trashed = ids.splice(teamIds.length);
  const [snippets] = await Promise.all([
    Promise.all(ids.map((id) => client.getSnippet({ id }))),
    client.deleteSnippets({ ids: trashed }),
  ]);
  const imports: string[] = [];
  if (hasImport)
    for (const [index, teamId] of teamIds.entries()) {
      // Each into a folder of its own, so that none of them reuses another's.
      const folderId = named[index]?.folderId;
      const made = await client.postImport({ teamId, folderId, file: importedFile, onDuplicate: "create" });
      imports.push(made.data.importId ?? "");
    }
  return named.map((fields, index) => {
    const [first, second] = snippets[index]?.data.variations ?? [];
    return {
      ...fields,
      snippetId: ids[index] ?? "",
      trashedSnippetId: trashed[index] ?? "",
      variationId: first?.id ?? "",
      secondVariationId: second?.id ?? "",
      importId: imports[index] ?? Bun.randomUUIDv7(),
    };
  });
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
  importId: Bun.randomUUIDv7(),
});
