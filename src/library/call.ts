// What every rule receives and returns.
import type { Input, OperationName, Result } from "../contract/operations.ts";
import type { RequireLeft, StoreBytes } from "../metering/storage/storage.ts";
import type { Transaction } from "../platform/database/database.ts";
import type { RecordActs } from "./acts.ts";
import type { FeedCursors } from "./feed/cursor.ts";
import type { NoteChanges } from "./feed/noted.ts";
import type { ImportSource } from "./import/run.ts";

/** The API key or the person that makes a call, with the teams that it can access. */
export interface Caller {
  /** The ID of the key or the person; `created_by` of what the call creates. */
  readonly id: string;
  readonly workspaceId: string;
  /** True for a key with access to all teams, also those created later. `teamIds` is empty then. */
  readonly isAllTeams: boolean;
  readonly teamIds: ReadonlySet<string>;
  /** Teams of the workspace that can still be restored. Nobody can access them, and they and what they have count as not found. */
  readonly deletedTeamIds: ReadonlySet<string>;
  /** Absent for a key. */
  readonly isPerson?: true;
}

export interface Call {
  readonly transaction: Transaction;
  readonly caller: Caller;
  /** How long deleted snippets are kept; undefined: forever; 0 deletes them at once. */
  readonly trashDays: number | undefined;
  /** How many calls of the key are admitted in any minute. Absent for a person. */
  readonly requestsPerMinute?: number;
  /** Reserves room for a response with so many bytes of text, before they are read. Absent for a person. @throws Refusal 503 */
  readonly reserve?: (bytes: number) => void;
  /** Counts bytes that the call adds to the library or takes away. @throws Refusal 403 where the workspace would store more than it may */
  readonly storeBytes: StoreBytes;
  /** Refuses what the workspace cannot afford in the end, for work that takes several requests. Absent where there is no such work. @throws Refusal 403 */
  readonly requireLeft?: RequireLeft;
  /** What was read of the file that the call imports. */
  readonly file?: ImportSource;
  /** Adds changes to the feed. They become visible with the commit. */
  readonly noteChanges: NoteChanges;
  /** Adds to the library activity what the caller did, as a part of the call's transaction. */
  readonly recordActs: RecordActs;
  /** Writes and reads the cursors of the feed. Absent where nobody follows it. */
  readonly feedCursors?: FeedCursors;
  /** An update of something whose state is another one is refused: the caller has not seen it. */
  readonly ifState?: string;
}

/** The result of any rule, as the envelope needs it. */
export interface AnyResult {
  readonly data: unknown;
  readonly metadata?: unknown;
  readonly pagination?: unknown;
  /** The number of items that the cost is computed from. */
  readonly items?: number;
  /** The team whose resources the call was about; undefined for none or several. The ledger records it. */
  readonly teamId?: string | undefined;
  /** Names this version of a text. */
  readonly version?: string;
}

/** The rule of an operation, without HTTP and without SQL. @throws Refusal */
export type Handler<Name extends OperationName> = (call: Call, input: Input<Name>) => Promise<Result<Name>>;

export type Handlers = { readonly [Name in OperationName]: Handler<Name> };

/** `fieldsUpdated` of a response: the fields of the request, each set to true. */
export const fieldsUpdated = (body: object): Record<string, true> =>
  Object.fromEntries(Object.keys(body).map((name) => [name, true]));
