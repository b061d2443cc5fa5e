// The OpenAPI 3.1 document, made from the operations table: its rows, their schemas and their examples.
import { errorBody, paginationOf } from "./envelope.ts";
import { exampleOf } from "./example.ts";
import { limits } from "./limits.ts";
import type { OpenApi, OperationObject, RefusalObject, Schema } from "./openapi-document.ts";
import { costInWords, introduction } from "./openapi-introduction.ts";
import {
  commonHeaders,
  exampleBody,
  fileHeaders,
  headers,
  headersNamed,
  type RefusalRow,
  rateLimitHeaders,
  refusals,
  replayHeaders,
  textHeaders,
} from "./openapi-responses.ts";
import { schemaOf, schemaOfBody, sorted } from "./openapi-schema.ts";
import type { Operation } from "./operation.ts";
import { apiVersion, type OperationName, operationNames, operations } from "./operations.ts";

/** The OpenAPI document of the service under `apiPath`. */
export function openApi(apiPath: string): OpenApi {
  const schemas: Record<string, Schema> = {};
  const paths: Record<string, Record<string, OperationObject>> = {};
  for (const name of operationNames) {
    const { path, method } = operations[name];
    const methods = paths[path] ?? {};
    paths[path] = methods;
    methods[method.toLowerCase()] = describe(name, schemas);
  }
  const responses = Object.fromEntries(refusals.map((refusal) => [refusal.name, describeRefusal(refusal, schemas)]));
  Object.assign(schemas, usageSchemas);
  return {
    openapi: "3.1.0",
    info: info(apiPath),
    servers: [{ url: apiPath === "" ? "/" : apiPath, description: "This service" }],
    security: [{ apiKey: [] }],
    tags: [...new Set(operationNames.map((name) => operations[name].resource))],
    paths,
    components: { securitySchemes, schemas: sorted(schemas), headers, responses },
  };
}

const info = (apiPath: string): OpenApi["info"] => ({
  title: "Commonplace",
  version: apiVersion,
  summary: "Snippets of text and code, with variations, folders, and tags.",
  description: introduction(apiPath),
  license: { name: "MIT", identifier: "MIT" },
});

const securitySchemes = {
  apiKey: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "cpl_…",
    description: "An API key of your workspace. Create one in the console, under API access.",
  },
};

const usageSchemas = {
  Usage: {
    type: "object",
    properties: { remainingRequests: { type: "integer", minimum: 0, description: "Units left after this request." } },
    required: ["remainingRequests"],
  },
  UsageDeducted: {
    type: "object",
    properties: {
      remainingRequests: { type: "integer", minimum: 0, description: "Units left after this request." },
      usageDeducted: { type: "integer", minimum: 0, description: "Units charged for this request." },
    },
    required: ["remainingRequests", "usageDeducted"],
  },
} satisfies Record<string, Schema>;

function describe(name: OperationName, schemas: Record<string, Schema>): OperationObject {
  const row: Operation = operations[name];
  const example = exampleOf(row);
  const parameters = Object.entries(row.query).map(([parameter, { description, schema, isRequired, aliases }]) => ({
    name: parameter,
    in: "query" as const,
    description: aliases.length === 0 ? description : `${description} Also accepted as \`${aliases.join("`, `")}\`.`,
    required: isRequired,
    schema,
    ...(example.request.query[parameter] !== undefined && { example: example.request.query[parameter] }),
    ...(aliases.length > 0 && { "x-aliases": aliases }),
  }));
  const isRepeatable = row.method !== "GET";
  const inHeader = [...(row.isText ? [ifNoneMatch] : []), ...(isRepeatable ? [idempotencyKey] : [])];
  const base = row.cost.units(0);
  const canMiss = row.body !== undefined || Object.values(row.query).some(({ schema }) => schema.format === "uuid");
  const given = refusals.filter(
    ({ status, name }) =>
      (status !== 413 || row.body !== undefined) &&
      (status !== 404 || canMiss) &&
      (name !== "Conflict" || "shortcut" in row.query) &&
      // It stands for RequestInProgress, too, which has the same status.
      (name !== "ImportConflict" || (row.body?.kind === "file" && "importId" in row.query)) &&
      ((name !== "RequestInProgress" && name !== "IdempotencyKeyReused") || isRepeatable),
  );
  return {
    operationId: name,
    tags: [row.resource.name],
    summary: row.summary,
    description: [row.description, `Cost: ${costInWords(row.cost.words)}.`].filter(Boolean).join(" "),
    ...(parameters.length + inHeader.length > 0 && { parameters: [...parameters, ...inHeader] }),
    ...(row.body && { requestBody: describeBody(row.body, example.request.body, schemas) }),
    responses: {
      200: {
        description: `Success. Cost: ${costInWords(row.cost.words)}.`,
        headers: headersNamed([
          ...commonHeaders,
          ...rateLimitHeaders,
          ...(row.isText ? textHeaders : []),
          ...(row.isFile ? fileHeaders : []),
          ...(isRepeatable ? replayHeaders : []),
        ]),
        content: row.isFile
          ? { "application/zip": { schema: fileSchema }, "application/octet-stream": { schema: fileSchema } }
          : row.isText
            ? { "text/plain": { schema: schemaOf(row.data, "output", schemas), example: example.response.data } }
            : { "application/json": { schema: envelopeOf(row, schemas), example: example.response } },
      },
      ...(row.isText && { 304: notModified }),
      ...Object.fromEntries(given.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }])),
    },
    "x-scope": row.scope,
    "x-cost": { words: row.cost.words, base, perItem: row.cost.units(1) - base },
    ...(row.isAddition && { "x-addition": true as const }),
  };
}

const ifNoneMatch = {
  name: "If-None-Match",
  in: "header" as const,
  description: "The `ETag` of the text that you have.",
  required: false,
  schema: { type: "string" },
};

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header" as const,
  description:
    "A string of your choice, such as a UUID, that makes it safe to send this request again. See *Safe retries*.",
  required: false,
  schema: {
    type: "string",
    minLength: 1,
    maxLength: limits.idempotencyKeyLengthMax,
    pattern: "^[!-~]+$",
  },
};

const notModified = {
  description: "The text has not changed. Costs nothing.",
  headers: headersNamed([...commonHeaders, ...rateLimitHeaders, ...textHeaders]),
};

const fileSchema: Schema = { description: "The bytes of the file." };

function describeBody(body: NonNullable<Operation["body"]>, example: unknown, schemas: Record<string, Schema>) {
  const type = body.kind === "file" ? "application/octet-stream" : "application/json";
  const content = (schema: Schema) => ({ [type]: { schema, ...(example !== undefined && { example }) } });
  const schema = schemaOfBody(body, schemas);
  if (body.kind !== "batch") return { required: body.kind !== "optional object", content: content(schema) };
  return {
    description:
      "Each item succeeds or fails on its own. Failed items are listed in `errors`; the others are stored. If every item fails, the request fails with the error of the first item.",
    required: true,
    content: content(schema),
  };
}

function envelopeOf(row: Operation, schemas: Record<string, Schema>): Schema {
  const properties = {
    success: { type: "boolean", const: true },
    data: schemaOf(row.data, "output", schemas),
    usage: { $ref: `#/components/schemas/${row.cost.dependsOnItems ? "UsageDeducted" : "Usage"}` },
    ...(row.metadata && { metadata: schemaOf(row.metadata, "output", schemas) }),
    ...(row.paging && { pagination: schemaOf(paginationOf[row.paging], "output", schemas) }),
  } satisfies Record<string, Schema>;
  return { type: "object", properties, required: Object.keys(properties) };
}

function describeRefusal(row: RefusalRow, schemas: Record<string, Schema>): RefusalObject {
  const examples = row.examples.map((refusal) => {
    const value = exampleBody(refusal);
    return [value.error, { summary: value.message, value }] as const;
  });
  return {
    description: row.description,
    headers: headersNamed([...commonHeaders, ...row.headers]),
    content: {
      "application/json": { schema: schemaOf(errorBody, "output", schemas), examples: Object.fromEntries(examples) },
    },
  };
}
