// What the reference model is asked, and what it answers. Records are as responses show them, with the model's own IDs.
import type { Key } from "./call.ts";

// biome-ignore lint/suspicious/noExplicitAny: which fields there are follows from the tables of the operations
export type Fields = Record<string, any>;
export type Texts = Readonly<Record<string, string>>;
export type Noun = "snippet" | "folder" | "tag";
export const capital = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1);

export interface Request {
  readonly operation: string;
  readonly key: Key;
  readonly query: Texts;
  /** JSON text. */
  readonly body?: string;
  readonly headers: Texts;
  /** Milliseconds. */
  readonly now: number;
}
/** What the service must answer. A function checks a part that the specification leaves open. */
export interface Response {
  readonly status: number;
  readonly body: Fields | string;
  readonly headers: Readonly<Record<string, string | number>>;
}
