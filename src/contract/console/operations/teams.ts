// Teams, and who is in them.
import { z } from "zod";
import { object } from "../../fields.ts";
import { objectBody } from "../../operation.ts";
import { teamRoles } from "../actions.ts";
import { choice, displayName, idQuery, workspaceQuery } from "../fields.ts";
import { consoleLimits as most } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import * as record from "../records.ts";
import { defaultsOf, ofWorkspace } from "./defaults.ts";

const { read, change } = defaultsOf("Teams");
const ofTeam = { query: { ...workspaceQuery, teamId: idQuery("teamId", "The team.") } } as const;
const ofTeamMember = { query: { ...ofTeam.query, personId: idQuery("personId", "The member.") } } as const;
const visibilities = ["private", "internal"] as const;

export const teamOperations = {
  getTeams: {
    ...read,
    ...ofWorkspace,
    path: "/teams",
    summary: "List the teams that one may see, by name",
    description:
      "A private team is seen by its members and by the workspace's administrators, an internal one by everybody.",
    access: "workspace.read",
    data: z.array(record.team),
  },
  postTeam: {
    ...change,
    ...ofWorkspace,
    method: "POST",
    path: "/team",
    summary: "Make a team",
    access: "teams.create",
    body: objectBody(object({ name: displayName(most.teamNameLengthMax), visibility: choice(visibilities) })),
    data: record.team,
  },
  putTeam: {
    ...change,
    ...ofTeam,
    method: "PUT",
    path: "/team",
    summary: "Rename a team, or change who sees it",
    access: "teams.manage",
    body: objectBody(
      object({
        name: displayName(most.teamNameLengthMax).optional(),
        visibility: choice(visibilities).optional(),
      }).refine(({ name, visibility }) => name !== undefined || visibility !== undefined, {
        error: "at least one of these fields is required: name, visibility",
      }),
    ),
    data: record.team,
  },
  putTeamMember: {
    ...change,
    ...ofTeamMember,
    method: "PUT",
    path: "/team/member",
    summary: "Take a member into a team, or change their role there",
    access: "teams.manage",
    body: objectBody(object({ role: choice(teamRoles) })),
    data: record.team,
  },
  deleteTeamMember: {
    ...change,
    ...ofTeamMember,
    method: "DELETE",
    path: "/team/member",
    summary: "Take a member out of a team",
    access: "teams.manage",
    data: record.team,
  },
} as const satisfies Record<string, ConsoleOperation>;
