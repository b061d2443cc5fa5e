// Handlers of teams and their members.

import { recordAuditEntry } from "../../accounts/audit/audit.ts";
import { putTeamMember, removeTeamMember } from "../../accounts/members/members.ts";
import { removalOf } from "../../accounts/workspaces/deletion.ts";
import {
  deleteTeam,
  listRestorableTeams,
  mailTeamDeletion,
  recordTeamDeletion,
  requireKeptTeam,
  restoreTeam,
} from "../../accounts/workspaces/team-deletion.ts";
import { countKeysByTeam, type Team, updateTeam } from "../../accounts/workspaces/teams.store.ts";
import { listTeams, readTeam, requireManagedTeam, requireTeams } from "../../accounts/workspaces/teams.ts";
import { addTeam } from "../../accounts/workspaces/workspaces.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { teamOperations } from "../../contract/console/operations/teams.ts";
import { noteUnlisted } from "../../library/feed/write.ts";
import { exportTeam, streamLines } from "../../library/workspace/export.ts";
import { countContents } from "../../library/workspace/team-rows.store.ts";
import { auditActorOf } from "../actor.ts";
import type { ConsoleCall } from "../call.ts";
import type { HandlersOf } from "../handler.ts";
import { rolesOf } from "../roles.ts";

export const teamHandlers: HandlersOf<typeof teamOperations> = {
  getTeams: async (call) => ({ data: await listTeams(call.transaction, call.workspaceId, await rolesOf(call)) }),

  postTeam: async (call, { body: { name, visibility } }) => {
    const { transaction, workspaceId, actor } = call;
    const { id } = await addTeam(transaction, workspaceId, name, visibility);
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "team.create",
      target: { kind: "team", id, name },
      after: { name, visibility },
    });
    return { data: await readRecord(call, id) };
  },

  putTeam: async (call, { query: { teamId }, body: { name, visibility } }) => {
    const { transaction, workspaceId, actor } = call;
    const before = await requireManagedTeam(transaction, workspaceId, await rolesOf(call), teamId);
    const changes = { name: name ?? before.name, visibility: visibility ?? before.visibility };
    updateTeam(transaction, workspaceId, teamId, changes);
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "team.change",
      target: { kind: "team", id: teamId, name: changes.name },
      before: { name: before.name, visibility: before.visibility },
      after: changes,
    });
    return { data: await readRecord(call, teamId) };
  },

  getTeamContents: async ({ transaction, workspaceId }, { query: { teamId } }) => {
    await requireTeams(transaction, workspaceId, [teamId]);
    const counts = await countContents(transaction, workspaceId, teamId, consoleLimits.teamCountMax);
    const keys = await countKeysByTeam(transaction, workspaceId);
    return { data: { ...counts, keys: keys.get(teamId) ?? 0, removal_at: removalOf(transaction.now) } };
  },

  deleteTeam: async ({ transaction, workspaceId, actor, context }, { query: { teamId }, body: { name } }) => {
    const team = await deleteTeam(transaction, workspaceId, teamId);
    if (team.name !== name) throw consoleErrors.wrongName("team");
    noteUnlisted(transaction, workspaceId, [teamId]);
    recordTeamDeletion(transaction, auditActorOf(actor), "team.delete", team);
    if (context.config.mail) await mailTeamDeletion(transaction, team, actor.name, context.origin);
    return { data: toDeletedTeam(team) };
  },

  getDeletedTeams: async ({ transaction, workspaceId }) => ({
    data: (await listRestorableTeams(transaction, workspaceId)).map(toDeletedTeam),
  }),

  postTeamRestoration: async (call, { query: { teamId } }) => {
    const { transaction, workspaceId, actor } = call;
    const team = await restoreTeam(transaction, workspaceId, teamId);
    noteUnlisted(transaction, workspaceId, [teamId]);
    recordTeamDeletion(transaction, auditActorOf(actor), "team.restore", team);
    return { data: await readRecord(call, teamId) };
  },

  getTeamExport: async ({ context, actor, workspaceId, requestId }, { query: { teamId } }) => {
    const { database } = context;
    await database.transaction(async (transaction) => {
      const team = await requireKeptTeam(transaction, workspaceId, teamId);
      if (actor) recordTeamDeletion(transaction, auditActorOf(actor), "team.export", team);
    });
    const body = streamLines(exportTeam(database.read.bind(database), workspaceId, teamId), (cause) =>
      context.report(requestId, cause),
    );
    return { body, fileName: `team-${teamId}.jsonl` };
  },

  putTeamMember: async (call, { query: { teamId, personId }, body: { role } }) => {
    const { transaction, workspaceId, actor } = call;
    const team = await requireManagedTeam(transaction, workspaceId, await rolesOf(call), teamId);
    const { member, before } = await putTeamMember(transaction, workspaceId, teamId, personId, role);
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: before === undefined ? "team_member.create" : "team_member.change",
      target: { kind: "member", id: personId, name: member.name },
      before: before && { team: team.name, role: before },
      after: { team: team.name, role },
    });
    return { data: await readRecord(call, teamId) };
  },

  deleteTeamMember: async (call, { query: { teamId, personId } }) => {
    const { transaction, workspaceId, actor } = call;
    const roles = await rolesOf(call);
    const team = await requireManagedTeam(transaction, workspaceId, roles, teamId);
    const { member, before } = await removeTeamMember(transaction, workspaceId, teamId, personId);
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "team_member.delete",
      target: { kind: "member", id: personId, name: member.name },
      before: { team: team.name, role: before },
    });
    // With the roles from before: a person who left a private team sees the result once.
    return { data: await readTeam(transaction, workspaceId, roles, teamId) };
  },
};

const toDeletedTeam = ({ id, workspace_id, name, deleted_at }: Team) => {
  const at = deleted_at ?? "";
  return { id, workspace_id, name, deleted_at: at, removal_at: removalOf(at) };
};

const readRecord = async (call: ConsoleCall, teamId: string) =>
  readTeam(call.transaction, call.workspaceId, await rolesOf(call), teamId);
