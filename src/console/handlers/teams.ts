// The console's operations about teams and their members.
import { recordAct } from "../../accounts/audit/audit.ts";
import { putTeamMember, removeTeamMember } from "../../accounts/members/members.ts";
import { insertTeam, updateTeam } from "../../accounts/workspaces/teams.store.ts";
import { listTeams, requireManagedTeam, showTeam, type Viewer } from "../../accounts/workspaces/teams.ts";
import { auditActorOf, type ConsoleCall } from "../call.ts";
import type { ConsoleHandlers } from "../handlers.ts";
import { standingOf } from "../roles.ts";

type Names = "getTeams" | "postTeam" | "putTeam" | "putTeamMember" | "deleteTeamMember";

export const teamHandlers: Pick<ConsoleHandlers, Names> = {
  getTeams: async (call) => ({ data: await listTeams(call.transaction, call.workspaceId, await viewerOf(call)) }),

  postTeam: async (call, { body: { name, visibility } }) => {
    const { transaction, workspaceId, actor } = call;
    const { id } = insertTeam(transaction, workspaceId, name, visibility);
    recordAct(transaction, workspaceId, auditActorOf(actor), {
      action: "team.create",
      target: { kind: "team", id, name },
      after: { name, visibility },
    });
    return { data: await shown(call, id) };
  },

  putTeam: async (call, { query: { teamId }, body: { name, visibility } }) => {
    const { transaction, workspaceId, actor } = call;
    const before = await requireManagedTeam(transaction, workspaceId, await viewerOf(call), teamId);
    const changes = { name: name ?? before.name, visibility: visibility ?? before.visibility };
    updateTeam(transaction, workspaceId, teamId, changes);
    recordAct(transaction, workspaceId, auditActorOf(actor), {
      action: "team.change",
      target: { kind: "team", id: teamId, name: changes.name },
      before: { name: before.name, visibility: before.visibility },
      after: changes,
    });
    return { data: await shown(call, teamId) };
  },

  putTeamMember: async (call, { query: { teamId, personId }, body: { role } }) => {
    const { transaction, workspaceId, actor } = call;
    const team = await requireManagedTeam(transaction, workspaceId, await viewerOf(call), teamId);
    const { member, before } = await putTeamMember(transaction, workspaceId, teamId, personId, role);
    recordAct(transaction, workspaceId, auditActorOf(actor), {
      action: before === undefined ? "team_member.create" : "team_member.change",
      target: { kind: "member", id: personId, name: member.name },
      before: before && { team: team.name, role: before },
      after: { team: team.name, role },
    });
    return { data: await shown(call, teamId) };
  },

  deleteTeamMember: async (call, { query: { teamId, personId } }) => {
    const { transaction, workspaceId, actor } = call;
    const viewer = await viewerOf(call);
    const team = await requireManagedTeam(transaction, workspaceId, viewer, teamId);
    const { member, before } = await removeTeamMember(transaction, workspaceId, teamId, personId);
    recordAct(transaction, workspaceId, auditActorOf(actor), {
      action: "team_member.delete",
      target: { kind: "member", id: personId, name: member.name },
      before: { team: team.name, role: before },
    });
    // Who took themselves out of a private team may see here for the last time what they did.
    return { data: await showTeam(transaction, workspaceId, viewer, teamId) };
  },
};

const viewerOf = async (call: ConsoleCall): Promise<Viewer> => ({
  personId: call.actor.personId,
  standing: await standingOf(call),
});

const shown = async (call: ConsoleCall, teamId: string) =>
  showTeam(call.transaction, call.workspaceId, await viewerOf(call), teamId);
