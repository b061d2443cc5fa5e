// Import and export: the files of other tools, and the archive.
import { z } from "zod";
import { onePlusItems } from "./costs.ts";
import { cursorParameters } from "./cursor.ts";
import { importIssue } from "./envelope.ts";
import * as example from "./example-workspace.ts";
import { count, id, openEnum, timestamp } from "./fields.ts";
import { columns, formatIds, readColumns, writableFormatIds } from "./formats.ts";
import { limits } from "./limits.ts";
import { defineOperation, fileBody, type Resource } from "./operation.ts";
import {
  choiceParameter,
  flagParameter,
  idFilterParameter,
  idParameter,
  limitParameter,
  pairsParameter,
  textParameter,
} from "./query.ts";

const resource: Resource = {
  name: "Import and export",
  description: "Import snippets from the files of other tools, and export all snippets of a team.",
};

/** What happens to a snippet that the team seems to have: nothing, a new version of that one, or one more. */
export const duplicateChoices = ["skip", "replace", "create"] as const;

const preview = z
  .strictObject({
    title: z.string(),
    shortcut: z.string().nullable(),
    content_type: z.string(),
    folder: z
      .string()
      .nullable()
      .meta({ description: "The path of its folder, with ` / ` between names. Null if it is in no folder." }),
    action: z.enum(["create", "replace", "skip"]),
    duplicate: z
      .strictObject({
        snippet_id: id(),
        title: z.string(),
        match: z.enum(["text", "shortcut", "both"]).meta({ description: "What the two have in common." }),
      })
      .nullable()
      .meta({ description: "The snippet that the team already has. Null if there is none." }),
  })
  .meta({ id: "ImportPreview" });

const previewGroup = z
  .strictObject({
    name: z.string(),
    parent: z.int().nullable().meta({
      description:
        "The position in this list, from 0, of the folder or tag that it is in. Null if it is not in another one.",
    }),
    is_new: z.boolean().meta({ description: "False if the team already has it." }),
    snippet_count: count().meta({
      description: "Snippets created with this tag or in this folder, including folders inside it.",
    }),
  })
  .meta({ id: "ImportPreviewGroup" });

const table = z
  .strictObject({
    rows: z.array(z.array(z.string())).meta({
      description: `The first ${limits.importPreviewRowsMax} rows, with up to ${limits.importPreviewColumnsMax} columns and ${limits.importPreviewCellLengthMax} characters in each cell.`,
    }),
    fields: z
      .array(z.enum(columns).nullable())
      .meta({ description: "The field that each column is imported as. Null if it is left out." }),
    has_headings: z.boolean(),
  })
  .meta({ id: "ImportPreviewTable" });

const listed = `At most ${limits.importIssuesMax.toLocaleString("en-US")}.`;

const groupsListed = `At most ${limits.importPreviewGroupsMax.toLocaleString("en-US")}, the outermost first.`;

const imported = z.strictObject({
  importId: id().nullable().meta({ description: "Null for a dry run." }),
  format: openEnum(formatIds),
  isFinished: z.boolean().meta({ description: "False if you have to send the request again to import the rest." }),
  createdSnippets: z.array(z.strictObject({ snippetId: id() })),
  snippets: z.array(preview).meta({
    description: `Only for a dry run: what would happen to each of the first ${limits.importPreviewMax} snippets.`,
  }),
  folders: z.array(previewGroup).meta({ description: `Only for a dry run: the folders of the file. ${groupsListed}` }),
  tags: z.array(previewGroup).meta({ description: `Only for a dry run: the tags of the file. ${groupsListed}` }),
  table: table.nullable().meta({
    description: "Only for a dry run of a table without `columns`: the first rows, so that you can choose the columns.",
  }),
  problems: z.array(importIssue).meta({ description: `What cannot be imported, and why. ${listed}` }),
  warnings: z
    .array(importIssue)
    .meta({ description: `What the import changes, leaves out, or keeps as plain text. ${listed}` }),
});

const importCounts = z.strictObject({
  createdCount: count().meta({ description: "Snippets created." }),
  replacedCount: count().meta({ description: "Snippets that got a new version." }),
  skippedCount: count().meta({ description: "Snippets skipped because the team already has them." }),
  folderCount: count().meta({ description: "Folders created." }),
  tagCount: count().meta({ description: "Tags created." }),
  remainingCount: count().meta({ description: "Snippets, folders, and tags left for the next request." }),
  problemCount: count().meta({ description: "All problems, including those that are not listed." }),
  warningCount: count().meta({ description: "All warnings, including those that are not listed." }),
});

export const importStatuses = ["finished", "unfinished", "undone"] as const;
export type ImportStatus = (typeof importStatuses)[number];

const pastImport = z
  .strictObject({
    id: id(),
    team_id: id(),
    file_name: z.string(),
    format: z.string(),
    created_at: timestamp(),
    created_by: id().meta({
      description: "The ID of the API key or person that imported the file. All zeros if an operator did.",
    }),
    status: openEnum(
      importStatuses,
      "An unfinished import is in progress, or was interrupted. It continues when the same file is imported again in the same way.",
    ),
  })
  .meta({ id: "Import" });

const itemsMax = limits.importItemsMax.toLocaleString("en-US");

/** @param continuing what to do while the import is not finished */
export const describeImport = (continuing: string): string =>
  `The body is the file itself: a file from another tool, a Commonplace archive, or a zip of several files. Its format is recognized from its content. One request imports up to ${itemsMax} snippets, folders, and tags. While \`isFinished\` is false, ${continuing}: it continues where the last one stopped. What cannot be imported is listed in \`problems\`, and the rest is imported. A dry run changes nothing, and its counts cover the whole file.`;

export const transferOperations = {
  postImport: defineOperation({
    method: "POST",
    path: "/import",
    resource,
    summary: "Import a file into a team",
    description: describeImport("send the same request again, with `importId` and a new `Idempotency-Key`"),
    scope: "write",
    cost: onePlusItems("1 + 1 per snippet, folder, and tag imported"),
    query: {
      teamId: idParameter("Team"),
      folderId: idFilterParameter("Import everything into this folder."),
      format: choiceParameter("The format of the file. By default, it is recognized from the content.", formatIds),
      fileName: textParameter(
        "The name of the file. Some formats use it as a title or a language.",
        limits.fileNameLengthMax,
      ),
      columns: pairsParameter(
        "For a table (CSV): the column of each field, by its heading or its number, from 1. `content` is required.",
        columns,
        readColumns,
      ),
      onDuplicate: choiceParameter(
        "What happens to a snippet if the team already has one with the same text, or with the same shortcut and content type: `skip` it (default), `replace` the text of the existing one with a new version, or `create` another one.",
        duplicateChoices,
      ),
      allOrNothing: flagParameter(
        "True: import nothing if anything in the file cannot be imported, or if the whole file needs more units or storage than are left or would exceed a limit of the workspace.",
      ),
      importId: idFilterParameter(
        "The import that this request continues: the `importId` of an earlier response. If that import was undone in the meantime, nothing is imported (409).",
      ),
      dryRun: flagParameter("True: import nothing, and return what would be imported."),
      maxItems: limitParameter(
        limits.importItemsMax,
        "Maximum number of snippets, folders, and tags to import with this request.",
        limits.importItemsMax,
      ),
    },
    body: fileBody,
    data: imported,
    metadata: importCounts,
    isAddition: true,
    example: {
      query: { teamId: example.team.id, fileName: "support.code-snippets" },
      body: `{ "Refund": { "prefix": "!refund", "body": "Your refund is on its way." } }`,
      result: {
        data: {
          importId: example.folder.id,
          format: "vscode",
          isFinished: true,
          createdSnippets: [{ snippetId: example.snippet.id }],
          snippets: [],
          folders: [],
          tags: [],
          table: null,
          problems: [],
          warnings: [],
        },
        metadata: {
          ...{ createdCount: 1, replacedCount: 0, skippedCount: 0, folderCount: 0, tagCount: 0 },
          ...{ remainingCount: 0, problemCount: 0, warningCount: 0 },
        },
        items: 1,
      },
    },
  }),
  getImports: defineOperation({
    method: "GET",
    path: "/imports",
    resource,
    summary: "List the imports of the last 30 days",
    description: "Newest first. An import can be undone unless its `status` is `undone`.",
    scope: "read",
    cost: onePlusItems("1 + 1 per import returned"),
    query: { teamId: idFilterParameter("Only imports into this team."), ...cursorParameters("imports") },
    data: z.strictObject({ imports: z.array(pastImport) }),
    paging: "cursor",
    isAddition: true,
    example: {
      query: { teamId: example.team.id },
      result: {
        data: {
          imports: [
            {
              id: example.folder.id,
              team_id: example.team.id,
              file_name: "support.code-snippets",
              format: "vscode",
              created_at: example.changedAt,
              created_by: example.keyId,
              status: "finished",
            },
          ],
        },
        pagination: { limit: limits.pageItemsDefault, nextCursor: null },
        items: 1,
      },
    },
  }),
  postImportUndo: defineOperation({
    method: "POST",
    path: "/import/undo",
    resource,
    summary: "Undo an import",
    description: `Moves the snippets that the import created to the trash, restores the text that it replaced, and deletes the folders and tags that it created, unless something else is in them. Anything changed since the import is kept. One request undoes up to ${limits.batchItemsMax} of these. While \`isFinished\` is false, send the request again, with a new \`Idempotency-Key\`. An import can be undone for 30 days, even if it is not finished.`,
    scope: "write",
    cost: onePlusItems("1 + 1 per snippet, folder, and tag deleted or restored"),
    query: { importId: idParameter("Import") },
    data: z.strictObject({
      importId: id(),
      isFinished: z.boolean().meta({ description: "False if you have to send the request again to undo the rest." }),
    }),
    metadata: z.strictObject({
      deletedCount: count().meta({ description: "Snippets moved to the trash." }),
      restoredCount: count().meta({ description: "Snippets that got their former text back." }),
      keptCount: count().meta({
        description: "Snippets left as they are because they were changed or deleted after the import.",
      }),
      folderCount: count().meta({ description: "Folders deleted." }),
      tagCount: count().meta({ description: "Tags deleted." }),
      remainingCount: count().meta({ description: "Snippets, folders, and tags left for the next request." }),
    }),
    isAddition: true,
    example: {
      query: { importId: example.folder.id },
      result: {
        data: { importId: example.folder.id, isFinished: true },
        metadata: {
          ...{ deletedCount: 1, restoredCount: 0, keptCount: 0 },
          ...{ folderCount: 0, tagCount: 0, remainingCount: 0 },
        },
        items: 1,
      },
    },
  }),
  getExport: defineOperation({
    method: "GET",
    path: "/export",
    resource,
    summary: "Export all snippets of a team as a file",
    description: `The response is the file. Only the format \`commonplace\`, an archive with all versions, is lossless. The response is sent while the file is written: if the connection ends early, the file is incomplete. Formats other than the archive are refused with 400 for a team with more than ${limits.exportFormatBytesMax / 1024 / 1024} MiB of text. The header \`X-Export-Warnings\` lists what the format leaves out, and what the other tool would replace or run; \`X-Export-Code-Count\` is the number of snippets whose code it would run. Errors are JSON.`,
    scope: "read",
    isLong: true,
    cost: onePlusItems("1 + 1 per variation and, in an archive, per earlier version"),
    query: {
      teamId: idParameter("Team"),
      format: choiceParameter("The format. Default: `commonplace`.", writableFormatIds),
    },
    data: z.unknown(),
    isFile: true,
    isAddition: true,
    example: { query: { teamId: example.team.id, format: "vscode" }, result: { data: "", items: 12 } },
  }),
};
