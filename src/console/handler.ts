// The type of a handler, derived from its row of the table.
import type { ConsoleOperation, InputOf, ResultOf } from "../contract/console/operation.ts";
import type { ConsoleCall, OwnTransactionCall } from "./call.ts";

/** What a handler of the library tells besides its response. */
export interface LibraryChange {
  /** The teams in whose library something was changed. */
  readonly changedTeamIds?: readonly string[];
}

/** A response that is not JSON. */
export interface Download {
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly fileName: string;
}

export type HandlerOf<Row extends ConsoleOperation> = (
  call: Row extends { readonly isOwnTransaction: true } ? OwnTransactionCall : ConsoleCall,
  input: InputOf<Row>,
) => Promise<
  Row extends { readonly mediaType: string }
    ? Download
    : ResultOf<Row> & Pick<LibraryChange, "changedTeamIds"> & { readonly cookies?: readonly string[] }
>;

/** One handler for each row of a part of the table. */
export type HandlersOf<Rows extends Readonly<Record<string, ConsoleOperation>>> = {
  readonly [Name in keyof Rows]: HandlerOf<Rows[Name]>;
};
