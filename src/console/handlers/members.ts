// Handlers of members and invitations.

import { recordAuditEntry } from "../../accounts/audit/audit.ts";
import {
  type Invitation,
  invitationLink,
  invite,
  invitedTeams,
  listInvitations,
  revokeInvitation,
} from "../../accounts/invitations/invitations.ts";
import { recordRevocations } from "../../accounts/invitations/revocation.ts";
import type { MemberEditor } from "../../accounts/members/editor.ts";
import { listMembers } from "../../accounts/members/members.store.ts";
import { changeRole, type Member, removeMember } from "../../accounts/members/members.ts";
import { announce } from "../../accounts/sign-in/account-mails.ts";
import { lackOf } from "../../accounts/sign-in/policy.ts";
import { findHiddenTeams, withTeamNames } from "../../accounts/workspaces/teams.ts";
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import type { memberOperations } from "../../contract/console/operations/members.ts";
import { listKeysSeenBy } from "../../metering/keys/seen-keys.store.ts";
import { auditActorOf } from "../actor.ts";
import type { ConsoleCall } from "../call.ts";
import type { HandlersOf } from "../handler.ts";
import { mailInvitation } from "../invitation-mail.ts";
import { pageOf, parseNameCursor } from "../paging.ts";
import { isAllowedEverywhere, rolesOf } from "../roles.ts";

export const memberHandlers: HandlersOf<typeof memberOperations> = {
  getMembers: async (call, { query: { search, cursor, limit } }) => {
    const { transaction, workspaceId } = call;
    const after = parseNameCursor(cursor);
    const rows = await listMembers(transaction, workspaceId, { search, after, limit });
    const { page, nextCursor } = pageOf(rows, limit, ({ name, person_id }) => [name, person_id]);
    const toRecord = await recordOf(call);
    return { data: page.map(toRecord), nextCursor };
  },

  putMember: async (call, { query: { personId }, body: { role } }) => {
    const { transaction, workspaceId } = call;
    const { before, after, revoked } = await changeRole(transaction, workspaceId, personId, role, editorOf(call));
    recordAuditEntry(transaction, workspaceId, auditActorOf(call.actor), {
      action: "member.change",
      target: targetOf(after),
      before: { role: before.role },
      after: { role: after.role },
    });
    await recordRevocations(transaction, auditActorOf(call.actor), revoked);
    if (after.role === "owner" && before.role !== "owner") {
      const { name: workspaceName } = await requireWorkspace(transaction, workspaceId);
      announce(call.context, transaction, after, "owner.grant", { workspaceName });
    }
    return { data: { ...(await recordOf(call))(after), invitations_revoked: revoked.length } };
  },

  deleteMember: async (call, { query: { personId } }) => {
    const { transaction, workspaceId } = call;
    const { member, revoked } = await removeMember(transaction, workspaceId, personId, editorOf(call));
    const given = member.teams.map(({ team_id, role }) => ({ teamId: team_id, role }));
    const teams = await withTeamNames(transaction, workspaceId, given);
    recordAuditEntry(transaction, workspaceId, auditActorOf(call.actor), {
      action: "member.delete",
      target: targetOf(member),
      before: { email: member.email, role: member.role, teams },
    });
    await recordRevocations(transaction, auditActorOf(call.actor), revoked);
    const keys = await listKeysSeenBy(transaction, workspaceId, personId);
    return { data: { message: "Member removed", keys, invitations_revoked: revoked.length } };
  },

  getInvitations: async (call) => ({
    data: (await listInvitations(call.transaction, call.workspaceId)).map((each) => toInvitationRecord(call, each)),
  }),

  postInvitation: async (call, { body }) => {
    const { context, transaction, workspaceId, actor } = call;
    const isMailed = context.config.mail !== undefined;
    const invited = await invite(transaction, workspaceId, editorOf(call), body, isMailed);
    const { invitation } = invited;
    const link = invitationLink(context.origin, invited.token);
    if (isMailed) await mailInvitation(call, invitation, link);
    const teams = await invitedTeams(transaction, invitation);
    recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
      action: "invitation.create",
      target: { kind: "invitation", id: invitation.id, name: body.email },
      after: { email: body.email, role: invitation.role, teams, replaces: invited.replaces },
    });
    return { data: { ...toInvitationRecord(call, invitation), link: isMailed ? null : link } };
  },

  deleteInvitation: async (call, { query: { invitationId } }) => {
    const { transaction, workspaceId } = call;
    const invitation = await revokeInvitation(transaction, workspaceId, invitationId, editorOf(call));
    const teams = await invitedTeams(transaction, invitation);
    recordAuditEntry(transaction, workspaceId, auditActorOf(call.actor), {
      action: "invitation.delete",
      target: { kind: "invitation", id: invitationId, name: invitation.email },
      before: { email: invitation.email, role: invitation.role, teams },
    });
    return { data: { message: "Invitation revoked" } };
  },
};

const editorOf = (call: ConsoleCall): MemberEditor => ({
  personId: call.actor.personId,
  isAllowed: (action) => isAllowedEverywhere(call, action),
});

const targetOf = ({ person_id, name }: Member) => ({ kind: "member", id: person_id, name });

/** A member without the private teams that the actor must not see; who manages members also sees who lacks what the sign-in policy asks for. */
async function recordOf(call: ConsoleCall) {
  const { transaction, workspaceId } = call;
  const hidden = await findHiddenTeams(transaction, workspaceId, await rolesOf(call));
  const { sign_in_policy } = await requireWorkspace(transaction, workspaceId);
  const mayManage = await isAllowedEverywhere(call, "members.manage");
  return ({ has_single_sign_on, ...member }: Member) => {
    const { has_second_factor } = member;
    const shown = {
      isSingleSignOn: has_single_sign_on,
      hasSecondFactor: has_second_factor,
      hasFactor: has_second_factor,
    };
    return {
      ...member,
      meets_sign_in_policy: mayManage ? lackOf(sign_in_policy, shown) === undefined : null,
      teams: member.teams.filter(({ team_id }) => !hidden.has(team_id)),
    };
  };
}

/** An invitation without deleted teams. */
function toInvitationRecord(
  { deletedTeamIds }: ConsoleCall,
  { id, email, role, teams, inviter_name, created_at, expires_at, is_mailed }: Invitation,
) {
  return {
    id,
    email: email ?? "",
    role,
    created_at,
    expires_at,
    is_mailed,
    invited_by: inviter_name,
    teams: teams
      .filter(({ teamId }) => !deletedTeamIds.has(teamId))
      .map(({ teamId, role: teamRole }) => ({ team_id: teamId, role: teamRole })),
  };
}
