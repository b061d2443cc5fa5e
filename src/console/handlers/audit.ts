// Handlers of the audit logs: of a workspace, and of all accounts of the instance.
import { noWorkspace } from "../../accounts/audit/audit.ts";
import { findPersonByEmail } from "../../accounts/people/people.store.ts";
import type { auditOperations } from "../../contract/console/operations/audit.ts";
import { startOfDay, startOfNextDay } from "../../platform/time.ts";
import { readAuditPage } from "../audit-page.ts";
import type { HandlersOf } from "../handler.ts";

export const auditHandlers: HandlersOf<typeof auditOperations> = {
  getAuditLog: async ({ transaction, workspaceId }, { query }) => {
    const { actorId, action } = query;
    return readAuditPage(transaction, workspaceId, { actorId, action, ...momentsOf(query) }, query);
  },

  getInstanceAuditLog: async ({ transaction }, { query }) => {
    const { action, account } = query;
    const person = account === undefined ? undefined : await findPersonByEmail(transaction, account.toLowerCase());
    if (account !== undefined && !person) return { data: [], nextCursor: null };
    return readAuditPage(transaction, noWorkspace, { action, targetId: person?.id, ...momentsOf(query) }, query);
  },
};

const momentsOf = ({ from, to }: { readonly from: string | undefined; readonly to: string | undefined }) => ({
  from: from && startOfDay(from),
  before: to && startOfNextDay(to),
});
