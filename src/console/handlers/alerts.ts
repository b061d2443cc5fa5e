// Handlers of alerts.
import { type AuditEntry, recordAuditEntry } from "../../accounts/audit/audit.ts";
import type { alertOperations } from "../../contract/console/operations/alerts.ts";
import { changeAlerts, readAlerts, rotateSecret, sendAgain, sendTest } from "../../metering/alerts/settings.ts";
import { auditActorOf } from "../actor.ts";
import type { ConsoleCall } from "../call.ts";
import type { HandlersOf } from "../handler.ts";

export const alertHandlers: HandlersOf<typeof alertOperations> = {
  getAlerts: async (call) => ({ data: await read(call) }),

  putAlerts: async (call, { body }) => {
    const { instanceKey, config } = call.context;
    const { webhookHosts } = config;
    const { secret, entry } = await changeAlerts(call.transaction, call.workspaceId, body, {
      instanceKey,
      webhookHosts,
    });
    record(call, entry);
    return { data: { ...(await read(call)), secret } };
  },

  postAlertsSecret: async (call) => {
    const { secret, entry } = await rotateSecret(call.transaction, call.workspaceId, call.context);
    record(call, entry);
    return { data: { ...(await read(call)), secret } };
  },

  postAlertsTest: async (call) => {
    record(call, await sendTest(call.transaction, call.workspaceId));
    return { data: await read(call) };
  },

  postAlertsDelivery: async (call, { query }) => {
    record(call, await sendAgain(call.transaction, call.workspaceId, query.deliveryId));
    return { data: await read(call) };
  },
};

const read = ({ transaction, workspaceId, context }: ConsoleCall) =>
  readAlerts(transaction, workspaceId, context.config.mail !== undefined);

const record = ({ transaction, workspaceId, actor }: ConsoleCall, entry: AuditEntry): void =>
  recordAuditEntry(transaction, workspaceId, auditActorOf(actor), entry);
