// What the reference model knows: records as responses show them, with the model's own IDs.

// biome-ignore lint/suspicious/noExplicitAny: which fields there are follows from the tables in input.ts
export type Fields = Record<string, any>;
export type Texts = Readonly<Record<string, string>>;
export type Group = "folder" | "tag";
export type Noun = "snippet" | Group;
export const capital = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1);

/** A record with the fields that responses show. A snippet also has its variations, which have their versions, oldest first. */
export interface Row extends Fields {
  readonly id: string;
  readonly team_id: string;
}
/** What requests change. A refused request leaves it as it was. */
export type Library = Record<Noun | "trash" | "changes", Row[]>;
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly teams: readonly { readonly id: string; readonly name: string }[];
  readonly allowance: number;
  readonly perMinute: number;
  month: string;
  balance: number;
  library: Library;
}
export interface Key {
  readonly id: string;
  readonly name: string;
  readonly workspace: Workspace;
  /** Undefined for all teams. */
  readonly teams: readonly string[] | undefined;
  /** When its requests of the last minute were admitted. */
  admitted: number[];
  /** What was answered to requests with an `Idempotency-Key`. */
  readonly kept: Map<string, { readonly request: string; readonly response: Response; readonly at: number }>;
}
export interface Request {
  readonly operation: string;
  readonly key: Key;
  readonly query: Texts;
  /** JSON text. */
  readonly body?: string;
  /** The version of a text that the client has. */
  readonly known?: string;
  /** The `Idempotency-Key`. */
  readonly repeat?: string;
  /** Milliseconds. */
  readonly now: number;
}
/** What the service must answer. IDs are the model's own; a function checks a part that the specification leaves open. */
export interface Response {
  readonly status: number;
  readonly cost: number;
  readonly body: unknown;
  readonly headers: Texts;
}
export type Open = (value: unknown) => boolean;
