// Members and invitations.
import { z } from "zod";
import { array, count, id, message, object, timestamp, uuid } from "../../fields.ts";
import { objectBody } from "../../operation.ts";
import { teamRoles, workspaceRoles } from "../actions.ts";
import { choice, email, idQuery, optionalTimestamp, paging, textQuery, workspaceQuery } from "../fields.ts";
import { consoleLimits as most } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import { defaultsOf, ofWorkspace } from "./defaults.ts";

const member = z
  .strictObject({
    person_id: id(),
    name: z.string(),
    email: z.string(),
    role: z.enum(workspaceRoles),
    has_second_factor: z.boolean().meta({ description: "True for a person with an authenticator app or a passkey." }),
    meets_sign_in_policy: z.boolean().nullable().meta({
      description: "Whether they meet the workspace's sign-in policy. Null for callers who do not manage members.",
    }),
    teams: z.array(z.strictObject({ team_id: id(), role: z.enum(teamRoles) })),
    joined_at: timestamp(),
    last_seen_at: optionalTimestamp(),
  })
  .meta({ id: "Member" });

const invitation = z
  .strictObject({
    id: id(),
    email: z.string(),
    role: z.enum(workspaceRoles),
    teams: z.array(z.strictObject({ team_id: id(), role: z.enum(teamRoles) })),
    invited_by: z.string().nullable(),
    created_at: timestamp(),
    expires_at: timestamp(),
    is_mailed: z.boolean(),
  })
  .meta({ id: "Invitation" });

const invitationWithLink = invitation
  .extend({
    link: z.string().nullable().meta({
      description:
        "Null if the link was emailed. Only the invited person then has it, so accepting the invitation verifies their address.",
    }),
  })
  .meta({ id: "InvitationWithLink" });

/** A key whose secret somebody has seen who leaves. */
export const keyToRotate = z.strictObject({ id: id(), name: z.string(), secret_start: z.string() });

const invitationsRevoked = count().meta({ description: "Pending invitations that were revoked." });

const { read, change } = defaultsOf("Members");
const ofMember = { query: { ...workspaceQuery, personId: idQuery("personId", "The ID of the person.") } } as const;
const invitedTo = array(object({ teamId: uuid(), role: choice(teamRoles) }), 0, most.teamsMax);

export const memberOperations = {
  getMembers: {
    ...read,
    path: "/members",
    summary: "List members, sorted by name",
    access: "members.read",
    query: { ...workspaceQuery, ...paging, search: textQuery("Part of a name or an email address.", 100) },
    isPaged: true,
    data: z.array(member),
  },
  putMember: {
    ...change,
    ...ofMember,
    method: "PUT",
    path: "/member",
    summary: "Change a member's role",
    access: "members.manage",
    confirmation: "always",
    description: "Revokes pending invitations that the member can no longer send.",
    body: objectBody(object({ role: choice(workspaceRoles) })),
    data: member.extend({ invitations_revoked: invitationsRevoked }).meta({ id: "MemberWithRevocations" }),
  },
  deleteMember: {
    ...change,
    ...ofMember,
    method: "DELETE",
    path: "/member",
    summary: "Remove a member, and revoke their access tokens for this workspace and the invitations they sent",
    description:
      "Returns the active keys that the member created or rotated. Rotate these keys, because the member may still have their secrets.",
    access: "members.manage",
    confirmation: "always",
    data: z.strictObject({
      message: z.string(),
      keys: z.array(keyToRotate),
      invitations_revoked: invitationsRevoked,
    }),
  },
  getInvitations: {
    ...read,
    ...ofWorkspace,
    path: "/invitations",
    summary: "List pending invitations",
    access: "invitations.manage",
    data: z.array(invitation),
  },
  postInvitation: {
    ...change,
    ...ofWorkspace,
    method: "POST",
    path: "/invitation",
    summary: "Create an invitation. Its link is emailed, or returned once",
    access: "invitations.manage",
    confirmation: "always",
    // The session of a new member is confirmed. Without this, an unattended session could invite its user and bypass every confirmation.
    body: objectBody(object({ email: email(), role: choice(workspaceRoles), teams: invitedTo.optional() })),
    data: invitationWithLink,
  },
  deleteInvitation: {
    ...change,
    method: "DELETE",
    path: "/invitation",
    summary: "Revoke an invitation",
    access: "invitations.manage",
    confirmation: "never",
    query: { ...workspaceQuery, invitationId: idQuery("invitationId", "The ID of the invitation.") },
    data: message,
  },
} as const satisfies Record<string, ConsoleOperation>;
