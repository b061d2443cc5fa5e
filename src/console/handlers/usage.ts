// Handlers of quota, usage and the request log.

import { recordAuditEntry } from "../../accounts/audit/audit.ts";
import { findHiddenTeams } from "../../accounts/workspaces/teams.ts";
import { findWorkspace } from "../../accounts/workspaces/workspaces.store.ts";
import type { usageOperations } from "../../contract/console/operations/usage.ts";
import { isUuid } from "../../contract/uuid.ts";
import { foldedBefore } from "../../metering/quota/folding.ts";
import { readQuota } from "../../metering/quota/quota.ts";
import { exportLog } from "../../metering/usage/export.ts";
import { forecast, windowStart } from "../../metering/usage/forecast.ts";
import type { LogFilter } from "../../metering/usage/log.store.ts";
import { type LogPosition, momentsOf, readLog } from "../../metering/usage/log.ts";
import { isReason } from "../../metering/usage/refusals.ts";
import { readDailyUsage, spanOf, unitsSince } from "../../metering/usage/usage.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { boundsOfMonth } from "../../platform/time.ts";
import { type Actor, auditActorOf } from "../actor.ts";
import type { HandlersOf } from "../handler.ts";
import { cursorInvalid, formatCursor, isMoment, parseCursor } from "../paging.ts";
import { toGrantRecord } from "../records.ts";
import { rolesOf } from "../roles.ts";

export const usageHandlers: HandlersOf<typeof usageOperations> = {
  getQuota: async ({ context, transaction, workspaceId }) => {
    const { month, granted, used, remaining, grants } = await readQuota(transaction, workspaceId);
    const { now } = transaction;
    const workspace = await findWorkspace(transaction, workspaceId);
    const resets_at = boundsOfMonth(month).before;
    const pace = {
      now,
      used,
      remaining,
      monthEndsAt: resets_at,
      since: workspace?.created_at ?? now,
      unitsInWindow: await unitsSince(transaction, workspaceId, windowStart(now)),
    };
    return {
      data: {
        month,
        granted,
        used,
        remaining,
        resets_at,
        log_kept_from: foldedBefore(now, context.config.ledgerDays),
        grants: grants.map(toGrantRecord),
        forecast: forecast(pace),
      },
    };
  },

  getUsage: async (call, { query }) => {
    const { transaction, workspaceId } = call;
    const span = spanOf(transaction.now, query);
    const hiddenTeams = await findHiddenTeams(transaction, workspaceId, await rolesOf(call));
    return { data: await readDailyUsage(transaction, workspaceId, { ...span, by: query.by, hiddenTeams }) };
  },

  getLog: async ({ transaction, workspaceId }, { query }) => {
    const filter: LogFilter = { ...filterOf(query), requestId: query.requestId };
    const { limit } = query;
    const after = parseLogCursor(query.cursor);
    const { entries, next } = await readLog(transaction, workspaceId, filter, { after, limit });
    return {
      data: [...entries],
      nextCursor: next && formatLogCursor(next),
    };
  },

  getLogExport: async ({ context, actor, workspaceId, requestId }, { query }) => {
    await context.database.transaction(async (transaction) => recordExport(transaction, workspaceId, actor, query));
    const onFailure = (cause: unknown) => context.report(requestId, cause);
    const days = [query.from, query.to].filter((day) => day !== undefined).join("-to-");
    return {
      body: exportLog(context.database, workspaceId, filterOf(query), onFailure),
      fileName: days === "" ? "request-log.csv" : `request-log-${days}.csv`,
    };
  },
};

/** What leaves the service is audited before it leaves. */
async function recordExport(
  transaction: Transaction,
  workspaceId: string,
  actor: Actor | undefined,
  { workspaceId: _, ...filters }: Readonly<Record<string, unknown>>,
): Promise<void> {
  const workspace = await findWorkspace(transaction, workspaceId);
  if (!actor || !workspace) return;
  recordAuditEntry(transaction, workspaceId, auditActorOf(actor), {
    action: "log.export",
    target: { kind: "workspace", id: workspaceId, name: workspace.name },
    after: filters,
  });
}

interface FilterQuery {
  readonly keyId: string | undefined;
  readonly operation: string | undefined;
  readonly status: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const filterOf = ({ keyId, operation, status, ...days }: FilterQuery): LogFilter => ({
  keyId,
  operation,
  status: status === undefined ? undefined : Number(status),
  ...momentsOf(days),
});

const formatLogCursor = ({ calls, refused }: LogPosition): string =>
  formatCursor([...[refused.minute, refused.key_id, refused.reason], ...[calls.admitted_at, calls.id]]);

/** @throws Refusal `invalid` */
function parseLogCursor(cursor: string | undefined): LogPosition | undefined {
  const parts = parseCursor(cursor, 5);
  if (!parts) return undefined;
  const [minute = "", key_id = "", reason = "", admitted_at = "", id = ""] = parts;
  if (!isMoment(minute) || !isUuid(key_id) || !(reason === "" || isReason(reason))) throw cursorInvalid();
  if (!isMoment(admitted_at) || !isUuid(id)) throw cursorInvalid();
  return { calls: { admitted_at, id }, refused: { minute, key_id, reason } };
}
