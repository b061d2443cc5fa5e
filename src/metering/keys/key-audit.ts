// What the audit log says of a key: what it was, what it is, never its secret.
import type { AuditEntry } from "../../accounts/audit/audit.ts";
import { listTeams } from "../../accounts/workspaces/teams.store.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { Key, Overlap } from "./keys.ts";

export type KeyVerb = "create" | "change" | "rotate" | "deactivate" | "activate" | "delete";

/** @param overlap of a rotation */
export async function keyAuditEntry(
  transaction: Transaction,
  verb: KeyVerb,
  { before, after, overlap }: { readonly before?: Key; readonly after?: Key; readonly overlap?: Overlap },
): Promise<AuditEntry> {
  const key = after ?? before;
  const facts = async (told: Key | undefined) => {
    if (!told) return undefined;
    switch (verb) {
      case "rotate":
        return { secret_start: told.secret_start };
      case "activate":
      case "deactivate":
        return { status: told.status };
      case "change":
        return { name: told.name, teams: await teamsOf(transaction, told) };
      default:
        return {
          name: told.name,
          teams: await teamsOf(transaction, told),
          status: told.status,
          secret_start: told.secret_start,
        };
    }
  };
  return {
    action: `key.${verb}`,
    target: { kind: "key", id: key?.id ?? null, name: key?.name ?? null },
    before: await facts(before),
    after:
      after && overlap !== undefined
        ? { ...(await facts(after)), overlap, previous_secret_until: after.previous_secret_until }
        : await facts(after),
  };
}

/** Teams by the names that they have now: names are what is read later, ids what is looked for. */
async function teamsOf(transaction: Transaction, key: Key): Promise<"all" | { id: string; name: string }[]> {
  if (key.is_all_teams) return "all";
  const teams = key.team_permissions.length > 0 ? await listTeams(transaction, key.workspace_id) : [];
  return teams.filter(({ id }) => key.team_permissions.includes(id)).map(({ id, name }) => ({ id, name }));
}
