// One case for each operation: all tests that treat operations alike draw from it. An operation without a case does not compile.
import type { OperationName } from "../../src/contract/operations.ts";
import {
  type BodyCase,
  type Case,
  idInBody,
  idInQuery,
  idsInQuery,
  type Place,
  type QueryPlace,
  reference,
} from "./case.ts";
import { text } from "./service.ts";
import { importedFile, type Targets } from "./targets.ts";

const snippetOf = (teamId: string, more: object = {}) => ({ title: "New", content: text("New text"), teamId, ...more });
const folderOf = (teamId: string, more: object = {}) => ({
  folderName: "New",
  folderColor: "#123456",
  teamId,
  ...more,
});
const tagOf = (teamId: string, more: object = {}) => ({ tagName: "New", tagColor: "#123456", teamId, ...more });

const variationOf = (variationName: string) => ({ variationName, content: text(variationName) });

const snippetFields = {
  title: "text",
  content: "content",
  note: "nullable text",
  shortcut: "nullable text",
  folderId: "nullable id",
} as const;
const newSnippet: BodyCase = {
  fields: { ...snippetFields, teamId: "id", tagIds: "nullable ids", additionalVariations: "variations" },
  required: ["title", "content", "teamId"],
  whole: (on) => ({
    title: "T",
    content: text("x"),
    teamId: on.teamId,
    note: "n",
    shortcut: "s",
    folderId: on.folderId,
    tagIds: [on.tagId],
    additionalVariations: [{ variationName: "More", content: text("More") }],
  }),
};
const folderFields = { folderName: "text", folderColor: "text", parentFolderId: "nullable id" } as const;
const wholeFolder = (on: Targets) => ({ folderName: "N", folderColor: "c", parentFolderId: on.folderId });
const newFolder: BodyCase = {
  fields: { ...folderFields, teamId: "id" },
  required: ["folderName", "folderColor", "teamId"],
  whole: (on) => ({ ...wholeFolder(on), teamId: on.teamId }),
};
const tagFields = { tagName: "text", tagColor: "text", parentTagId: "nullable id" } as const;
const wholeTag = (on: Targets) => ({ tagName: "N", tagColor: "c", parentTagId: on.tagId });
const newTag: BodyCase = {
  fields: { ...tagFields, teamId: "id" },
  required: ["tagName", "tagColor", "teamId"],
  whole: (on) => ({ ...wholeTag(on), teamId: on.teamId }),
};

const snippetId = idInQuery("Snippet", "snippetId", ["id", "snippetId"]);
const snippetIds = idsInQuery("Snippet", "snippetId", ["ids", "snippetIds"]);
const variationId = idInQuery("Variation", "secondVariationId", ["variationId"]);
const folderId = idInQuery("Folder", "folderId", ["folderId", "id"]);
const folderIds = idsInQuery("Folder", "folderId", ["folderIds", "ids"]);
const tagId = idInQuery("Tag", "tagId", ["tagId", "id"]);
const ofSnippet = idInQuery("Snippet", "snippetId", ["snippetId", "id"]);
const teamId: QueryPlace = { ...idInQuery("Team", "teamId", ["teamId"]), isOptional: true };
const shortcutOfTeam: QueryPlace = {
  ...teamId,
  request: (_, on) => ({ query: { shortcut: on.shortcut, teamId: on.teamId } }),
};
/** A parameter of a list, next to a team: it has to be of that team. */
const filterOfTeam = (
  parameter: string,
  noun: "Folder" | "Tag" | "Import",
  target: "folderId" | "tagId" | "importId",
  rule: string,
): Place => ({
  at: `query ${parameter}`,
  role: "reference",
  noun,
  targetNoun: "Team",
  rule,
  request: (own, on) => ({ query: { teamId: own.teamId, [parameter]: on[target] } }),
});
const importRule = "importId must be an import of this file into the team, with the same parameters";
const tagIds = idsInQuery("Tag", "tagId", ["tagIds", "ids"]);

export const cases: { readonly [Name in OperationName]: Case } = {
  getSnippet: {
    units: 1,
    roundTripsMax: 3,
    request: (on) => ({ query: { id: on.snippetId } }),
    places: [snippetId],
  },
  postSnippet: {
    units: 1,
    roundTripsMax: 4,
    request: (on) => ({ body: snippetOf(on.teamId) }),
    places: [
      idInBody("teamId", "Team", (on) => ({ body: snippetOf(on.teamId) })),
      reference("folderId", "Folder", "Team", (own, on) => ({
        body: snippetOf(own.teamId, { folderId: on.folderId }),
      })),
      reference("tagIds", "Tag", "Team", (own, on) => ({ body: snippetOf(own.teamId, { tagIds: [on.tagId] }) })),
    ],
    body: newSnippet,
  },
  putSnippet: {
    units: 1,
    roundTripsMax: 5,
    request: (on) => ({ query: { id: on.snippetId }, body: { title: "Changed", content: text("Changed") } }),
    places: [
      idInQuery("Snippet", "snippetId", ["id", "snippetId"], { title: "Changed" }),
      reference("folderId", "Folder", "Snippet", (own, on) => ({
        query: { id: own.snippetId },
        body: { folderId: on.folderId },
      })),
      reference("tagIds", "Tag", "Snippet", (own, on) => ({
        query: { id: own.snippetId },
        body: { tagIds: [on.tagId] },
      })),
    ],
    body: {
      fields: { ...snippetFields, tagIds: "ids", isArchived: "flag" },
      required: [],
      whole: (on) => ({
        title: "T",
        content: text("y"),
        note: "n",
        shortcut: "s",
        folderId: on.folderId,
        tagIds: [on.tagId],
        isArchived: true,
      }),
    },
  },
  deleteSnippet: {
    units: 1,
    roundTripsMax: 4,
    request: (on) => ({ query: { id: on.snippetId } }),
    places: [snippetId],
  },
  getSnippets: {
    units: 1,
    roundTripsMax: 4,
    request: (on) => ({ query: { ids: on.snippetId } }),
    places: [snippetIds],
  },
  postSnippets: {
    units: 2,
    roundTripsMax: 4,
    request: (on) => ({ body: { snippets: [snippetOf(on.teamId), snippetOf(on.teamId)] } }),
    places: [
      idInBody("snippets teamId", "Team", (on) => ({ body: { snippets: [snippetOf(on.teamId)] } })),
      reference("snippets folderId", "Folder", "Team", (own, on) => ({
        body: { snippets: [snippetOf(own.teamId, { folderId: on.folderId })] },
      })),
      reference("snippets tagIds", "Tag", "Team", (own, on) => ({
        body: { snippets: [snippetOf(own.teamId, { tagIds: [on.tagId] })] },
      })),
    ],
    body: { ...newSnippet, batch: "snippets" },
  },
  deleteSnippets: {
    units: 1,
    roundTripsMax: 4,
    request: (on) => ({ query: { ids: on.snippetId } }),
    places: [snippetIds],
  },
  getSnippetVariation: {
    units: 1,
    roundTripsMax: 3,
    request: (on) => ({ query: { snippetId: on.snippetId, variationId: on.variationId } }),
    places: [
      {
        ...idInQuery("Snippet", "snippetId", ["snippetId"]),
        role: "pair",
        request: (own, on) => ({ query: { snippetId: on.snippetId, variationId: own.variationId } }),
      },
      {
        ...variationId,
        role: "pair",
        request: (own, on) => ({ query: { snippetId: own.snippetId, variationId: on.variationId } }),
      },
      {
        at: "query snippetId and variationId",
        role: "target",
        noun: "Variation",
        request: (_, on) => ({ query: { snippetId: on.snippetId, variationId: on.variationId } }),
      },
    ],
  },
  putSnippetVariation: {
    units: 1,
    roundTripsMax: 4,
    request: (on) => ({ query: { variationId: on.variationId }, body: { name: "Renamed", content: text("Changed") } }),
    places: [
      idInQuery("Variation", "secondVariationId", ["variationId"], { name: "Changed", content: text("Changed") }),
    ],
    body: {
      fields: { name: "text", variationName: "text", content: "content" },
      required: [],
      whole: () => ({ name: "N", variationName: "N", content: text("y") }),
    },
  },
  deleteSnippetVariation: {
    units: 1,
    roundTripsMax: 5,
    request: (on) => ({ body: { variationIds: [on.secondVariationId] } }),
    places: [
      variationId,
      idInBody("variationIds", "Variation", (on) => ({ body: { variationIds: [on.secondVariationId] } })),
    ],
    body: {
      isInsteadOfQuery: true,
      fields: { variationIds: "ids" },
      required: ["variationIds"],
      whole: (on) => ({ variationIds: [on.secondVariationId] }),
    },
  },
  getSnippetVariationHistory: {
    units: 1,
    roundTripsMax: 6,
    request: (on) => ({ query: { variationId: on.variationId } }),
    places: [variationId],
    otherParameters: ["limit", "fromDate", "toDate"],
  },
  getFolder: {
    units: 2,
    roundTripsMax: 5,
    request: (on) => ({ query: { folderId: on.folderId } }),
    places: [folderId],
    otherParameters: ["limit", "offset"],
  },
  postFolder: {
    units: 1,
    roundTripsMax: 4,
    request: (on) => ({ body: folderOf(on.teamId) }),
    places: [
      idInBody("teamId", "Team", (on) => ({ body: folderOf(on.teamId) })),
      reference("parentFolderId", "Folder", "Team", (own, on) => ({
        body: folderOf(own.teamId, { parentFolderId: on.folderId }),
      })),
    ],
    body: newFolder,
  },
  putFolder: {
    units: 1,
    roundTripsMax: 5,
    request: (on) => ({ query: { folderId: on.folderId }, body: { folderName: "Renamed" } }),
    places: [
      idInQuery("Folder", "folderId", ["folderId", "id"], { folderName: "Changed" }),
      reference("parentFolderId", "Folder", "Folder", (own, on) => ({
        query: { folderId: own.folderId },
        body: { parentFolderId: on.folderId },
      })),
    ],
    body: { fields: folderFields, required: [], whole: wholeFolder },
  },
  deleteFolder: {
    units: 1,
    roundTripsMax: 5,
    request: (on) => ({ query: { folderId: on.folderId } }),
    places: [folderId],
  },
  getFolders: {
    units: 2,
    roundTripsMax: 5,
    request: (on) => ({ query: { folderIds: on.folderId } }),
    places: [folderIds],
    otherParameters: ["limit", "offset"],
  },
  postFolders: {
    units: 2,
    roundTripsMax: 4,
    request: (on) => ({ body: { folders: [folderOf(on.teamId), folderOf(on.teamId)] } }),
    places: [
      idInBody("folders teamId", "Team", (on) => ({ body: { folders: [folderOf(on.teamId)] } })),
      reference("folders parentFolderId", "Folder", "Team", (own, on) => ({
        body: { folders: [folderOf(own.teamId, { parentFolderId: on.folderId })] },
      })),
    ],
    body: { ...newFolder, batch: "folders" },
  },
  putFolders: {
    units: 1,
    roundTripsMax: 5,
    request: (on) => ({ body: { folders: [{ id: on.folderId, folderName: "Renamed" }] } }),
    places: [
      idInBody("folders id", "Folder", (on) => ({ body: { folders: [{ id: on.folderId, folderName: "Changed" }] } })),
      reference("folders parentFolderId", "Folder", "Folder", (own, on) => ({
        body: { folders: [{ id: own.folderId, parentFolderId: on.folderId }] },
      })),
    ],
    body: {
      batch: "folders",
      fields: { ...folderFields, id: "id" },
      required: ["id"],
      whole: (on) => ({ ...wholeFolder(on), id: on.folderId }),
    },
  },
  deleteFolders: {
    units: 1,
    roundTripsMax: 5,
    request: (on) => ({ query: { folderIds: on.folderId } }),
    places: [folderIds],
  },
  getTag: {
    units: 2,
    roundTripsMax: 6,
    request: (on) => ({ query: { tagId: on.tagId } }),
    places: [tagId],
    otherParameters: ["limit", "offset"],
  },
  postTag: {
    units: 1,
    roundTripsMax: 4,
    request: (on) => ({ body: tagOf(on.teamId) }),
    places: [
      idInBody("teamId", "Team", (on) => ({ body: tagOf(on.teamId) })),
      reference("parentTagId", "Tag", "Team", (own, on) => ({ body: tagOf(own.teamId, { parentTagId: on.tagId }) })),
    ],
    body: newTag,
  },
  putTag: {
    units: 1,
    roundTripsMax: 5,
    request: (on) => ({ query: { tagId: on.tagId }, body: { tagName: "Renamed" } }),
    places: [
      idInQuery("Tag", "tagId", ["tagId", "id"], { tagName: "Changed" }),
      reference("parentTagId", "Tag", "Tag", (own, on) => ({
        query: { tagId: own.tagId },
        body: { parentTagId: on.tagId },
      })),
    ],
    body: { fields: tagFields, required: [], whole: wholeTag },
  },
  deleteTag: {
    units: 1,
    roundTripsMax: 4,
    request: (on) => ({ query: { tagId: on.tagId } }),
    places: [tagId],
  },
  getTags: {
    units: 1,
    roundTripsMax: 4,
    request: (on) => ({ query: { tagIds: on.tagId } }),
    places: [tagIds],
  },
  postTags: {
    units: 2,
    roundTripsMax: 4,
    request: (on) => ({ body: { tags: [tagOf(on.teamId), tagOf(on.teamId)] } }),
    places: [
      idInBody("tags teamId", "Team", (on) => ({ body: { tags: [tagOf(on.teamId)] } })),
      reference("tags parentTagId", "Tag", "Team", (own, on) => ({
        body: { tags: [tagOf(own.teamId, { parentTagId: on.tagId })] },
      })),
    ],
    body: { ...newTag, batch: "tags" },
  },
  putTags: {
    units: 1,
    roundTripsMax: 5,
    request: (on) => ({ body: { tags: [{ id: on.tagId, tagName: "Renamed" }] } }),
    places: [
      idInBody("tags id", "Tag", (on) => ({ body: { tags: [{ id: on.tagId, tagName: "Changed" }] } })),
      reference("tags parentTagId", "Tag", "Tag", (own, on) => ({
        body: { tags: [{ id: own.tagId, parentTagId: on.tagId }] },
      })),
    ],
    body: {
      batch: "tags",
      fields: { ...tagFields, id: "id" },
      required: ["id"],
      whole: (on) => ({ ...wholeTag(on), id: on.tagId }),
    },
  },
  deleteTags: {
    units: 1,
    roundTripsMax: 4,
    request: (on) => ({ query: { tagIds: on.tagId } }),
    places: [tagIds],
  },
  getSearch: {
    units: 1,
    roundTripsMax: 9,
    request: () => ({ query: { query: "nowhere" } }),
    places: [],
    filters: [
      idInQuery("Team", "teamId", ["teamId"]),
      filterOfTeam("folderId", "Folder", "folderId", "folderId must be a folder in one of the searched teams"),
      filterOfTeam("tagIds", "Tag", "tagId", "tagIds must be tags in the searched teams"),
    ],
    otherParameters: [
      "query",
      "teamId",
      "folderId",
      "inside",
      "tagIds",
      "contentType",
      "createdBy",
      "isArchived",
      "updatedSince",
      "createdSince",
      "sort",
      "in",
      "limit",
      "cursor",
    ],
  },
  getChanges: {
    units: 1,
    roundTripsMax: 4,
    request: (on) => ({ query: { teamId: on.teamId } }),
    places: [{ ...idInQuery("Team", "teamId", ["teamId"]), isOptional: true }],
    otherParameters: ["cursor", "limit", "waitSeconds"],
  },
  getTrash: {
    units: 2,
    roundTripsMax: 4,
    request: (on) => ({ query: { teamId: on.teamId, limit: "1" } }),
    places: [{ ...idInQuery("Team", "teamId", ["teamId"]), isOptional: true }],
    otherParameters: ["limit", "cursor"],
  },
  postImport: {
    // The format puts its snippets into a folder.
    units: 3,
    roundTripsMax: 19,
    request: (on) => ({ query: { teamId: on.teamId, onDuplicate: "create" }, body: importedFile }),
    places: [
      {
        ...idInQuery("Team", "teamId", ["teamId"]),
        request: (_, on) => ({ query: { teamId: on.teamId, onDuplicate: "create" }, body: importedFile }),
      },
      {
        ...filterOfTeam("folderId", "Folder", "folderId", "folderId must be a folder in the team"),
        request: (own, on) => ({
          query: { teamId: own.teamId, folderId: on.folderId, onDuplicate: "create" },
          body: importedFile,
        }),
      },
      {
        ...filterOfTeam("importId", "Import", "importId", importRule),
        // In the folder of the import that it continues, which is finished.
        changesNothing: true,
        request: (own, on) => ({
          query: { teamId: own.teamId, folderId: own.folderId, onDuplicate: "create", importId: on.importId },
          body: importedFile,
        }),
      },
    ],
    otherParameters: [
      "folderId",
      "format",
      "fileName",
      "columns",
      "onDuplicate",
      "allOrNothing",
      "importId",
      "dryRun",
      "maxItems",
    ],
  },
  getImports: {
    units: 1,
    roundTripsMax: 4,
    request: (on) => ({ query: { teamId: on.teamId, limit: "1" } }),
    places: [{ ...idInQuery("Team", "teamId", ["teamId"]), isOptional: true }],
    otherParameters: ["limit", "cursor"],
  },
  postImportUndo: {
    // The snippet of the import, and its folder.
    units: 3,
    roundTripsMax: 15,
    request: (on) => ({ query: { importId: on.importId } }),
    places: [idInQuery("Import", "importId", ["importId"])],
  },
  getExport: {
    units: 3,
    // The team is large by then: a process reads it, on a connection of its own.
    roundTripsMax: 26,
    request: (on) => ({ query: { teamId: on.teamId, format: "vscode" } }),
    places: [idInQuery("Team", "teamId", ["teamId"])],
    otherParameters: ["format"],
  },
  postSnippetsRestore: {
    units: 1,
    roundTripsMax: 5,
    request: (on) => ({ body: { snippetIds: [on.trashedSnippetId] } }),
    places: [idInBody("snippetIds", "Snippet", (on) => ({ body: { snippetIds: [on.trashedSnippetId] } }))],
    body: {
      fields: { snippetIds: "ids" },
      required: ["snippetIds"],
      whole: (on) => ({ snippetIds: [on.trashedSnippetId] }),
    },
  },
  getMe: { units: 1, roundTripsMax: 3, request: () => ({}), places: [] },
  getTeams: { units: 1, roundTripsMax: 7, request: () => ({}), places: [] },
  getTree: {
    units: 1,
    roundTripsMax: 8,
    request: (on) => ({ query: { teamId: on.teamId } }),
    places: [teamId],
  },
  getShortcut: {
    units: 1,
    roundTripsMax: 5,
    request: (on) => ({ query: { shortcut: on.shortcut, teamId: on.teamId } }),
    places: [shortcutOfTeam],
    otherParameters: ["shortcut"],
  },
  getText: {
    units: 1,
    roundTripsMax: 3,
    request: (on) => ({ query: { id: on.snippetId } }),
    places: [snippetId, shortcutOfTeam],
    filters: [
      {
        at: "query variation",
        role: "part",
        noun: "Variation",
        request: (own, on) => ({ query: { id: own.snippetId, variation: on.variationId } }),
      },
    ],
    otherParameters: ["shortcut", "variation"],
  },
  getSnippetVariations: {
    units: 2,
    roundTripsMax: 5,
    request: (on) => ({ query: { snippetId: on.snippetId } }),
    places: [ofSnippet],
  },
  postSnippetVariations: {
    units: 2,
    roundTripsMax: 5,
    request: (on) => ({
      query: { snippetId: on.snippetId },
      body: { variations: [variationOf("Third"), variationOf("Fourth")] },
    }),
    places: [idInQuery("Snippet", "snippetId", ["snippetId", "id"], { variations: [variationOf("Third")] })],
    body: {
      batch: "variations",
      fields: { variationName: "text", content: "content" },
      required: ["variationName", "content"],
      whole: () => variationOf("N"),
    },
  },
  putSnippetVariationsOrder: {
    units: 1,
    roundTripsMax: 5,
    request: (on) => ({
      query: { snippetId: on.snippetId },
      body: { variationIds: [on.secondVariationId, on.variationId] },
    }),
    places: [
      {
        ...ofSnippet,
        request: (_, on) => ({
          query: { snippetId: on.snippetId },
          body: { variationIds: [on.secondVariationId, on.variationId] },
        }),
      },
      {
        at: "body variationIds",
        role: "reference",
        noun: "Variation",
        targetNoun: "Snippet",
        rule: "variationIds must contain all variations of the snippet",
        request: (own, on) => ({
          query: { snippetId: own.snippetId },
          body: { variationIds: [on.secondVariationId, on.variationId] },
        }),
      },
    ],
    body: {
      fields: { variationIds: "different ids" },
      required: ["variationIds"],
      whole: (on) => ({ variationIds: [on.secondVariationId, on.variationId] }),
    },
  },
};
