// Teams and their members.
import { z } from "zod";
import { count, id, object, text, timestamp } from "../../fields.ts";
import { objectBody } from "../../operation.ts";
import { teamRoles } from "../actions.ts";
import { choice, idQuery, mailedName, workspaceQuery } from "../fields.ts";
import { consoleLimits as most } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import { defaultsOf, ofWorkspace } from "./defaults.ts";

const team = z
  .strictObject({
    id: id(),
    workspace_id: id(),
    name: z.string(),
    visibility: z.enum(["private", "internal"]),
    created_at: timestamp(),
    /** The caller's role in it. */
    own_role: z.enum(teamRoles).nullable(),
    /** Whether the caller may change it and its members. */
    is_managed: z.boolean(),
    members: z.array(z.strictObject({ person_id: id(), name: z.string(), email: z.string(), role: z.enum(teamRoles) })),
    keys: count().meta({ description: "Keys with access to selected teams that include this one." }),
    /** Null in a workspace with more than 10,000 snippets, where counting would delay requests. */
    snippets: count().nullable(),
  })
  .meta({ id: "Team" });

const deletedTeam = z
  .strictObject({
    id: id(),
    workspace_id: id(),
    name: z.string(),
    deleted_at: timestamp(),
    removal_at: timestamp().meta({ description: "Until then, the team can be restored." }),
  })
  .meta({ id: "DeletedTeam" });

const contents = z
  .strictObject({
    snippets: count(),
    folders: count(),
    tags: count(),
    trashed_snippets: count(),
    members: count(),
    keys: count().meta({ description: "API keys with access to selected teams that include this one." }),
    removal_at: timestamp().meta({ description: "When the team would be removed if it were deleted now." }),
  })
  .meta({
    id: "TeamContents",
    description: `A count of ${most.teamCountMax} means that many or more.`,
  });

const { read, change } = defaultsOf("Teams");
const ofDeletion = { access: "teams.delete", confirmation: "always", isForTokens: false } as const;
const ofTeam = { query: { ...workspaceQuery, teamId: idQuery("teamId", "The ID of the team.") } } as const;
const ofTeamMember = { query: { ...ofTeam.query, personId: idQuery("personId", "The ID of the person.") } } as const;
const visibilities = ["private", "internal"] as const;

export const teamOperations = {
  getTeams: {
    ...read,
    ...ofWorkspace,
    path: "/teams",
    summary: "List the teams you can see, sorted by name",
    description:
      "Every member of the workspace sees internal teams. Only their members, the workspace's owners and admins, and operators see private ones.",
    access: "workspace.read",
    data: z.array(team),
  },
  postTeam: {
    ...change,
    ...ofWorkspace,
    method: "POST",
    path: "/team",
    summary: "Create a team",
    access: "teams.create",
    confirmation: "never",
    body: objectBody(object({ name: mailedName(most.teamNameLengthMax), visibility: choice(visibilities) })),
    data: team,
  },
  putTeam: {
    ...change,
    ...ofTeam,
    method: "PUT",
    path: "/team",
    summary: "Rename a team or change its visibility",
    access: "teams.manage",
    confirmation: "never",
    body: objectBody(
      object({
        name: mailedName(most.teamNameLengthMax).optional(),
        visibility: choice(visibilities).optional(),
      }).refine(({ name, visibility }) => name !== undefined || visibility !== undefined, {
        error: "at least one of these fields is required: name, visibility",
      }),
    ),
    data: team,
  },
  getTeamContents: {
    ...read,
    ...ofTeam,
    path: "/team/contents",
    summary: "Get what would be removed with a team, and when",
    access: "teams.delete",
    isForTokens: false,
    data: contents,
  },
  deleteTeam: {
    ...change,
    ...ofTeam,
    ...ofDeletion,
    method: "DELETE",
    path: "/team",
    summary: "Delete a team",
    description: `Takes effect immediately: for API keys and members, the team no longer exists. After ${most.graceDays} days, it is removed with everything in it.`,
    body: objectBody(object({ name: text(1, most.teamNameLengthMax) })),
    data: deletedTeam,
  },
  getDeletedTeams: {
    ...read,
    ...ofWorkspace,
    path: "/deleted-teams",
    summary: "List the deleted teams that can still be restored, most recently deleted first",
    access: "teams.delete",
    isForTokens: false,
    data: z.array(deletedTeam),
  },
  postTeamRestoration: {
    ...change,
    ...ofTeam,
    ...ofDeletion,
    method: "POST",
    path: "/team/restoration",
    summary: "Restore a deleted team with everything in it",
    data: team,
  },
  getTeamExport: {
    ...read,
    ...ofTeam,
    ...ofDeletion,
    path: "/team/export",
    summary: "Export everything in a team as JSON Lines. Also works for a deleted team, until it is removed",
    isAudited: true,
    isOwnTransaction: true,
    mediaType: "application/x-ndjson",
    data: z.string(),
  },
  putTeamMember: {
    ...change,
    ...ofTeamMember,
    method: "PUT",
    path: "/team/member",
    summary: "Add a member to a team, or change their role in it",
    access: "teams.manage",
    confirmation: "always",
    body: objectBody(object({ role: choice(teamRoles) })),
    data: team,
  },
  deleteTeamMember: {
    ...change,
    ...ofTeamMember,
    method: "DELETE",
    path: "/team/member",
    summary: "Remove a member from a team",
    access: "teams.manage",
    confirmation: "always",
    data: team,
  },
} as const satisfies Record<string, ConsoleOperation>;
