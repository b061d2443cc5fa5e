// Who reaches what (interface, Authentication 3 and 4; decisions, section 5). Unknown comes before forbidden, and an id of
// another workspace is unknown: stores select by workspace, so such a row never arrives here.

import { findTeams } from "../accounts/workspaces/teams.store.ts";
import { errors, type Noun } from "../contract/errors.ts";
import type { Call, Caller } from "./call.ts";

/** A row that belongs to a team. */
interface Owned {
  readonly id: string;
  readonly team_id: string;
}

export const reaches = (caller: Caller, teamId: string): boolean => caller.isAllTeams || caller.teamIds.has(teamId);

/** The row itself. @throws 404 where there is none, 403 where its team is out of reach. */
export function accessible<Row extends Owned>(caller: Caller, noun: Noun, row: Row | undefined): Row {
  if (!row) throw errors.notFound(noun);
  if (!reaches(caller, row.team_id)) throw errors.teamForbidden();
  return row;
}

/** The team that all rows belong to; undefined for no rows, or rows of several. */
export function teamOf(rows: readonly Pick<Owned, "team_id">[]): string | undefined {
  const team = rows[0]?.team_id;
  return rows.every((row) => row.team_id === team) ? team : undefined;
}

/** What became of a list of ids: the rows within reach, in the order asked, and the five counts. */
export function accessibleOf<Row extends Owned>(caller: Caller, ids: readonly string[], rows: readonly Row[]) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const found = ids.flatMap((id) => byId.get(id) ?? []);
  const within = found.filter((row) => reaches(caller, row.team_id));
  return {
    rows: within,
    counts: {
      requestedCount: ids.length,
      foundCount: found.length,
      accessibleCount: within.length,
      inaccessibleCount: found.length - within.length,
      missingCount: ids.length - found.length,
    },
  };
}

/** The counts of a delete: everything that was not deleted was inaccessible (decisions, section 4). */
export const deletedCounts = (requestedCount: number, deletedCount: number) => ({
  requestedCount,
  deletedCount,
  inaccessibleCount: requestedCount - deletedCount,
  accessibleCount: deletedCount,
});

/** Decides whether the caller may put something into a team: for each id a refusal (404, 403), or undefined. */
export async function teamRefusals({ transaction, caller }: Call, teamIds: readonly string[]) {
  const known = new Set(await findTeams(transaction, caller.workspaceId, [...new Set(teamIds)]));
  return (teamId: string) => {
    if (!known.has(teamId)) return errors.notFound("Team");
    return reaches(caller, teamId) ? undefined : errors.teamForbidden();
  };
}
