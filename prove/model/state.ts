// What the reference model knows: records as responses show them, with the model's own IDs.

// biome-ignore lint/suspicious/noExplicitAny: which fields there are follows from the tables of the operations
export type Fields = Record<string, any>;
export type Texts = Readonly<Record<string, string>>;
export type Noun = "snippet" | "folder" | "tag";
export const capital = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1);

/** What requests change; a refused one leaves it as it was. A snippet has its variations, which have their versions, oldest first. */
export type Library = Record<Noun | "team" | "trash" | "changes", Fields[]>;
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly allowance: number;
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
  readonly body: Fields | string;
  readonly headers: Texts;
}
