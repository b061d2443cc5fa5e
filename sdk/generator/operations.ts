// Prints the SDK's generated file from the operations table: the rows, the types, and one method per operation.
import type { z } from "zod";
import { cursorPagination, errorBody, pagination } from "../../src/contract/envelope.ts";
import { limits } from "../../src/contract/limits.ts";
import type { Operation } from "../../src/contract/operation.ts";
import { operationNames, operations } from "../../src/contract/operations.ts";
import type { QueryParameter } from "../../src/contract/query.ts";
import { docComment, TypePrinter, unionOf } from "./types.ts";

const opening = `// Generated from the service's operations table by scripts/generate.ts: change the table, not this file.
import type { Envelope, Operation, ReceivedFile, RequestOptions, UsageDeducted } from "./operation.ts";
`;

/** The whole file, before formatting. The same table always gives the same text. */
export function printOperations(): string {
  const printer = new TypePrinter({ Error: "ErrorBody" });
  printer.typeOf(errorBody, "output");
  printer.typeOf(pagination, "output");
  printer.typeOf(cursorPagination, "output");
  const rows = operationNames.map((name) => [name, operations[name]] as const);
  const types = rows.map(([name, row]) => printArguments(printer, name, row) + printResponse(printer, name, row));
  return [opening, printTable(rows), ...types, printer.declarations(), printMethods(rows)].join("\n");
}

type Rows = readonly (readonly [name: string, row: Operation])[];

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const argumentsOf = (name: string): string => `${capitalized(name)}Arguments`;
const responseOf = (name: string): string => `${capitalized(name)}Response`;

const sentAs = { object: "required", "optional object": "optional", batch: "required", file: "file" } as const;

function printTable(rows: Rows): string {
  const lines = rows.map(([name, { method, path, query, body, isText, isFile }]) => {
    const sent = body === undefined ? "none" : sentAs[body.kind];
    return `${name}: ${JSON.stringify({ name, method, path, query: Object.keys(query), body: sent, ...(isText && { isText }), ...(isFile && { isFile }) })},`;
  });
  return `${docComment("The method and path of each operation, and which of its arguments are query parameters.")}export const operations = {
${lines.join("\n")}
} as const satisfies Record<string, Operation>;
`;
}

const hasArguments = ({ query, body }: Pick<Operation, "query" | "body">): boolean =>
  body !== undefined || Object.keys(query).length > 0;

function printArguments(printer: TypePrinter, name: string, { query, body }: Operation): string {
  const parameters = Object.entries(query).map(([parameter, rule]) => {
    const { description, schema, isRequired } = rule;
    const type = queryType(rule);
    const byDefault = schema.default === undefined ? "" : ` Default: ${schema.default}.`;
    const comment = docComment(
      description
        .replace(/,? As comma-separated pairs .*? JSON object\. Names: .*$/, "")
        .replace(", comma-separated or as a JSON array", "") + byDefault,
    );
    return comment + (isRequired ? `${parameter}: ${type};` : `${parameter}?: ${type} | undefined;`);
  });
  const comment = docComment(`Arguments of \`${name}\`.`);
  const declare = (fields: readonly string[], parent = "") =>
    `${comment}export interface ${argumentsOf(name)}${parent} {\n${fields.join("\n")}\n}\n`;

  if (!hasArguments({ query, body })) return `${comment}export type ${argumentsOf(name)} = Record<string, never>;\n`;
  if (body === undefined) return declare(parameters);
  if (body.kind === "batch")
    return declare([
      ...parameters,
      `${docComment(`1 to ${limits.batchItemsMax} items.`)}${body.field}: readonly ${printer.typeOf(body.item, "input")}[];`,
    ]);
  if (body.kind === "file")
    return declare([...parameters, `${docComment("The file itself.")}file: Uint8Array | string;`]);
  const fields = printer.typeOf(body.schema, "input");
  if (body.kind === "optional object") return printEither(name, comment, query, body.schema, fields);
  return parameters.length === 0
    ? `${comment}export type ${argumentsOf(name)} = ${fields};\n`
    : declare(parameters, ` extends ${fields}`);
}

/** The arguments of an operation that takes them either in the query or in the body. */
function printEither(
  name: string,
  comment: string,
  query: Operation["query"],
  body: z.ZodType,
  fields: string,
): string {
  const inQuery = Object.entries(query).map(([parameter, rule]) => `${parameter}: ${queryType(rule)}`);
  const bodyNames = Object.keys("shape" in body && typeof body.shape === "object" && body.shape ? body.shape : {});
  if (bodyNames.length === 0) throw new Error(`the body of ${name} has no fields`);
  const never = (names: readonly string[]) => names.map((each) => `${each}?: never`).join("; ");
  return `${comment}export type ${argumentsOf(name)} =
  | { ${inQuery.join("; ")}; ${never(bodyNames)} }
  | (${fields} & { ${never(Object.keys(query))} });
`;
}

const sampleId = "00000000-0000-0000-0000-000000000000";

/** The type of a query argument. The client serializes lists and dates. */
function queryType({
  schema,
  words,
  pairs,
  parse,
}: Pick<QueryParameter<unknown>, "schema" | "words" | "pairs" | "parse">): string {
  if (schema.type === "integer") return "number";
  if (schema.type === "boolean") return "boolean";
  if (Array.isArray(schema.enum)) return unionOf(schema.enum);
  if (pairs) return `{ ${pairs.map((word) => `readonly ${word}?: string`).join("; ")} }`;
  if (words) return `readonly (${unionOf(words)})[]`;
  if (schema.format === "date-time") return "Date | string";
  return Array.isArray(parse(sampleId, "ids")) ? "readonly string[]" : "string";
}

function printResponse(
  printer: TypePrinter,
  name: string,
  { cost, data, metadata, paging, isFile }: Operation,
): string {
  const usage = cost.dependsOnItems ? ", UsageDeducted" : "";
  const fields = [
    metadata && `metadata: ${printer.typeOf(metadata, "output")};`,
    paging && `pagination: ${paging === "cursor" ? "CursorPagination" : "Pagination"};`,
  ].filter((field) => typeof field === "string");
  const envelope = `Envelope<${isFile ? "ReceivedFile" : printer.typeOf(data, "output")}${usage}>`;
  const comment = docComment(`Response of \`${name}\`.`);
  return fields.length === 0
    ? `${comment}export type ${responseOf(name)} = ${envelope};\n`
    : `${comment}export interface ${responseOf(name)} extends ${envelope} {\n${fields.join("\n")}\n}\n`;
}

function printMethods(rows: Rows): string {
  const methods = rows.map(([name, row]) => {
    const comment = docComment(`${row.summary}. Cost: ${row.cost.words}.`, row.description);
    return `${comment}${name}(${printArgument(name, row)}, options?: RequestOptions): Promise<${responseOf(name)}> {
return this.call(operations.${name}, args, options);
}
${row.paging === "cursor" ? printPages(name, row) : ""}`;
  });
  return `/** One method per operation. The client makes the calls. */
export abstract class Operations {
/** @internal */
protected abstract call<Answer>(operation: Operation, args: object, options?: RequestOptions): Promise<Answer>;

/** @internal */
protected abstract pages<Answer extends { readonly pagination: CursorPagination }>(operation: Operation, args: object, options?: RequestOptions): AsyncGenerator<Answer, void>;

${methods.join("\n")}}
`;
}

/** The arguments of a method; they can be left out if all of them can. */
function printArgument(name: string, { query, body }: Operation): string {
  const canBeLeftOut = body === undefined && Object.values(query).every(({ isRequired }) => !isRequired);
  return `args: ${argumentsOf(name)}${canBeLeftOut ? " = {}" : ""}`;
}

const printPages = (name: string, row: Operation): string => `
${docComment(`Every page of \`${name}\`, from \`cursor\` on if there is one; each page is one request.`)}${name}Pages(${printArgument(name, row)}, options?: RequestOptions): AsyncGenerator<${responseOf(name)}, void> {
return this.pages(operations.${name}, args, options);
}
`;
