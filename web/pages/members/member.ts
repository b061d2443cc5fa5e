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
    hint: "Does everything admins can, and manages owners.",
  },
  {
    value: "admin",
    label: "Admin",
    hint: "Manages API keys, teams, members, billing, and settings. Sees the request log and audit log.",
  },
  {
    value: "member",
    label: "Member",
    hint: "Sees usage, members, and internal teams. Team roles add more access.",
  },
] as const;

/** What each team role allows, from the least to the most. */
export const teamRoleOptions = [
  { value: "viewer", label: teamRoleNames.viewer, hint: "Sees the team and its members." },
  { value: "editor", label: teamRoleNames.editor, hint: "Also sees the team’s API keys." },
  { value: "admin", label: teamRoleNames.admin, hint: "Also manages the team, its members, and its API keys." },
] as const satisfies readonly { readonly value: TeamRole; readonly label: string; readonly hint: string }[];

/** The roles that the person may assign. */
export const roleOptionsFor = (mayManageOwners: boolean) =>
  roleOptions.filter(({ value }) => mayManageOwners || value !== "owner");
