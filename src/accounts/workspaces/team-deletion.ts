// Deleting a team: it does not exist for anybody any more, but everything is kept for some days, in which it can be restored.

import { consoleErrors } from "../../contract/console/errors.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { oneLine, queueMail } from "../../platform/mail/outbox.ts";
import { dayInWords } from "../../platform/time.ts";
import { type AuditActor, recordAuditEntry } from "../audit/audit.ts";
import { listAddressesOfAdministrators } from "../members/members.store.ts";
import { removalOf } from "./deletion.ts";
import {
  findKeptTeam,
  listDeletedTeams,
  listKeptTeams,
  lockForTeamChange,
  type Team,
  updateTeam,
} from "./teams.store.ts";
import { requireWorkspace } from "./workspaces.ts";

/** @throws Refusal `not_found`, also for a team that is deleted already */
export async function deleteTeam(transaction: Transaction, workspaceId: string, id: string): Promise<Team> {
  const team = await lockTeam(transaction, workspaceId, id);
  if (team.deleted_at !== null) throw consoleErrors.notFound("team");
  updateTeam(transaction, workspaceId, id, { deleted_at: transaction.now });
  return { ...team, deleted_at: transaction.now };
}

/** @throws Refusal `not_found`, also for a team whose time is over; `conflict` for a team that is not deleted */
export async function restoreTeam(transaction: Transaction, workspaceId: string, id: string): Promise<Team> {
  const team = await lockTeam(transaction, workspaceId, id);
  if (team.deleted_at === null) throw consoleErrors.notDeleted("team");
  updateTeam(transaction, workspaceId, id, { deleted_at: null });
  return { ...team, deleted_at: null };
}

/** Earlier than any deletion: from then on, the team can no longer be restored. */
const removalBegunAt = "1970-01-01T00:00:00.000Z";

/** @returns false for a team that is not to be removed, because somebody restored it */
export async function beginRemoval(transaction: Transaction, workspaceId: string, id: string): Promise<boolean> {
  lockForTeamChange(transaction, workspaceId, id);
  const team = await findKeptTeam(transaction, workspaceId, id);
  if (!team || !isOver(team, transaction.now)) return false;
  updateTeam(transaction, workspaceId, id, { deleted_at: removalBegunAt });
  return true;
}

function lockTeam(transaction: Transaction, workspaceId: string, id: string): Promise<Team> {
  lockForTeamChange(transaction, workspaceId, id);
  return requireKeptTeam(transaction, workspaceId, id);
}

/** @returns a team, deleted or not. @throws Refusal `not_found`, also for a team whose time is over */
export async function requireKeptTeam(transaction: Transaction, workspaceId: string, id: string): Promise<Team> {
  const team = await findKeptTeam(transaction, workspaceId, id);
  if (!team || isOver(team, transaction.now)) throw consoleErrors.notFound("team");
  return team;
}

/** Whether a team can no longer be restored. */
const isOver = ({ deleted_at }: Team, now: string): boolean => deleted_at !== null && removalOf(deleted_at) <= now;

/** The teams of a workspace, with those that can still be restored. @throws Refusal `not_found` where there is no such workspace */
export async function listTeamsWithDeleted(transaction: Transaction, workspaceId: string): Promise<Team[]> {
  await requireWorkspace(transaction, workspaceId);
  const teams = await listKeptTeams(transaction, workspaceId);
  return teams.filter((team) => !isOver(team, transaction.now));
}

/** The deleted teams that can still be restored, last deleted first. */
export async function listRestorableTeams(transaction: Transaction, workspaceId: string): Promise<Team[]> {
  const teams = await listDeletedTeams(transaction, workspaceId);
  return teams.filter((team) => !isOver(team, transaction.now));
}

/** Audits it in the workspace, whose log outlives the team. */
export const recordTeamDeletion = (
  transaction: Transaction,
  actor: AuditActor,
  action: "team.delete" | "team.restore" | "team.export" | "team.remove",
  { workspace_id, id, name }: Team,
): void => recordAuditEntry(transaction, workspace_id, actor, { action, target: { kind: "team", id, name } });

/** Tells the owners and admins of the workspace. Only for instances with mail settings. */
export async function mailTeamDeletion(
  transaction: Transaction,
  { workspace_id, name, deleted_at }: Team,
  actorName: string,
  origin: string,
): Promise<void> {
  const workspace = await requireWorkspace(transaction, workspace_id);
  const day = dayInWords(removalOf(deleted_at ?? transaction.now));
  const [teamName, workspaceName] = [oneLine(name), oneLine(workspace.name)];
  for (const recipient of await listAddressesOfAdministrators(transaction, workspace_id))
    queueMail(transaction, {
      recipient,
      subject: `The team “${teamName}” was deleted`,
      body: [
        "Hello,",
        `${oneLine(actorName)} deleted the team “${teamName}” in the workspace “${workspaceName}”. API keys and members can no longer access it.`,
        `On ${day}, its snippets, folders, and tags will be removed. Until then, an owner or admin can restore or export it:\n\n  ${origin}/console/w/${workspace_id}/teams`,
        "You received this email because you are an owner or admin of the workspace.\n",
      ].join("\n\n"),
    });
}
