// The envelope round every answer: success, data, usage, metadata, pagination (interface, Response envelope).
import { z } from "zod";
import { count, id, timestamp } from "./fields.ts";

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

/** Where a page of `totalItems` stands. `totalPages` is 0 when there is nothing (decisions, section 4). */
export const paginate = (limit: number, offset: number, totalItems: number): Pagination => ({
  limit,
  offset,
  totalSnippets: totalItems,
  hasMore: offset + limit < totalItems,
  currentPage: Math.floor(offset / limit) + 1,
  totalPages: Math.ceil(totalItems / limit),
});

/** requested = found + missing; found = accessible + inaccessible (decisions, section 4). */
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

/** What became of an item that a batch could not carry out; the others went through. */
export const itemError = z
  .strictObject({
    index: count().meta({ description: "The item's place in the request." }),
    id: z.string().optional().meta({ description: "The item's id as it was sent, where it had one." }),
    message: z.string(),
  })
  .meta({ id: "ItemError" });
export type ItemError = z.output<typeof itemError>;

export const nothing = z.strictObject({});

export const folderCreated = z.strictObject({ folderId: id(), folderName: z.string(), createdAt: timestamp() });
export const folderDeleted = z.strictObject({ deletedFolderId: id(), snippetsOrphaned: count() });
export const variationsDeleted = z.strictObject({
  deletedVariationIds: z.array(id()),
  deletedCount: count(),
  affectedSnippets: count(),
});

/** The body of every refusal (interface, Errors; decisions, section 7). */
export const errorBody = z
  .strictObject({
    success: z.literal(false),
    message: z.string(),
    error: z.string().meta({ description: "Stable, machine-readable code." }),
    requestId: id(),
    usage: z
      .strictObject({ remainingRequests: count(), requiredRequests: count() })
      .optional()
      .meta({ description: "Only where the quota is too low for the operation." }),
  })
  .meta({ id: "Error" });
export type ErrorBody = z.output<typeof errorBody>;
