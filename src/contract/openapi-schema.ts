// The shapes as JSON Schema, the way both descriptions tell them.
import { z } from "zod";
import type { Schema } from "./openapi-document.ts";

/** The JSON Schema of a shape. Shapes that have a name go into `schemas` and are referred to. */
export function schemaOf(shape: z.ZodType, io: "input" | "output", schemas: Record<string, Schema>): Schema {
  const made = z.toJSONSchema(shape, {
    io,
    override: ({ jsonSchema }) => {
      // Answers may gain fields: a client must not be told to refuse them. The tests hold the answers to the strict shapes.
      if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Bounds that say nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minLength === 0) delete jsonSchema.minLength;
      if (jsonSchema.minItems === 0) delete jsonSchema.minItems;
    },
  });
  const { $schema: _, $defs = {}, ...own } = inComponents(made);
  Object.assign(schemas, $defs);
  return own;
}

/** What Zod makes is JSON Schema of the parts that `Schema` lists; only the place of the named shapes changes. */
const inComponents = (made: object) =>
  JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')) as Schema & {
    $schema?: string;
    $defs?: Record<string, Schema>;
  };

export const sorted = (schemas: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
