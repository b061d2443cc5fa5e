// The OpenAPI 3.1 document, made from the operations table: its rows, their schemas and their examples.
import { errorBody, pagination } from "./envelope.ts";
import { exampleOf } from "./example.ts";
import { limits } from "./limits.ts";
import type { OpenApi, OperationObject, RefusalObject, Schema } from "./openapi-document.ts";
import {
  commonHeaders,
  headers,
  headersNamed,
  type RefusalRow,
  rateLimitHeaders,
  refusals,
} from "./openapi-responses.ts";
import { schemaOf, sorted } from "./openapi-schema.ts";
import type { Operation } from "./operation.ts";
import { apiVersion, type OperationName, operationNames, operations } from "./operations.ts";

/** The OpenAPI document of the service under `basePath`. */
export function openApi(basePath: string): OpenApi {
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
    info,
    servers: [{ url: basePath === "" ? "/" : basePath, description: "This service" }],
    security: [{ apiKey: [] }],
    tags: [...new Set(operationNames.map((name) => operations[name].resource))],
    paths,
    components: { securitySchemes, schemas: sorted(schemas), headers, responses },
  };
}

const perMinute = limits.requestsPerMinuteDefault;

/** What holds for all operations, one paragraph each. */
export const notes = {
  Authentication:
    "Every call carries an API key: `Authorization: Bearer <API_KEY>`. A key reaches all teams of its workspace, or the teams that it lists.",
  Quota:
    "Every call draws units from the workspace's quota: `x-cost` of an operation says how many, `X-Request-Cost` of an answer how many it was. A call that fails costs 1 unit; one that is refused for its key, the rate limit, the subscription or the quota costs nothing. The quota is renewed on the 1st of each month, UTC; unused units do not roll over.",
  "Rate limit": `${perMinute} calls of a key in any ${limits.rateWindowSeconds} seconds, unless the operator has set another number. Beyond that the answer is 429 with \`Retry-After\`, and costs nothing.`,
  Versions: "Answers may gain fields. Nothing is renamed or removed.",
} as const;

const info = {
  title: "Commonplace",
  version: apiVersion,
  summary: "Snippets, their variations, folders and tags.",
  description: [
    "A service for text and code snippets, their variations, folders and tags. Calls are JSON over HTTPS; plain HTTP is refused.",
    ...Object.entries(notes).map(([title, text]) => `**${title}.** ${text}`),
  ].join("\n\n"),
  license: { name: "MIT", identifier: "MIT" },
};

const securitySchemes = {
  apiKey: { type: "http", scheme: "bearer", bearerFormat: "cpl_…", description: "An API key of the workspace." },
};

const usageSchemas = {
  Usage: {
    type: "object",
    properties: { remainingRequests: { type: "integer", minimum: 0, description: "Units left after this call." } },
    required: ["remainingRequests"],
  },
  UsageDeducted: {
    type: "object",
    properties: {
      remainingRequests: { type: "integer", minimum: 0, description: "Units left after this call." },
      usageDeducted: { type: "integer", minimum: 0, description: "Units that this call cost." },
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
  const base = row.cost.units(0);
  const canMiss = row.body !== undefined || Object.values(row.query).some(({ schema }) => schema.format === "uuid");
  const given = refusals.filter(
    ({ status }) => (status !== 413 || row.body !== undefined) && (status !== 404 || canMiss),
  );
  return {
    operationId: name,
    tags: [row.resource.name],
    summary: row.summary,
    ...(row.description !== undefined && { description: row.description }),
    ...(parameters.length > 0 && { parameters }),
    ...(row.body && { requestBody: describeBody(row.body, example.request.body, schemas) }),
    responses: {
      200: {
        description: `Success. Cost: ${row.cost.words}.`,
        headers: headersNamed([...commonHeaders, ...rateLimitHeaders]),
        content: { "application/json": { schema: envelopeOf(row, schemas), example: example.response } },
      },
      ...Object.fromEntries(given.map(({ status, name }) => [status, { $ref: `#/components/responses/${name}` }])),
    },
    "x-cost": { words: row.cost.words, base, perItem: row.cost.units(1) - base },
    ...(row.isAddition && { "x-addition": true as const }),
  };
}

function describeBody(body: NonNullable<Operation["body"]>, example: unknown, schemas: Record<string, Schema>) {
  const content = (schema: Schema) => ({ "application/json": { schema, ...(example !== undefined && { example }) } });
  if (body.kind !== "batch")
    return { required: body.kind === "object", content: content(schemaOf(body.schema, "input", schemas)) };
  const items = {
    type: "array",
    items: schemaOf(body.item, "input", schemas),
    minItems: 1,
    maxItems: limits.batchItemsMax,
  };
  return {
    description:
      "Items succeed or fail on their own: a failed item becomes an entry of `errors`, and the others are still processed. If every item fails, the call fails with the first item's error.",
    required: true,
    content: content({
      type: "object",
      properties: { [body.field]: items },
      required: [body.field],
      additionalProperties: false,
    }),
  };
}

function envelopeOf(row: Operation, schemas: Record<string, Schema>): Schema {
  const properties = {
    success: { type: "boolean", const: true },
    data: schemaOf(row.data, "output", schemas),
    usage: { $ref: `#/components/schemas/${row.cost.isDeductedShown ? "UsageDeducted" : "Usage"}` },
    ...(row.metadata && { metadata: schemaOf(row.metadata, "output", schemas) }),
    ...(row.isPaged && { pagination: schemaOf(pagination, "output", schemas) }),
  } satisfies Record<string, Schema>;
  return { type: "object", properties, required: Object.keys(properties) };
}

const exampleRequestId = "019c1363-49c0-7d3b-9a6e-58f01c7b2d94";

function describeRefusal(row: RefusalRow, schemas: Record<string, Schema>): RefusalObject {
  const examples = row.examples.map(({ code, message, details: { remainingRequests, requiredRequests } }) => {
    const value = {
      success: false as const,
      message,
      error: code,
      requestId: exampleRequestId,
      ...(remainingRequests !== undefined &&
        requiredRequests !== undefined && { usage: { remainingRequests, requiredRequests } }),
    };
    return [code, { summary: message, value }] as const;
  });
  return {
    description: row.description,
    headers: headersNamed([...commonHeaders, ...row.headers]),
    content: {
      "application/json": { schema: schemaOf(errorBody, "output", schemas), examples: Object.fromEntries(examples) },
    },
  };
}
