// One example for each operation: the matrix test runs every promise against each. A row of the table without one does not compile.
import type { OperationName } from "../../src/contract/operations.ts";
import { type Started, text } from "./service.ts";

/** Ids that a request can be aimed at: the caller's own, or somebody else's. */
export interface Targets {
  readonly teamId: string;
  readonly snippetId: string;
  /** The first and the second variation of the snippet. */
  readonly variationId: string;
  readonly secondVariationId: string;
  readonly folderId: string;
  readonly tagId: string;
}

export interface Case {
  /** What the call with the caller's own targets costs: written here by hand, never taken from the table under test. */
  readonly units: number;
  readonly request: (targets: Targets) => { query?: Record<string, string>; body?: unknown };
  /** What a target that the caller can not have leads to: a refusal of the call, or a list without it. */
  readonly unreachable: "refused" | "left out";
  readonly noun: "Snippet" | "Variation" | "Folder" | "Tag" | "Team";
}

const snippetOf = (teamId: string) => ({ title: "New", content: text("New text"), teamId });
const folderOf = (teamId: string) => ({ folderName: "New", folderColor: "#123456", teamId });
const tagOf = (teamId: string) => ({ tagName: "New", tagColor: "#123456", teamId });

export const cases: { readonly [Name in OperationName]: Case } = {
  getSnippet: { units: 1, noun: "Snippet", unreachable: "refused", request: (on) => ({ query: { id: on.snippetId } }) },
  postSnippet: { units: 1, noun: "Team", unreachable: "refused", request: (on) => ({ body: snippetOf(on.teamId) }) },
  putSnippet: {
    units: 1,
    noun: "Snippet",
    unreachable: "refused",
    request: (on) => ({ query: { id: on.snippetId }, body: { title: "Changed", content: text("Changed") } }),
  },
  deleteSnippet: {
    units: 1,
    noun: "Snippet",
    unreachable: "refused",
    request: (on) => ({ query: { id: on.snippetId } }),
  },
  getSnippets: {
    units: 1,
    noun: "Snippet",
    unreachable: "left out",
    request: (on) => ({ query: { ids: on.snippetId } }),
  },
  postSnippets: {
    units: 2,
    noun: "Team",
    unreachable: "refused",
    request: (on) => ({ body: { snippets: [snippetOf(on.teamId), snippetOf(on.teamId)] } }),
  },
  deleteSnippets: {
    units: 1,
    noun: "Snippet",
    unreachable: "left out",
    request: (on) => ({ query: { ids: on.snippetId } }),
  },
  getSnippetVariation: {
    units: 1,
    noun: "Variation",
    unreachable: "refused",
    request: (on) => ({ query: { snippetId: on.snippetId, variationId: on.variationId } }),
  },
  putSnippetVariation: {
    units: 1,
    noun: "Variation",
    unreachable: "refused",
    request: (on) => ({ query: { variationId: on.variationId }, body: { name: "Renamed", content: text("Changed") } }),
  },
  deleteSnippetVariation: {
    units: 1,
    noun: "Variation",
    unreachable: "refused",
    request: (on) => ({ body: { variationIds: [on.secondVariationId] } }),
  },
  getSnippetVariationHistory: {
    units: 1,
    noun: "Variation",
    unreachable: "refused",
    request: (on) => ({ query: { variationId: on.variationId } }),
  },
  getFolder: {
    units: 2,
    noun: "Folder",
    unreachable: "refused",
    request: (on) => ({ query: { folderId: on.folderId } }),
  },
  postFolder: { units: 1, noun: "Team", unreachable: "refused", request: (on) => ({ body: folderOf(on.teamId) }) },
  putFolder: {
    units: 1,
    noun: "Folder",
    unreachable: "refused",
    request: (on) => ({ query: { folderId: on.folderId }, body: { folderName: "Renamed" } }),
  },
  deleteFolder: {
    units: 1,
    noun: "Folder",
    unreachable: "refused",
    request: (on) => ({ query: { folderId: on.folderId } }),
  },
  getFolders: {
    units: 2,
    noun: "Folder",
    unreachable: "left out",
    request: (on) => ({ query: { folderIds: on.folderId } }),
  },
  postFolders: {
    units: 2,
    noun: "Team",
    unreachable: "refused",
    request: (on) => ({ body: { folders: [folderOf(on.teamId), folderOf(on.teamId)] } }),
  },
  putFolders: {
    units: 1,
    noun: "Folder",
    unreachable: "refused",
    request: (on) => ({ body: { folders: [{ id: on.folderId, folderName: "Renamed" }] } }),
  },
  deleteFolders: {
    units: 1,
    noun: "Folder",
    unreachable: "left out",
    request: (on) => ({ query: { folderIds: on.folderId } }),
  },
  getTag: { units: 2, noun: "Tag", unreachable: "refused", request: (on) => ({ query: { tagId: on.tagId } }) },
  postTag: { units: 1, noun: "Team", unreachable: "refused", request: (on) => ({ body: tagOf(on.teamId) }) },
  putTag: {
    units: 1,
    noun: "Tag",
    unreachable: "refused",
    request: (on) => ({ query: { tagId: on.tagId }, body: { tagName: "Renamed" } }),
  },
  deleteTag: { units: 1, noun: "Tag", unreachable: "refused", request: (on) => ({ query: { tagId: on.tagId } }) },
  getTags: { units: 1, noun: "Tag", unreachable: "left out", request: (on) => ({ query: { tagIds: on.tagId } }) },
  postTags: {
    units: 2,
    noun: "Team",
    unreachable: "refused",
    request: (on) => ({ body: { tags: [tagOf(on.teamId), tagOf(on.teamId)] } }),
  },
  putTags: {
    units: 1,
    noun: "Tag",
    unreachable: "refused",
    request: (on) => ({ body: { tags: [{ id: on.tagId, tagName: "Renamed" }] } }),
  },
  deleteTags: { units: 1, noun: "Tag", unreachable: "left out", request: (on) => ({ query: { tagIds: on.tagId } }) },
};

/** A snippet with two variations in a folder under a tag, in the given team of the started workspace. */
export async function makeTargets({ given }: Pick<Started, "given">, teamId: string): Promise<Targets> {
  const folder = await given.folder({ teamId });
  const tag = await given.tag({ teamId });
  const snippet = await given.snippet({
    teamId,
    folderId: folder.id,
    tagIds: [tag.id],
    additionalVariations: [{ variationName: "Second", content: text("Second text") }],
  });
  const [first, second] = snippet.variations;
  return {
    teamId,
    snippetId: snippet.id,
    variationId: first?.id ?? "",
    secondVariationId: second?.id ?? "",
    folderId: folder.id,
    tagId: tag.id,
  };
}

/** Ids that nothing ever had. */
export const neverExisted = (): Targets => ({
  teamId: Bun.randomUUIDv7(),
  snippetId: Bun.randomUUIDv7(),
  variationId: Bun.randomUUIDv7(),
  secondVariationId: Bun.randomUUIDv7(),
  folderId: Bun.randomUUIDv7(),
  tagId: Bun.randomUUIDv7(),
});
