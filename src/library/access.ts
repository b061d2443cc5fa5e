// Which teams a caller can access (decisions, Access). "Not found" comes before "forbidden".
// Resources of other workspaces count as not found: stores select by workspace, so rules never see them.
import { findTeams, listTeams } from "../accounts/workspaces/teams.store.ts";
import { consoleErrors } from "../contract/console/errors.ts";
import { errors, type Noun, type Refusal } from "../contract/errors.ts";
import type { Call, Caller } from "./call.ts";

/** A row that belongs to a team. */
interface Owned {
  readonly id: string;
  readonly team_id: string;
}

export const canAccess = ({ isAllTeams, teamIds, deletedTeamIds }: Caller, teamId: string): boolean =>
  isAllTeams ? !deletedTeamIds.has(teamId) : teamIds.has(teamId);

/** What a deleted team has does not exist. */
export const exists = ({ deletedTeamIds }: Caller, row: Pick<Owned, "team_id">): boolean =>
  !deletedTeamIds.has(row.team_id);

/** The refusal names keys to a key, and the person to a person. */
export const teamForbidden = ({ isPerson }: Caller): Refusal =>
  isPerson ? consoleErrors.teamForbidden() : errors.teamForbidden();

/** Returns the row itself. @throws Refusal 404 without a row, 403 without access to its team */
export function requireAccess<Row extends Owned>(caller: Caller, noun: Noun, row: Row | undefined): Row {
  if (!row || !exists(caller, row)) throw errors.notFound(noun);
  if (!canAccess(caller, row.team_id)) throw teamForbidden(caller);
  return row;
}

/** The accessible rows in the order of `ids`, with the five counts of a read by ID list. */
export function selectAccessible<Row extends Owned>(caller: Caller, ids: readonly string[], rows: readonly Row[]) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found = ids.flatMap((id) => byId.get(id) ?? []).filter((row) => exists(caller, row));
  const accessible = found.filter((row) => canAccess(caller, row.team_id));
  return {
    rows: accessible,
    counts: {
      requestedCount: ids.length,
      foundCount: found.length,
      accessibleCount: accessible.length,
      inaccessibleCount: found.length - accessible.length,
      missingCount: ids.length - found.length,
    },
  };
}

/** The counts of a delete. What was not deleted counts as inaccessible. */
export const deletedCounts = (requestedCount: number, deletedCount: number) => ({
  requestedCount,
  deletedCount,
  inaccessibleCount: requestedCount - deletedCount,
  accessibleCount: deletedCount,
});

/** The team that all rows belong to; undefined for no rows and for rows of several teams. */
export function commonTeam(rows: readonly Pick<Owned, "team_id">[]): string | undefined {
  const team = rows[0]?.team_id;
  return rows.every((row) => row.team_id === team) ? team : undefined;
}

/** The teams that the caller can access. Undefined stands for every team of the workspace. */
export async function accessibleTeams({
  transaction,
  caller,
}: Pick<Call, "transaction" | "caller">): Promise<readonly string[] | undefined> {
  if (!caller.isAllTeams) return [...caller.teamIds];
  if (caller.deletedTeamIds.size === 0) return undefined;
  const teams = await listTeams(transaction, caller.workspaceId);
  return teams.flatMap(({ id }) => (canAccess(caller, id) ? id : []));
}

/**
 * The teams that a call is about: the one it names, or all that the caller can access.
 * @throws Refusal 404 or 403 for the team that it names
 */
export async function requireTeams(call: Call, teamId: string | undefined): Promise<readonly string[] | undefined> {
  const { caller } = call;
  if (teamId === undefined) return accessibleTeams(call);
  // A key's teams exist.
  if (caller.teamIds.has(teamId)) return [teamId];
  const checkTeam = await prepareTeamCheck(call, [teamId]);
  const refusal = checkTeam(teamId);
  if (refusal) throw refusal;
  return [teamId];
}

/** Reads these teams. Returns a function that says why the caller cannot create something in one of them: 404, 403 or undefined. */
export async function prepareTeamCheck({ transaction, caller }: Call, teamIds: readonly string[]) {
  const known = new Set(await findTeams(transaction, caller.workspaceId, [...new Set(teamIds)]));
  return (teamId: string): Refusal | undefined => {
    if (!known.has(teamId)) return errors.notFound("Team");
    return canAccess(caller, teamId) ? undefined : teamForbidden(caller);
  };
}
