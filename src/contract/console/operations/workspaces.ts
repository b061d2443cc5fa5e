// Workspaces and their subscription.
import { z } from "zod";
import { count, id, message, object, text, timestamp } from "../../fields.ts";
import { limits } from "../../limits.ts";
import { objectBody } from "../../operation.ts";
import { choice, idQuery, mailedName, optionalTimestamp, paging, textQuery, workspaceQuery } from "../fields.ts";
import { consoleLimits as most } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import { signInPolicies } from "../sign-in-policies.ts";
import { token } from "./account.ts";
import { defaultsOf, ofWorkspace } from "./defaults.ts";

const workspace = z
  .strictObject({
    id: id(),
    name: z.string(),
    subscription: z.enum(["active", "inactive"]),
    monthly_requests: count(),
    sign_in_policy: z.enum(signInPolicies),
    created_at: timestamp(),
    updated_at: timestamp(),
    deleted_at: optionalTimestamp(),
  })
  .meta({ id: "Workspace" });

const storage = z
  .strictObject({
    bytes: count().meta({ description: "Storage used by the library, including all versions and the trash." }),
    bytes_max: count().meta({ description: "Storage limit of the workspace." }),
    is_own_limit: z.boolean().meta({ description: "False if the default limit applies." }),
  })
  .meta({ id: "Storage" });

const signInPolicy = z
  .strictObject({
    policy: z.enum(signInPolicies),
    members: count(),
    members_without_second_factor: count(),
    members_without_single_sign_on: count(),
    members_without_either: count().meta({
      description: "Members with neither a second factor nor a sign-in with single sign-on.",
    }),
  })
  .meta({ id: "SignInPolicy" });

const workspaceToken = token
  .extend({ person_id: id(), person_name: z.string(), person_email: z.string() })
  .meta({ id: "WorkspaceToken" });

const { read, change } = defaultsOf("Workspace");

export const workspaceOperations = {
  getWorkspaces: {
    ...read,
    path: "/workspaces",
    summary: "List all workspaces, sorted by name",
    access: "instance.manage",
    isForTokens: false,
    query: { ...paging, search: textQuery("Part of a name.", 100) },
    isPaged: true,
    data: z.array(workspace),
  },
  postWorkspace: {
    ...change,
    method: "POST",
    path: "/workspace",
    summary: "Create a workspace with a first team",
    access: "instance.manage",
    confirmation: "always",
    isForTokens: false,
    body: objectBody(
      object({ name: mailedName(most.workspaceNameLengthMax), teamName: mailedName(most.teamNameLengthMax) }),
    ),
    data: workspace,
  },
  getWorkspace: {
    ...read,
    ...ofWorkspace,
    path: "/workspace",
    summary: "Get a workspace",
    access: "workspace.read",
    worksInDeleted: "forOperators",
    data: workspace,
  },
  putWorkspace: {
    ...change,
    ...ofWorkspace,
    method: "PUT",
    path: "/workspace",
    summary: "Rename a workspace",
    access: "workspace.change",
    confirmation: "never",
    body: objectBody(object({ name: mailedName(most.workspaceNameLengthMax) })),
    data: workspace,
  },
  deleteWorkspace: {
    ...change,
    ...ofWorkspace,
    method: "DELETE",
    path: "/workspace",
    summary: "Delete a workspace",
    description: `Takes effect immediately: API keys are refused like inactive ones, and the console refuses everything except restoring and exporting. After ${most.graceDays} days, everything is removed.`,
    access: "deletion.manage",
    confirmation: "always",
    isForTokens: false,
    body: objectBody(object({ name: text(1, most.workspaceNameLengthMax) })),
    data: workspace,
  },
  postWorkspaceRestoration: {
    ...change,
    ...ofWorkspace,
    method: "POST",
    path: "/workspace/restoration",
    summary: "Restore a deleted workspace",
    access: "restoration.manage",
    confirmation: "always",
    isForTokens: false,
    worksInDeleted: true,
    data: workspace,
  },
  getWorkspaceExport: {
    ...read,
    ...ofWorkspace,
    path: "/workspace/export",
    summary: "Export everything in a workspace as JSON Lines. Also works for a deleted workspace, until it is removed",
    access: "deletion.manage",
    confirmation: "always",
    isForTokens: false,
    isAudited: true,
    isOwnTransaction: true,
    worksInDeleted: true,
    mediaType: "application/x-ndjson",
    data: z.string(),
  },
  getSignInPolicy: {
    ...read,
    ...ofWorkspace,
    path: "/workspace/sign-in-policy",
    summary: "Get a workspace's sign-in policy and the number of members who do not meet each policy",
    access: "policy.manage",
    isForTokens: false,
    data: signInPolicy,
  },
  putSignInPolicy: {
    ...change,
    ...ofWorkspace,
    method: "PUT",
    path: "/workspace/sign-in-policy",
    summary: "Change a workspace's sign-in policy",
    description:
      "Takes effect on the next request of every session and access token. A policy that your own session does not meet is refused.",
    access: "policy.manage",
    confirmation: "always",
    isForTokens: false,
    body: objectBody(object({ policy: choice(signInPolicies) })),
    data: workspace,
  },
  getWorkspaceTokens: {
    ...read,
    ...ofWorkspace,
    path: "/workspace/tokens",
    summary: "List the access tokens of all members for this workspace, newest first",
    access: "tokens.manage",
    isForTokens: false,
    data: z.array(workspaceToken),
  },
  deleteWorkspaceToken: {
    ...change,
    method: "DELETE",
    path: "/workspace/token",
    summary: "Revoke an access token of a member",
    access: "tokens.manage",
    // For emergencies.
    confirmation: "never",
    isForTokens: false,
    query: { ...workspaceQuery, tokenId: idQuery("tokenId", "The ID of the token.") },
    data: message,
  },
  putSubscription: {
    ...change,
    ...ofWorkspace,
    method: "PUT",
    path: "/subscription",
    summary: "Change the subscription or the monthly allowance of a workspace",
    access: "subscription.change",
    confirmation: "always",
    isForTokens: false,
    body: objectBody(
      object({
        subscription: choice(["active", "inactive"]).optional(),
        monthlyRequests: z
          .int({ error: (issue) => (issue.input === undefined ? "is required" : "must be a whole number") })
          .min(0, { error: "must be at least 0" })
          .max(1_000_000_000_000, { error: "must be at most 1000000000000" })
          .optional(),
      }).refine(({ subscription, monthlyRequests }) => subscription !== undefined || monthlyRequests !== undefined, {
        error: "at least one of these fields is required: subscription, monthlyRequests",
      }),
    ),
    data: workspace,
  },
  getStorage: {
    ...read,
    ...ofWorkspace,
    path: "/storage",
    summary: "Get a workspace's storage and its limit",
    access: "workspace.read",
    data: storage,
  },
  putStorage: {
    ...change,
    ...ofWorkspace,
    method: "PUT",
    path: "/storage",
    summary: "Change a workspace's storage limit",
    access: "subscription.change",
    isForTokens: false,
    confirmation: "always",
    body: objectBody(
      object({
        mebibytes: z
          .int({ error: (issue) => (issue.input === undefined ? "is required" : "must be a whole number or null") })
          .min(0, { error: "must be at least 0" })
          .max(limits.storageMebibytesMax, { error: `must be at most ${limits.storageMebibytesMax}` })
          .nullable()
          .meta({ description: "The limit in MiB; null for the default limit." }),
      }),
    ),
    data: storage,
  },
} as const satisfies Record<string, ConsoleOperation>;
