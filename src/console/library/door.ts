// A person at the rules of the library. The rules are those of the public API; a person is a caller like a key.
import { consoleErrors } from "../../contract/console/errors.ts";
import type { LibraryName, SharedName } from "../../contract/console/operations/library-writes.ts";
import { libraryName, type libraryWrites, sharedNames } from "../../contract/console/operations/library-writes.ts";
import { Refusal } from "../../contract/errors.ts";
import { accessibleTeams, canAccess } from "../../library/access.ts";
import { recordActsIn } from "../../library/acts.ts";
import type { AnyResult, Call, Caller } from "../../library/call.ts";
import { noteChangesIn } from "../../library/feed/write.ts";
import { handlers } from "../../library/handlers.ts";
import { findVariationOwners } from "../../library/variations.store.ts";
import { requireBytesIn, storeBytesIn } from "../../metering/storage/storage.ts";
import type { ParsedInput } from "../../platform/http/parse-input.ts";
import type { ConsoleCall } from "../call.ts";
import type { HandlersOf } from "../handler.ts";
import { readSnippet } from "./read.ts";

/** The person as the rules know them. The teams are those where the table of actions allows the person this operation. */
export const libraryCaller = ({
  actor,
  workspaceId,
  reach,
  deletedTeamIds,
}: Pick<ConsoleCall, "actor" | "workspaceId" | "reach" | "deletedTeamIds">): Caller => ({
  id: actor.personId,
  workspaceId,
  isAllTeams: reach === "all",
  teamIds: reach === "all" ? new Set() : reach.difference(deletedTeamIds),
  deletedTeamIds,
  isPerson: true,
});

/** The call as the rules know it. */
export function libraryCall(call: ConsoleCall, ifState?: string): Call {
  const { transaction, workspaceId, context } = call;
  const { trashDays, storageBytesMax } = context.config;
  const caller = libraryCaller(call);
  return {
    ...{ transaction, caller, trashDays },
    ...(ifState !== undefined && { ifState }),
    noteChanges: noteChangesIn(transaction, workspaceId),
    recordActs: recordActsIn(transaction, caller),
    storeBytes: storeBytesIn(transaction, workspaceId, storageBytesMax),
    requireLeft: requireBytesIn(transaction, workspaceId, storageBytesMax),
  };
}

/** The teams of a view. A deleted team is like an unknown one. @throws Refusal 403 for a team that the person cannot access */
export async function teamIdsOf(call: Call, teamId: string | undefined): Promise<readonly string[] | undefined> {
  const { caller } = call;
  if (teamId === undefined) return accessibleTeams(call);
  if (caller.isAllTeams && caller.deletedTeamIds.has(teamId)) return [];
  if (!canAccess(caller, teamId)) throw consoleErrors.teamForbidden();
  return [teamId];
}

type Rule = (call: Call, input: ParsedInput) => Promise<AnyResult>;

const handlerOf = (name: SharedName) => {
  // The input was parsed by the schemas of this row, which the types of its rule are made of.
  const rule = handlers[name] as Rule;
  return async (call: ConsoleCall, input: ParsedInput): Promise<Pick<AnyResult, "data" | "metadata">> => {
    const { ifState } = input.query;
    const guarded = libraryCall(call, typeof ifState === "string" ? ifState : undefined);
    const { data, metadata } = await rule(guarded, input).catch(async (error: unknown) => {
      throw await withCurrentState(guarded, input, error);
    });
    return { data, metadata };
  };
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
