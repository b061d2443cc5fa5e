// The type of a handler, derived from its row of the table.
import type { ConsoleOperation, InputOf, ResultOf } from "../contract/console/operation.ts";
import type { ConsoleCall, OwnTransactionCall } from "./call.ts";

/** What a handler returns besides what the row promises. */
interface Extras {
  readonly cookies?: readonly string[];
}

/** A response that is not JSON. */
export interface Download {
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | FileInPieces;
  readonly fileName: string;
  /** Further headers of the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A file that is made while it is sent. */
interface FileInPieces {
  readonly pieces: () => AsyncIterable<Uint8Array>;
  /** Called in any case. */
  readonly end: () => void;
}

/** A response that does not end by itself. */
export interface EventStream {
  readonly stream: ReadableStream<Uint8Array>;
}

export type HandlerOf<Row extends ConsoleOperation> = (
  call: Row extends { readonly isOwnTransaction: true } ? OwnTransactionCall : ConsoleCall,
  input: InputOf<Row>,
) => Promise<
  Row extends { readonly mediaType: string }
    ? Download
    : (ResultOf<Row> & Extras) | (Row extends { readonly isStream: true } ? EventStream : never)
>;

/** One handler for each row of a part of the table. */
export type HandlersOf<Rows extends Readonly<Record<string, ConsoleOperation>>> = {
  readonly [Name in keyof Rows]: HandlerOf<Rows[Name]>;
};
