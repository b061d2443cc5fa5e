// The console's operations about quota, usage and the request log.

import { findHiddenTeams } from "../../accounts/workspaces/teams.ts";
import { findWorkspace } from "../../accounts/workspaces/workspaces.store.ts";
import type { usageOperations } from "../../contract/console/operations/usage.ts";
import { isUuid } from "../../contract/uuid.ts";
import { foldedBefore } from "../../metering/quota/folding.ts";
import { showQuota } from "../../metering/quota/quota.ts";
import { exportLog } from "../../metering/usage/export.ts";
import { forecast, windowBegins } from "../../metering/usage/forecast.ts";
import type { LogFilter, LogPlace } from "../../metering/usage/log.store.ts";
import { momentsOf, readLog } from "../../metering/usage/log.ts";
import { showDays, spanOf, unitsSince } from "../../metering/usage/usage.ts";
import { boundsOfMonth } from "../../platform/time.ts";
import type { HandlersOf } from "../handler.ts";
import { cursorInvalid, formatCursor, isMoment, parseCursor } from "../paging.ts";
import { rolesOf } from "../roles.ts";

export const usageHandlers: HandlersOf<typeof usageOperations> = {
  getQuota: async ({ instance, transaction, workspaceId }) => {
    const { month, granted, used, remaining, grants } = await showQuota(transaction, workspaceId);
    const { now } = transaction;
    const workspace = await findWorkspace(transaction, workspaceId);
    const resets_at = boundsOfMonth(month).before;
    const pace = {
      ...{ now, used, remaining, monthEndsAt: resets_at },
      since: workspace?.created_at ?? now,
      unitsInWindow: await unitsSince(transaction, workspaceId, windowBegins(now)),
    };
    return {
      data: {
        ...{ month, granted, used, remaining, resets_at },
        log_kept_from: foldedBefore(now, instance.config.ledgerDays),
        grants: grants.map(({ kind, units, remaining, reference, created_at }) => ({
          ...{ kind, units, remaining, reference, created_at },
        })),
        forecast: forecast(pace),
      },
    };
  },

  getUsage: async (call, { query }) => {
    const { transaction, workspaceId } = call;
    const span = spanOf(transaction.now, query);
    const hiddenTeams = await findHiddenTeams(transaction, workspaceId, await rolesOf(call));
    return { data: await showDays(transaction, workspaceId, { ...span, by: query.by, hiddenTeams }) };
  },

  getLog: async ({ transaction, workspaceId }, { query }) => {
    const filter: LogFilter = { ...filterOf(query), requestId: query.requestId };
    const { limit } = query;
    const after = placeOf(query.cursor, filter);
    const { entries, next } = await readLog(transaction, workspaceId, filter, { after, limit });
    return {
      data: [...entries],
      nextCursor: next && cursorOf(next),
    };
  },

  getLogExport: async ({ instance, workspaceId, requestId }, { query }) => {
    const onFailure = (cause: unknown) => instance.report(requestId, cause);
    const days = [query.from, query.to].filter((day) => day !== undefined).join("-to-");
    return {
      body: exportLog(instance.database, workspaceId, filterOf(query), onFailure),
      fileName: days === "" ? "request-log.csv" : `request-log-${days}.csv`,
    };
  },
};

interface FilterQuery {
  readonly keyId: string | undefined;
  readonly operation: string | undefined;
  readonly status: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const filterOf = ({ keyId, operation, status, ...days }: FilterQuery): LogFilter => ({
  ...{ keyId, operation, status: status === undefined ? undefined : Number(status) },
  ...momentsOf(days),
});

const cursorOf = (place: LogPlace): string =>
  formatCursor("id" in place ? [place.id] : [place.admitted_at, String(place.key_call)]);

/** @throws Refusal 400 where the cursor is of a log with another filter */
function placeOf(cursor: string | undefined, { keyId }: LogFilter): LogPlace | undefined {
  const parts = parseCursor(cursor, keyId === undefined ? 1 : 2);
  if (!parts) return undefined;
  const [first = "", second = ""] = parts;
  if (keyId === undefined && isUuid(first)) return { id: first };
  if (keyId !== undefined && isMoment(first) && /^\d{1,15}$/.test(second))
    return { admitted_at: first, key_call: Number(second) };
  throw cursorInvalid();
}
