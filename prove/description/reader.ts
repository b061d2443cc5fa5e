// Reads openapi.json as a stranger would: from the file, with a public validator, and without a line of the service's code.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** The part of JSON Schema that the description uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
  readonly description: string;
  readonly "x-aliases"?: readonly string[];
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Response {
  readonly content?: Content;
  readonly headers?: Readonly<Record<string, { readonly $ref?: string; readonly schema?: Schema }>>;
}

export interface OperationRead {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Schema; readonly isRequired: boolean } | undefined;
  /** Undefined if the body fits; otherwise why not. */
  readonly bodyProblem: (body: unknown) => string | undefined;
  /** Undefined if the response fits the description; otherwise why not. */
  readonly responseProblem: (answer: Answer) => string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** The description says so in words. Other headers are on some of the responses. */
const onEveryResponse = /^x-(request-id|request-cost|api-version)$/i;

const source = (): Description =>
  JSON.parse(readFileSync(join(import.meta.dir, "../../openapi.json"), "utf8")) as Description;

/** The description with objects that have the described fields only: it allows more, but today a response has no other. */
function withClosedObjects(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withClosedObjects);
  if (typeof value !== "object" || value === null) return value;
  const inside = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withClosedObjects(part)]));
  const isObject = inside.type === "object" && inside.properties !== undefined;
  return isObject && inside.additionalProperties === undefined ? { ...inside, additionalProperties: false } : inside;
}

const pointer = (...steps: readonly string[]): string =>
  `#/${steps.map((step) => step.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;

export function readDescription() {
  const document = source();
  const validator = new Ajv({ strict: false, validateSchema: false, coerceTypes: false });
  addFormats(validator);
  validator.addSchema(document, "requests");
  validator.addSchema(withClosedObjects(document) as object, "responses");
  const problemOf = (root: "requests" | "responses", place: string): ((value: unknown) => string | undefined) => {
    const check = validator.compile({ $ref: `${root}${place}` });
    return (value) =>
      check(value)
        ? undefined
        : check.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join("; ");
  };
  const resolve = <Value>(value: { readonly $ref?: string }): { readonly value: Value; readonly at?: string } => {
    if (value.$ref === undefined) return { value: value as Value };
    const found = value.$ref
      .slice(2)
      .split("/")
      .reduce<unknown>((part, step) => (part as Record<string, unknown>)[step], document);
    return { value: found as Value, at: value.$ref };
  };

  const responseProblems = (place: string, described: { readonly $ref?: string }) => {
    const { value, at = place } = resolve<Response>(described);
    const bodies = new Map(
      Object.keys(value.content ?? {}).map((type) => [
        type,
        problemOf("responses", `${at}/content/${type.replace("/", "~1")}/schema`),
      ]),
    );
    const headers = Object.entries(value.headers ?? {}).map(([name, header]) => {
      const { value: read, at: found = `${at}/headers/${name}` } = resolve<{ schema: Schema }>(header);
      return { name, schema: read.schema, problem: problemOf("responses", `${found}/schema`) };
    });
    return (answer: Answer): string | undefined => {
      for (const { name, schema, problem } of headers) {
        const sent = answer.headers.get(name);
        if (sent === null && onEveryResponse.test(name)) return `without ${name}`;
        const found = sent === null ? undefined : problem(schema.type === "integer" ? Number(sent) : sent);
        if (found !== undefined) return `${name}: ${sent}: ${found}`;
      }
      const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
      if (bodies.size === 0) return answer.text === "" ? undefined : "has a body where none is described";
      const check = bodies.get(type);
      if (!check) return `content type ${type}`;
      return check(type === "application/json" ? parse(answer.text) : answer.text);
    };
  };

  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): OperationRead => {
      const at = pointer("paths", path, method);
      const schema = described.requestBody?.content["application/json"]?.schema;
      const byStatus = new Map(
        Object.entries(described.responses).map(([status, response]) => [
          status,
          responseProblems(`${at}/responses/${status}`, response),
        ]),
      );
      return {
        name: described.operationId,
        method: method.toUpperCase(),
        path,
        parameters: described.parameters ?? [],
        body: schema && { schema, isRequired: described.requestBody?.required === true },
        bodyProblem: schema
          ? problemOf("requests", `${at}/requestBody/content/application~1json/schema`)
          : () => undefined,
        responseProblem: (answer) => {
          const check = byStatus.get(String(answer.status));
          return check ? check(answer) : `status ${answer.status} is not described`;
        },
      };
    }),
  );
  return {
    operations,
    resolve: (schema: Schema): Schema => resolve<Schema>(schema).value,
    /** Errors that belong to no operation have the same body. */
    errorProblem: problemOf("responses", "#/components/schemas/Error"),
  };
}

export type Reader = ReturnType<typeof readDescription>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
