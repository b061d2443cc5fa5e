// Types and labels that the components of this page share.
import type { DataOf, RowOf } from "../../api.ts";

export type Member = RowOf<"getMembers">;
export type Role = Member["role"];
export type Invitation = DataOf<"getInvitations">[number];
export type CreatedInvitation = DataOf<"postInvitation">;
export type TeamRole = Member["teams"][number]["role"];

export const roleNames: Record<Role, string> = { owner: "Owner", admin: "Admin", member: "Member" };
export const teamRoleNames: Record<TeamRole, string> = { admin: "Admin", editor: "Editor", viewer: "Viewer" };

const roleOptions = [
  {
    value: "owner",
    label: "Owner",
    hint: "Can do everything an admin can. Can also manage owners, the sign-in policy, and access tokens, and delete the workspace.",
  },
  {
    value: "admin",
    label: "Admin",
    hint: "Can manage API keys, teams, members, billing, and settings, and view the request log and audit log.",
  },
  {
    value: "member",
    label: "Member",
    hint: "Can view usage, members, and internal teams. Team roles grant more access.",
  },
] as const;

/** What each team role allows, from the least to the most. */
export const teamRoleOptions = [
  { value: "viewer", label: teamRoleNames.viewer, hint: "Can view the team’s snippets and members." },
  {
    value: "editor",
    label: teamRoleNames.editor,
    hint: "Can also create, edit, and delete snippets, and view the team’s API keys.",
  },
  {
    value: "admin",
    label: teamRoleNames.admin,
    hint: "Can also manage the team, its folders, tags, members, and API keys.",
  },
] as const satisfies readonly { readonly value: TeamRole; readonly label: string; readonly hint: string }[];

/** The roles that the person may assign. */
export const roleOptionsFor = (mayManageOwners: boolean) =>
  roleOptions.filter(({ value }) => mayManageOwners || value !== "owner");
