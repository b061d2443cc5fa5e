// Long reads: they run before the transaction that admits and charges them, so that no other call waits for them.
import { Refusal } from "../contract/errors.ts";
import type { AnyResult, Call, Caller } from "../library/call.ts";
import type { Transaction } from "../platform/database/database.ts";
import type { KeyCheck } from "./authenticate.ts";

/** What a call has read already, and for whom. */
export interface ReadAside {
  readonly caller: Caller;
  readonly result: AnyResult;
}

/** @returns undefined where the call will be refused, which is decided in its transaction */
export async function readAside(
  transaction: Transaction,
  checked: KeyCheck,
  read: (call: Pick<Call, "transaction" | "caller">) => Promise<AnyResult>,
): Promise<ReadAside | undefined> {
  if (checked.kind !== "open") return undefined;
  const { account: caller } = checked;
  try {
    return { caller, result: await read({ transaction, caller }) };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** False where the caller can access other teams by now: then the call reads again, in its transaction. */
export const isReadFor = ({ caller: before }: ReadAside, now: Caller): boolean =>
  before.workspaceId === now.workspaceId &&
  before.isAllTeams === now.isAllTeams &&
  before.teamIds.symmetricDifference(now.teamIds).size === 0;
