// Teams as people see them: who may look at one, who may change it, and what it holds.
import { isWithin, reachOf, type Standing } from "../../contract/console/actions.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import * as store from "./teams.store.ts";

/** Above so many snippets in a workspace nobody counts them while a page waits. */
export const snippetsCountedMax = 10_000;

/** Who looks: how they stand to the workspace. */
export interface Viewer {
  readonly personId: string;
  readonly standing: Standing;
}

/** A private team is seen by its members and by whoever reads all teams, an internal one by everybody. */
export const maySee = ({ standing }: Viewer, team: Pick<store.TeamRow, "id" | "visibility">): boolean =>
  team.visibility === "internal" || standing.teams.has(team.id) || reachOf(standing, "teams.read") === "all";

/** The private teams that are not theirs to see. */
export async function teamsHiddenFrom(
  transaction: Transaction,
  workspaceId: string,
  viewer: Viewer,
): Promise<ReadonlySet<string>> {
  const teams = await store.listVisibilities(transaction, workspaceId);
  return new Set(teams.filter((team) => !maySee(viewer, team)).map(({ id }) => id));
}

const mayManage = ({ standing }: Viewer, teamId: string): boolean => {
  const reach = reachOf(standing, "teams.manage");
  return reach !== undefined && isWithin(reach, teamId);
};

/** The teams that one may see, by name. */
export async function listTeams(transaction: Transaction, workspaceId: string, viewer: Viewer) {
  const seen = (await store.listTeamRows(transaction, workspaceId)).filter((team) => maySee(viewer, team));
  return detailsOf(transaction, workspaceId, viewer, seen);
}

/** @throws Refusal 404, also for a private team of others */
export async function showTeam(transaction: Transaction, workspaceId: string, viewer: Viewer, id: string) {
  const [team] = await detailsOf(transaction, workspaceId, viewer, [
    await requireTeam(transaction, workspaceId, viewer, id),
  ]);
  if (!team) throw consoleErrors.notFound("team");
  return team;
}

async function requireTeam(transaction: Transaction, workspaceId: string, viewer: Viewer, id: string) {
  const team = await store.findTeamRow(transaction, workspaceId, id);
  if (!team || !maySee(viewer, team)) throw consoleErrors.notFound("team");
  return team;
}

/** The team, held for a change. @throws Refusal 404 for one that is not to be seen, 403 for one of others */
export async function requireManagedTeam(transaction: Transaction, workspaceId: string, viewer: Viewer, id: string) {
  store.holdTeam(transaction, workspaceId, id);
  const team = await requireTeam(transaction, workspaceId, viewer, id);
  if (!mayManage(viewer, id)) throw consoleErrors.forbidden();
  return team;
}

async function detailsOf(
  transaction: Transaction,
  workspaceId: string,
  viewer: Viewer,
  teams: readonly store.TeamRow[],
) {
  const keys = await store.countKeysByTeam(transaction, workspaceId);
  const snippets = await store.countSnippetsByTeam(transaction, workspaceId, snippetsCountedMax);
  return teams.map((team) => ({
    id: team.id,
    workspace_id: team.workspace_id,
    name: team.name,
    visibility: team.visibility,
    created_at: team.created_at,
    own_role: viewer.standing.teams.get(team.id) ?? null,
    is_managed: mayManage(viewer, team.id),
    members: [...team.members],
    keys: keys.get(team.id) ?? 0,
    snippets: snippets ? (snippets.get(team.id) ?? 0) : null,
  }));
}
