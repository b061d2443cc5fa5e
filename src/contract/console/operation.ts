// A row of the console's operations table, and the types that follow from it.
import type { z } from "zod";
import type { InputOf as InputOfRow, Operation } from "../operation.ts";
import type { Action } from "./actions.ts";

export type Area =
  | "Account"
  | "Workspace"
  | "API access"
  | "Usage"
  | "Billing"
  | "Members"
  | "Instance"
  | "People"
  | "Teams"
  | "Library"
  | "Alerts"
  | "Audit log";

export interface ConsoleOperation
  extends Pick<Operation, "method" | "path" | "summary" | "description" | "query" | "body"> {
  readonly area: Area;
  /**
   * Who may call it: anybody, everybody who is signed in, or those whom the table of actions allows this action. Where the action is
   * not `instance.manage`, the query names the workspace.
   */
  readonly access: "public" | "signedIn" | Action;
  /**
   * Whether the password must have been entered in the last minutes. Required, so that a new action cannot forget it: what gives
   * access, takes it from somebody else, or moves money asks for it. A function decides by the body.
   */
  readonly confirmation: "always" | "never" | ((body: Readonly<Record<string, unknown>>) => boolean);
  /** Personal access tokens may call it too. */
  readonly isForTokens: boolean;
  /** Writes at least one row into the audit log. */
  readonly isAudited: boolean;
  /** A read that may write: the first one in a month opens the month. */
  readonly isWriting?: true;
  /** The handler opens its own transactions, because it hashes a password or its response is long. */
  readonly isOwnTransaction?: true;
  /** Also in a deleted workspace, where everything else is refused: for all whom it is allowed, or only for operators who are no members. */
  readonly worksInDeleted?: true | "forOperators";
  /** A client that accepts `text/event-stream` receives a stream. */
  readonly isStream?: true;
  /** The media type of the response, if it is not JSON. */
  readonly mediaType?:
    | "text/csv"
    | "application/pdf"
    | "application/x-ndjson"
    | "application/json"
    | "application/octet-stream";
  readonly data: z.ZodType;
  readonly metadata?: z.ZodType | undefined;
  /** The body may be as large as one of the public API. */
  readonly isLarge?: true;
  /** Pages follow each other by `nextCursor`. */
  readonly isPaged: boolean;
}

export type InputOf<Row extends ConsoleOperation> = InputOfRow<Row & Operation>;

/** The body that a client sends. */
export type RequestBodyOf<Row extends ConsoleOperation> = Row["body"] extends
  | { kind: "object"; schema: infer Schema extends z.ZodType }
  | { kind: "optional object"; schema: infer Schema extends z.ZodType }
  ? z.input<Schema>
  : Row["body"] extends { kind: "batch"; item: infer Item extends z.ZodType }
    ? { readonly [field: string]: readonly z.input<Item>[] }
    : Row["body"] extends { kind: "file" }
      ? Blob
      : undefined;

/** What a handler returns. `nextCursor` is null on the last page. */
export type ResultOf<Row extends ConsoleOperation> = {
  readonly data: z.output<Row["data"]>;
} & (Row["isPaged"] extends true ? { readonly nextCursor: string | null } : { readonly nextCursor?: never }) &
  (Row extends { readonly metadata: infer Metadata extends z.ZodType }
    ? { readonly metadata: z.output<Metadata> }
    : { readonly metadata?: never });
