// What is left, what was used, and the request log.
import { z } from "zod";
import { operationNames } from "../../operations.ts";
import { choiceQuery, dayQuery, optionalChoiceQuery, optionalIdQuery, paging, workspaceQuery } from "../fields.ts";
import type { ConsoleOperation } from "../operation.ts";
import * as record from "../records.ts";
import { defaultsOf, ofWorkspace } from "./defaults.ts";

const { read } = defaultsOf("Usage");
const logFilter = {
  keyId: optionalIdQuery("Calls of this key."),
  operation: optionalChoiceQuery("Calls of this operation.", operationNames),
  status: optionalChoiceQuery("Answered well, refused, or failed.", ["200", "400", "403", "404", "413", "500"]),
  from: dayQuery("First day, UTC."),
  to: dayQuery("Last day, UTC."),
} as const;

export const usageOperations = {
  getQuota: {
    ...read,
    ...ofWorkspace,
    path: "/quota",
    summary: "What is left this month, and how long it lasts",
    access: "usage.read",
    isWriting: true,
    data: record.quota,
  },
  getUsage: {
    ...read,
    path: "/usage",
    summary: "Units and calls per day, by operation, key or team",
    access: "usage.read",
    query: {
      ...workspaceQuery,
      from: dayQuery("First day, UTC; without it the last 30 days."),
      to: dayQuery("Last day, UTC; without it today."),
      by: choiceQuery("What the units are split by.", record.usageParts, "operation"),
    },
    data: record.usage,
  },
  getLog: {
    ...read,
    path: "/log",
    summary: "The request log, newest first",
    description: "Where few calls fit, a page may be short or empty although `nextCursor` leads on.",
    access: "log.read",
    query: {
      ...workspaceQuery,
      ...paging,
      ...logFilter,
      requestId: optionalIdQuery("The call of this request id."),
    },
    isPaged: true,
    data: z.array(record.logEntry),
  },
  getLogExport: {
    ...read,
    path: "/log/export",
    summary: "The request log as CSV",
    access: "log.read",
    isOwnTransaction: true,
    answers: "text/csv",
    query: { ...workspaceQuery, ...logFilter },
    data: z.string(),
  },
} as const satisfies Record<string, ConsoleOperation>;
