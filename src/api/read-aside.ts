// Long reads: they run before the transaction that admits and charges them, so that no other request waits for them.
import { Refusal } from "../contract/errors.ts";
import { type OperationName, operations } from "../contract/operations.ts";
import type { AnyResult, Call, Caller } from "../library/call.ts";
import { writesNothing } from "../library/feed/noted.ts";
import { handlers } from "../library/handlers.ts";
import type { ImportSource } from "../library/import/run.ts";
import type { LongRead } from "../platform/database/long-read.ts";
import type { ParsedInput } from "../platform/http/parse-input.ts";

/** What a request has read already, and for whom. */
export interface ReadAside {
  readonly caller: Caller;
  readonly result: AnyResult;
}

interface Asked extends Pick<Call, "caller" | "trashDays"> {
  readonly name: OperationName;
  readonly input: ParsedInput;
  readonly requestsPerMinute: number;
}

/** An operation that takes long. The `data` is undefined where the request will be refused, which is decided in its transaction. */
export const longOperation: LongRead<Asked, AnyResult> = {
  name: "operation",
  read: async (transaction, { name, input, ...call }, reserve) => {
    try {
      return await callHandler(name, { ...call, transaction, reserve, ...writesNothing }, input);
    } catch (error) {
      if (error instanceof Refusal) return { data: undefined };
      throw error;
    }
  },
};

/** The input was parsed by the schemas of this row, which the handler's type is made of; a file was read as an import takes it. */
export const callHandler = (name: OperationName, call: Call, input: ParsedInput): Promise<AnyResult> =>
  (handlers[name] as (call: Call, input: ParsedInput) => Promise<AnyResult>)(
    operations[name].body?.kind === "file" ? { ...call, file: input.body as ImportSource } : call,
    input,
  );

/** False where the caller can access other teams by now: then the call reads again, in its transaction. */
export const isReadFor = ({ caller: before }: ReadAside, now: Caller): boolean =>
  before.workspaceId === now.workspaceId &&
  before.isAllTeams === now.isAllTeams &&
  before.teamIds.symmetricDifference(now.teamIds).size === 0 &&
  before.deletedTeamIds.symmetricDifference(now.deletedTeamIds).size === 0;
