// Teams and their members.
import { z } from "zod";
import { count, id, object, timestamp } from "../../fields.ts";
import { objectBody } from "../../operation.ts";
import { teamRoles } from "../actions.ts";
import { choice, displayName, idQuery, workspaceQuery } from "../fields.ts";
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

const { read, change } = defaultsOf("Teams");
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
      "Private teams are visible to their members and to the workspace's owners and admins, internal teams to every member of the workspace.",
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
    body: objectBody(object({ name: displayName(most.teamNameLengthMax), visibility: choice(visibilities) })),
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
        name: displayName(most.teamNameLengthMax).optional(),
        visibility: choice(visibilities).optional(),
      }).refine(({ name, visibility }) => name !== undefined || visibility !== undefined, {
        error: "at least one of these fields is required: name, visibility",
      }),
    ),
    data: team,
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
