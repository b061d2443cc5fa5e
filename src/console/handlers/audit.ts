// Handlers of the audit logs: of a workspace, and of all accounts of the instance.
import { type AuditFilters, listAuditPeople } from "../../accounts/audit/audit.store.ts";
import { noWorkspace, recordAuditEntry } from "../../accounts/audit/audit.ts";
import { exportEntries } from "../../accounts/audit/export.ts";
import { findPersonByEmail } from "../../accounts/people/people.store.ts";
import type { auditOperations } from "../../contract/console/operations/audit.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { startOfDay, startOfNextDay } from "../../platform/time.ts";
import { auditActorOf } from "../actor.ts";
import { readAuditPage } from "../audit-page.ts";
import type { OwnTransactionCall } from "../call.ts";
import type { Download, HandlersOf } from "../handler.ts";

export const auditHandlers: HandlersOf<typeof auditOperations> = {
  getAuditLog: async ({ transaction, workspaceId }, { query }) =>
    readAuditPage(transaction, workspaceId, filtersOf(query), query),

  getAuditActors: async ({ transaction, workspaceId }) => ({ data: await listAuditPeople(transaction, workspaceId) }),

  getAuditLogExport: (call, { query: { workspaceId: _, ...query } }) =>
    download(call, query, async () => filtersOf(query)),

  getInstanceAuditLog: async ({ transaction }, { query }) => {
    const filters = await instanceFiltersOf(transaction, query);
    if (!filters) return { data: [], nextCursor: null };
    return readAuditPage(transaction, noWorkspace, filters, query);
  },

  getInstanceAuditLogExport: (call, { query }) =>
    download(call, query, (transaction) => instanceFiltersOf(transaction, query)),
};

interface Query {
  readonly action: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const filtersOf = ({
  actorId,
  actorKind,
  action,
  from,
  to,
}: Query & Pick<AuditFilters, "actorId" | "actorKind">): AuditFilters => ({
  actorId,
  actorKind,
  action,
  from: from && startOfDay(from),
  before: to && startOfNextDay(to),
});

/** Undefined where no account has the address. */
async function instanceFiltersOf(
  transaction: Transaction,
  { account, ...query }: Query & Pick<AuditFilters, "actorKind"> & { readonly account: string | undefined },
): Promise<AuditFilters | undefined> {
  const person = account === undefined ? undefined : await findPersonByEmail(transaction, account.toLowerCase());
  return account !== undefined && !person ? undefined : { ...filtersOf(query), targetId: person?.id };
}

/** What leaves the service is audited before it leaves. */
async function download(
  { context, actor, workspaceId, requestId }: OwnTransactionCall,
  query: Readonly<Record<string, unknown>>,
  read: (transaction: Transaction) => Promise<AuditFilters | undefined>,
): Promise<Download> {
  const { database, report } = context;
  const filters = await database.transaction(async (transaction) => {
    const target = { kind: "audit_log", id: workspaceId, name: null };
    const entry = { action: "audit.export", target, after: query };
    if (actor) recordAuditEntry(transaction, workspaceId, auditActorOf(actor), entry);
    return read(transaction);
  });
  const portions = filters ? exportEntries(database, workspaceId, filters) : undefined;
  return { body: streamOf(portions, (cause) => report(requestId, cause)), fileName: "audit-log.jsonl" };
}

/** @param onFailure receives a failed read. The stream breaks off then, so that no one takes it for complete */
function streamOf(
  portions: AsyncGenerator<string> | undefined,
  onFailure: (cause: unknown) => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        try {
          const portion = await portions?.next();
          if (!portion || portion.done) controller.close();
          else controller.enqueue(encoder.encode(portion.value));
        } catch (cause) {
          onFailure(cause);
          controller.error(cause);
        }
      },
      cancel: async () => void (await portions?.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}
