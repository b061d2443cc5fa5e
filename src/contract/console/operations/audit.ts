// The audit logs: of a workspace, and of the instance.

import { z } from "zod";
import { id, timestamp } from "../../fields.ts";
import { dayQuery, optionalChoiceQuery, optionalIdQuery, paging, textQuery, workspaceQuery } from "../fields.ts";
import { consoleLimits as most } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import { defaultsOf, ofWorkspace } from "./defaults.ts";

export const actorKinds = ["person", "token", "command", "payment", "service", "unknown"] as const;

export const auditEntry = z
  .strictObject({
    id: id(),
    at: timestamp(),
    actor_kind: z.enum(actorKinds),
    actor_id: z.string().nullable(),
    actor_name: z.string(),
    client_address: z.string().nullable(),
    action: z.string(),
    target_kind: z.string(),
    target_id: z.string().nullable(),
    target_name: z.string().nullable(),
    before: z.record(z.string(), z.unknown()).nullable(),
    after: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: "AuditEntry" });

const { read } = defaultsOf("Audit log");

const exported =
  "One entry per line, oldest first, with its number and its hash. The security documentation describes the format.";
const download = {
  ...read,
  confirmation: "never",
  isAudited: true,
  isOwnTransaction: true,
  mediaType: "application/x-ndjson",
  description: exported,
  data: z.string(),
} as const;

const auditActor = z
  .strictObject({
    person_id: id(),
    name: z.string(),
    email: z.string().nullable().meta({ description: "Null for someone who is not a member." }),
  })
  .meta({ id: "AuditPerson" });

const actorKind = optionalChoiceQuery("Events caused in this way, such as `command` for the command line.", actorKinds);
const workspaceFilters = {
  actorId: optionalIdQuery("Events caused by this person."),
  actorKind,
  action: textQuery("Events whose name starts with this, such as `key` or `key.create`.", 60),
  from: dayQuery("First day (UTC)."),
  to: dayQuery("Last day (UTC)."),
} as const;
const instanceFilters = {
  account: textQuery("Events of the account with this email address.", most.emailLengthMax),
  actorKind,
  action: textQuery("Events whose name starts with this, such as `password` or `password.change`.", 60),
  from: dayQuery("First day (UTC)."),
  to: dayQuery("Last day (UTC)."),
} as const;

export const auditOperations = {
  getAuditLog: {
    ...read,
    path: "/audit-log",
    summary: "List the events of the workspace, newest first",
    access: "audit.read",
    query: {
      ...workspaceQuery,
      ...paging,
      ...workspaceFilters,
    },
    isPaged: true,
    data: z.array(auditEntry),
  },
  getAuditActors: {
    ...read,
    ...ofWorkspace,
    path: "/audit-log/actors",
    summary: "List the people who caused events of the workspace, sorted by name",
    description: "Also operators, people who have left, and deleted accounts, under their pseudonyms.",
    access: "audit.read",
    data: z.array(auditActor),
  },
  getAuditLogExport: {
    ...download,
    path: "/audit-log/export",
    summary: "Export the events of the workspace as JSON Lines",
    access: "audit.read",
    query: { ...workspaceQuery, ...workspaceFilters },
  },
  getInstanceAuditLog: {
    ...read,
    path: "/instance/audit-log",
    summary: "List account events of the instance, newest first",
    access: "instance.manage",
    isForTokens: false,
    query: {
      ...paging,
      ...instanceFilters,
    },
    isPaged: true,
    data: z.array(auditEntry),
  },
  getInstanceAuditLogExport: {
    ...download,
    path: "/instance/audit-log/export",
    summary: "Export account events of the instance as JSON Lines",
    access: "instance.manage",
    isForTokens: false,
    query: instanceFilters,
  },
} as const satisfies Record<string, ConsoleOperation>;
