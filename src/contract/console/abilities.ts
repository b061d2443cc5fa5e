// What each role allows, in words that follow "you can": for those who invite, and those who are invited.
import type { TeamRole, WorkspaceRole } from "./actions.ts";

const writing = "read, copy, create, edit, and delete snippets";
const managing = `${writing}, and manage folders, tags, members, and API keys`;

export const abilities = {
  /** In all teams, and in the workspace itself; undefined for a role that leaves this to the teams. */
  workspace: {
    owner: {
      teams: managing,
      workspace:
        "manage everything, including owners, the sign-in policy, access tokens, and the deletion of the workspace",
    },
    admin: {
      teams: managing,
      workspace:
        "manage members, teams, API keys, settings, and billing if it is on, and view the request log and audit log",
    },
    member: undefined,
  },
  /** In a team. */
  team: {
    viewer: "read and copy snippets",
    editor: writing,
    admin: managing,
  },
} as const satisfies {
  readonly workspace: Record<WorkspaceRole, { readonly teams: string; readonly workspace: string } | undefined>;
  readonly team: Record<TeamRole, string>;
};
