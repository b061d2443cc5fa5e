// The parts of the response envelope: pagination, counts, item errors, and the error body.
import { z } from "zod";
import { count, id } from "./fields.ts";

export const pagination = z
  .strictObject({
    limit: z.int(),
    offset: z.int(),
    totalSnippets: count(),
    hasMore: z.boolean(),
    currentPage: z.int().min(1),
    totalPages: count(),
  })
  .meta({ id: "Pagination" });
export type Pagination = z.output<typeof pagination>;

/** The pagination of one page out of `totalItems`. `totalPages` is 0 for no items. */
export const paginate = (limit: number, offset: number, totalItems: number): Pagination => ({
  limit,
  offset,
  totalSnippets: totalItems,
  hasMore: offset + limit < totalItems,
  currentPage: Math.floor(offset / limit) + 1,
  totalPages: Math.ceil(totalItems / limit),
});

/** The pagination of a list whose pages follow each other by cursor. */
export const cursorPagination = z
  .strictObject({
    limit: z.int(),
    nextCursor: z.string().nullable().meta({ description: "The `cursor` of the next page. Null on the last page." }),
  })
  .meta({ id: "CursorPagination" });
export type CursorPagination = z.output<typeof cursorPagination>;

/** The shape of `pagination` by the paging of an operation. */
export const paginationOf = { offset: pagination, cursor: cursorPagination } as const;

/** Counts of a read by ID list: requested = found + missing, found = accessible + inaccessible. */
export const listCounts = z.strictObject({
  requestedCount: count(),
  foundCount: count(),
  accessibleCount: count(),
  inaccessibleCount: count(),
  missingCount: count(),
});

export const deletedCounts = z.strictObject({
  requestedCount: count(),
  deletedCount: count(),
  inaccessibleCount: count(),
  accessibleCount: count(),
});

export const createdCounts = z.strictObject({ requestedCount: count(), createdCount: count(), failedCount: count() });
export const updatedCounts = z.strictObject({ requestedCount: count(), updatedCount: count(), failedCount: count() });

const errorCode = z.string().meta({ description: "A code for programs. It never changes." });

/** Why one item of a batch failed; the others succeeded. */
export const itemError = z
  .strictObject({
    index: count().meta({ description: "The item's position in the request, from 0." }),
    id: z.string().optional().meta({ description: "The item's ID as you sent it, if it had one." }),
    message: z.string(),
    error: errorCode,
  })
  .meta({ id: "ItemError" });
export type ItemError = z.output<typeof itemError>;

/** What an import says about a part of the file. */
export const importIssue = z
  .strictObject({
    file: z.string().nullable().meta({ description: "The file, or the path of the file in the zip." }),
    line: z.int().nullable().meta({ description: "The line in the file, from 1." }),
    message: z.string(),
  })
  .meta({ id: "ImportIssue" });
export type ImportIssue = z.output<typeof importIssue>;

export const itemErrors = z.array(itemError);

export const nothing = z.strictObject({});

/** The body of every refusal. */
export const errorBody = z
  .strictObject({
    success: z.literal(false),
    message: z.string(),
    error: errorCode,
    requestId: id(),
    usage: z
      .strictObject({ remainingRequests: count(), requiredRequests: count() })
      .optional()
      .meta({ description: "Present only if the balance is too low for the request." }),
    storage: z
      .strictObject({ requiredBytes: count(), remainingBytes: count() })
      .optional()
      .meta({ description: "Present only if the request would exceed the workspace's storage limit." }),
    problems: z.array(importIssue).optional().meta({
      description:
        "What cannot be imported, and why. Present only if an import with `allOrNothing` is refused because of it.",
    }),
    teamIds: z
      .array(id())
      .optional()
      .meta({ description: "The teams to choose from. Present only if several teams have the shortcut." }),
  })
  .meta({ id: "Error" });
export type ErrorBody = z.output<typeof errorBody>;
