// A row of the operations table, and the types that follow from it.
import type { z } from "zod";
import type { Cost } from "./costs.ts";
import type { CursorPagination, Pagination } from "./envelope.ts";
import type { QueryParameter } from "./query.ts";
import type { Scope } from "./scopes.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

/** What an operation is about. OpenAPI groups the operations by it, under its name. */
export interface Resource {
  readonly name: string;
  readonly description: string;
}

type Query = Readonly<Record<string, QueryParameter<unknown>>>;

/** A body that is one object. An optional one can be left out altogether. */
interface ObjectBody {
  readonly kind: "object" | "optional object";
  readonly schema: z.ZodType;
}
/** A body with one field, an array whose items succeed or fail on their own. */
interface BatchBody {
  readonly kind: "batch";
  readonly field: string;
  readonly item: z.ZodType;
}
/** A body that is a file, of any kind. */
interface FileBody {
  readonly kind: "file";
}
type Body = ObjectBody | BatchBody | FileBody | undefined;

/** How the pages of a list follow each other: `limit` and `offset`, `limit` and `cursor` (`cursor.ts`), or there is only one. */
export type Paging = "offset" | "cursor" | undefined;

/** The parts of a row that have the same type in each row. */
interface Common {
  readonly method: Method;
  readonly path: string;
  readonly resource: Resource;
  readonly summary: string;
  readonly description?: string;
  /** What a key must be allowed. */
  readonly scope: Scope;
  readonly cost: Cost;
  /** True for a read that may take long: it runs beside the transaction that admits and charges it. */
  readonly isLong?: true;
}

/** Any row of the table. */
export interface Operation extends Common {
  readonly query: Query;
  readonly body: Body;
  readonly data: z.ZodType;
  readonly metadata: z.ZodType | undefined;
  readonly paging: Paging;
  /** True where a successful response is `data` alone, as plain text, instead of the envelope. */
  readonly isText: boolean;
  /** True where a successful response is a file instead of the envelope. */
  readonly isFile: boolean;
  /** True for an operation beyond the interface; OpenAPI marks it with `x-addition`. */
  readonly isAddition: boolean;
  readonly example: Example;
}

/** A request and its result. `example.ts` adds the envelope. */
export interface Example {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly result: {
    readonly data: unknown;
    readonly metadata?: unknown;
    readonly pagination?: unknown;
    readonly items?: number;
  };
}

/** The parts of a row that types are made from. */
interface Shapes<Q, B, Data, Metadata, Pages> {
  readonly query: Q;
  readonly body: B;
  readonly data: Data;
  readonly metadata: Metadata;
  readonly paging: Pages;
}

/**
 * A row of the table. What a row leaves out, it does not have: no parameters, no body, no metadata, no paging.
 * The example is required and must fit the schemas of its own row.
 */
export const defineOperation = <
  Data extends z.ZodType,
  Q extends Query = Record<never, never>,
  B extends Body = undefined,
  Metadata extends z.ZodType | undefined = undefined,
  Pages extends Paging = undefined,
>(
  row: Common &
    Partial<Omit<Shapes<Q, B, Data, Metadata, Pages>, "data">> & {
      readonly data: Data;
      readonly isText?: true;
      readonly isFile?: true;
      readonly isAddition?: true;
      readonly example: ExampleOf<NoInfer<Q>, NoInfer<B>, NoInfer<Data>, NoInfer<Metadata>, NoInfer<Pages>>;
    },
) =>
  // The compiler does not see that a type parameter without a value has its default; the defaults here are the same.
  ({
    ...{
      query: {},
      body: undefined,
      metadata: undefined,
      paging: undefined,
      isText: false,
      isFile: false,
      isAddition: false,
    },
    ...row,
  }) as Common & Shapes<Q, B, Data, Metadata, Pages> & Pick<Operation, "isText" | "isFile" | "isAddition" | "example">;

export const objectBody = <Schema extends z.ZodType>(schema: Schema) => ({ kind: "object", schema }) as const;
export const optionalBody = <Schema extends z.ZodType>(schema: Schema) =>
  ({ kind: "optional object", schema }) as const;
export const fileBody = { kind: "file" } as const;
export const batchBody = <Item extends z.ZodType>(field: string, item: Item) =>
  ({ kind: "batch", field, item }) as const;

/** A parsed item of a batch: well-formed, or refused with the reason. `id` is set where the item had one. */
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
      : B extends FileBody
        ? Uint8Array
        : undefined;

/** What a rule receives: the parsed query and body of its operation. */
export interface InputOf<Row extends Operation> {
  readonly query: QueryValues<Row["query"]>;
  readonly body: BodyValue<Row["body"]>;
}

/** What a rule returns. */
export type ResultOf<Row extends Operation> = Result<Row["data"], Row["metadata"], Row["paging"]>;

type Result<Data extends z.ZodType, Metadata, Pages> = {
  readonly data: z.output<Data>;
  /** The number of items that the cost is computed from. An operation that costs a plain 1 can leave it out. */
  readonly items?: number;
  /** The team whose resources the call was about; undefined for none or several. */
  readonly teamId?: string | undefined;
  /** Names this version of a text; only of an operation that responds with a text. */
  readonly version?: string;
} & (Metadata extends z.ZodType ? { readonly metadata: z.output<Metadata> } : { readonly metadata?: never }) &
  (Pages extends "offset"
    ? { readonly pagination: Pagination }
    : Pages extends "cursor"
      ? { readonly pagination: CursorPagination }
      : { readonly pagination?: never });

type BodyExample<B> = B extends FileBody ? { readonly body: string } : JsonExample<B>;
type JsonExample<B> = B extends { kind: "object"; schema: infer S extends z.ZodType }
  ? { readonly body: z.input<S> }
  : B extends { kind: "optional object"; schema: infer S extends z.ZodType }
    ? { readonly body?: z.input<S> }
    : B extends { kind: "batch"; item: infer I extends z.ZodType }
      ? { readonly body: { readonly [field: string]: readonly z.input<I>[] } }
      : { readonly body?: never };

type ExampleOf<Q, B, Data extends z.ZodType, Metadata, Pages> = {
  readonly query?: { readonly [Name in keyof Q]?: string | number };
  readonly result: Result<Data, Metadata, Pages>;
} & BodyExample<B>;
