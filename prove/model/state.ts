// What the reference model knows: plain lists, with the model's own IDs.

export interface Content {
  readonly type: string;
  readonly content: string;
}
export interface Version {
  readonly id: string;
  readonly at: string;
  readonly content: Content;
}
export interface Variation {
  readonly id: string;
  name: string;
  index: number;
  readonly created: string;
  updated: string;
  /** The oldest first; the last one is the current text. */
  readonly versions: Version[];
}
export interface Snippet {
  readonly id: string;
  readonly team: string;
  readonly by: string;
  readonly created: string;
  updated: string;
  title: string;
  note: string | null;
  shortcut: string | null;
  folder: string | null;
  isArchived: boolean;
  tags: string[];
  /** By index. */
  variations: Variation[];
}
export interface Group {
  readonly id: string;
  readonly team: string;
  readonly created: string;
  updated: string;
  name: string;
  color: string;
  parent: string | null;
}
export interface Trashed {
  readonly snippet: Snippet;
  readonly at: string;
  readonly by: string;
}
/** What requests change. A refused request leaves it as it was. */
export interface Library {
  snippets: Snippet[];
  folders: Group[];
  tags: Group[];
  trash: Trashed[];
}
export interface Team {
  readonly id: string;
  readonly name: string;
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
  readonly kept: Map<string, Kept>;
}
export interface Kept {
  readonly request: string;
  readonly response: Response;
  readonly at: number;
}
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly teams: readonly Team[];
  readonly allowance: number;
  month: string;
  balance: number;
  library: Library;
}
export interface Request {
  readonly operation: string;
  readonly key: Key;
  readonly query: Readonly<Record<string, string>>;
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
  readonly headers: Readonly<Record<string, string>>;
}
export type Open = (value: unknown) => boolean;
