// What a key can access: who is calling, its teams, and their folders and tags.
import { z } from "zod";
import { one } from "./costs.ts";
import * as example from "./example-workspace.ts";
import { count, id, timestamp } from "./fields.ts";
import { folder } from "./folders.ts";
import { limits } from "./limits.ts";
import { defineOperation, type Resource } from "./operation.ts";
import { idFilterParameter } from "./query.ts";
import { tag } from "./tags.ts";

const resource: Resource = {
  name: "Teams",
  description: "What the key can access: its teams, with their folders and tags.",
};

const named = { id: id(), name: z.string() };
const snippetCount = {
  snippet_count: count().meta({ description: "Number of snippets directly in it, including archived ones." }),
};

const me = z.strictObject({
  key: z.strictObject({
    ...named,
    scopes: z.array(z.string()).nullable().meta({
      description: 'What the key can do: ["read"] for a read-only key, null for a key that can use every operation.',
    }),
    expires_at: timestamp()
      .nullable()
      .meta({ description: "When the key expires. Null for a key that does not expire." }),
  }),
  workspace: z.strictObject(named),
  teams: z.array(z.strictObject(named)).meta({ description: "The teams that the key can access, sorted by ID." }),
  requests_per_minute: count().meta({ description: "Requests that the key can send in any 60-second window." }),
  monthly_requests: count().meta({ description: "The workspace's monthly allowance in units." }),
});

const team = z
  .strictObject({ ...named, snippet_count: count(), folder_count: count(), tag_count: count() })
  .meta({ id: "Team", description: "A team and what it contains. The number of snippets includes archived ones." });

export const folderInTree = folder.extend(snippetCount).meta({ id: "FolderInTree" });
export const tagInTree = tag.extend(snippetCount).meta({ id: "TagInTree" });

export const teamOperations = {
  getMe: defineOperation({
    method: "GET",
    path: "/me",
    resource,
    summary: "Get the key, its workspace, and its teams",
    scope: "read",
    cost: one,
    data: me,
    isAddition: true,
    example: {
      result: {
        data: {
          key: { id: example.keyId, name: "Help desk", scopes: null, expires_at: null },
          workspace: example.workspace,
          teams: [example.team, example.otherTeam],
          requests_per_minute: limits.requestsPerMinuteDefault,
          monthly_requests: limits.monthlyRequestsDefault,
        },
      },
    },
  }),
  getTeams: defineOperation({
    method: "GET",
    path: "/teams",
    resource,
    summary: "List the teams that the key can access",
    scope: "read",
    cost: one,
    isLong: true,
    data: z.strictObject({ teams: z.array(team) }),
    isAddition: true,
    example: {
      result: {
        data: {
          teams: [
            { ...example.team, snippet_count: 128, folder_count: 2, tag_count: 2 },
            { ...example.otherTeam, snippet_count: 12, folder_count: 0, tag_count: 0 },
          ],
        },
      },
    },
  }),
  getTree: defineOperation({
    method: "GET",
    path: "/tree",
    resource,
    summary: "List all folders and tags of a team, or of all teams",
    description: `Folders and tags are flat lists, sorted by ID; the parent IDs define the tree. If the key has access to several teams and they have more than ${limits.treeRowsMax.toLocaleString("en-US")} folders or tags, \`teamId\` is required. Within one team, only the first ${limits.treeRowsMax.toLocaleString("en-US")} of each are returned.`,
    scope: "read",
    cost: one,
    isLong: true,
    query: { teamId: idFilterParameter("Only this team. By default, all teams that the key can access.") },
    data: z.strictObject({ folders: z.array(folderInTree), tags: z.array(tagInTree) }),
    metadata: z.strictObject({
      isTruncated: z.boolean().meta({ description: "True if the team has more folders or tags than are returned." }),
    }),
    isAddition: true,
    example: {
      query: { teamId: example.team.id },
      result: {
        data: {
          folders: [
            { ...example.folder, snippet_count: 3 },
            { ...example.innerFolder, snippet_count: 12 },
          ],
          tags: [
            { ...example.tag, snippet_count: 40 },
            { ...example.innerTag, snippet_count: 0 },
          ],
        },
        metadata: { isTruncated: false },
      },
    },
  }),
};
