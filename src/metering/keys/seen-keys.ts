// The keys whose secrets a person has seen, in all their workspaces: somebody has to rotate them once the person is gone.
import { listMemberships } from "../../accounts/people/people.store.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { listKeysSeenBy, type SeenKey } from "./seen-keys.store.ts";

export interface SeenKeyOfWorkspace extends SeenKey {
  readonly workspace_id: string;
  readonly workspace_name: string;
}

/** Lists the active keys that a person created or rotated, by workspace. */
export async function listKeysSeenEverywhere(
  transaction: Transaction,
  personId: string,
): Promise<readonly SeenKeyOfWorkspace[]> {
  const seen: SeenKeyOfWorkspace[] = [];
  for (const { workspace_id, workspace_name } of await listMemberships(transaction, personId))
    for (const key of await listKeysSeenBy(transaction, workspace_id, personId))
      seen.push({ ...key, workspace_id, workspace_name });
  return seen;
}
