// A person at the rules of the library. The rules are those of the public API; a person is a caller like a key.
import type { LibraryName, SharedName } from "../../contract/console/operations/library-writes.ts";
import { libraryName, type libraryWrites, sharedNames } from "../../contract/console/operations/library-writes.ts";
import type { OperationName } from "../../contract/operations.ts";
import type { AnyResult, Call } from "../../library/call.ts";
import { handlers } from "../../library/handlers.ts";
import type { ParsedInput } from "../../platform/http/parse-input.ts";
import type { ConsoleCall } from "../call.ts";
import type { HandlersOf } from "../handler.ts";

/** The call as the rules know it. The teams are those where the table of actions allows the person this operation. */
export const libraryCall = ({ transaction, actor, workspaceId, reach, context }: ConsoleCall): Call => ({
  transaction,
  caller: {
    id: actor.personId,
    workspaceId,
    isAllTeams: reach === "all",
    teamIds: reach === "all" ? new Set() : reach,
  },
  trashDays: context.config.trashDays,
});

/** The input was parsed by the schemas of this row, which the rule's type is made of. */
const runRule = (name: OperationName, call: Call, input: ParsedInput): Promise<AnyResult> =>
  (handlers[name] as (call: Call, input: ParsedInput) => Promise<AnyResult>)(call, input);

const handlerOf =
  (name: SharedName) =>
  async (call: ConsoleCall, input: ParsedInput): Promise<Pick<AnyResult, "data" | "metadata">> => {
    const { data, metadata } = await runRule(name, libraryCall(call), input);
    return { data, metadata };
  };

export const libraryWriteHandlers =
  // Each rule returns what its row of the table says, and these rows repeat that.
  Object.fromEntries(sharedNames.map((name) => [libraryName(name), handlerOf(name)])) as unknown as HandlersOf<
    Pick<typeof libraryWrites, LibraryName<SharedName>>
  >;
