// Teams as people see them: who may see and change a team, and what it contains.
import { isWithin, type Roles, reachOf, type TeamRole } from "../../contract/console/actions.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import * as store from "./teams.store.ts";

/** In a workspace with more snippets, they are not counted: it would take too long. */
export const snippetsCountedMax = 10_000;

/** Internal teams are visible to all members; private ones to their own members and to those who may read all teams. */
const isVisible = (roles: Roles, team: Pick<store.TeamRow, "id" | "visibility">): boolean =>
  team.visibility === "internal" || roles.teams.has(team.id) || reachOf(roles, "teams.read") === "all";

/** The private teams that a person with these roles must not see. */
export async function findHiddenTeams(
  transaction: Transaction,
  workspaceId: string,
  roles: Roles,
): Promise<ReadonlySet<string>> {
  const teams = await store.listVisibilities(transaction, workspaceId);
  return new Set(teams.filter((team) => !isVisible(roles, team)).map(({ id }) => id));
}

/** Roles in teams with the names of the teams, by name. A team that was deleted meanwhile is left out. */
export async function withTeamNames(
  transaction: Transaction,
  workspaceId: string,
  given: readonly { readonly teamId: string; readonly role: TeamRole }[],
): Promise<{ id: string; name: string; role: TeamRole }[]> {
  if (given.length === 0) return [];
  const roles = new Map(given.map(({ teamId, role }) => [teamId, role]));
  return (await store.listTeams(transaction, workspaceId))
    .flatMap(({ id, name }) => {
      const role = roles.get(id);
      return role === undefined ? [] : [{ id, name, role }];
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

const isManaged = (roles: Roles, teamId: string): boolean => {
  const reach = reachOf(roles, "teams.manage");
  return reach !== undefined && isWithin(reach, teamId);
};

/** The visible teams of a workspace, by name. */
export async function listTeams(transaction: Transaction, workspaceId: string, roles: Roles) {
  const seen = (await store.listTeamRows(transaction, workspaceId)).filter((team) => isVisible(roles, team));
  return detailsOf(transaction, workspaceId, roles, seen);
}

/** @throws Refusal `not_found`, also for an invisible team */
export async function readTeam(transaction: Transaction, workspaceId: string, roles: Roles, id: string) {
  const [team] = await detailsOf(transaction, workspaceId, roles, [
    await requireTeam(transaction, workspaceId, roles, id),
  ]);
  if (!team) throw consoleErrors.notFound("team");
  return team;
}

/** @returns the ids, each once. @throws Refusal `not_found` for an id that is no team of the workspace */
export async function requireTeams(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const uniqueIds = [...new Set(ids)];
  const known = await store.findTeams(transaction, workspaceId, uniqueIds);
  const unknown = uniqueIds.find((id) => !known.includes(id));
  if (unknown !== undefined) throw consoleErrors.notFound("team", unknown);
  return uniqueIds;
}

async function requireTeam(transaction: Transaction, workspaceId: string, roles: Roles, id: string) {
  const team = await store.findTeamRow(transaction, workspaceId, id);
  if (!team || !isVisible(roles, team)) throw consoleErrors.notFound("team");
  return team;
}

/** Locks a team for a change. @throws Refusal `not_found` for an invisible team, `forbidden` for one that others manage */
export async function requireManagedTeam(transaction: Transaction, workspaceId: string, roles: Roles, id: string) {
  store.lockForTeamChange(transaction, workspaceId, id);
  const team = await requireTeam(transaction, workspaceId, roles, id);
  if (!isManaged(roles, id)) throw consoleErrors.forbidden();
  return team;
}

async function detailsOf(transaction: Transaction, workspaceId: string, roles: Roles, teams: readonly store.TeamRow[]) {
  const keys = await store.countKeysByTeam(transaction, workspaceId);
  const snippets = await store.countSnippetsByTeam(transaction, workspaceId, snippetsCountedMax);
  return teams.map((team) => ({
    id: team.id,
    workspace_id: team.workspace_id,
    name: team.name,
    visibility: team.visibility,
    created_at: team.created_at,
    own_role: roles.teams.get(team.id) ?? null,
    is_managed: isManaged(roles, team.id),
    members: [...team.members],
    keys: keys.get(team.id) ?? 0,
    snippets: snippets ? (snippets.get(team.id) ?? 0) : null,
  }));
}
