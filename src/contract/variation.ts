// The variation and its history (interface, Resources and their fields; decisions, section 3).
import { z } from "zod";
import { atLeastOneField, content, contentInput, id, idSet, object, text, timestamp } from "./fields.ts";
import { limits } from "./limits.ts";

const variationName = () => text(1, limits.variationNameLengthMax);

export const variationChanges = atLeastOneField(
  object({
    name: variationName().optional(),
    variationName: variationName().optional().meta({ description: "Another name for `name`." }),
    content: contentInput().optional(),
  }),
)
  .refine(({ name, variationName }) => name === undefined || variationName === undefined || name === variationName, {
    error: "name and variationName must not differ",
  })
  .meta({ id: "VariationChanges" });
export type VariationChanges = z.output<typeof variationChanges>;

export const variationIds = object({ variationIds: idSet(1, limits.batchItemsMax) }).meta({ id: "VariationIds" });

export const variation = z
  .strictObject({
    id: id(),
    name: z.string(),
    content,
    snippet_id: id(),
    variant_order_index: z.int(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: "Variation" });
export type Variation = z.output<typeof variation>;

export const historyRecord = z
  .strictObject({ id: id(), changed_at: timestamp(), content })
  .meta({ id: "HistoryRecord" });
export type HistoryRecord = z.output<typeof historyRecord>;
