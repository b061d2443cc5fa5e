// The accounts of the instance, for its operators.
import { z } from "zod";
import { count, id, timestamp } from "../../fields.ts";
import { idQuery, optionalTimestamp, paging, textQuery } from "../fields.ts";
import type { ConsoleOperation } from "../operation.ts";
import { defaultsOf } from "./defaults.ts";
import { keyToRotate } from "./members.ts";

const account = z
  .strictObject({
    id: id(),
    name: z.string(),
    email: z.string(),
    is_operator: z.boolean(),
    /** Codes of an app, or a passkey. */
    has_second_factor: z.boolean(),
    disabled_at: optionalTimestamp(),
    created_at: timestamp(),
    last_seen_at: optionalTimestamp(),
    workspaces: count(),
  })
  .meta({ id: "InstancePerson" });

const withEnded = account.extend({
  ended: z.strictObject({
    sessions: count(),
    tokens: count().meta({ description: "Access tokens that were revoked." }),
    invitations: count().meta({ description: "Pending invitations sent by the person that were revoked." }),
  }),
});
const ended = withEnded.meta({ id: "InstancePersonEnded" });
const stopped = withEnded
  .extend({
    keys: z.array(keyToRotate.extend({ workspace_id: id(), workspace_name: z.string() })).meta({
      description:
        "Active API keys that the person created or rotated. They keep working. Rotate these keys, because the person may still have their secrets.",
    }),
  })
  .meta({ id: "InstancePersonStopped" });

const { read, change } = defaultsOf("People");
const ofPerson = {
  ...change,
  access: "instance.manage",
  confirmation: "always",
  isForTokens: false,
  query: { personId: idQuery("personId", "The ID of the person.") },
  data: account,
} as const;

export const peopleOperations = {
  getInstancePeople: {
    ...read,
    path: "/instance/people",
    summary: "List everyone with an account on this instance, sorted by name",
    access: "instance.manage",
    isForTokens: false,
    query: { ...paging, search: textQuery("Part of a name or an email address.", 100) },
    isPaged: true,
    data: z.array(account),
  },
  postInstancePersonDeactivation: {
    ...ofPerson,
    method: "POST",
    path: "/instance/person/deactivation",
    summary:
      "Disable an account: end its sessions, revoke its access tokens and the invitations it sent, and refuse every sign-in",
    data: stopped,
  },
  postInstancePersonActivation: {
    ...ofPerson,
    method: "POST",
    path: "/instance/person/activation",
    summary: "Enable a disabled account",
  },
  deleteInstancePersonAccess: {
    ...ofPerson,
    method: "DELETE",
    path: "/instance/person/access",
    summary: "Sign a person out everywhere and revoke all their access tokens and the invitations they sent",
    data: stopped,
  },
  deleteInstancePersonFactors: {
    ...ofPerson,
    method: "DELETE",
    path: "/instance/person/factors",
    summary: "Remove the two-factor authentication and passkeys of a person who lost them",
  },
  deleteInstancePersonOperator: {
    ...ofPerson,
    method: "DELETE",
    path: "/instance/person/operator",
    summary: "Revoke a person's operator rights, and the invitations that they can no longer send",
    data: ended,
  },
} as const satisfies Record<string, ConsoleOperation>;
