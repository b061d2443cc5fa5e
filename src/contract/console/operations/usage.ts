// Units left, units used and the request log.

import { z } from "zod";
import { count, id, timestamp } from "../../fields.ts";
import { operationNames } from "../../operations.ts";
import {
  choiceQuery,
  dayQuery,
  optionalChoiceQuery,
  optionalIdQuery,
  optionalTimestamp,
  paging,
  workspaceQuery,
} from "../fields.ts";
import type { ConsoleOperation } from "../operation.ts";
import { defaultsOf, ofWorkspace } from "./defaults.ts";

const usageParts = ["operation", "key", "team"] as const;

export const usage = z
  .strictObject({
    from: z.string(),
    to: z.string(),
    by: z.enum(usageParts),
    calls: count(),
    units: count(),
    parts: z.array(
      z.strictObject({
        /**
         * Operation name, key id or team id; empty for calls about no team or several. Beyond 50 parts, those with the fewest units are
         * merged: `others`. Private teams that the caller cannot see are merged as well: `private`.
         */
        id: z.string(),
        name: z.string(),
        calls: count(),
        units: count(),
      }),
    ),
    days: z.array(
      z.strictObject({
        day: z.string(),
        calls: count(),
        units: count(),
        /** Units, in the order of `parts`. */
        units_by_part: z.array(count()),
      }),
    ),
  })
  .meta({ id: "Usage" });

export const grant = z.strictObject({
  kind: z.enum(["monthly", "100K", "500K", "1M"]),
  units: count(),
  remaining: count(),
  reference: z.string().nullable(),
  created_at: timestamp(),
});

const quota = z
  .strictObject({
    month: z.string(),
    granted: count(),
    used: count(),
    remaining: count(),
    grants: z.array(grant),
    resets_at: timestamp(),
    log_kept_from: timestamp().meta({
      description: "Older requests are in the usage totals, but no longer in the request log.",
    }),
    forecast: z.strictObject({
      /** Of the last 7 days, or since the workspace was made; null without usage. */
      units_per_day: z.number().nullable(),
      /** When the quota ends at that pace, now where it is used up; null when it lasts until the month's end. */
      ends_at: optionalTimestamp(),
      /** Units that will be used by the month's end at that pace, whether the quota reaches or not. */
      units_by_month_end: count(),
    }),
  })
  .meta({ id: "Quota" });

export const logEntry = z
  .strictObject({
    id: id()
      .nullable()
      .meta({ description: "The request ID. Null for a row that counts requests that were not admitted." }),
    at: timestamp().meta({
      description: "When the request was admitted. For counted requests, the start of the minute.",
    }),
    requests: count().meta({
      description: "1, or how many requests with the key were refused for this reason in this minute.",
    }),
    key_id: id(),
    key_name: z.string(),
    operation: z.string(),
    method: z.string(),
    path: z.string(),
    team_id: id().nullable(),
    team_name: z.string().nullable(),
    status: z.int(),
    units: count(),
    balance_after: count().nullable().meta({ description: "Null for a row that counts requests." }),
    error_code: z.string().nullable().meta({ description: "Null for a successful request." }),
    error_message: z
      .string()
      .nullable()
      .meta({ description: "Null for a successful request. At most 300 characters." }),
    duration_microseconds: count().nullable().meta({
      description: "From receiving the request to recording its result. Null for a row that counts requests.",
    }),
    client_address: z
      .string()
      .nullable()
      .meta({ description: "The client's IP address. Null if counted requests came from several." }),
    explanation: z.string().meta({ description: "What the request cost and why." }),
  })
  .meta({ id: "LogEntry" });

const logStatuses = ["200", "304", "400", "401", "403", "404", "409", "413", "422", "429", "500"] as const;

const { read } = defaultsOf("Usage");
const logFilter = {
  keyId: optionalIdQuery("Requests with this key."),
  operation: optionalChoiceQuery("Requests for this operation.", operationNames),
  status: optionalChoiceQuery("Requests with this HTTP status.", logStatuses),
  from: dayQuery("First day (UTC)."),
  to: dayQuery("Last day (UTC)."),
} as const;

export const usageOperations = {
  getQuota: {
    ...read,
    ...ofWorkspace,
    path: "/quota",
    summary: "Get the units left and a forecast",
    access: "usage.read",
    isWriting: true,
    data: quota,
  },
  getUsage: {
    ...read,
    path: "/usage",
    summary: "Get units and requests per day, by operation, key, or team",
    access: "usage.read",
    query: {
      ...workspaceQuery,
      from: dayQuery("First day (UTC). Default: 29 days before the last day."),
      to: dayQuery("Last day (UTC). Default: today."),
      by: choiceQuery("How units are grouped.", usageParts, "operation"),
    },
    data: usage,
  },
  getLog: {
    ...read,
    path: "/log",
    summary: "List requests, newest first",
    description:
      "One row per admitted request. Requests with a known key that are not admitted, such as those over the rate limit or with an inactive or expired key, are counted instead: a few seconds later, there is one row per key, minute, and reason. These rows have no operation and no request ID, so a filter by operation leaves them out. If no admitted request has the ID in the filter, the rows of its minute are listed. If few requests match the filters, a page can be short or empty even though more pages follow.",
    access: "log.read",
    query: {
      ...workspaceQuery,
      ...paging,
      ...logFilter,
      requestId: optionalIdQuery("The request with this ID, or the requests refused in its minute."),
    },
    isPaged: true,
    data: z.array(logEntry),
  },
  getLogExport: {
    ...read,
    path: "/log/export",
    summary: "Export the request log as CSV",
    access: "log.read",
    isAudited: true,
    isOwnTransaction: true,
    mediaType: "text/csv",
    query: { ...workspaceQuery, ...logFilter },
    data: z.string(),
  },
} as const satisfies Record<string, ConsoleOperation>;
