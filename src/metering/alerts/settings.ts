// The alert settings of a workspace: which alerts it sends, to which addresses, and to which webhook.
import type { AuditEntry } from "../../accounts/audit/audit.ts";
import { requireWorkspace } from "../../accounts/workspaces/workspaces.ts";
import { consoleErrors } from "../../contract/console/errors.ts";
import { consoleLimits } from "../../contract/console/limits.ts";
import type { Transaction } from "../../platform/database/database.ts";
import type { Value } from "../../platform/database/sql.ts";
import { isAllowedHost } from "../../platform/public-address.ts";
import { seal } from "../../platform/secrets/sealed-text.ts";
import { addHours } from "../../platform/time.ts";
import * as deliveries from "./deliveries.store.ts";
import { giveUpAt, queueDelivery } from "./deliveries.ts";
import * as store from "./settings.store.ts";
import { webhookSealingKey, webhookSecret } from "./signature.ts";

export interface AlertChanges {
  readonly isQuotaOn?: boolean | undefined;
  readonly isExpiryOn?: boolean | undefined;
  readonly isRefusalsOn?: boolean | undefined;
  readonly refusalsMax?: number | undefined;
  /** Null: the owners and admins. Empty: no email. */
  readonly emails?: readonly string[] | null | undefined;
  /** Null: no webhook. */
  readonly webhookUrl?: string | null | undefined;
}

/** What changes of the settings need to know of the instance. */
export interface WebhookContext {
  readonly instanceKey: string;
  /** Hosts in private networks that the operator allows. */
  readonly webhookHosts: readonly string[];
}

export interface ChangedAlerts {
  /** Returned once; null where there is no new one. */
  readonly secret: string | null;
  readonly entry: AuditEntry;
}

/**
 * Changes what is given. A new address gets a new secret, so that the old receiver cannot sign for the new one.
 * @throws Refusal `not_found`; `invalid` for an address in a private network
 */
export async function changeAlerts(
  transaction: Transaction,
  workspaceId: string,
  changes: AlertChanges,
  { instanceKey, webhookHosts }: WebhookContext,
): Promise<ChangedAlerts> {
  const { emails } = changes;
  // As it is sent: without line breaks and what else a URL drops.
  const webhookUrl = changes.webhookUrl && new URL(changes.webhookUrl).href;
  const before = await lockedSettings(transaction, workspaceId);
  const auditedBefore = await audited(transaction, workspaceId, before);
  if (webhookUrl && !isAllowedHost(webhookUrl, webhookHosts)) throw consoleErrors.webhookPrivate();
  const isNewAddress = webhookUrl !== undefined && webhookUrl !== before.webhook_url;
  const secret = isNewAddress && webhookUrl !== null ? webhookSecret.make() : null;
  if (isNewAddress) deliveries.endWaiting(transaction, workspaceId, "no_webhook");
  const values: Record<string, Value | undefined> = {
    is_quota_on: changes.isQuotaOn,
    is_expiry_on: changes.isExpiryOn,
    is_refusals_on: changes.isRefusalsOn,
    refusals_max: changes.refusalsMax,
    is_to_administrators: emails === undefined ? undefined : emails === null,
    ...(isNewAddress && {
      webhook_url: webhookUrl,
      ...secretColumns(secret, instanceKey),
      former_secret_sealed: null,
      former_secret_until: null,
    }),
  };
  if (emails !== undefined) store.replaceRecipients(transaction, workspaceId, [...new Set(emails)]);
  const after = await update(transaction, workspaceId, values);
  const entry = await entryOf(transaction, workspaceId, "alerts.change", {
    before: auditedBefore,
    after: await audited(transaction, workspaceId, after),
  });
  return { secret, entry };
}

/** Replaces the secret. The old one signs too for some hours. @throws Refusal `not_found`; `conflict` without a webhook */
export async function rotateSecret(
  transaction: Transaction,
  workspaceId: string,
  { instanceKey }: Pick<WebhookContext, "instanceKey">,
): Promise<ChangedAlerts> {
  const before = await lockedSettings(transaction, workspaceId);
  if (before.webhook_url === null) throw consoleErrors.noWebhook();
  const secret = webhookSecret.make();
  await update(transaction, workspaceId, {
    ...secretColumns(secret, instanceKey),
    former_secret_sealed: before.webhook_secret_sealed,
    former_secret_until: addHours(transaction.now, consoleLimits.webhookOverlapHours),
  });
  const after = { webhook_secret: webhookSecret.startOf(secret) };
  return { secret, entry: await entryOf(transaction, workspaceId, "alerts.rotate", { after }) };
}

/** Queues a test. @throws Refusal `conflict` without a webhook, and while another test waits */
export async function sendTest(transaction: Transaction, workspaceId: string): Promise<AuditEntry> {
  const { webhook_url } = await lockedSettings(transaction, workspaceId);
  if (webhook_url === null) throw consoleErrors.noWebhook();
  if (await deliveries.hasWaiting(transaction, workspaceId, "test")) throw consoleErrors.deliveryWaiting();
  queueDelivery(transaction, await requireWorkspace(transaction, workspaceId), "test", {});
  return entryOf(transaction, workspaceId, "alerts.test");
}

/** Queues a delivery again, with the same ID. @throws Refusal `not_found`; `conflict` without a webhook, and where it waits already */
export async function sendAgain(transaction: Transaction, workspaceId: string, id: string): Promise<AuditEntry> {
  const { webhook_url } = await lockedSettings(transaction, workspaceId);
  if (webhook_url === null) throw consoleErrors.noWebhook();
  if (!(await deliveries.findDelivery(transaction, workspaceId, id))) throw consoleErrors.notFound("delivery");
  if (!(await deliveries.queueAgain(transaction, workspaceId, id, giveUpAt(transaction.now))))
    throw consoleErrors.deliveryWaiting();
  return entryOf(transaction, workspaceId, "alerts.send_again", { after: { delivery: id } });
}

/** The settings with the last deliveries, as the contract describes them. @throws Refusal `not_found` */
export async function readAlerts(transaction: Transaction, workspaceId: string, hasMail: boolean) {
  const row = await findSettings(transaction, workspaceId);
  const rows = await deliveries.listDeliveries(transaction, workspaceId, consoleLimits.deliveriesShown);
  const { is_quota_on, is_expiry_on, is_refusals_on, refusals_max, webhook_url, former_secret_until } = row;
  const isFormerValid = former_secret_until !== null && former_secret_until > transaction.now;
  return {
    is_quota_on,
    is_expiry_on,
    is_refusals_on,
    refusals_max,
    emails: await emailsOf(transaction, workspaceId, row),
    has_mail: hasMail,
    webhook:
      webhook_url === null
        ? null
        : {
            url: webhook_url,
            secret_start: row.webhook_secret_start ?? "",
            former_secret_until: isFormerValid ? former_secret_until : null,
          },
    deliveries: rows.map((delivery) => ({
      ...delivery,
      next_try_at: delivery.state === "waiting" ? delivery.next_try_at : null,
    })),
  };
}

const emailsOf = async (transaction: Transaction, workspaceId: string, { is_to_administrators }: store.SettingsRow) =>
  is_to_administrators ? null : store.listRecipients(transaction, workspaceId);

async function findSettings(transaction: Transaction, workspaceId: string): Promise<store.SettingsRow> {
  const row = await store.findSettings(transaction, workspaceId);
  if (!row) throw consoleErrors.notFound("workspace", workspaceId);
  return row;
}

function lockedSettings(transaction: Transaction, workspaceId: string): Promise<store.SettingsRow> {
  store.lockSettings(transaction, workspaceId);
  return findSettings(transaction, workspaceId);
}

const secretColumns = (secret: string | null, instanceKey: string) => ({
  webhook_secret_start: secret && webhookSecret.startOf(secret),
  webhook_secret_sealed: secret && seal(secret, webhookSealingKey(instanceKey)),
});

async function update(
  transaction: Transaction,
  workspaceId: string,
  values: Readonly<Record<string, Value | undefined>>,
): Promise<store.SettingsRow> {
  const changed = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  if (changed.length > 0) store.updateSettings(transaction, workspaceId, Object.fromEntries(changed));
  return findSettings(transaction, workspaceId);
}

async function entryOf(
  transaction: Transaction,
  workspaceId: string,
  action: string,
  details: Pick<AuditEntry, "before" | "after"> = {},
): Promise<AuditEntry> {
  const { name } = await requireWorkspace(transaction, workspaceId);
  return { action, target: { kind: "workspace", id: workspaceId, name }, ...details };
}

/** Of addresses only their domains, because entries outlast the people. The path of a webhook may hold a secret. */
async function audited(transaction: Transaction, workspaceId: string, row: store.SettingsRow) {
  const emails = await emailsOf(transaction, workspaceId, row);
  return {
    quota: row.is_quota_on,
    key_expiration: row.is_expiry_on,
    refused_requests: row.is_refusals_on,
    refused_requests_max: row.refusals_max,
    email_to: emails?.map((email) => email.slice(email.indexOf("@"))) ?? "owners and admins",
    webhook: row.webhook_url && new URL(row.webhook_url).origin,
    webhook_secret: row.webhook_secret_start,
  };
}
