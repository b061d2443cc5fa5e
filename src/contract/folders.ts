// Folders: their schemas and their operations.
import { z } from "zod";
import { one, onePlusItems, perItem } from "./costs.ts";
import { createdCounts, deletedCounts, itemErrors, listCounts, paginate, updatedCounts } from "./envelope.ts";
import * as example from "./example-workspace.ts";
import { atLeastOneField, count, fieldsUpdated, id, message, object, teamId, text, timestamp, uuid } from "./fields.ts";
import { limits } from "./limits.ts";
import { batchBody, defineOperation, objectBody, type Resource } from "./operation.ts";
import { idListParameter, idParameter, limitParameter, offsetParameter, pageParameters } from "./query.ts";
import { snippet } from "./snippets.ts";

const resource: Resource = {
  name: "Folders",
  description: "Folders group the snippets of a team and can be nested. Deleting a folder keeps its snippets.",
};

const changeable = {
  folderName: text(1, limits.folderNameLengthMax).meta({ description: "Names do not have to be unique." }),
  folderColor: text(1, limits.folderColorLengthMax).meta({ description: "A color, such as `#336699`." }),
  parentFolderId: uuid().nullable().optional().meta({ description: "The parent folder. Null for a top-level folder." }),
};
const optional = {
  folderName: changeable.folderName.optional(),
  folderColor: changeable.folderColor.optional(),
  parentFolderId: changeable.parentFolderId,
};

export const folderInput = object({ ...changeable, teamId: teamId("folder") }).meta({ id: "FolderInput" });
export type FolderInput = z.output<typeof folderInput>;

export const folderUpdate = atLeastOneField(object(optional)).meta({ id: "FolderUpdate" });
export type FolderUpdate = z.output<typeof folderUpdate>;

export const folderUpdateItem = atLeastOneField(object({ id: uuid(), ...optional })).meta({ id: "FolderUpdateItem" });

const fields = {
  id: id(),
  folder_name: z.string(),
  folder_color: z.string(),
  parent_folder_id: id().nullable(),
  team_id: id(),
  workspace_id: id(),
  created_at: timestamp(),
  updated_at: timestamp(),
};
export const folder = z.strictObject(fields).meta({ id: "Folder" });
export type Folder = z.output<typeof folder>;

export const folderWithSnippets = z
  .strictObject({ ...fields, snippets: z.array(snippet), total_snippets: count() })
  .meta({ id: "FolderWithSnippets" });

const idQuery = { folderId: idParameter("Folder", "id") };
const idListQuery = { folderIds: idListParameter("Folder", "ids") };

export const folderOperations = {
  getFolder: defineOperation({
    method: "GET",
    path: "/folder",
    resource,
    summary: "Get a folder and its snippets",
    scope: "read",
    cost: onePlusItems("1 + 1 per snippet returned"),
    query: { ...idQuery, ...pageParameters },
    data: z.strictObject({ folder, snippets: z.array(snippet) }),
    paging: "offset",
    example: {
      query: { folderId: example.folder.id, limit: 1 },
      result: {
        data: { folder: example.folder, snippets: [example.snippet] },
        pagination: paginate(1, 0, 3),
        items: 1,
      },
    },
  }),
  postFolder: defineOperation({
    method: "POST",
    path: "/folder",
    resource,
    summary: "Create a folder",
    scope: "write",
    cost: one,
    body: objectBody(folderInput),
    data: z.strictObject({ folder }),
    metadata: z.strictObject({ folderId: id(), folderName: z.string(), createdAt: timestamp() }),
    example: {
      body: {
        folderName: example.innerFolder.folder_name,
        folderColor: example.innerFolder.folder_color,
        teamId: example.innerFolder.team_id,
        parentFolderId: example.folder.id,
      },
      result: {
        data: { folder: example.innerFolder },
        metadata: {
          folderId: example.innerFolder.id,
          folderName: example.innerFolder.folder_name,
          createdAt: example.innerFolder.created_at,
        },
      },
    },
  }),
  putFolder: defineOperation({
    method: "PUT",
    path: "/folder",
    resource,
    summary: "Update a folder",
    scope: "write",
    cost: one,
    query: idQuery,
    body: objectBody(folderUpdate),
    data: z.strictObject({ folder }),
    metadata: fieldsUpdated,
    example: {
      query: { folderId: example.innerFolder.id },
      body: { folderName: "Refunds and returns", parentFolderId: null },
      result: {
        data: {
          folder: {
            ...example.innerFolder,
            folder_name: "Refunds and returns",
            parent_folder_id: null,
            updated_at: example.changedAt,
          },
        },
        metadata: { fieldsUpdated: { folderName: true, parentFolderId: true } },
      },
    },
  }),
  deleteFolder: defineOperation({
    method: "DELETE",
    path: "/folder",
    resource,
    summary: "Delete a folder and keep its snippets",
    scope: "write",
    cost: one,
    query: idQuery,
    data: message,
    metadata: z.strictObject({ deletedFolderId: id(), snippetsOrphaned: count() }),
    example: {
      query: { folderId: example.folder.id },
      result: {
        data: { message: "Folder deleted" },
        metadata: { deletedFolderId: example.folder.id, snippetsOrphaned: 3 },
      },
    },
  }),
  getFolders: defineOperation({
    method: "GET",
    path: "/folders",
    resource,
    summary: "Get multiple folders and their snippets",
    scope: "read",
    cost: perItem("1 per folder and 1 per snippet returned"),
    query: {
      ...idListQuery,
      limit: limitParameter(limits.pageItemsPerFolderDefault, "Maximum number of snippets per folder."),
      offset: offsetParameter("Number of snippets to skip in each folder."),
    },
    data: z.strictObject({ folders: z.array(folderWithSnippets) }),
    metadata: listCounts,
    paging: "offset",
    example: {
      query: { folderIds: `${example.folder.id},${example.innerFolder.id}`, limit: 1 },
      result: {
        data: {
          folders: [
            { ...example.folder, snippets: [example.snippet], total_snippets: 3 },
            { ...example.innerFolder, snippets: [], total_snippets: 0 },
          ],
        },
        metadata: example.twoRequestedAllFound,
        pagination: paginate(1, 0, 3),
        items: 3,
      },
    },
  }),
  postFolders: defineOperation({
    method: "POST",
    path: "/folders",
    resource,
    summary: "Create multiple folders",
    scope: "write",
    cost: perItem("1 per folder"),
    body: batchBody("folders", folderInput),
    data: z.strictObject({ createdFolders: z.array(folder), errors: itemErrors }),
    metadata: createdCounts,
    example: {
      body: {
        folders: [
          {
            folderName: example.folder.folder_name,
            folderColor: example.folder.folder_color,
            teamId: example.folder.team_id,
          },
          {
            folderName: "Snippets for code",
            folderColor: example.folder.folder_color,
            teamId: example.folder.team_id,
            parentFolderId: example.unknownId,
          },
        ],
      },
      result: {
        data: {
          createdFolders: [example.folder],
          errors: [{ index: 1, message: "parentFolderId must be a folder of the same team", error: "invalid_request" }],
        },
        metadata: { requestedCount: 2, createdCount: 1, failedCount: 1 },
        items: 1,
      },
    },
  }),
  putFolders: defineOperation({
    method: "PUT",
    path: "/folders",
    resource,
    summary: "Update multiple folders",
    scope: "write",
    cost: perItem("1 per folder"),
    body: batchBody("folders", folderUpdateItem),
    data: z.strictObject({ updatedFolders: z.array(folder), errors: itemErrors }),
    metadata: updatedCounts,
    example: {
      body: {
        folders: [
          { id: example.folder.id, folderColor: "#1b7a4b" },
          { id: example.unknownId, folderName: "Archive" },
        ],
      },
      result: {
        data: {
          updatedFolders: [{ ...example.folder, folder_color: "#1b7a4b", updated_at: example.changedAt }],
          errors: [{ index: 1, id: example.unknownId, message: "Folder not found", error: "folder_not_found" }],
        },
        metadata: { requestedCount: 2, updatedCount: 1, failedCount: 1 },
        items: 1,
      },
    },
  }),
  deleteFolders: defineOperation({
    method: "DELETE",
    path: "/folders",
    resource,
    summary: "Delete multiple folders and keep their snippets",
    scope: "write",
    cost: perItem("1 per folder"),
    query: idListQuery,
    data: message,
    metadata: deletedCounts,
    example: {
      query: { folderIds: `${example.folder.id},${example.innerFolder.id}` },
      result: { data: { message: "2 of 2 folders deleted" }, metadata: example.twoDeleted, items: 2 },
    },
  }),
};
