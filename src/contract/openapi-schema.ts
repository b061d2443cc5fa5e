// Zod schemas as the JSON Schema of both OpenAPI documents.
import { z } from "zod";
import { limits } from "./limits.ts";
import type { Schema } from "./openapi-document.ts";
import type { Operation } from "./operation.ts";

/** The JSON Schema of `shape`. Named shapes go into `schemas` and are referenced. */
export function schemaOf(shape: z.ZodType, io: "input" | "output", schemas: Record<string, Schema>): Schema {
  const made = z.toJSONSchema(shape, {
    io,
    override: ({ jsonSchema }) => {
      // Responses may gain fields, so clients must not refuse unknown ones. The tests hold responses to the strict shapes.
      if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // Bounds without meaning.
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

/** The JSON Schema of a request's body. */
export function schemaOfBody(body: NonNullable<Operation["body"]>, schemas: Record<string, Schema>): Schema {
  if (body.kind === "file") return { description: "The bytes of the file." };
  if (body.kind !== "batch") return schemaOf(body.schema, "input", schemas);
  const items = {
    type: "array",
    items: schemaOf(body.item, "input", schemas),
    minItems: 1,
    maxItems: limits.batchItemsMax,
  } as const;
  return {
    type: "object",
    properties: { [body.field]: items },
    required: [body.field],
    additionalProperties: false,
  };
}

/** Moves named shapes to where OpenAPI keeps them. The cast holds because Zod emits only the parts that `Schema` lists. */
const inComponents = (made: object) =>
  JSON.parse(JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/')) as Schema & {
    $schema?: string;
    $defs?: Record<string, Schema>;
  };

export const sorted = (schemas: Record<string, Schema>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)));
