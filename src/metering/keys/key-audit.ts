// The audit log's entry about a key: its values before and after, never its secret.
import type { AuditEntry } from "../../accounts/audit/audit.ts";
import { listKeptTeams } from "../../accounts/workspaces/teams.store.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { Key, Overlap } from "./keys.ts";

export type KeyVerb = "create" | "change" | "rotate" | "deactivate" | "activate" | "delete";

export interface KeyChange {
  readonly before?: Key;
  readonly after?: Key;
  /** Of a rotation. */
  readonly overlap?: Overlap;
}

export async function keyAuditEntry(
  transaction: Transaction,
  verb: KeyVerb,
  { before, after, overlap }: KeyChange,
): Promise<AuditEntry> {
  const key = after ?? before;
  const details = async (one: Key | undefined) => one && detailsOf(transaction, verb, one);
  return {
    action: `key.${verb}`,
    target: { kind: "key", id: key?.id ?? null, name: key?.name ?? null },
    before: await details(before),
    after:
      after && overlap !== undefined
        ? { ...(await details(after)), overlap, previous_secret_until: after.previous_secret_until }
        : await details(after),
  };
}

/** The values that the change is about. */
async function detailsOf(transaction: Transaction, verb: KeyVerb, key: Key): Promise<Record<string, unknown>> {
  const { name, status, secret_start } = key;
  switch (verb) {
    case "rotate":
      return { secret_start };
    case "activate":
    case "deactivate":
      return { status };
    case "change":
      return { name, teams: await teamsOf(transaction, key), ...limitsOf(key) };
    case "create":
    case "delete":
      return { name, teams: await teamsOf(transaction, key), status, secret_start, ...limitsOf(key) };
  }
}

/** The limits that the key has. */
const limitsOf = ({ scope, expires_at, networks, monthly_budget, requests_per_minute }: Key) => ({
  ...(scope !== "read_write" && { scope }),
  ...(expires_at !== null && { expires_at }),
  ...(networks.length > 0 && { networks }),
  ...(monthly_budget !== null && { monthly_budget }),
  ...(requests_per_minute !== null && { requests_per_minute }),
});

/** Teams with their present names, for the reader, and their ids, for a search. */
async function teamsOf(transaction: Transaction, key: Key): Promise<"all" | { id: string; name: string }[]> {
  if (key.is_all_teams) return "all";
  const teams = key.team_permissions.length > 0 ? await listKeptTeams(transaction, key.workspace_id) : [];
  return teams.filter(({ id }) => key.team_permissions.includes(id)).map(({ id, name }) => ({ id, name }));
}
