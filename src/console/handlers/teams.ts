// Handlers of teams and their members.

import { recordAuditEntry } from "../../accounts/audit/audit.ts";
import { putTeamMember, removeTeamMember } from "../../accounts/members/members.ts";
import { updateTeam } from "../../accounts/workspaces/teams.store.ts";
import { listTeams, readTeam, requireManagedTeam } from "../../accounts/workspaces/teams.ts";
import { addTeam } from "../../accounts/workspaces/workspaces.ts";
import type { teamOperations } from "../../contract/console/operations/teams.ts";
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

const readRecord = async (call: ConsoleCall, teamId: string) =>
  readTeam(call.transaction, call.workspaceId, await rolesOf(call), teamId);
