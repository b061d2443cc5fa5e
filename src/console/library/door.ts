// A person at the rules of the library. The rules are those of the public API; a person is a caller like a key.
import { consoleErrors } from "../../contract/console/errors.ts";
import type { LibraryName, SharedName } from "../../contract/console/operations/library-writes.ts";
import { libraryName, type libraryWrites, sharedNames } from "../../contract/console/operations/library-writes.ts";
import { Refusal } from "../../contract/errors.ts";
import type { OperationName } from "../../contract/operations.ts";
import type { AnyResult, Call } from "../../library/call.ts";
import { handlers } from "../../library/handlers.ts";
import { findVariationOwners } from "../../library/variations.store.ts";
import type { ParsedInput } from "../../platform/http/parse-input.ts";
import type { ConsoleCall } from "../call.ts";
import type { HandlersOf } from "../handler.ts";
import { readSnippet } from "./read.ts";

/** The call as the rules know it. The teams are those where the table of actions allows the person this operation. */
export const libraryCall = (
  { transaction, actor, workspaceId, reach, context }: ConsoleCall,
  ifState?: string,
): Call => ({
  transaction,
  ...(ifState !== undefined && { ifState }),
  caller: {
    id: actor.personId,
    workspaceId,
    isAllTeams: reach === "all",
    teamIds: reach === "all" ? new Set() : reach,
    isPerson: true,
  },
  trashDays: context.config.trashDays,
});

/** The input was parsed by the schemas of this row, which the rule's type is made of. */
const runRule = (name: OperationName, call: Call, input: ParsedInput): Promise<AnyResult> =>
  (handlers[name] as (call: Call, input: ParsedInput) => Promise<AnyResult>)(call, input);

const handlerOf =
  (name: SharedName) =>
  async (call: ConsoleCall, input: ParsedInput): Promise<Pick<AnyResult, "data" | "metadata">> => {
    const { ifState } = input.query;
    const guarded = libraryCall(call, typeof ifState === "string" ? ifState : undefined);
    const { data, metadata } = await runRule(name, guarded, input).catch(async (error: unknown) => {
      throw await withCurrentState(guarded, input, error);
    });
    return { data, metadata };
  };

/** An editor that saved too late receives the snippet as it is now, to show both sides. */
async function withCurrentState(call: Call, { query }: ParsedInput, error: unknown): Promise<unknown> {
  if (!(error instanceof Refusal) || error.code !== consoleErrors.changedMeanwhile().code) return error;
  const { id, variationId } = query;
  const [owner] =
    typeof variationId === "string"
      ? await findVariationOwners(call.transaction, call.caller.workspaceId, [variationId])
      : [];
  const snippetId = owner?.snippet_id ?? id;
  return consoleErrors.changedMeanwhile(typeof snippetId === "string" ? await readSnippet(call, snippetId) : undefined);
}

export const libraryWriteHandlers =
  // Each rule returns what its row of the table says, and these rows repeat that.
  Object.fromEntries(sharedNames.map((name) => [libraryName(name), handlerOf(name)])) as unknown as HandlersOf<
    Pick<typeof libraryWrites, LibraryName<SharedName>>
  >;
