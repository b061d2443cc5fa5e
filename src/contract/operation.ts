// The shape of a row of the operations table, and the types that follow from a row.
import type { z } from "zod";
import type { Cost } from "./costs.ts";
import type { Pagination } from "./envelope.ts";
import type { QueryParameter } from "./query.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";
export type Resource = "Snippets" | "Variations" | "Folders" | "Tags";
type Query = Record<string, QueryParameter<unknown>>;

/** A body that is one object. An optional one may be left away altogether. */
interface ObjectBody {
  readonly kind: "object" | "optional object";
  readonly schema: z.ZodType;
}
/** A body whose one field is an array of items that each stand alone. */
interface BatchBody {
  readonly kind: "batch";
  readonly field: string;
  readonly item: z.ZodType;
}
type Body = ObjectBody | BatchBody | undefined;

export interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly resource: Resource;
  readonly summary: string;
  readonly description?: string;
  readonly cost: Cost;
  readonly query: Query;
  readonly body: Body;
  readonly data: z.ZodType;
  readonly metadata: z.ZodType | undefined;
  readonly isPaged: boolean;
}

export const objectBody = <Schema extends z.ZodType>(schema: Schema) => ({ kind: "object", schema }) as const;
export const optionalBody = <Schema extends z.ZodType>(schema: Schema) =>
  ({ kind: "optional object", schema }) as const;
export const batchBody = <Item extends z.ZodType>(field: string, item: Item) =>
  ({ kind: "batch", field, item }) as const;

/** An item of a batch after the door: well-formed, or refused with the reason. `id` is there where the item had one. */
export type BatchItem<Value> =
  | { readonly index: number; readonly id: string | undefined; readonly value: Value }
  | { readonly index: number; readonly id: string | undefined; readonly refusal: string };

type QueryValues<Q> = { readonly [Name in keyof Q]: Q[Name] extends QueryParameter<infer Value> ? Value : never };
type BodyValue<B> = B extends { kind: "object"; schema: infer S extends z.ZodType }
  ? z.output<S>
  : B extends { kind: "optional object"; schema: infer S extends z.ZodType }
    ? z.output<S> | undefined
    : B extends { kind: "batch"; item: infer I extends z.ZodType }
      ? readonly BatchItem<z.output<I>>[]
      : undefined;

/** What a rule is given: the parsed query and body of its operation. */
export interface InputOf<Row extends Operation> {
  readonly query: QueryValues<Row["query"]>;
  readonly body: BodyValue<Row["body"]>;
}

/**
 * What a rule gives back. `items` is what the cost is computed from; an operation that costs a plain 1 need not say it. `teamId` is the
 * team whose resources it was about, undefined for none or several.
 */
export type ResultOf<Row extends Operation> = {
  readonly data: z.output<Row["data"]>;
  readonly items?: number;
  readonly teamId?: string | undefined;
} & (Row["metadata"] extends z.ZodType
  ? { readonly metadata: z.output<Row["metadata"]> }
  : { readonly metadata?: never }) &
  (Row["isPaged"] extends true ? { readonly pagination: Pagination } : { readonly pagination?: never });
