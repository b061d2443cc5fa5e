// What each role allows, in words that follow "you can": for those who are invited.
import type { TeamRole, WorkspaceRole } from "./actions.ts";

const writing = "read, copy, create, edit, and delete snippets";

export const abilities = {
  /** In all teams, and in the workspace itself; undefined for a role that leaves this to the teams. */
  workspace: {
    owner: { teams: writing, workspace: "manage everything, including owners" },
    admin: { teams: writing, workspace: "manage teams, members, API keys, billing, and settings" },
    member: undefined,
  },
  /** In a team. */
  team: {
    viewer: "read and copy snippets",
    editor: writing,
    admin: `${writing}, and manage folders, tags, members, and API keys`,
  },
} as const satisfies {
  readonly workspace: Record<WorkspaceRole, { readonly teams: string; readonly workspace: string } | undefined>;
  readonly team: Record<TeamRole, string>;
};
