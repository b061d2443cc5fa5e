// What each role allows, in words that follow "you can": for those who are invited.
import type { TeamRole, WorkspaceRole } from "./actions.ts";

const writing = "read, copy, create, edit, and delete snippets";

export const abilities = {
  /** In the whole workspace; undefined for a role that leaves this to the teams. */
  workspace: {
    owner: `${writing}, and manage everything`,
    admin: `${writing}, and manage teams, members, API keys, billing, and settings`,
    member: undefined,
  },
  /** In a team. */
  team: {
    viewer: "read and copy snippets",
    editor: writing,
    admin: `${writing}, and manage folders, tags, members, and API keys`,
  },
} as const satisfies {
  readonly workspace: Record<WorkspaceRole, string | undefined>;
  readonly team: Record<TeamRole, string>;
};
