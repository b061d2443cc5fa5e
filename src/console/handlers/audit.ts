// The console's operations about the audit log.
import { listActs } from "../../audit/audit.store.ts";
import { fromJson } from "../../database/sql.ts";
import { pageOf } from "../cursor.ts";
import type { ConsoleHandlers } from "../handlers.ts";
import { placeByTime } from "../place.ts";

type Names = "getAuditLog";

export const auditHandlers: Pick<ConsoleHandlers, Names> = {
  getAuditLog: async ({ transaction, workspaceId }, { query }) => {
    const { actorId, action, from, to, cursor, limit } = query;
    const last = placeByTime(cursor);
    const filters = { actorId, action, from: from && startOf(from), before: to && startOf(dayAfter(to)) };
    const rows = await listActs(transaction, workspaceId, filters, last, limit);
    const { page, nextCursor } = pageOf(rows, limit, ({ at, id }) => [at, id]);
    return {
      data: page.map((row) => ({ ...row, before: detailsOf(row.before), after: detailsOf(row.after) })),
      nextCursor,
    };
  },
};

const detailsOf = (json: string | null) => (json === null ? null : fromJson<Record<string, unknown>>(json));

const startOf = (day: string): string => `${day}T00:00:00.000Z`;
const dayAfter = (day: string): string => new Date(Date.parse(startOf(day)) + 86_400_000).toISOString().slice(0, 10);
