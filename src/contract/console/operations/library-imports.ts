// Imports and exports of people: those of the public API, the list of what was imported, and the way back.
import { z } from "zod";
import { count, id, timestamp } from "../../fields.ts";
import { operations } from "../../operations.ts";
import { describeImport, importStatuses } from "../../transfer.ts";
import { idQuery, workspaceQuery } from "../fields.ts";
import type { ConsoleOperation } from "../operation.ts";
import { author } from "./author.ts";
import { defaultsOf } from "./defaults.ts";

const { read, change } = defaultsOf("Library");
const changes = { ...change, access: "library.write", confirmation: "never", isAudited: false } as const;
const { postImport, getExport } = operations;

const pastImport = z
  .strictObject({
    id: id(),
    file_name: z.string(),
    format: z.string(),
    created_at: timestamp(),
    created_by: author,
    status: z.enum(importStatuses).meta({
      description:
        "An unfinished import is in progress, or was interrupted. It continues when the same file is imported again in the same way.",
    }),
  })
  .meta({ id: "PastImport" });

export const libraryImports = {
  postLibraryImport: {
    ...changes,
    method: "POST",
    path: "/library/import",
    summary: "Import a file into a team",
    description: describeImport("send the same request again, with `importId`"),
    isOwnTransaction: true,
    isLarge: true,
    query: { ...workspaceQuery, ...postImport.query },
    body: postImport.body,
    data: postImport.data,
    metadata: postImport.metadata,
  },
  getLibraryImports: {
    ...read,
    path: "/library/imports",
    summary: "List a team's imports of the last 30 days, newest first",
    access: "library.write",
    query: { ...workspaceQuery, teamId: idQuery("teamId", "The ID of the team.") },
    data: z.array(pastImport),
  },
  postLibraryImportUndo: {
    ...changes,
    method: "POST",
    path: "/library/import/undo",
    summary: "Undo an import",
    description:
      "Moves the imported snippets to the trash and restores the text that was replaced. Anything changed since the import is kept. Each request undoes part of the import. Repeat the request while `isMore` is true.",
    query: { ...workspaceQuery, importId: idQuery("importId", "The ID of the import.") },
    data: z.strictObject({
      deletedCount: count(),
      restoredCount: count(),
      keptCount: count(),
      isMore: z.boolean(),
    }),
  },
  getLibraryExport: {
    ...read,
    path: "/library/export",
    summary: "Export all snippets of a team as a file",
    description: getExport.description ?? "",
    access: "library.read",
    isOwnTransaction: true,
    mediaType: "application/octet-stream",
    query: { ...workspaceQuery, ...getExport.query },
    data: z.string(),
  },
} as const satisfies Record<string, ConsoleOperation>;
