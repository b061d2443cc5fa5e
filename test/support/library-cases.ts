// The smallest valid call of each library operation of the console, with resources made for it alone, and who may make it.
import type { libraryOperations } from "../../src/contract/console/operations/library.ts";
import type { ConsoleCallOptions } from "./console.ts";
import type { Caller, World } from "./roles.ts";

export interface Case {
  /** A status for each of the callers. */
  readonly expected: string;
  readonly input?: (world: World, caller: Caller) => ConsoleCallOptions | Promise<ConsoleCallOptions>;
}

//               operator owner admin member t.admin t.editor t.viewer stranger nobody out read write
const readers = "403      200   200   403    200     200      200      404      404    401 200  200";
const writers = "403      200   200   403    200     200      403      404      404    401 403  200";
const managers = "403     200   200   403    200     403      403      404      404    401 403  200";

const content = { type: "plaintext", content: "A text" };

/** Makes something in the team, as an owner. */
export async function snippetIn({ owner }: World, teamId: string): Promise<string> {
  const made = await owner.call("postLibrarySnippet", {
    body: {
      title: "A snippet",
      content,
      teamId,
      additionalVariations: [{ variationName: "Second", content }],
    },
  });
  return made.body.data.snippetId;
}

export async function variationIn(world: World, teamId: string) {
  const snippetId = await snippetIn(world, teamId);
  const read = await world.owner.call("getLibrarySnippet", { query: { id: snippetId } });
  const variationIds: string[] = read.body.data.variations.map(({ id }: { id: string }) => id);
  return { snippetId, variationIds, variationId: variationIds[1] ?? "" };
}

export async function folderIn({ owner }: World, teamId: string): Promise<string> {
  const made = await owner.call("postLibraryFolder", {
    body: { folderName: "A folder", folderColor: "#868e96", teamId },
  });
  return made.body.data.folder.id;
}

export async function tagIn({ owner }: World, teamId: string): Promise<string> {
  const made = await owner.call("postLibraryTag", { body: { tagName: "a tag", tagColor: "#868e96", teamId } });
  return made.body.data.tag.id;
}

const importIn = async ({ owner }: World, teamId: string): Promise<string> => {
  const made = await owner.call("postLibraryImport", { query: { teamId }, body: importedFile() });
  return made.body.data.importId;
};

const importedFile = () => JSON.stringify([{ name: "Imported", text: crypto.randomUUID(), keyword: "" }]);

const newSnippet = ({ team }: World) => ({ title: "New", content, teamId: team.id });
const newFolder = ({ team }: World) => ({ folderName: "New", folderColor: "#868e96", teamId: team.id });
const newTag = ({ team }: World) => ({ tagName: "new", tagColor: "#868e96", teamId: team.id });

export const libraryCases: { readonly [Name in keyof typeof libraryOperations]: Case } = {
  getLibrarySearch: { expected: readers },
  getLibraryTree: { expected: readers },
  getLibrarySnippet: {
    expected: readers,
    input: async (world) => ({ query: { id: await snippetIn(world, world.team.id) } }),
  },
  getLibrarySnippetVariation: {
    expected: readers,
    input: async (world) => ({ query: { variationId: (await variationIn(world, world.team.id)).variationId } }),
  },
  getLibraryHistory: {
    expected: readers,
    input: async (world) => ({ query: { variationId: (await variationIn(world, world.team.id)).variationId } }),
  },
  getLibraryTrash: { expected: readers },
  getLibraryTrashedSnippet: {
    expected: readers,
    input: async (world) => {
      const id = await snippetIn(world, world.team.id);
      await world.owner.call("deleteLibrarySnippet", { query: { id } });
      return { query: { id } };
    },
  },
  getLibraryEvents: { expected: readers },
  getLibraryActivity: { expected: readers },
  postLibraryImport: {
    expected: writers,
    input: ({ team }) => ({ query: { teamId: team.id }, body: importedFile() }),
  },
  getLibraryImports: {
    expected: writers.replace("403  200", "200  200"),
    input: ({ team }) => ({ query: { teamId: team.id } }),
  },
  postLibraryImportUndo: {
    expected: writers,
    input: async (world) => ({ query: { importId: await importIn(world, world.team.id) } }),
  },
  getLibraryExport: { expected: readers, input: ({ team }) => ({ query: { teamId: team.id } }) },
  deleteLibraryTrash: { expected: managers, input: ({ team }) => ({ query: { teamId: team.id } }) },
  postLibrarySnippetsRestore: {
    expected: writers,
    input: async (world) => {
      const id = await snippetIn(world, world.team.id);
      await world.owner.call("deleteLibrarySnippet", { query: { id } });
      return { body: { snippetIds: [id] } };
    },
  },
  putLibrarySnippets: {
    expected: writers,
    input: async (world) => ({
      body: { snippets: [{ id: await snippetIn(world, world.team.id), isArchived: true }] },
    }),
  },
  postLibraryTagMerge: {
    expected: managers,
    input: async (world) => ({
      body: { tagId: await tagIn(world, world.team.id), intoTagId: await tagIn(world, world.team.id) },
    }),
  },
  postLibraryExamples: {
    expected: managers,
    input: async ({ admin, workspace, callers }, caller) => {
      // A new team for each call, of which the caller has the same role.
      const { createTeam } = await import("../../src/accounts/workspaces/workspaces.ts");
      const role = /^team (\w+)$/.exec(caller)?.[1];
      const person = callers.get(caller)?.person;
      const team = await admin(async (transaction) => {
        const made = await createTeam(transaction, workspace.id, "Empty");
        if (role && person)
          transaction.insert("team_memberships", [
            { workspace_id: workspace.id, team_id: made.id, person_id: person.id, role, created_at: transaction.now },
          ]);
        return made;
      });
      return { query: { teamId: team.id } };
    },
  },
  deleteLibraryExamples: { expected: managers, input: ({ team }) => ({ query: { teamId: team.id } }) },
  postLibrarySnippet: { expected: writers, input: (world) => ({ body: newSnippet(world) }) },
  postLibrarySnippets: { expected: writers, input: (world) => ({ body: { snippets: [newSnippet(world)] } }) },
  putLibrarySnippet: {
    expected: writers,
    input: async (world) => ({ query: { id: await snippetIn(world, world.team.id) }, body: { title: "Changed" } }),
  },
  deleteLibrarySnippet: {
    expected: writers,
    input: async (world) => ({ query: { id: await snippetIn(world, world.team.id) } }),
  },
  deleteLibrarySnippets: {
    expected: writers,
    input: async (world) => ({ query: { ids: await snippetIn(world, world.team.id) } }),
  },
  putLibrarySnippetVariation: {
    expected: writers,
    input: async (world) => ({
      query: { variationId: (await variationIn(world, world.team.id)).variationId },
      body: { name: "Renamed" },
    }),
  },
  postLibrarySnippetVariations: {
    expected: writers,
    input: async (world) => ({
      query: { snippetId: await snippetIn(world, world.team.id) },
      body: { variations: [{ variationName: "Third", content }] },
    }),
  },
  putLibrarySnippetVariationsOrder: {
    expected: writers,
    input: async (world) => {
      const { snippetId, variationIds } = await variationIn(world, world.team.id);
      return { query: { snippetId }, body: { variationIds: variationIds.toReversed() } };
    },
  },
  deleteLibrarySnippetVariation: {
    expected: writers,
    input: async (world) => ({
      query: { variationId: (await variationIn(world, world.team.id)).variationId },
      headers: { "Content-Type": "application/json" },
    }),
  },
  postLibraryFolder: { expected: writers, input: (world) => ({ body: newFolder(world) }) },
  postLibraryFolders: { expected: writers, input: (world) => ({ body: { folders: [newFolder(world)] } }) },
  putLibraryFolder: {
    expected: managers,
    input: async (world) => ({
      query: { folderId: await folderIn(world, world.team.id) },
      body: { folderName: "Renamed" },
    }),
  },
  putLibraryFolders: {
    expected: managers,
    input: async (world) => ({
      body: { folders: [{ id: await folderIn(world, world.team.id), folderName: "Renamed" }] },
    }),
  },
  deleteLibraryFolder: {
    expected: managers,
    input: async (world) => ({ query: { folderId: await folderIn(world, world.team.id) } }),
  },
  deleteLibraryFolders: {
    expected: managers,
    input: async (world) => ({ query: { folderIds: await folderIn(world, world.team.id) } }),
  },
  postLibraryTag: { expected: writers, input: (world) => ({ body: newTag(world) }) },
  postLibraryTags: { expected: writers, input: (world) => ({ body: { tags: [newTag(world)] } }) },
  putLibraryTag: {
    expected: managers,
    input: async (world) => ({ query: { tagId: await tagIn(world, world.team.id) }, body: { tagName: "renamed" } }),
  },
  putLibraryTags: {
    expected: managers,
    input: async (world) => ({ body: { tags: [{ id: await tagIn(world, world.team.id), tagName: "renamed" }] } }),
  },
  deleteLibraryTag: {
    expected: managers,
    input: async (world) => ({ query: { tagId: await tagIn(world, world.team.id) } }),
  },
  deleteLibraryTags: {
    expected: managers,
    input: async (world) => ({ query: { tagIds: await tagIn(world, world.team.id) } }),
  },
};

/** Resources of the other team, for callers limited to their team. */
export const libraryBeyondOwnTeam: readonly (readonly [
  keyof typeof libraryOperations,
  (world: World) => Promise<ConsoleCallOptions>,
])[] = [
  ["getLibrarySearch", async ({ otherTeam }) => ({ query: { teamId: otherTeam.id } })],
  ["getLibraryTree", async ({ otherTeam }) => ({ query: { teamId: otherTeam.id } })],
  ["getLibraryTrash", async ({ otherTeam }) => ({ query: { teamId: otherTeam.id } })],
  ["getLibraryActivity", async ({ otherTeam }) => ({ query: { teamId: otherTeam.id } })],
  ["getLibrarySnippet", async (world) => ({ query: { id: await snippetIn(world, world.otherTeam.id) } })],
  [
    "getLibraryHistory",
    async (world) => ({ query: { variationId: (await variationIn(world, world.otherTeam.id)).variationId } }),
  ],
  [
    "getLibrarySnippetVariation",
    async (world) => ({ query: { variationId: (await variationIn(world, world.otherTeam.id)).variationId } }),
  ],
  ["postLibrarySnippet", async ({ otherTeam }) => ({ body: { title: "X", content, teamId: otherTeam.id } })],
  [
    "putLibrarySnippet",
    async (world) => ({ query: { id: await snippetIn(world, world.otherTeam.id) }, body: { title: "X" } }),
  ],
  [
    "putLibrarySnippets",
    async (world) => ({ body: { snippets: [{ id: await snippetIn(world, world.otherTeam.id), isArchived: true }] } }),
  ],
  ["deleteLibrarySnippet", async (world) => ({ query: { id: await snippetIn(world, world.otherTeam.id) } })],
  [
    "putLibrarySnippetVariation",
    async (world) => ({
      query: { variationId: (await variationIn(world, world.otherTeam.id)).variationId },
      body: { name: "X" },
    }),
  ],
  [
    "postLibrarySnippetVariations",
    async (world) => ({
      query: { snippetId: await snippetIn(world, world.otherTeam.id) },
      body: { variations: [{ variationName: "X", content }] },
    }),
  ],
  [
    "postLibrarySnippetsRestore",
    async (world) => {
      const id = await snippetIn(world, world.otherTeam.id);
      await world.owner.call("deleteLibrarySnippet", { query: { id } });
      return { body: { snippetIds: [id] } };
    },
  ],
  [
    "postLibraryFolder",
    async ({ otherTeam }) => ({ body: { folderName: "X", folderColor: "#fff", teamId: otherTeam.id } }),
  ],
  [
    "putLibraryFolder",
    async (world) => ({ query: { folderId: await folderIn(world, world.otherTeam.id) }, body: { folderName: "X" } }),
  ],
  ["deleteLibraryFolder", async (world) => ({ query: { folderId: await folderIn(world, world.otherTeam.id) } })],
  ["deleteLibraryTag", async (world) => ({ query: { tagId: await tagIn(world, world.otherTeam.id) } })],
  [
    "postLibraryTagMerge",
    async (world) => ({
      body: { tagId: await tagIn(world, world.otherTeam.id), intoTagId: await tagIn(world, world.otherTeam.id) },
    }),
  ],
  ["postLibraryImport", async ({ otherTeam }) => ({ query: { teamId: otherTeam.id }, body: importedFile() })],
  ["getLibraryImports", async ({ otherTeam }) => ({ query: { teamId: otherTeam.id } })],
  ["postLibraryImportUndo", async (world) => ({ query: { importId: await importIn(world, world.otherTeam.id) } })],
  ["getLibraryExport", async ({ otherTeam }) => ({ query: { teamId: otherTeam.id } })],
  ["deleteLibraryTrash", async ({ otherTeam }) => ({ query: { teamId: otherTeam.id } })],
  ["postLibraryExamples", async ({ otherTeam }) => ({ query: { teamId: otherTeam.id } })],
  ["deleteLibraryExamples", async ({ otherTeam }) => ({ query: { teamId: otherTeam.id } })],
];
