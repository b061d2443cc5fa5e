// Generated from the service's operations table by scripts/generate.ts: change the table, not this file.
import type { Envelope, Operation, ReceivedFile, RequestOptions, UsageDeducted } from "./operation.ts";

/** The method and path of each operation, and which of its arguments are query parameters. */
export const operations = {
  getSnippet: { name: "getSnippet", method: "GET", path: "/snippet", query: ["id"], body: "none" },
  postSnippet: { name: "postSnippet", method: "POST", path: "/snippet", query: [], body: "required" },
  putSnippet: { name: "putSnippet", method: "PUT", path: "/snippet", query: ["id"], body: "required" },
  deleteSnippet: { name: "deleteSnippet", method: "DELETE", path: "/snippet", query: ["id"], body: "none" },
  getSnippets: { name: "getSnippets", method: "GET", path: "/snippets", query: ["ids"], body: "none" },
  postSnippets: { name: "postSnippets", method: "POST", path: "/snippets", query: [], body: "required" },
  deleteSnippets: { name: "deleteSnippets", method: "DELETE", path: "/snippets", query: ["ids"], body: "none" },
  getSnippetVariation: {
    name: "getSnippetVariation",
    method: "GET",
    path: "/snippet/variation",
    query: ["snippetId", "variationId"],
    body: "none",
  },
  putSnippetVariation: {
    name: "putSnippetVariation",
    method: "PUT",
    path: "/snippet/variation",
    query: ["variationId"],
    body: "required",
  },
  deleteSnippetVariation: {
    name: "deleteSnippetVariation",
    method: "DELETE",
    path: "/snippet/variation",
    query: ["variationId"],
    body: "optional",
  },
  getSnippetVariationHistory: {
    name: "getSnippetVariationHistory",
    method: "GET",
    path: "/snippet/variation/history",
    query: ["variationId", "limit", "fromDate", "toDate"],
    body: "none",
  },
  getFolder: {
    name: "getFolder",
    method: "GET",
    path: "/folder",
    query: ["folderId", "limit", "offset"],
    body: "none",
  },
  postFolder: { name: "postFolder", method: "POST", path: "/folder", query: [], body: "required" },
  putFolder: { name: "putFolder", method: "PUT", path: "/folder", query: ["folderId"], body: "required" },
  deleteFolder: { name: "deleteFolder", method: "DELETE", path: "/folder", query: ["folderId"], body: "none" },
  getFolders: {
    name: "getFolders",
    method: "GET",
    path: "/folders",
    query: ["folderIds", "limit", "offset"],
    body: "none",
  },
  postFolders: { name: "postFolders", method: "POST", path: "/folders", query: [], body: "required" },
  putFolders: { name: "putFolders", method: "PUT", path: "/folders", query: [], body: "required" },
  deleteFolders: { name: "deleteFolders", method: "DELETE", path: "/folders", query: ["folderIds"], body: "none" },
  getTag: { name: "getTag", method: "GET", path: "/tag", query: ["tagId", "limit", "offset"], body: "none" },
  postTag: { name: "postTag", method: "POST", path: "/tag", query: [], body: "required" },
  putTag: { name: "putTag", method: "PUT", path: "/tag", query: ["tagId"], body: "required" },
  deleteTag: { name: "deleteTag", method: "DELETE", path: "/tag", query: ["tagId"], body: "none" },
  getTags: { name: "getTags", method: "GET", path: "/tags", query: ["tagIds"], body: "none" },
  postTags: { name: "postTags", method: "POST", path: "/tags", query: [], body: "required" },
  putTags: { name: "putTags", method: "PUT", path: "/tags", query: [], body: "required" },
  deleteTags: { name: "deleteTags", method: "DELETE", path: "/tags", query: ["tagIds"], body: "none" },
  getMe: { name: "getMe", method: "GET", path: "/me", query: [], body: "none" },
  getTeams: { name: "getTeams", method: "GET", path: "/teams", query: [], body: "none" },
  getTree: { name: "getTree", method: "GET", path: "/tree", query: ["teamId"], body: "none" },
  getShortcut: { name: "getShortcut", method: "GET", path: "/shortcut", query: ["shortcut", "teamId"], body: "none" },
  getText: {
    name: "getText",
    method: "GET",
    path: "/text",
    query: ["id", "shortcut", "teamId", "variation"],
    body: "none",
    isText: true,
  },
  getSnippetVariations: {
    name: "getSnippetVariations",
    method: "GET",
    path: "/snippet/variations",
    query: ["snippetId"],
    body: "none",
  },
  postSnippetVariations: {
    name: "postSnippetVariations",
    method: "POST",
    path: "/snippet/variations",
    query: ["snippetId"],
    body: "required",
  },
  putSnippetVariationsOrder: {
    name: "putSnippetVariationsOrder",
    method: "PUT",
    path: "/snippet/variations/order",
    query: ["snippetId"],
    body: "required",
  },
  getSearch: {
    name: "getSearch",
    method: "GET",
    path: "/search",
    query: [
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
    body: "none",
  },
  getTrash: { name: "getTrash", method: "GET", path: "/trash", query: ["teamId", "limit", "cursor"], body: "none" },
  postSnippetsRestore: {
    name: "postSnippetsRestore",
    method: "POST",
    path: "/snippets/restore",
    query: [],
    body: "required",
  },
  postImport: {
    name: "postImport",
    method: "POST",
    path: "/import",
    query: [
      "teamId",
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
    body: "file",
  },
  getImports: {
    name: "getImports",
    method: "GET",
    path: "/imports",
    query: ["teamId", "limit", "cursor"],
    body: "none",
  },
  postImportUndo: { name: "postImportUndo", method: "POST", path: "/import/undo", query: ["importId"], body: "none" },
  getExport: {
    name: "getExport",
    method: "GET",
    path: "/export",
    query: ["teamId", "format"],
    body: "none",
    isFile: true,
  },
  getChanges: {
    name: "getChanges",
    method: "GET",
    path: "/changes",
    query: ["cursor", "teamId", "limit", "waitSeconds"],
    body: "none",
  },
} as const satisfies Record<string, Operation>;

/** Arguments of `getSnippet`. */
export interface GetSnippetArguments {
  /** Snippet ID. */
  id: string;
}
/** Response of `getSnippet`. */
export type GetSnippetResponse = Envelope<SnippetDetail>;

/** Arguments of `postSnippet`. */
export type PostSnippetArguments = SnippetInput;
/** Response of `postSnippet`. */
export interface PostSnippetResponse extends Envelope<{ snippetId: string }> {
  metadata: { totalVariations: number; tagsAttached: number };
}

/** Arguments of `putSnippet`. */
export interface PutSnippetArguments extends SnippetUpdate {
  /** Snippet ID. */
  id: string;
}
/** Response of `putSnippet`. */
export interface PutSnippetResponse extends Envelope<{ snippetId: string }> {
  metadata: {
    fieldsUpdated: Record<string, true>;
    /** The number of tags that the snippet has now. */
    tagsAttached: number;
  };
}

/** Arguments of `deleteSnippet`. */
export interface DeleteSnippetArguments {
  /** Snippet ID. */
  id: string;
}
/** Response of `deleteSnippet`. */
export interface DeleteSnippetResponse extends Envelope<{ message: string }> {
  metadata: Record<string, never>;
}

/** Arguments of `getSnippets`. */
export interface GetSnippetsArguments {
  /** 1 to 100 snippet IDs, as a comma-separated list or a JSON array. */
  ids: readonly string[];
}
/** Response of `getSnippets`. */
export interface GetSnippetsResponse extends Envelope<Snippet[], UsageDeducted> {
  metadata: {
    requestedCount: number;
    foundCount: number;
    accessibleCount: number;
    inaccessibleCount: number;
    missingCount: number;
  };
}

/** Arguments of `postSnippets`. */
export interface PostSnippetsArguments {
  /** 1 to 100 items. */
  snippets: readonly SnippetInput[];
}
/** Response of `postSnippets`. */
export interface PostSnippetsResponse
  extends Envelope<{ message: string; createdSnippets: { snippetId: string }[]; errors: ItemError[] }, UsageDeducted> {
  metadata: { requestedCount: number; createdCount: number; failedCount: number };
}

/** Arguments of `deleteSnippets`. */
export interface DeleteSnippetsArguments {
  /** 1 to 100 snippet IDs, as a comma-separated list or a JSON array. */
  ids: readonly string[];
}
/** Response of `deleteSnippets`. */
export interface DeleteSnippetsResponse extends Envelope<{ message: string }, UsageDeducted> {
  metadata: { requestedCount: number; deletedCount: number; inaccessibleCount: number; accessibleCount: number };
}

/** Arguments of `getSnippetVariation`. */
export interface GetSnippetVariationArguments {
  /** Snippet ID. */
  snippetId: string;
  /** Variation ID. */
  variationId: string;
}
/** Response of `getSnippetVariation`. */
export type GetSnippetVariationResponse = Envelope<Variation>;

/** Arguments of `putSnippetVariation`. */
export interface PutSnippetVariationArguments extends VariationUpdate {
  /** Variation ID. */
  variationId: string;
}
/** Response of `putSnippetVariation`. */
export interface PutSnippetVariationResponse extends Envelope<{ variationId: string }> {
  metadata: { fieldsUpdated: Record<string, true> };
}

/** Arguments of `deleteSnippetVariation`. */
export type DeleteSnippetVariationArguments =
  | { variationId: string; variationIds?: never }
  | (VariationIds & { variationId?: never });
/** Response of `deleteSnippetVariation`. */
export interface DeleteSnippetVariationResponse extends Envelope<{ message: string }, UsageDeducted> {
  metadata: { deletedVariationIds: string[]; deletedCount: number; affectedSnippets: number };
}

/** Arguments of `getSnippetVariationHistory`. */
export interface GetSnippetVariationHistoryArguments {
  /** Variation ID. */
  variationId: string;
  /** Maximum number of records to return. Default: 50. */
  limit?: number | undefined;
  /** Earliest `changed_at`, inclusive. */
  fromDate?: Date | string | undefined;
  /** Latest `changed_at`, inclusive. */
  toDate?: Date | string | undefined;
}
/** Response of `getSnippetVariationHistory`. */
export interface GetSnippetVariationHistoryResponse extends Envelope<HistoryRecord[], UsageDeducted> {
  metadata: { hasMore: boolean; totalRecords: number };
}

/** Arguments of `getFolder`. */
export interface GetFolderArguments {
  /** Folder ID. */
  folderId: string;
  /** Maximum number of snippets to return. Default: 50. */
  limit?: number | undefined;
  /** Number of snippets to skip. Default: 0. */
  offset?: number | undefined;
}
/** Response of `getFolder`. */
export interface GetFolderResponse extends Envelope<{ folder: Folder; snippets: Snippet[] }, UsageDeducted> {
  pagination: Pagination;
}

/** Arguments of `postFolder`. */
export type PostFolderArguments = FolderInput;
/** Response of `postFolder`. */
export interface PostFolderResponse extends Envelope<{ folder: Folder }> {
  metadata: {
    folderId: string;
    folderName: string;
    /** UTC, ISO 8601 with milliseconds and `Z`. */
    createdAt: string;
  };
}

/** Arguments of `putFolder`. */
export interface PutFolderArguments extends FolderUpdate {
  /** Folder ID. */
  folderId: string;
}
/** Response of `putFolder`. */
export interface PutFolderResponse extends Envelope<{ folder: Folder }> {
  metadata: { fieldsUpdated: Record<string, true> };
}

/** Arguments of `deleteFolder`. */
export interface DeleteFolderArguments {
  /** Folder ID. */
  folderId: string;
}
/** Response of `deleteFolder`. */
export interface DeleteFolderResponse extends Envelope<{ message: string }> {
  metadata: { deletedFolderId: string; snippetsOrphaned: number };
}

/** Arguments of `getFolders`. */
export interface GetFoldersArguments {
  /** 1 to 100 folder IDs, as a comma-separated list or a JSON array. */
  folderIds: readonly string[];
  /** Maximum number of snippets per folder. Default: 20. */
  limit?: number | undefined;
  /** Number of snippets to skip in each folder. Default: 0. */
  offset?: number | undefined;
}
/** Response of `getFolders`. */
export interface GetFoldersResponse extends Envelope<{ folders: FolderWithSnippets[] }, UsageDeducted> {
  metadata: {
    requestedCount: number;
    foundCount: number;
    accessibleCount: number;
    inaccessibleCount: number;
    missingCount: number;
  };
  pagination: Pagination;
}

/** Arguments of `postFolders`. */
export interface PostFoldersArguments {
  /** 1 to 100 items. */
  folders: readonly FolderInput[];
}
/** Response of `postFolders`. */
export interface PostFoldersResponse
  extends Envelope<{ createdFolders: Folder[]; errors: ItemError[] }, UsageDeducted> {
  metadata: { requestedCount: number; createdCount: number; failedCount: number };
}

/** Arguments of `putFolders`. */
export interface PutFoldersArguments {
  /** 1 to 100 items. */
  folders: readonly FolderUpdateItem[];
}
/** Response of `putFolders`. */
export interface PutFoldersResponse extends Envelope<{ updatedFolders: Folder[]; errors: ItemError[] }, UsageDeducted> {
  metadata: { requestedCount: number; updatedCount: number; failedCount: number };
}

/** Arguments of `deleteFolders`. */
export interface DeleteFoldersArguments {
  /** 1 to 100 folder IDs, as a comma-separated list or a JSON array. */
  folderIds: readonly string[];
}
/** Response of `deleteFolders`. */
export interface DeleteFoldersResponse extends Envelope<{ message: string }, UsageDeducted> {
  metadata: { requestedCount: number; deletedCount: number; inaccessibleCount: number; accessibleCount: number };
}

/** Arguments of `getTag`. */
export interface GetTagArguments {
  /** Tag ID. */
  tagId: string;
  /** Maximum number of snippets to return. Default: 50. */
  limit?: number | undefined;
  /** Number of snippets to skip. Default: 0. */
  offset?: number | undefined;
}
/** Response of `getTag`. */
export interface GetTagResponse extends Envelope<{ tag: Tag; snippets: Snippet[] }, UsageDeducted> {
  pagination: Pagination;
}

/** Arguments of `postTag`. */
export type PostTagArguments = TagInput;
/** Response of `postTag`. */
export type PostTagResponse = Envelope<{ tag: Tag }>;

/** Arguments of `putTag`. */
export interface PutTagArguments extends TagUpdate {
  /** Tag ID. */
  tagId: string;
}
/** Response of `putTag`. */
export interface PutTagResponse extends Envelope<{ tag: Tag }> {
  metadata: { fieldsUpdated: Record<string, true> };
}

/** Arguments of `deleteTag`. */
export interface DeleteTagArguments {
  /** Tag ID. */
  tagId: string;
}
/** Response of `deleteTag`. */
export interface DeleteTagResponse extends Envelope<{ message: string }> {
  metadata: Record<string, never>;
}

/** Arguments of `getTags`. */
export interface GetTagsArguments {
  /** 1 to 100 tag IDs, as a comma-separated list or a JSON array. */
  tagIds: readonly string[];
}
/** Response of `getTags`. */
export interface GetTagsResponse extends Envelope<{ tags: Tag[] }, UsageDeducted> {
  metadata: {
    requestedCount: number;
    foundCount: number;
    accessibleCount: number;
    inaccessibleCount: number;
    missingCount: number;
  };
}

/** Arguments of `postTags`. */
export interface PostTagsArguments {
  /** 1 to 100 items. */
  tags: readonly TagInput[];
}
/** Response of `postTags`. */
export interface PostTagsResponse extends Envelope<{ createdTags: Tag[]; errors: ItemError[] }, UsageDeducted> {
  metadata: { requestedCount: number; createdCount: number; failedCount: number };
}

/** Arguments of `putTags`. */
export interface PutTagsArguments {
  /** 1 to 100 items. */
  tags: readonly TagUpdateItem[];
}
/** Response of `putTags`. */
export interface PutTagsResponse extends Envelope<{ updatedTags: Tag[]; errors: ItemError[] }, UsageDeducted> {
  metadata: { requestedCount: number; updatedCount: number; failedCount: number };
}

/** Arguments of `deleteTags`. */
export interface DeleteTagsArguments {
  /** 1 to 100 tag IDs, as a comma-separated list or a JSON array. */
  tagIds: readonly string[];
}
/** Response of `deleteTags`. */
export interface DeleteTagsResponse extends Envelope<{ message: string }, UsageDeducted> {
  metadata: { requestedCount: number; deletedCount: number; inaccessibleCount: number; accessibleCount: number };
}

/** Arguments of `getMe`. */
export type GetMeArguments = Record<string, never>;
/** Response of `getMe`. */
export type GetMeResponse = Envelope<{
  key: {
    id: string;
    name: string;
    /** What the key can do: ["read"] for a read-only key, null for a key that can use every operation. */
    scopes: string[] | null;
    /** When the key expires. Null for a key that does not expire. */
    expires_at: string | null;
  };
  workspace: { id: string; name: string };
  /** The teams that the key can access, sorted by ID. */
  teams: { id: string; name: string }[];
  /** Requests that the key can send in any 60-second window. */
  requests_per_minute: number;
  /** The workspace's monthly allowance in units. */
  monthly_requests: number;
}>;

/** Arguments of `getTeams`. */
export type GetTeamsArguments = Record<string, never>;
/** Response of `getTeams`. */
export type GetTeamsResponse = Envelope<{ teams: Team[] }>;

/** Arguments of `getTree`. */
export interface GetTreeArguments {
  /** Only this team. By default, all teams that the key can access. */
  teamId?: string | undefined;
}
/** Response of `getTree`. */
export interface GetTreeResponse extends Envelope<{ folders: FolderInTree[]; tags: TagInTree[] }> {
  metadata: {
    /** True if the team has more folders or tags than are returned. */
    isTruncated: boolean;
  };
}

/** Arguments of `getShortcut`. */
export interface GetShortcutArguments {
  /** The whole shortcut. Case and spaces matter. */
  shortcut: string;
  /** The team of the snippet. Required if several teams have the shortcut. */
  teamId?: string | undefined;
}
/** Response of `getShortcut`. */
export type GetShortcutResponse = Envelope<SnippetDetail>;

/** Arguments of `getText`. */
export interface GetTextArguments {
  /** Snippet ID. */
  id?: string | undefined;
  /** The whole shortcut. Case and spaces matter. */
  shortcut?: string | undefined;
  /** The team of the snippet. Required if several teams have the shortcut. */
  teamId?: string | undefined;
  /** The ID or the name of a variation. By default, the first one. */
  variation?: string | undefined;
}
/** Response of `getText`. */
export type GetTextResponse = Envelope<string>;

/** Arguments of `getSnippetVariations`. */
export interface GetSnippetVariationsArguments {
  /** Snippet ID. */
  snippetId: string;
}
/** Response of `getSnippetVariations`. */
export type GetSnippetVariationsResponse = Envelope<{ variations: Variation[] }, UsageDeducted>;

/** Arguments of `postSnippetVariations`. */
export interface PostSnippetVariationsArguments {
  /** Snippet ID. */
  snippetId: string;
  /** 1 to 100 items. */
  variations: readonly {
    content: {
      /** A content type such as `plaintext` or `code`. */
      type: string;
      /** At most 1,000,000 characters. */
      content: string;
    };
    /** 1 to 100 characters. */
    variationName: string;
  }[];
}
/** Response of `postSnippetVariations`. */
export interface PostSnippetVariationsResponse
  extends Envelope<{ variations: Variation[]; errors: ItemError[] }, UsageDeducted> {
  metadata: { requestedCount: number; createdCount: number; failedCount: number };
}

/** Arguments of `putSnippetVariationsOrder`. */
export interface PutSnippetVariationsOrderArguments extends VariationOrder {
  /** Snippet ID. */
  snippetId: string;
}
/** Response of `putSnippetVariationsOrder`. */
export type PutSnippetVariationsOrderResponse = Envelope<{
  variations: { id: string; name: string; variant_order_index: number }[];
}>;

/** Arguments of `getSearch`. */
export interface GetSearchArguments {
  /** What to find. Separate terms with spaces: a snippet must contain each of them, at the beginning of a word, or of a part such as `Name` in `userName`. Words in quotes must be next to each other. `-` before a term excludes snippets that contain it. Without a query, all snippets are listed. */
  query?: string | undefined;
  /** Only snippets of this team. */
  teamId?: string | undefined;
  /** Only snippets in this folder. */
  folderId?: string | undefined;
  /** With `folderId`: include snippets in its subfolders. Default: false. */
  inside?: boolean | undefined;
  /** 1 to 100 tag IDs, as a comma-separated list or a JSON array. Only snippets with all of these tags. */
  tagIds?: readonly string[] | undefined;
  /** Only snippets whose first variation has exactly this content type. */
  contentType?: string | undefined;
  /** Only snippets created by the API key or person with this ID. */
  createdBy?: string | undefined;
  /** True: only archived snippets. False: only snippets that are not archived. Default: false. */
  isArchived?: boolean | undefined;
  /** Earliest `updated_at`, inclusive. */
  updatedSince?: Date | string | undefined;
  /** Earliest `created_at`, inclusive. */
  createdSince?: Date | string | undefined;
  /** The order. Default: `relevance` with a query, otherwise `updated`. `updated` and `created` are newest first. */
  sort?: "relevance" | "updated" | "created" | "title" | undefined;
  /** The fields to search, as a comma-separated list or a JSON array. */
  in?: readonly ("title" | "shortcut" | "tags" | "note" | "content")[] | undefined;
  /** Maximum number of snippets to return. You can change it between pages. Default: 50. */
  limit?: number | undefined;
  /** `pagination.nextCursor` of the previous page. Omit it for the first page. */
  cursor?: string | undefined;
}
/** Response of `getSearch`. */
export interface GetSearchResponse extends Envelope<{ snippets: FoundSnippet[] }, UsageDeducted> {
  metadata: { totalCount?: number; totalIsAtLeast?: 1000 };
  pagination: CursorPagination;
}

/** Arguments of `getTrash`. */
export interface GetTrashArguments {
  /** Only deleted snippets of this team. */
  teamId?: string | undefined;
  /** Maximum number of snippets to return. You can change it between pages. Default: 50. */
  limit?: number | undefined;
  /** `pagination.nextCursor` of the previous page. Omit it for the first page. */
  cursor?: string | undefined;
}
/** Response of `getTrash`. */
export interface GetTrashResponse extends Envelope<{ snippets: TrashedSnippet[] }, UsageDeducted> {
  pagination: CursorPagination;
}

/** Arguments of `postSnippetsRestore`. */
export type PostSnippetsRestoreArguments = RestoreInput;
/** Response of `postSnippetsRestore`. */
export interface PostSnippetsRestoreResponse
  extends Envelope<{ restoredSnippets: { snippetId: string }[]; errors: ItemError[] }, UsageDeducted> {
  metadata: { requestedCount: number; restoredCount: number; failedCount: number };
}

/** Arguments of `postImport`. */
export interface PostImportArguments {
  /** Team ID. */
  teamId: string;
  /** Import everything into this folder. */
  folderId?: string | undefined;
  /** The format of the file. By default, it is recognized from the content. */
  format?:
    | "commonplace"
    | "alfred"
    | "raycast"
    | "textblaze"
    | "bytestash"
    | "snipo"
    | "gists"
    | "masscode"
    | "vscode"
    | "espanso"
    | "jetbrains"
    | "ultisnips"
    | "snipmate"
    | "markdown"
    | "csv"
    | "textexpander"
    | "text"
    | undefined;
  /** The name of the file. Some formats use it as a title or a language. */
  fileName?: string | undefined;
  /** For a table (CSV): the column of each field, by its heading or its number, from 1. `content` is required. */
  columns?:
    | {
        readonly title?: string;
        readonly shortcut?: string;
        readonly content?: string;
        readonly note?: string;
        readonly folder?: string;
        readonly tags?: string;
        readonly type?: string;
      }
    | undefined;
  /** What happens to a snippet if the team already has one with the same text, or with the same shortcut and content type: `skip` it (default), `replace` the text of the existing one with a new version, or `create` another one. */
  onDuplicate?: "skip" | "replace" | "create" | undefined;
  /** True: import nothing if anything in the file cannot be imported, or if the whole file needs more units or storage than are left or would exceed a limit of the workspace. Default: false. */
  allOrNothing?: boolean | undefined;
  /** The import that this request continues: the `importId` of an earlier response. If that import was undone in the meantime, nothing is imported (409). */
  importId?: string | undefined;
  /** True: import nothing, and return what would be imported. Default: false. */
  dryRun?: boolean | undefined;
  /** Maximum number of snippets, folders, and tags to import with this request. Default: 500. */
  maxItems?: number | undefined;
  /** The file itself. */
  file: Uint8Array | string;
}
/** Response of `postImport`. */
export interface PostImportResponse
  extends Envelope<
    {
      /** Null for a dry run. */
      importId: string | null;
      /** Known values: `commonplace`, `alfred`, `raycast`, `textblaze`, `bytestash`, `snipo`, `gists`, `masscode`, `vscode`, `espanso`, `jetbrains`, `ultisnips`, `snipmate`, `markdown`, `csv`, `textexpander`, and `text`. */
      format:
        | "commonplace"
        | "alfred"
        | "raycast"
        | "textblaze"
        | "bytestash"
        | "snipo"
        | "gists"
        | "masscode"
        | "vscode"
        | "espanso"
        | "jetbrains"
        | "ultisnips"
        | "snipmate"
        | "markdown"
        | "csv"
        | "textexpander"
        | "text"
        | (string & {});
      /** False if you have to send the request again to import the rest. */
      isFinished: boolean;
      createdSnippets: { snippetId: string }[];
      /** Only for a dry run: what would happen to each of the first 100 snippets. */
      snippets: ImportPreview[];
      /** Only for a dry run: the folders of the file. At most 1,000, the outermost first. */
      folders: ImportPreviewGroup[];
      /** Only for a dry run: the tags of the file. At most 1,000, the outermost first. */
      tags: ImportPreviewGroup[];
      /** Only for a dry run of a table without `columns`: the first rows, so that you can choose the columns. */
      table: ImportPreviewTable | null;
      /** What cannot be imported, and why. At most 1,000. */
      problems: ImportIssue[];
      /** What the import changes, leaves out, or keeps as plain text. At most 1,000. */
      warnings: ImportIssue[];
    },
    UsageDeducted
  > {
  metadata: {
    /** Snippets created. */
    createdCount: number;
    /** Snippets that got a new version. */
    replacedCount: number;
    /** Snippets skipped because the team already has them. */
    skippedCount: number;
    /** Folders created. */
    folderCount: number;
    /** Tags created. */
    tagCount: number;
    /** Snippets, folders, and tags left for the next request. */
    remainingCount: number;
    /** All problems, including those that are not listed. */
    problemCount: number;
    /** All warnings, including those that are not listed. */
    warningCount: number;
  };
}

/** Arguments of `getImports`. */
export interface GetImportsArguments {
  /** Only imports into this team. */
  teamId?: string | undefined;
  /** Maximum number of imports to return. You can change it between pages. Default: 50. */
  limit?: number | undefined;
  /** `pagination.nextCursor` of the previous page. Omit it for the first page. */
  cursor?: string | undefined;
}
/** Response of `getImports`. */
export interface GetImportsResponse extends Envelope<{ imports: Import[] }, UsageDeducted> {
  pagination: CursorPagination;
}

/** Arguments of `postImportUndo`. */
export interface PostImportUndoArguments {
  /** Import ID. */
  importId: string;
}
/** Response of `postImportUndo`. */
export interface PostImportUndoResponse
  extends Envelope<
    {
      importId: string;
      /** False if you have to send the request again to undo the rest. */
      isFinished: boolean;
    },
    UsageDeducted
  > {
  metadata: {
    /** Snippets moved to the trash. */
    deletedCount: number;
    /** Snippets that got their former text back. */
    restoredCount: number;
    /** Snippets left as they are because they were changed or deleted after the import. */
    keptCount: number;
    /** Folders deleted. */
    folderCount: number;
    /** Tags deleted. */
    tagCount: number;
    /** Snippets, folders, and tags left for the next request. */
    remainingCount: number;
  };
}

/** Arguments of `getExport`. */
export interface GetExportArguments {
  /** Team ID. */
  teamId: string;
  /** The format. Default: `commonplace`. */
  format?:
    | "commonplace"
    | "alfred"
    | "raycast"
    | "textblaze"
    | "vscode"
    | "espanso"
    | "jetbrains"
    | "ultisnips"
    | "snipmate"
    | "markdown"
    | "csv"
    | "textexpander"
    | "text"
    | undefined;
}
/** Response of `getExport`. */
export type GetExportResponse = Envelope<ReceivedFile, UsageDeducted>;

/** Arguments of `getChanges`. */
export interface GetChangesArguments {
  /** The `cursor` of the previous response. Omit it to get the current cursor and no changes. */
  cursor?: string | undefined;
  /** Only changes in this team. */
  teamId?: string | undefined;
  /** Maximum number of changes to return. Default: 50. */
  limit?: number | undefined;
  /** Seconds to wait if there are no changes yet. The request is charged once, when the service responds. Default: 0. */
  waitSeconds?: number | undefined;
}
/** Response of `getChanges`. */
export type GetChangesResponse = Envelope<
  {
    changes: Change[];
    /** The `cursor` of the next request. */
    cursor: string;
    /** True if there are more changes. Send the next request right away. */
    hasMore: boolean;
  },
  UsageDeducted
>;

export interface Change {
  /** What was changed. Ignore changes of a kind that you do not know. Known values: `snippet`, `variation`, `folder`, and `tag`. */
  kind: "snippet" | "variation" | "folder" | "tag" | (string & {});
  /** Known values: `created`, `changed`, `moved`, `deleted`, and `restored`. */
  action: "created" | "changed" | "moved" | "deleted" | "restored" | (string & {});
  id: string;
  /** The snippet of a variation. Null if `kind` is `snippet`, `folder`, or `tag`. */
  snippet_id: string | null;
  team_id: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  at: string;
}

/** Text and its content type. */
export interface Content {
  type: string;
  content: string;
}

export interface CursorPagination {
  limit: number;
  /** The `cursor` of the next page. Null on the last page. */
  nextCursor: string | null;
}

export interface ErrorBody {
  success: false;
  message: string;
  /** A code for programs. It never changes. */
  error: string;
  requestId: string;
  /** Present only if the balance is too low for the request. */
  usage?: { remainingRequests: number; requiredRequests: number };
  /** Present only if the request would exceed the workspace's storage limit. */
  storage?: { requiredBytes: number; remainingBytes: number };
  /** What cannot be imported, and why. Present only if an import with `allOrNothing` is refused because of it. */
  problems?: ImportIssue[];
  /** The teams to choose from. Present only if several teams have the shortcut. */
  teamIds?: string[];
}

export interface Folder {
  id: string;
  folder_name: string;
  folder_color: string;
  parent_folder_id: string | null;
  team_id: string;
  workspace_id: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  updated_at: string;
}

export interface FolderInTree {
  id: string;
  folder_name: string;
  folder_color: string;
  parent_folder_id: string | null;
  team_id: string;
  workspace_id: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  updated_at: string;
  /** Number of snippets directly in it, including archived ones. */
  snippet_count: number;
}

export interface FolderInput {
  /** Names do not have to be unique. 1 to 1,000 characters. */
  folderName: string;
  /** A color, such as `#336699`. 1 to 100 characters. */
  folderColor: string;
  /** The parent folder. Null for a top-level folder. */
  parentFolderId?: string | null | undefined;
  /** The team that the folder belongs to. */
  teamId: string;
}

export interface FolderUpdate {
  /** Names do not have to be unique. 1 to 1,000 characters. */
  folderName?: string | undefined;
  /** A color, such as `#336699`. 1 to 100 characters. */
  folderColor?: string | undefined;
  /** The parent folder. Null for a top-level folder. */
  parentFolderId?: string | null | undefined;
}

export interface FolderUpdateItem {
  id: string;
  /** Names do not have to be unique. 1 to 1,000 characters. */
  folderName?: string | undefined;
  /** A color, such as `#336699`. 1 to 100 characters. */
  folderColor?: string | undefined;
  /** The parent folder. Null for a top-level folder. */
  parentFolderId?: string | null | undefined;
}

export interface FolderWithSnippets {
  id: string;
  folder_name: string;
  folder_color: string;
  parent_folder_id: string | null;
  team_id: string;
  workspace_id: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  updated_at: string;
  snippets: Snippet[];
  total_snippets: number;
}

export interface FoundSnippet {
  id: string;
  title: string;
  content: Content;
  snippet_note: string | null;
  shortcut: string | null;
  folder_id: string | null;
  team_id: string;
  workspace_id: string;
  is_archived: boolean;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  updated_at: string;
  tag_ids: string[];
  /** Up to 3 places where terms of the query occur. Empty without a query. */
  matches: SearchMatch[];
}

export interface HistoryRecord {
  id: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  changed_at: string;
  content: Content;
}

export interface Import {
  id: string;
  team_id: string;
  file_name: string;
  format: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  created_at: string;
  /** The ID of the API key or person that imported the file. All zeros if an operator did. */
  created_by: string;
  /** An unfinished import is in progress, or was interrupted. It continues when the same file is imported again in the same way. Known values: `finished`, `unfinished`, and `undone`. */
  status: "finished" | "unfinished" | "undone" | (string & {});
}

export interface ImportIssue {
  /** The file, or the path of the file in the zip. */
  file: string | null;
  /** The line in the file, from 1. */
  line: number | null;
  message: string;
}

export interface ImportPreview {
  title: string;
  shortcut: string | null;
  content_type: string;
  /** The path of its folder, with ` / ` between names. Null if it is in no folder. */
  folder: string | null;
  action: "create" | "replace" | "skip";
  /** The snippet that the team already has. Null if there is none. */
  duplicate: {
    snippet_id: string;
    title: string;
    /** What the two have in common. */
    match: "text" | "shortcut" | "both";
  } | null;
}

export interface ImportPreviewGroup {
  name: string;
  /** The position in this list, from 0, of the folder or tag that it is in. Null if it is not in another one. */
  parent: number | null;
  /** False if the team already has it. */
  is_new: boolean;
  /** Snippets created with this tag or in this folder, including folders inside it. */
  snippet_count: number;
}

export interface ImportPreviewTable {
  /** The first 5 rows, with up to 50 columns and 100 characters in each cell. */
  rows: string[][];
  /** The field that each column is imported as. Null if it is left out. */
  fields: ("title" | "shortcut" | "content" | "note" | "folder" | "tags" | "type" | null)[];
  has_headings: boolean;
}

export interface ItemError {
  /** The item's position in the request, from 0. */
  index: number;
  /** The item's ID as you sent it, if it had one. */
  id?: string;
  message: string;
  /** A code for programs. It never changes. */
  error: string;
}

export interface Pagination {
  limit: number;
  offset: number;
  totalSnippets: number;
  hasMore: boolean;
  currentPage: number;
  totalPages: number;
}

export interface RestoreInput {
  /** 1 to 100 items. */
  snippetIds: readonly string[];
}

export interface SearchMatch {
  /** Known values: `title`, `shortcut`, `tags`, `note`, and `content`. */
  field: "title" | "shortcut" | "tags" | "note" | "content" | (string & {});
  /** Up to 60 characters before the match. */
  before: string;
  match: string;
  after: string;
}

export interface Snippet {
  id: string;
  title: string;
  content: Content;
  snippet_note: string | null;
  shortcut: string | null;
  folder_id: string | null;
  team_id: string;
  workspace_id: string;
  is_archived: boolean;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  updated_at: string;
}

export interface SnippetDetail {
  id: string;
  title: string;
  content: Content;
  snippet_note: string | null;
  shortcut: string | null;
  folder_id: string | null;
  team_id: string;
  workspace_id: string;
  is_archived: boolean;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  updated_at: string;
  /** The ID of the API key or person that created the snippet. All zeros if an operator imported it. */
  created_by: string;
  tag_ids: string[];
  variations: { id: string; name: string; variant_order_index: number }[];
}

export interface SnippetInput {
  /** 1 to 200 characters. */
  title: string;
  content: {
    /** A content type such as `plaintext` or `code`. */
    type: string;
    /** At most 1,000,000 characters. */
    content: string;
  };
  /** The team that the snippet belongs to. */
  teamId: string;
  /** Returned as `snippet_note`. At most 5,000 characters. */
  note?: string | null | undefined;
  /** A short string that stands for the snippet, such as `/refund`. Shortcuts do not have to be unique. At most 100 characters. */
  shortcut?: string | null | undefined;
  /** A folder of the same team. */
  folderId?: string | null | undefined;
  /** Tags of the same team. At most 100 items. */
  tagIds?: readonly string[] | null | undefined;
  /** At most 100 items. */
  additionalVariations?:
    | readonly {
        content: {
          /** A content type such as `plaintext` or `code`. */
          type: string;
          /** At most 1,000,000 characters. */
          content: string;
        };
        /** 1 to 100 characters. */
        variationName: string;
      }[]
    | null
    | undefined;
}

export interface SnippetUpdate {
  /** 1 to 200 characters. */
  title?: string | undefined;
  /** Replaces the content of the first variation. */
  content?:
    | {
        /** A content type such as `plaintext` or `code`. */
        type: string;
        /** At most 1,000,000 characters. */
        content: string;
      }
    | undefined;
  /** Returned as `snippet_note`. At most 5,000 characters. */
  note?: string | null | undefined;
  /** A short string that stands for the snippet, such as `/refund`. Shortcuts do not have to be unique. At most 100 characters. */
  shortcut?: string | null | undefined;
  /** A folder of the same team. */
  folderId?: string | null | undefined;
  /** Replaces all tags of the snippet. At most 100 items. */
  tagIds?: readonly string[] | undefined;
  /** True archives the snippet, false unarchives it. */
  isArchived?: boolean | undefined;
}

export interface Tag {
  id: string;
  tag_name: string;
  tag_color: string;
  parent_tag_id: string | null;
  team_id: string;
  workspace_id: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  updated_at: string;
}

export interface TagInTree {
  id: string;
  tag_name: string;
  tag_color: string;
  parent_tag_id: string | null;
  team_id: string;
  workspace_id: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  updated_at: string;
  /** Number of snippets directly in it, including archived ones. */
  snippet_count: number;
}

export interface TagInput {
  /** Names do not have to be unique. 1 to 1,000 characters. */
  tagName: string;
  /** A color, such as `#336699`. 1 to 100 characters. */
  tagColor: string;
  /** The parent tag. Null for a top-level tag. */
  parentTagId?: string | null | undefined;
  /** The team that the tag belongs to. */
  teamId: string;
}

export interface TagUpdate {
  /** Names do not have to be unique. 1 to 1,000 characters. */
  tagName?: string | undefined;
  /** A color, such as `#336699`. 1 to 100 characters. */
  tagColor?: string | undefined;
  /** The parent tag. Null for a top-level tag. */
  parentTagId?: string | null | undefined;
}

export interface TagUpdateItem {
  id: string;
  /** Names do not have to be unique. 1 to 1,000 characters. */
  tagName?: string | undefined;
  /** A color, such as `#336699`. 1 to 100 characters. */
  tagColor?: string | undefined;
  /** The parent tag. Null for a top-level tag. */
  parentTagId?: string | null | undefined;
}

/** A team and what it contains. The number of snippets includes archived ones. */
export interface Team {
  id: string;
  name: string;
  snippet_count: number;
  folder_count: number;
  tag_count: number;
}

export interface TrashedSnippet {
  id: string;
  title: string;
  content: Content;
  snippet_note: string | null;
  shortcut: string | null;
  folder_id: string | null;
  team_id: string;
  workspace_id: string;
  is_archived: boolean;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  updated_at: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  deleted_at: string;
  /** The ID of the API key or person that deleted the snippet. */
  deleted_by: string;
}

export interface Variation {
  id: string;
  name: string;
  content: Content;
  snippet_id: string;
  variant_order_index: number;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  created_at: string;
  /** UTC, ISO 8601 with milliseconds and `Z`. */
  updated_at: string;
}

export interface VariationIds {
  /** 1 to 100 items. */
  variationIds: readonly string[];
}

export interface VariationOrder {
  /** All variations of the snippet, in their new order. 1 to 101 items. */
  variationIds: readonly string[];
}

export interface VariationUpdate {
  /** 1 to 100 characters. */
  name?: string | undefined;
  /** An alias for `name`. 1 to 100 characters. */
  variationName?: string | undefined;
  content?:
    | {
        /** A content type such as `plaintext` or `code`. */
        type: string;
        /** At most 1,000,000 characters. */
        content: string;
      }
    | undefined;
}

/** One method per operation. The client makes the calls. */
export abstract class Operations {
  /** @internal */
  protected abstract call<Answer>(operation: Operation, args: object, options?: RequestOptions): Promise<Answer>;

  /** @internal */
  protected abstract pages<Answer extends { readonly pagination: CursorPagination }>(
    operation: Operation,
    args: object,
    options?: RequestOptions,
  ): AsyncGenerator<Answer, void>;

  /** Get a snippet. Cost: 1. */
  getSnippet(args: GetSnippetArguments, options?: RequestOptions): Promise<GetSnippetResponse> {
    return this.call(operations.getSnippet, args, options);
  }

  /** Create a snippet. Cost: 1. */
  postSnippet(args: PostSnippetArguments, options?: RequestOptions): Promise<PostSnippetResponse> {
    return this.call(operations.postSnippet, args, options);
  }

  /**
   * Update a snippet. Cost: 1.
   * Omitted fields stay unchanged. Null clears `note`, `shortcut`, and `folderId`.
   */
  putSnippet(args: PutSnippetArguments, options?: RequestOptions): Promise<PutSnippetResponse> {
    return this.call(operations.putSnippet, args, options);
  }

  /** Delete a snippet. Cost: 1. */
  deleteSnippet(args: DeleteSnippetArguments, options?: RequestOptions): Promise<DeleteSnippetResponse> {
    return this.call(operations.deleteSnippet, args, options);
  }

  /**
   * Get multiple snippets. Cost: 1 per accessible snippet.
   * Returns the snippets in the order requested. IDs that do not exist or that the key cannot access are only counted, in `metadata`.
   */
  getSnippets(args: GetSnippetsArguments, options?: RequestOptions): Promise<GetSnippetsResponse> {
    return this.call(operations.getSnippets, args, options);
  }

  /** Create multiple snippets. Cost: 1 per snippet. */
  postSnippets(args: PostSnippetsArguments, options?: RequestOptions): Promise<PostSnippetsResponse> {
    return this.call(operations.postSnippets, args, options);
  }

  /** Delete multiple snippets. Cost: 1 per accessible snippet deleted. */
  deleteSnippets(args: DeleteSnippetsArguments, options?: RequestOptions): Promise<DeleteSnippetsResponse> {
    return this.call(operations.deleteSnippets, args, options);
  }

  /** Get a variation. Cost: 1. */
  getSnippetVariation(
    args: GetSnippetVariationArguments,
    options?: RequestOptions,
  ): Promise<GetSnippetVariationResponse> {
    return this.call(operations.getSnippetVariation, args, options);
  }

  /**
   * Update a variation. Cost: 1.
   * Changing the content adds a version to the history. Changing the name does not.
   */
  putSnippetVariation(
    args: PutSnippetVariationArguments,
    options?: RequestOptions,
  ): Promise<PutSnippetVariationResponse> {
    return this.call(operations.putSnippetVariation, args, options);
  }

  /**
   * Delete one or more variations. Cost: 1 per variation deleted.
   * Send either `variationId` as a query parameter or `variationIds` in the body. If a snippet would lose its last variation, the request fails and nothing is deleted.
   */
  deleteSnippetVariation(
    args: DeleteSnippetVariationArguments,
    options?: RequestOptions,
  ): Promise<DeleteSnippetVariationResponse> {
    return this.call(operations.deleteSnippetVariation, args, options);
  }

  /**
   * List the history of a variation. Cost: 1 per history record returned.
   * Newest first. The current content is the first record.
   */
  getSnippetVariationHistory(
    args: GetSnippetVariationHistoryArguments,
    options?: RequestOptions,
  ): Promise<GetSnippetVariationHistoryResponse> {
    return this.call(operations.getSnippetVariationHistory, args, options);
  }

  /** Get a folder and its snippets. Cost: 1 + 1 per snippet returned. */
  getFolder(args: GetFolderArguments, options?: RequestOptions): Promise<GetFolderResponse> {
    return this.call(operations.getFolder, args, options);
  }

  /** Create a folder. Cost: 1. */
  postFolder(args: PostFolderArguments, options?: RequestOptions): Promise<PostFolderResponse> {
    return this.call(operations.postFolder, args, options);
  }

  /** Update a folder. Cost: 1. */
  putFolder(args: PutFolderArguments, options?: RequestOptions): Promise<PutFolderResponse> {
    return this.call(operations.putFolder, args, options);
  }

  /** Delete a folder and keep its snippets. Cost: 1. */
  deleteFolder(args: DeleteFolderArguments, options?: RequestOptions): Promise<DeleteFolderResponse> {
    return this.call(operations.deleteFolder, args, options);
  }

  /** Get multiple folders and their snippets. Cost: 1 per folder and 1 per snippet returned. */
  getFolders(args: GetFoldersArguments, options?: RequestOptions): Promise<GetFoldersResponse> {
    return this.call(operations.getFolders, args, options);
  }

  /** Create multiple folders. Cost: 1 per folder. */
  postFolders(args: PostFoldersArguments, options?: RequestOptions): Promise<PostFoldersResponse> {
    return this.call(operations.postFolders, args, options);
  }

  /** Update multiple folders. Cost: 1 per folder. */
  putFolders(args: PutFoldersArguments, options?: RequestOptions): Promise<PutFoldersResponse> {
    return this.call(operations.putFolders, args, options);
  }

  /** Delete multiple folders and keep their snippets. Cost: 1 per folder. */
  deleteFolders(args: DeleteFoldersArguments, options?: RequestOptions): Promise<DeleteFoldersResponse> {
    return this.call(operations.deleteFolders, args, options);
  }

  /** Get a tag and its snippets. Cost: 1 + 1 per snippet returned. */
  getTag(args: GetTagArguments, options?: RequestOptions): Promise<GetTagResponse> {
    return this.call(operations.getTag, args, options);
  }

  /** Create a tag. Cost: 1. */
  postTag(args: PostTagArguments, options?: RequestOptions): Promise<PostTagResponse> {
    return this.call(operations.postTag, args, options);
  }

  /** Update a tag. Cost: 1. */
  putTag(args: PutTagArguments, options?: RequestOptions): Promise<PutTagResponse> {
    return this.call(operations.putTag, args, options);
  }

  /** Delete a tag and remove it from its snippets. Cost: 1. */
  deleteTag(args: DeleteTagArguments, options?: RequestOptions): Promise<DeleteTagResponse> {
    return this.call(operations.deleteTag, args, options);
  }

  /** Get multiple tags. Cost: 1 per accessible tag. */
  getTags(args: GetTagsArguments, options?: RequestOptions): Promise<GetTagsResponse> {
    return this.call(operations.getTags, args, options);
  }

  /** Create multiple tags. Cost: 1 per tag. */
  postTags(args: PostTagsArguments, options?: RequestOptions): Promise<PostTagsResponse> {
    return this.call(operations.postTags, args, options);
  }

  /** Update multiple tags. Cost: 1 per tag. */
  putTags(args: PutTagsArguments, options?: RequestOptions): Promise<PutTagsResponse> {
    return this.call(operations.putTags, args, options);
  }

  /** Delete multiple tags and remove them from their snippets. Cost: 1 per tag. */
  deleteTags(args: DeleteTagsArguments, options?: RequestOptions): Promise<DeleteTagsResponse> {
    return this.call(operations.deleteTags, args, options);
  }

  /** Get the key, its workspace, and its teams. Cost: 1. */
  getMe(args: GetMeArguments = {}, options?: RequestOptions): Promise<GetMeResponse> {
    return this.call(operations.getMe, args, options);
  }

  /** List the teams that the key can access. Cost: 1. */
  getTeams(args: GetTeamsArguments = {}, options?: RequestOptions): Promise<GetTeamsResponse> {
    return this.call(operations.getTeams, args, options);
  }

  /**
   * List all folders and tags of a team, or of all teams. Cost: 1.
   * Folders and tags are flat lists, sorted by ID; the parent IDs define the tree. If the key has access to several teams and they have more than 10,000 folders or tags, `teamId` is required. Within one team, only the first 10,000 of each are returned.
   */
  getTree(args: GetTreeArguments = {}, options?: RequestOptions): Promise<GetTreeResponse> {
    return this.call(operations.getTree, args, options);
  }

  /**
   * Get a snippet by its shortcut. Cost: 1.
   * Archived snippets are not found. If several snippets of a team have the shortcut, the most recently updated one is returned. If several teams have it, the request is refused with 409 unless you add a `teamId`.
   */
  getShortcut(args: GetShortcutArguments, options?: RequestOptions): Promise<GetShortcutResponse> {
    return this.call(operations.getShortcut, args, options);
  }

  /**
   * Get the plain text of a snippet. Cost: 1.
   * The response is the text alone, as `text/plain`. Send either `id` or `shortcut`. `ETag` identifies the version of the text. Send it back in `If-None-Match`: if the text has not changed, the response is 304 without a body and costs nothing. Errors are JSON.
   */
  getText(args: GetTextArguments = {}, options?: RequestOptions): Promise<GetTextResponse> {
    return this.call(operations.getText, args, options);
  }

  /** Get all variations of a snippet. Cost: 1 per variation. */
  getSnippetVariations(
    args: GetSnippetVariationsArguments,
    options?: RequestOptions,
  ): Promise<GetSnippetVariationsResponse> {
    return this.call(operations.getSnippetVariations, args, options);
  }

  /**
   * Add variations to a snippet. Cost: 1 per variation added.
   * New variations are placed after the last one. A snippet can have at most 101 variations.
   */
  postSnippetVariations(
    args: PostSnippetVariationsArguments,
    options?: RequestOptions,
  ): Promise<PostSnippetVariationsResponse> {
    return this.call(operations.postSnippetVariations, args, options);
  }

  /**
   * Change the order of a snippet's variations. Cost: 1.
   * The first variation supplies the content of the snippet.
   */
  putSnippetVariationsOrder(
    args: PutSnippetVariationsOrderArguments,
    options?: RequestOptions,
  ): Promise<PutSnippetVariationsOrderResponse> {
    return this.call(operations.putSnippetVariationsOrder, args, options);
  }

  /**
   * Find snippets, or list all of them. Cost: 1 + 1 per snippet returned.
   * Case and accents are ignored. `metadata` has `totalCount`, or `totalIsAtLeast` for more than 1,000 snippets.
   */
  getSearch(args: GetSearchArguments = {}, options?: RequestOptions): Promise<GetSearchResponse> {
    return this.call(operations.getSearch, args, options);
  }

  /** Every page of `getSearch`, from `cursor` on if there is one; each page is one request. */
  getSearchPages(args: GetSearchArguments = {}, options?: RequestOptions): AsyncGenerator<GetSearchResponse, void> {
    return this.pages(operations.getSearch, args, options);
  }

  /**
   * List deleted snippets. Cost: 1 + 1 per snippet returned.
   * Most recently deleted first.
   */
  getTrash(args: GetTrashArguments = {}, options?: RequestOptions): Promise<GetTrashResponse> {
    return this.call(operations.getTrash, args, options);
  }

  /** Every page of `getTrash`, from `cursor` on if there is one; each page is one request. */
  getTrashPages(args: GetTrashArguments = {}, options?: RequestOptions): AsyncGenerator<GetTrashResponse, void> {
    return this.pages(operations.getTrash, args, options);
  }

  /**
   * Restore deleted snippets. Cost: 1 per snippet restored.
   * A restored snippet keeps its ID, variations, history, and timestamps. It returns to its folder and keeps its tags, if they still exist. Duplicate IDs are ignored: the `index` in an error is the position among the unique IDs.
   */
  postSnippetsRestore(
    args: PostSnippetsRestoreArguments,
    options?: RequestOptions,
  ): Promise<PostSnippetsRestoreResponse> {
    return this.call(operations.postSnippetsRestore, args, options);
  }

  /**
   * Import a file into a team. Cost: 1 + 1 per snippet, folder, and tag imported.
   * The body is the file itself: a file from another tool, a Commonplace archive, or a zip of several files. Its format is recognized from its content. One request imports up to 500 snippets, folders, and tags. While `isFinished` is false, send the same request again, with `importId` and a new `Idempotency-Key`: it continues where the last one stopped. What cannot be imported is listed in `problems`, and the rest is imported. A dry run changes nothing, and its counts cover the whole file.
   */
  postImport(args: PostImportArguments, options?: RequestOptions): Promise<PostImportResponse> {
    return this.call(operations.postImport, args, options);
  }

  /**
   * List the imports of the last 30 days. Cost: 1 + 1 per import returned.
   * Newest first. An import can be undone unless its `status` is `undone`.
   */
  getImports(args: GetImportsArguments = {}, options?: RequestOptions): Promise<GetImportsResponse> {
    return this.call(operations.getImports, args, options);
  }

  /** Every page of `getImports`, from `cursor` on if there is one; each page is one request. */
  getImportsPages(args: GetImportsArguments = {}, options?: RequestOptions): AsyncGenerator<GetImportsResponse, void> {
    return this.pages(operations.getImports, args, options);
  }

  /**
   * Undo an import. Cost: 1 + 1 per snippet, folder, and tag deleted or restored.
   * Moves the snippets that the import created to the trash, restores the text that it replaced, and deletes the folders and tags that it created, unless something else is in them. Anything changed since the import is kept. One request undoes up to 100 of these. While `isFinished` is false, send the request again, with a new `Idempotency-Key`. An import can be undone for 30 days, even if it is not finished.
   */
  postImportUndo(args: PostImportUndoArguments, options?: RequestOptions): Promise<PostImportUndoResponse> {
    return this.call(operations.postImportUndo, args, options);
  }

  /**
   * Export all snippets of a team as a file. Cost: 1 + 1 per variation and, in an archive, per earlier version.
   * The response is the file. Only the format `commonplace`, an archive with all versions, is lossless. The response is sent while the file is written: if the connection ends early, the file is incomplete. Formats other than the archive are refused with 400 for a team with more than 32 MiB of text. The header `X-Export-Warnings` lists what the format leaves out, and what the other tool would replace or run; `X-Export-Code-Count` is the number of snippets whose code it would run. Errors are JSON.
   */
  getExport(args: GetExportArguments, options?: RequestOptions): Promise<GetExportResponse> {
    return this.call(operations.getExport, args, options);
  }

  /**
   * List changes since a cursor. Cost: 1 + 1 per change returned.
   * First get a cursor by omitting `cursor`, then list what you need, and then ask for the changes since that cursor. Changes are available for 30 days. Each one is returned exactly once, in the order in which the changes became visible. Changes in teams that the key cannot access now are left out. Deleting a folder or a tag is a single change: its snippets are then in no folder, or no longer have the tag, and are not listed.
   */
  getChanges(args: GetChangesArguments = {}, options?: RequestOptions): Promise<GetChangesResponse> {
    return this.call(operations.getChanges, args, options);
  }
}
