// The audit logs: of a workspace, and of the instance.
import { z } from "zod";
import { dayQuery, optionalIdQuery, paging, textQuery, workspaceQuery } from "../fields.ts";
import { consoleLimits as most } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import * as record from "../records.ts";
import { defaultsOf } from "./defaults.ts";

const { read } = defaultsOf("Audit log");

export const auditOperations = {
  getAuditLog: {
    ...read,
    path: "/audit-log",
    summary: "Administrative acts, newest first",
    access: "audit.read",
    query: {
      ...workspaceQuery,
      ...paging,
      actorId: optionalIdQuery("Acts of this person."),
      action: textQuery("Acts whose name begins so, such as key or key.create.", 60),
      from: dayQuery("First day, UTC."),
      to: dayQuery("Last day, UTC."),
    },
    isPaged: true,
    data: z.array(record.auditEntry),
  },
  getInstanceAuditLog: {
    ...read,
    path: "/instance/audit-log",
    summary: "What was done to accounts and belongs to no workspace, newest first",
    access: "instance.manage",
    isForTokens: false,
    query: {
      ...paging,
      account: textQuery("Acts on the account with this address.", most.emailLengthMax),
      action: textQuery("Acts whose name begins so, such as account.password.", 60),
      from: dayQuery("First day, UTC."),
      to: dayQuery("Last day, UTC."),
    },
    isPaged: true,
    data: z.array(record.auditEntry),
  },
} as const satisfies Record<string, ConsoleOperation>;
