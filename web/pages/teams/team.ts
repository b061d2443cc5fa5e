// Types and labels that the components of this page share.
import type { DataOf } from "../../api.ts";

export type Team = DataOf<"getTeams">[number];
export type Visibility = Team["visibility"];

export const visibilityOptions = [
  {
    value: "internal",
    label: "Internal",
    hint: "Every workspace member can see the team and its members.",
  },
  {
    value: "private",
    label: "Private",
    hint: "Only its members, workspace owners and admins, and operators can see it.",
  },
] as const;

export const visibilityNames: Record<Visibility, string> = { internal: "Internal", private: "Private" };
