// What a caller can access: who is calling, its teams, and their folders and tags.
import { findWorkspace } from "../accounts/workspaces/workspaces.store.ts";
import { errors } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import { type KeyScope, keyScopes } from "../contract/scopes.ts";
import { findKey } from "../metering/keys/keys.store.ts";
import { accessibleTeams, requireTeams } from "./access.ts";
import type { Call, Handler } from "./call.ts";
import { folderStore } from "./folders.store.ts";
import { tagStore } from "./tags.store.ts";
import { listCountedTeams, listTeamNames } from "./teams.store.ts";

export const getMe: Handler<"getMe"> = async (call) => {
  const { transaction, caller, requestsPerMinute } = call;
  const teamIds = await accessibleTeams(call);
  const [key, workspace, teams] = await Promise.all([
    findKey(transaction, caller.id, caller.workspaceId),
    findWorkspace(transaction, caller.workspaceId),
    listTeamNames(transaction, caller.workspaceId, teamIds),
  ]);
  // They cannot be absent: this transaction has admitted the key.
  if (!key || !workspace || requestsPerMinute === undefined) throw errors.internal();
  return {
    data: {
      key: { id: key.id, name: key.name, scopes: scopesOf(key.scope), expires_at: key.expires_at },
      workspace: { id: workspace.id, name: workspace.name },
      teams,
      requests_per_minute: requestsPerMinute,
      monthly_requests: workspace.monthly_requests,
    },
  };
};

/** Null for a key that may call everything. */
const scopesOf = (scope: KeyScope): string[] | null => (scope === "read_write" ? null : [...keyScopes[scope]]);

export const getTeams: Handler<"getTeams"> = async (call) => {
  const { transaction, caller } = call;
  const teams = await listCountedTeams(transaction, caller.workspaceId, await requireTeams(call, undefined));
  return { data: { teams }, teamId: onlyOne(teams.map(({ id }) => id)) };
};

export const getTree: Handler<"getTree"> = async (call, { query }) => {
  const { transaction, caller } = call;
  const teamIds = await requireTeams(call, query.teamId);
  const most = limits.treeRowsMax;
  const [folders, tags] = await Promise.all([
    folderStore.listCounted(transaction, caller.workspaceId, teamIds, most + 1),
    tagStore.listCounted(transaction, caller.workspaceId, teamIds, most + 1),
  ]);
  const isTruncated = folders.length > most || tags.length > most;
  if (isTruncated && !(await isOneTeam(call, teamIds)))
    throw errors.invalid(
      `teamId is required, because your teams have more than ${most.toLocaleString("en-US")} folders or tags`,
    );
  return {
    data: { folders: folders.slice(0, most), tags: tags.slice(0, most) },
    metadata: { isTruncated },
    teamId: onlyOne(teamIds ?? []),
  };
};

async function isOneTeam({ transaction, caller }: Call, teamIds: readonly string[] | undefined): Promise<boolean> {
  const teams = teamIds ?? (await listTeamNames(transaction, caller.workspaceId, undefined));
  return teams.length === 1;
}

const onlyOne = <Value>(values: readonly Value[]): Value | undefined => (values.length === 1 ? values[0] : undefined);
