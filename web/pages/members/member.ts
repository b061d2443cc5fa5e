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
    hint: "Everything an admin may, and who else is an owner.",
  },
  {
    value: "admin",
    label: "Admin",
    hint: "Keys, teams and members of the whole workspace, billing, the request log and the audit log.",
  },
  {
    value: "member",
    label: "Member",
    hint: "Usage and internal teams. Anything more comes with a role in a team.",
  },
] as const;

/** The roles that the person may assign. */
export const roleOptionsFor = (mayManageOwners: boolean) =>
  roleOptions.filter(({ value }) => mayManageOwners || value !== "owner");
