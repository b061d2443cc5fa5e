// The types of the OpenAPI 3.1 document, as far as it uses them.
import type { z } from "zod";
import type { errorBody } from "./envelope.ts";
import type { OperationName } from "./operations.ts";
import type { Scope } from "./scopes.ts";

export interface Reference {
  readonly $ref: string;
}
/** The part of JSON Schema that the schemas use. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly additionalProperties?: boolean | Schema;
}
export interface Parameter {
  readonly name: string;
  readonly in: "query" | "header";
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: string | number;
  /** Other names that the service accepts for the parameter. */
  readonly "x-aliases"?: readonly string[];
}
interface Content<Example> {
  readonly "application/json": { readonly schema: Schema } & Example;
}
export interface OperationObject {
  readonly operationId: OperationName;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly description?: string;
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
  };
  readonly responses: Readonly<Record<string, SuccessObject | BodilessObject | Reference>> & {
    readonly 200: SuccessObject;
  };
  /** What the key must be allowed. */
  readonly "x-scope": Scope;
  /** Units charged: `base`, plus `perItem` for each item that the call returns or changes. */
  readonly "x-cost": { readonly words: string; readonly base: number; readonly perItem: number };
  /** Marks an operation beyond the interface. */
  readonly "x-addition"?: true;
}
export interface SuccessObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content: Partial<
    Record<
      "application/json" | "text/plain" | "application/zip" | "application/octet-stream",
      { readonly schema: Schema; readonly example?: unknown }
    >
  >;
}
/** A response without a body. */
export interface BodilessObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
}
export interface RefusalObject {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content: Content<{
    readonly examples: Readonly<
      Record<string, { readonly summary: string; readonly value: z.output<typeof errorBody> }>
    >;
  }>;
}
export interface OpenApi {
  readonly openapi: "3.1.0";
  readonly info: Readonly<{ title: string; version: string; summary: string; description: string; license: object }>;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly security: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, object>>;
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>;
    readonly responses: Readonly<Record<string, RefusalObject>>;
  };
}
