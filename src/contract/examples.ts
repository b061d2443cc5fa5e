// One example call of every operation, with its successful answer: for OpenAPI, the reference page and the tests. The calls
// share one small workspace, so that an id seen in one answer can be found in the next request.
import type { z } from "zod";
import { paginate } from "./envelope.ts";
import type { Operation, ResultOf } from "./operation.ts";
import { type OperationName, operations } from "./operations.ts";

type BodyOf<Body> = Body extends { kind: "object"; schema: infer Schema extends z.ZodType }
  ? { readonly body: z.input<Schema> }
  : Body extends { kind: "optional object"; schema: infer Schema extends z.ZodType }
    ? { readonly body?: z.input<Schema> }
    : Body extends { kind: "batch"; item: infer Item extends z.ZodType }
      ? { readonly body: { readonly [field: string]: readonly z.input<Item>[] } }
      : { readonly body?: never };

interface ExampleOf<Row extends Operation> {
  readonly request: { readonly query?: { readonly [Name in keyof Row["query"]]?: string | number } } & BodyOf<
    Row["body"]
  >;
  readonly result: ResultOf<Row>;
}

/** An example as those read it that treat all operations alike. */
export interface Example {
  readonly request: { readonly query: Readonly<Record<string, string | number>>; readonly body: unknown };
  /** The whole envelope. */
  readonly answer: {
    readonly success: true;
    readonly data: unknown;
    readonly usage: { readonly remainingRequests: number; readonly usageDeducted?: number };
    readonly metadata?: unknown;
    readonly pagination?: unknown;
  };
}

/** What every row of the table is too. */
interface AnyExample {
  readonly request: { readonly query?: object; readonly body?: unknown };
  readonly result: {
    readonly data: unknown;
    readonly metadata?: unknown;
    readonly pagination?: unknown;
    readonly items?: number;
  };
}

const balanceBefore = 98_750;

/** The example of an operation. What it is charged follows from its cost, as in the service. */
export function exampleOf(name: OperationName): Example {
  const { cost }: Operation = operations[name];
  const { request, result }: AnyExample = examples[name];
  const units = cost.units(result.items ?? 1);
  return {
    request: { query: { ...request.query }, body: request.body },
    answer: {
      success: true,
      data: result.data,
      usage: { remainingRequests: balanceBefore - units, ...(cost.isDeductedShown && { usageDeducted: units }) },
      ...(result.metadata !== undefined && { metadata: result.metadata }),
      ...(result.pagination !== undefined && { pagination: result.pagination }),
    },
  };
}

const workspace_id = "019b8d62-7a80-7d1f-9c44-0b7f3e5a1c92";
const team_id = "019b8d62-7a80-7a3e-8b21-6f4c0d9e2a17";
const keyId = "019b8d62-7a81-75c2-a9d0-3e1b7f6c8d05";
const firstVariationId = "019bb14a-5f80-7b10-8c3d-5e9f2a7b4c61";
const secondVariationId = "019bb14a-5f80-7b11-b7a2-91d04f6e3c58";
/** An id that nothing has. */
const unknownId = "019bb14a-5f80-7fff-8000-4d6e7b2a9c13";

const greeting = "Hello {name},\n\nyour refund is on its way. It reaches your account within three working days.";
const formalGreeting = "Dear {name},\n\nwe have issued your refund. Please allow three working days for it to arrive.";
const code = "const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));";

const folder = {
  id: "019bb146-40d0-7c3e-8f5d-2a6b9c1d4e7f",
  folder_name: "Customer replies",
  folder_color: "#2f6f4f",
  parent_folder_id: null,
  team_id,
  workspace_id,
  created_at: "2026-01-12T08:15:30.000Z",
  updated_at: "2026-01-12T08:15:30.000Z",
};
const innerFolder = {
  ...folder,
  id: "019bb146-40d0-7c3f-a1b8-7d0e5f3c9264",
  folder_name: "Refunds",
  folder_color: "#b3541e",
  parent_folder_id: folder.id,
};
const tag = {
  id: "019bb146-40d0-7e52-94c7-8a3f6d1b0e29",
  tag_name: "support",
  tag_color: "#3b5bdb",
  parent_tag_id: null,
  team_id,
  workspace_id,
  created_at: "2026-01-12T08:15:30.000Z",
  updated_at: "2026-01-12T08:15:30.000Z",
};
const innerTag = {
  ...tag,
  id: "019bb146-40d0-7e53-8d1a-c5b2904f7e36",
  tag_name: "billing",
  tag_color: "#9c36b5",
  parent_tag_id: tag.id,
};
const snippet = {
  id: "019bb14a-5f80-7a42-9e17-c03b8d5f2a64",
  title: "Refund on its way",
  content: { type: "plaintext", content: greeting },
  snippet_note: "For refunds up to 200 EUR.",
  shortcut: "/refund",
  folder_id: folder.id,
  team_id,
  workspace_id,
  is_archived: false,
  created_at: "2026-01-12T08:20:00.000Z",
  updated_at: "2026-01-20T14:02:11.250Z",
};
const codeSnippet = {
  ...snippet,
  id: "019bdbb6-87b2-7d05-b46f-1e8a7c3d9f50",
  title: "Wait",
  content: { type: "code", content: code },
  snippet_note: null,
  shortcut: null,
  folder_id: null,
  created_at: "2026-01-20T14:02:11.250Z",
};
const snippetInput = {
  title: snippet.title,
  content: snippet.content,
  teamId: team_id,
  note: snippet.snippet_note,
  shortcut: snippet.shortcut,
  folderId: folder.id,
  tagIds: [tag.id],
  additionalVariations: [{ variationName: "Formal", content: { type: "plaintext", content: formalGreeting } }],
};
const folderInput = { folderName: folder.folder_name, folderColor: folder.folder_color, teamId: team_id };
const innerFolderInput = {
  folderName: innerFolder.folder_name,
  folderColor: innerFolder.folder_color,
  teamId: team_id,
  parentFolderId: folder.id,
};
const tagInput = { tagName: tag.tag_name, tagColor: tag.tag_color, teamId: team_id };
const otherTag = { ...innerTag, parent_tag_id: null };
const otherTagInput = { tagName: otherTag.tag_name, tagColor: otherTag.tag_color, teamId: team_id };
const changedAt = "2026-01-31T09:30:00.000Z";
const twoAskedOneMissing = {
  requestedCount: 2,
  foundCount: 1,
  accessibleCount: 1,
  inaccessibleCount: 0,
  missingCount: 1,
};
const twoAskedAllFound = {
  requestedCount: 2,
  foundCount: 2,
  accessibleCount: 2,
  inaccessibleCount: 0,
  missingCount: 0,
};
const twoDeleted = { requestedCount: 2, deletedCount: 2, inaccessibleCount: 0, accessibleCount: 2 };
const notFoundAt1 = (id: string, noun: "Folder" | "Tag") => ({ index: 1, id, message: `${noun} not found` });

const examples: { readonly [Name in OperationName]: ExampleOf<(typeof operations)[Name]> } = {
  getSnippet: {
    request: { query: { id: snippet.id } },
    result: {
      data: {
        ...snippet,
        created_by: keyId,
        tag_ids: [tag.id],
        variations: [
          { id: firstVariationId, name: "Default", variant_order_index: 0 },
          { id: secondVariationId, name: "Formal", variant_order_index: 1 },
        ],
      },
    },
  },
  postSnippet: {
    request: { body: snippetInput },
    result: { data: { snippetId: snippet.id }, metadata: { totalVariations: 2, tagsAttached: 1 } },
  },
  putSnippet: {
    request: { query: { id: snippet.id }, body: { title: "Refund sent", note: null, tagIds: [tag.id, innerTag.id] } },
    result: {
      data: { snippetId: snippet.id },
      metadata: { fieldsUpdated: { title: true, note: true, tagIds: true }, tagsAttached: 2 },
    },
  },
  deleteSnippet: {
    request: { query: { id: snippet.id } },
    result: { data: { message: "Snippet deleted" }, metadata: {} },
  },
  getSnippets: {
    request: { query: { ids: `${codeSnippet.id},${unknownId}` } },
    result: { data: [codeSnippet], metadata: twoAskedOneMissing, items: 1 },
  },
  postSnippets: {
    request: {
      body: {
        snippets: [
          { title: snippet.title, content: snippet.content, teamId: team_id, folderId: folder.id },
          { title: codeSnippet.title, content: codeSnippet.content, teamId: team_id },
        ],
      },
    },
    result: {
      data: {
        message: "2 of 2 snippets created",
        createdSnippets: [{ snippetId: snippet.id }, { snippetId: codeSnippet.id }],
        errors: [],
      },
      metadata: { requestedCount: 2, createdCount: 2, failedCount: 0 },
      items: 2,
    },
  },
  deleteSnippets: {
    request: { query: { ids: `${snippet.id},${codeSnippet.id}` } },
    result: { data: { message: "2 of 2 snippets deleted" }, metadata: twoDeleted, items: 2 },
  },
  getSnippetVariation: {
    request: { query: { snippetId: snippet.id, variationId: secondVariationId } },
    result: {
      data: {
        id: secondVariationId,
        name: "Formal",
        content: { type: "plaintext", content: formalGreeting },
        snippet_id: snippet.id,
        variant_order_index: 1,
        created_at: snippet.created_at,
        updated_at: snippet.created_at,
      },
    },
  },
  putSnippetVariation: {
    request: { query: { variationId: secondVariationId }, body: { name: "Very formal" } },
    result: { data: { variationId: secondVariationId }, metadata: { fieldsUpdated: { name: true } } },
  },
  deleteSnippetVariation: {
    request: { body: { variationIds: [secondVariationId] } },
    result: {
      data: { message: "Variation deleted" },
      metadata: { deletedVariationIds: [secondVariationId], deletedCount: 1, affectedSnippets: 1 },
      items: 1,
    },
  },
  getSnippetVariationHistory: {
    request: { query: { variationId: firstVariationId, limit: 2, fromDate: "2026-01-01T00:00:00Z" } },
    result: {
      data: [
        { id: "019bdbb6-87b2-7e20-8a95-f47c1d3b6e08", changed_at: snippet.updated_at, content: snippet.content },
        {
          id: "019bb14a-5f80-7b12-9d64-2c8e5a0f7b31",
          changed_at: snippet.created_at,
          content: { type: "plaintext", content: "Hello {name}, your refund is on its way." },
        },
      ],
      metadata: { hasMore: false, totalRecords: 2 },
      items: 2,
    },
  },
  getFolder: {
    request: { query: { folderId: folder.id, limit: 1 } },
    result: { data: { folder, snippets: [snippet] }, pagination: paginate(1, 0, 3), items: 1 },
  },
  postFolder: {
    request: { body: innerFolderInput },
    result: {
      data: { folder: innerFolder },
      metadata: { folderId: innerFolder.id, folderName: innerFolder.folder_name, createdAt: innerFolder.created_at },
    },
  },
  putFolder: {
    request: { query: { folderId: innerFolder.id }, body: { folderName: "Refunds and returns", parentFolderId: null } },
    result: {
      data: {
        folder: { ...innerFolder, folder_name: "Refunds and returns", parent_folder_id: null, updated_at: changedAt },
      },
      metadata: { fieldsUpdated: { folderName: true, parentFolderId: true } },
    },
  },
  deleteFolder: {
    request: { query: { folderId: folder.id } },
    result: { data: { message: "Folder deleted" }, metadata: { deletedFolderId: folder.id, snippetsOrphaned: 3 } },
  },
  getFolders: {
    request: { query: { folderIds: `${folder.id},${innerFolder.id}`, limit: 1 } },
    result: {
      data: {
        folders: [
          { ...folder, snippets: [snippet], total_snippets: 3 },
          { ...innerFolder, snippets: [], total_snippets: 0 },
        ],
      },
      metadata: twoAskedAllFound,
      pagination: paginate(1, 0, 3),
      items: 3,
    },
  },
  postFolders: {
    request: {
      body: { folders: [folderInput, { ...folderInput, folderName: "Snippets for code", parentFolderId: unknownId }] },
    },
    result: {
      data: {
        createdFolders: [folder],
        errors: [{ index: 1, message: "parentFolderId must be a folder of the same team" }],
      },
      metadata: { requestedCount: 2, createdCount: 1, failedCount: 1 },
      items: 1,
    },
  },
  putFolders: {
    request: {
      body: {
        folders: [
          { id: folder.id, folderColor: "#1b7a4b" },
          { id: unknownId, folderName: "Archive" },
        ],
      },
    },
    result: {
      data: {
        updatedFolders: [{ ...folder, folder_color: "#1b7a4b", updated_at: changedAt }],
        errors: [notFoundAt1(unknownId, "Folder")],
      },
      metadata: { requestedCount: 2, updatedCount: 1, failedCount: 1 },
      items: 1,
    },
  },
  deleteFolders: {
    request: { query: { folderIds: `${folder.id},${innerFolder.id}` } },
    result: { data: { message: "2 of 2 folders deleted" }, metadata: twoDeleted, items: 2 },
  },
  getTag: {
    request: { query: { tagId: tag.id, limit: 1 } },
    result: { data: { tag, snippets: [snippet] }, pagination: paginate(1, 0, 2), items: 1 },
  },
  postTag: { request: { body: tagInput }, result: { data: { tag } } },
  putTag: {
    request: { query: { tagId: tag.id }, body: { tagName: "customer support" } },
    result: {
      data: { tag: { ...tag, tag_name: "customer support", updated_at: changedAt } },
      metadata: { fieldsUpdated: { tagName: true } },
    },
  },
  deleteTag: {
    request: { query: { tagId: innerTag.id } },
    result: { data: { message: "Tag deleted" }, metadata: {} },
  },
  getTags: {
    request: { query: { tagIds: `${tag.id},${innerTag.id}` } },
    result: { data: { tags: [tag, innerTag] }, metadata: twoAskedAllFound, items: 2 },
  },
  postTags: {
    request: { body: { tags: [tagInput, otherTagInput] } },
    result: {
      data: { createdTags: [tag, otherTag], errors: [] },
      metadata: { requestedCount: 2, createdCount: 2, failedCount: 0 },
      items: 2,
    },
  },
  putTags: {
    request: {
      body: {
        tags: [
          { id: innerTag.id, tagColor: "#862e9c", parentTagId: null },
          { id: unknownId, tagName: "old" },
        ],
      },
    },
    result: {
      data: {
        updatedTags: [{ ...innerTag, tag_color: "#862e9c", parent_tag_id: null, updated_at: changedAt }],
        errors: [notFoundAt1(unknownId, "Tag")],
      },
      metadata: { requestedCount: 2, updatedCount: 1, failedCount: 1 },
      items: 1,
    },
  },
  deleteTags: {
    request: { query: { tagIds: `${tag.id},${innerTag.id}` } },
    result: { data: { message: "2 of 2 tags deleted" }, metadata: twoDeleted, items: 2 },
  },
};
