// The audit logs: of a workspace, and of the instance.

import { z } from "zod";
import { id, timestamp } from "../../fields.ts";
import { dayQuery, optionalIdQuery, paging, textQuery, workspaceQuery } from "../fields.ts";
import { consoleLimits as most } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import { defaultsOf } from "./defaults.ts";

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

export const auditOperations = {
  getAuditLog: {
    ...read,
    path: "/audit-log",
    summary: "List the events of the workspace, newest first",
    access: "audit.read",
    query: {
      ...workspaceQuery,
      ...paging,
      actorId: optionalIdQuery("Events caused by this person."),
      action: textQuery("Events whose name starts with this, such as `key` or `key.create`.", 60),
      from: dayQuery("First day (UTC)."),
      to: dayQuery("Last day (UTC)."),
    },
    isPaged: true,
    data: z.array(auditEntry),
  },
  getInstanceAuditLog: {
    ...read,
    path: "/instance/audit-log",
    summary: "List account events of the instance, newest first",
    access: "instance.manage",
    isForTokens: false,
    query: {
      ...paging,
      account: textQuery("Events of the account with this email address.", most.emailLengthMax),
      action: textQuery("Events whose name starts with this, such as `password` or `password.change`.", 60),
      from: dayQuery("First day (UTC)."),
      to: dayQuery("Last day (UTC)."),
    },
    isPaged: true,
    data: z.array(auditEntry),
  },
} as const satisfies Record<string, ConsoleOperation>;
