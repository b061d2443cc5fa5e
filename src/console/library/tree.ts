// The teams that a person can read, with their folders and tags.
import { type Action, isWithin, type Roles, reachOf } from "../../contract/console/actions.ts";
import { limits } from "../../contract/limits.ts";
import type { Call } from "../../library/call.ts";
import { folderStore } from "../../library/folders.store.ts";
import { goneUntil } from "../../library/restore-snippets.ts";
import { tagStore } from "../../library/tags.store.ts";
import { countArchivedByFolder, countArchivedByTag, listTeamsOfTree } from "../../library/tree-for-people.store.ts";
import { teamIdsOf } from "./door.ts";

/** @param teamId undefined: all teams that they can read */
export async function readTree(call: Call, roles: Roles, teamId: string | undefined) {
  const { transaction, caller, trashDays } = call;
  const { workspaceId } = caller;
  const teamIds = await teamIdsOf(call, teamId);
  const most = limits.treeRowsMax;
  const teams = await listTeamsOfTree(transaction, workspaceId, teamIds, goneUntil(call));
  const folders = await folderStore.listCounted(transaction, workspaceId, teamIds, most + 1);
  const tags = await tagStore.listCounted(transaction, workspaceId, teamIds, most + 1);
  const archived = new Map(
    [
      ...(await countArchivedByFolder(transaction, workspaceId, teamIds)),
      ...(await countArchivedByTag(transaction, workspaceId, teamIds)),
    ].map(({ id, archived_count }) => [id, archived_count]),
  );
  const withArchived = <Row extends { readonly id: string }>(rows: readonly Row[]) =>
    rows.slice(0, most).map((row) => ({ ...row, archived_count: archived.get(row.id) ?? 0 }));
  const may = (action: Action, id: string): boolean => {
    const reach = reachOf(roles, action);
    return reach !== undefined && isWithin(reach, id);
  };
  return {
    data: {
      teams: teams.map((team) => ({
        ...team,
        own_role: roles.teams.get(team.id) ?? null,
        may_write: may("library.write", team.id),
        may_manage: may("library.manage", team.id),
      })),
      folders: withArchived(folders),
      tags: withArchived(tags),
    },
    metadata: { isTruncated: folders.length > most || tags.length > most, trashDays: trashDays ?? null },
  };
}
