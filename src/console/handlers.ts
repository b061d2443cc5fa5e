// The table's rows and the rules that carry them out. A row without a handler does not compile.
import type {
  ConsoleInput,
  ConsoleOperationName,
  ConsoleResult,
  consoleOperations,
} from "../contract/console/operations.ts";
import type { ConsoleCall, ConsoleVisit } from "./call.ts";
import { accountHandlers } from "./handlers/account.ts";
import { auditHandlers } from "./handlers/audit.ts";
import { billingHandlers } from "./handlers/billing.ts";
import { keyHandlers } from "./handlers/keys.ts";
import { memberHandlers } from "./handlers/members.ts";
import { teamHandlers } from "./handlers/teams.ts";
import { usageHandlers } from "./handlers/usage.ts";
import { workspaceHandlers } from "./handlers/workspaces.ts";

/** A long answer that is no JSON. */
export interface Download {
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  readonly fileName: string;
}

type Row<Name extends ConsoleOperationName> = (typeof consoleOperations)[Name];

export type ConsoleHandler<Name extends ConsoleOperationName> = (
  call: Row<Name> extends { readonly isOwnTransaction: true } ? ConsoleVisit : ConsoleCall,
  input: ConsoleInput<Name>,
) => Promise<
  Row<Name> extends { readonly answers: string }
    ? Download
    : ConsoleResult<Name> & { readonly cookies?: readonly string[] }
>;

export type ConsoleHandlers = { readonly [Name in ConsoleOperationName]: ConsoleHandler<Name> };

export const consoleHandlers: ConsoleHandlers = {
  ...accountHandlers,
  ...workspaceHandlers,
  ...keyHandlers,
  ...usageHandlers,
  ...billingHandlers,
  ...memberHandlers,
  ...teamHandlers,
  ...auditHandlers,
};
