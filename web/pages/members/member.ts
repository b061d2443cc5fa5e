// Types and labels that the components of this page share.
import type { DataOf, RowOf } from "../../api.ts";
import { roleAbilities } from "../../contract.macro.ts" with { type: "macro" };

export type Member = RowOf<"getMembers">;
export type Role = Member["role"];
export type Invitation = DataOf<"getInvitations">[number];
export type CreatedInvitation = DataOf<"postInvitation">;
export type TeamRole = Member["teams"][number]["role"];

export const roleNames: Record<Role, string> = { owner: "Owner", admin: "Admin", member: "Member" };
export const teamRoleNames: Record<TeamRole, string> = { admin: "Admin", editor: "Editor", viewer: "Viewer" };

/** What each role allows, in words that follow "can". */
export const abilities = roleAbilities();

const roleOptions = [
  { value: "owner", label: "Owner", hint: `Can ${abilities.workspace.owner.workspace}.` },
  {
    value: "admin",
    label: "Admin",
    hint: `In all teams, can ${abilities.workspace.admin.teams}. In the workspace, can ${abilities.workspace.admin.workspace}.`,
  },
  {
    value: "member",
    label: "Member",
    hint: "Can view usage, members, and internal teams. To read snippets, members need a role in a team.",
  },
] as const;

/** What each team role allows, from the least to the most. */
export const teamRoleOptions = [
  { value: "viewer", label: teamRoleNames.viewer, hint: `Can ${abilities.team.viewer}.` },
  { value: "editor", label: teamRoleNames.editor, hint: `Can ${abilities.team.editor}.` },
  { value: "admin", label: teamRoleNames.admin, hint: `Can ${abilities.team.admin}.` },
] as const satisfies readonly { readonly value: TeamRole; readonly label: string; readonly hint: string }[];

/** The roles that the person may assign. */
export const roleOptionsFor = (mayManageOwners: boolean) =>
  roleOptions.filter(({ value }) => mayManageOwners || value !== "owner");
