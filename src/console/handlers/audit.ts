// The console's operations about the audit log: of a workspace, of one's own account, and of all accounts of the instance.

import { type AuditFilters, listActs } from "../../accounts/audit/audit.store.ts";
import { noWorkspace } from "../../accounts/audit/audit.ts";
import { findPersonByEmail } from "../../accounts/people/people.store.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { fromJson } from "../../platform/database/sql.ts";
import { startOfDay, startOfNextDay } from "../../platform/time.ts";
import { pageOf } from "../cursor.ts";
import type { ConsoleHandlers } from "../handlers.ts";
import { placeByTime } from "../page-position.ts";

type Names = "getAuditLog" | "getSecurityLog" | "getInstanceAuditLog";

export const auditHandlers: Pick<ConsoleHandlers, Names> = {
  getAuditLog: async ({ transaction, workspaceId }, { query }) => {
    const { actorId, action } = query;
    return pageOfActs(transaction, workspaceId, { actorId, action, ...daysOf(query) }, query);
  },

  getSecurityLog: async ({ transaction, actor }, { query }) =>
    pageOfActs(transaction, noWorkspace, { targetId: actor.personId }, query),

  getInstanceAuditLog: async ({ transaction }, { query }) => {
    const { action, account } = query;
    const person = account === undefined ? undefined : await findPersonByEmail(transaction, account.toLowerCase());
    if (account !== undefined && !person) return { data: [], nextCursor: null };
    return pageOfActs(transaction, noWorkspace, { action, targetId: person?.id, ...daysOf(query) }, query);
  },
};

async function pageOfActs(
  transaction: Transaction,
  workspaceId: string,
  filters: AuditFilters,
  { cursor, limit }: { readonly cursor: string | undefined; readonly limit: number },
) {
  const rows = await listActs(transaction, workspaceId, filters, placeByTime(cursor), limit);
  const { page, nextCursor } = pageOf(rows, limit, ({ at, id }) => [at, id]);
  return {
    data: page.map((row) => ({ ...row, before: detailsOf(row.before), after: detailsOf(row.after) })),
    nextCursor,
  };
}

const detailsOf = (json: string | null) => (json === null ? null : fromJson<Record<string, unknown>>(json));

const daysOf = ({ from, to }: { readonly from: string | undefined; readonly to: string | undefined }) => ({
  from: from && startOfDay(from),
  before: to && startOfNextDay(to),
});
