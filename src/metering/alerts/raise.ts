// Raises an alert: queues its mails and its delivery to the webhook, in the transaction that decides that it is due.

import { admitAlertMail, alertMailsMax } from "../../accounts/sign-in/throttle.ts";
import type { AlertType } from "../../contract/console/alerts.ts";
import type { Transaction } from "../../platform/database/database.ts";
import { queueMail } from "../../platform/mail/outbox.ts";
import type { BilledFrom } from "../billing/billed-months.ts";
import { queueDelivery } from "./deliveries.ts";
import { findSettings, listAdministrators, listReachableRecipients } from "./settings.store.ts";

/** What alerts need to know of the instance. */
export interface AlertContext {
  /** `https://host[:port]`, for links in mail. */
  readonly origin: string;
  /** Whether the instance sends mail. */
  readonly hasMail: boolean;
  readonly billedFrom: BilledFrom;
}

export interface Alert {
  readonly type: Exclude<AlertType, "test">;
  readonly workspace: { readonly id: string; readonly name: string };
  /** What the webhook receives. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly subject: string;
  /** The lines of the mail between the greeting and the reason why it was sent. */
  readonly lines: readonly string[];
}

/** In the last email before the limit. */
const alertsPause = `The workspace emailed ${alertMailsMax} alerts to this address in the last 24 hours, the maximum. Further alerts are not emailed until one of these is older.`;

/** Sends an alert wherever the workspace wants it. */
export async function raiseAlert(transaction: Transaction, alert: Alert, { hasMail }: AlertContext): Promise<void> {
  const { workspace, type, data, subject, lines } = alert;
  const settings = await findSettings(transaction, workspace.id);
  if (!settings) return;
  if (settings.webhook_url !== null) queueDelivery(transaction, workspace, type, data);
  if (!hasMail) return;
  const recipients = await (settings.is_to_administrators ? listAdministrators : listReachableRecipients)(
    transaction,
    workspace.id,
  );
  const reason = settings.is_to_administrators
    ? "You received this email because you are an owner or admin of the workspace."
    : "You received this email because the workspace sends its alerts to this address.";
  for (const recipient of recipients) {
    const left = await admitAlertMail(transaction, workspace.id, recipient);
    if (left === undefined) continue;
    const pause = left === 0 ? [alertsPause] : [];
    const body = ["Hello,", "", ...lines, "", reason, ...pause, ""].join("\n");
    queueMail(transaction, { recipient, subject, body });
  }
}
