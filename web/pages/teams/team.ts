// Types and labels that the components of this page share.
import type { DataOf } from "../../api.ts";

export type Team = DataOf<"getTeams">[number];
export type Visibility = Team["visibility"];

export const visibilityOptions = [
  {
    value: "internal",
    label: "Internal",
    hint: "Every member of the workspace sees the team and who is in it.",
  },
  {
    value: "private",
    label: "Private",
    hint: "Only its own members and the workspace’s owners and admins see that it exists.",
  },
] as const;

export const visibilityNames: Record<Visibility, string> = { internal: "Internal", private: "Private" };
