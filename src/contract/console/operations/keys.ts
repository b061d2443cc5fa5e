// API access: the keys of a workspace.
import { z } from "zod";
import { array, atLeastOneField, count, id, object, timestamp, uuid } from "../../fields.ts";
import { objectBody } from "../../operation.ts";
import { keyScopeNames } from "../../scopes.ts";
import {
  choice,
  idQuery,
  mailedName,
  moment,
  network,
  optionalTimestamp,
  paging,
  textQuery,
  wholeNumber,
  workspaceQuery,
} from "../fields.ts";
import { consoleLimits as most, overlaps } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import { defaultsOf, ofWorkspace } from "./defaults.ts";

const key = z
  .strictObject({
    id: id(),
    workspace_id: id(),
    name: z.string(),
    secret_start: z
      .string()
      .meta({ description: "The prefix and the first 4 characters of the secret, to tell keys apart." }),
    status: z.enum(["active", "inactive"]),
    is_all_teams: z.boolean(),
    team_permissions: z.array(id()),
    created_at: timestamp(),
    created_by: z.string().nullable(),
    last_used_at: optionalTimestamp(),
    deactivated_at: optionalTimestamp(),
    calls_30_days: count(),
    /** Until then, the secret before the last rotation also works. */
    previous_secret_until: optionalTimestamp(),
    scope: z.enum(keyScopeNames).meta({ description: "`read` for a key that can only read." }),
    expires_at: optionalTimestamp(),
    networks: z
      .array(z.string())
      .meta({ description: "Networks from which the key works, in CIDR notation. Empty if it works from anywhere." }),
    monthly_budget: count().nullable().meta({ description: "Units that the key can use in a calendar month (UTC)." }),
    budget_used: count().nullable().meta({ description: "Units of the budget that were used this month." }),
    requests_per_minute: count().nullable().meta({ description: "The key's own rate limit." }),
    /** Whether the caller may change it. */
    is_managed: z.boolean(),
  })
  .meta({ id: "Key" });

const keyWithSecret = key
  .extend({ secret: z.string(), curl: z.string().meta({ description: "A sample request to paste into a terminal." }) })
  .meta({ id: "KeyWithSecret" });

const { read, change } = defaultsOf("API access");
const ofKey = { query: { ...workspaceQuery, keyId: idQuery("keyId", "The ID of the key.") } } as const;
const keyTeams = z.union([z.literal("all"), array(uuid(), 1, most.teamsMax)], {
  error: (issue) => (issue.input === undefined ? "is required" : 'must be "all" or an array of team IDs'),
});

/** What a key can be limited to. Null, or an empty list, removes the limit. */
const keyLimits = {
  scope: choice(keyScopeNames).optional(),
  expiresAt: moment().nullable().optional(),
  networks: array(network(), 0, most.keyNetworksMax)
    .optional()
    .meta({ description: "Networks from which the key works, in CIDR notation, or single addresses." }),
  monthlyBudget: wholeNumber(0, most.keyBudgetMax).nullable().optional(),
  requestsPerMinute: wholeNumber(1, most.keyRateLimitMax)
    .nullable()
    .optional()
    .meta({ description: "At most the instance's limit for each key." }),
};
const keyChanges = { name: mailedName(most.keyNameLengthMax).optional(), teams: keyTeams.optional(), ...keyLimits };

export const keyOperations = {
  getKeys: {
    ...read,
    path: "/keys",
    summary: "List API keys, newest first",
    access: "keys.read",
    query: { ...workspaceQuery, ...paging, search: textQuery("Part of a name or the start of a secret.", 100) },
    isPaged: true,
    data: z.array(key),
  },
  getKey: {
    ...read,
    ...ofKey,
    path: "/key",
    summary: "Get an API key",
    access: "keys.read",
    data: key,
  },
  postKey: {
    ...change,
    ...ofWorkspace,
    method: "POST",
    path: "/key",
    summary: "Create an API key. Its secret is returned once",
    access: "keys.manage",
    confirmation: "always",
    body: objectBody(object({ name: mailedName(most.keyNameLengthMax), teams: keyTeams, ...keyLimits })),
    data: keyWithSecret,
  },
  putKey: {
    ...change,
    ...ofKey,
    method: "PUT",
    path: "/key",
    summary: "Rename an API key or change its teams and limits",
    access: "keys.manage",
    // A new name gives nobody access.
    confirmation: ({ name: _, ...access }) => Object.keys(access).length > 0,
    body: objectBody(atLeastOneField(object(keyChanges))),
    data: key,
  },
  deleteKey: {
    ...change,
    ...ofKey,
    method: "DELETE",
    path: "/key",
    summary: "Permanently delete an inactive API key",
    access: "keys.manage",
    confirmation: "always",
    data: key,
  },
  postKeyRotation: {
    ...change,
    ...ofKey,
    method: "POST",
    path: "/key/rotation",
    summary: "Rotate an API key. The old secret works until the overlap ends",
    access: "keys.manage",
    confirmation: "always",
    body: objectBody(object({ overlap: choice(overlaps) })),
    data: keyWithSecret,
  },
  postKeyDeactivation: {
    ...change,
    ...ofKey,
    method: "POST",
    path: "/key/deactivation",
    summary: "Deactivate an API key immediately",
    access: "keys.manage",
    confirmation: "never",
    data: key,
  },
  postKeyActivation: {
    ...change,
    ...ofKey,
    method: "POST",
    path: "/key/activation",
    summary: "Reactivate an API key",
    access: "keys.manage",
    confirmation: "always",
    data: key,
  },
} as const satisfies Record<string, ConsoleOperation>;
