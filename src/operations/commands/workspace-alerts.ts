// ./commonplace workspace alerts: which alerts a workspace sends, and to whom.
import { openInstanceKey } from "../../accounts/sign-in/instance-key.ts";
import { type AlertType, webhookUrlProblem } from "../../contract/console/alerts.ts";
import { email } from "../../contract/console/fields.ts";
import { consoleLimits as most } from "../../contract/console/limits.ts";
import { type AlertChanges, changeAlerts, readAlerts, rotateSecret, sendTest } from "../../metering/alerts/settings.ts";
import { describeOutcome } from "../doctor/webhooks.ts";
import { formatMoment } from "../format.ts";
import type { Command, CommandContext, ParsedOptions } from "./command.ts";
import { inPortions } from "./database-access.ts";
import { readId, workspaceOption } from "./options.ts";
import { bold, formatFields, printResult } from "./output.ts";
import { recordCommand } from "./record.ts";

type Alerts = Awaited<ReturnType<typeof readAlerts>>;

export const workspaceAlertsCommand: Command = {
  name: "workspace alerts",
  summary: "Show or change the alerts of a workspace",
  options: {
    workspace: workspaceOption,
    quota: { value: "on|off", meaning: "Alert when 80% or 100% of the month's units have been used" },
    "key-expiration": { value: "on|off", meaning: "Alert 14 days and 3 days before a key expires" },
    "refused-requests": {
      value: "N|none",
      meaning: "Alert when more than N requests made with one key are refused in 10 minutes",
    },
    email: {
      value: "ADDRESS|admins|none",
      meaning: 'Recipient; can be repeated. "admins" means all owners and admins',
      isRepeatable: true,
    },
    webhook: { value: "URL|none", meaning: "HTTPS address to send alerts to; its secret is shown once" },
    "rotate-secret": { meaning: "Replace the secret of the webhook; the new one is shown once" },
    test: { meaning: "Send a test alert to the webhook" },
  },
  notes: [
    "Without other options, shows the settings. For 24 hours after a rotation,",
    "deliveries are signed with both secrets.",
  ],
  run: async (context) => {
    const { options, config } = context;
    const changes = readChanges(options);
    const [isRotating, isTesting] = [options.isSet("rotate-secret"), options.isSet("test")];
    if (isRotating && changes.webhookUrl !== undefined)
      return options.refuse("use --webhook or --rotate-secret, not both");
    const { alerts, secret } = await inPortions(context, async (database) => {
      const instanceKey = isRotating || changes.webhookUrl ? await openInstanceKey(database, config.instanceKey) : "";
      return database.transaction(async (transaction) => {
        const id = readId(options, "workspace");
        let secret: string | null = null;
        if (Object.values(changes).some((value) => value !== undefined)) {
          const { webhookHosts } = config;
          const changed = await changeAlerts(transaction, id, changes, { instanceKey, webhookHosts });
          recordCommand(transaction, id, changed.entry);
          secret = changed.secret;
        }
        if (isRotating) {
          const rotated = await rotateSecret(transaction, id, { instanceKey });
          recordCommand(transaction, id, rotated.entry);
          secret = rotated.secret;
        }
        if (isTesting) recordCommand(transaction, id, await sendTest(transaction, id));
        return { alerts: await readAlerts(transaction, id, config.mail !== undefined && config.isConsoleOn), secret };
      });
    });
    print(context, alerts, secret);
  },
};

function print(context: CommandContext, alerts: Alerts, secret: string | null): void {
  printResult(context, { ...alerts, ...(secret !== null && { secret }) }, [
    ...formatAlerts(alerts),
    ...(secret === null ? [] : ["", `  ${bold(secret)}`, "", "Save this secret now. It cannot be shown again."]),
  ]);
}

const formatAlerts = (alerts: Alerts): string[] =>
  formatFields({
    quota: alerts.is_quota_on ? "at 80% and 100% of the month's units" : "off",
    "key expiration": alerts.is_expiry_on ? "14 days and 3 days before" : "off",
    "refused requests": alerts.is_refusals_on ? `more than ${alerts.refusals_max} per key in 10 minutes` : "none",
    email: formatRecipients(alerts),
    webhook: alerts.webhook?.url ?? "none",
    ...(alerts.webhook && { "webhook secret": `${alerts.webhook.secret_start}...` }),
    ...(alerts.deliveries[0] && { "last delivery": formatDelivery(alerts.deliveries[0]) }),
  });

function formatRecipients({ emails, has_mail }: Alerts): string {
  const recipients = emails === null ? "owners and admins" : emails.join("\n") || "none";
  return has_mail ? recipients : `${recipients} (this service does not send email)`;
}

/** As the console names them. */
const typeNames: Readonly<Record<AlertType, string>> = {
  "quota.reached": "Units used",
  "key.expiring": "API key expiring",
  "key.refused": "Refused requests",
  test: "Test",
};

/** A delivery in one line: when, what became of it, and why. */
export function formatDelivery({
  state,
  type,
  created_at,
  last_status,
  last_failure,
}: Pick<Alerts["deliveries"][number], "state" | "type" | "created_at" | "last_status" | "last_failure">): string {
  const outcome =
    last_status === null && last_failure === null ? "" : `, ${describeOutcome(last_status, last_failure)}`;
  return `${typeNames[type]} (${formatMoment(created_at)}): ${state}${outcome}`;
}

function readChanges(options: ParsedOptions): AlertChanges {
  const refused = options.text("refused-requests");
  return {
    isQuotaOn: readSwitch(options, "quota"),
    isExpiryOn: readSwitch(options, "key-expiration"),
    isRefusalsOn: refused === undefined ? undefined : refused !== "none",
    refusalsMax: refused === undefined || refused === "none" ? undefined : readMax(options, refused),
    emails: readEmails(options),
    webhookUrl: readWebhook(options),
  };
}

function readSwitch(options: ParsedOptions, option: string): boolean | undefined {
  const text = options.text(option);
  if (text !== undefined && text !== "on" && text !== "off") return options.refuse(`--${option} must be on or off`);
  return text === undefined ? undefined : text === "on";
}

const readMax = (options: ParsedOptions, text: string): number =>
  /^[1-9]\d{0,6}$/.test(text) && Number(text) <= most.alertRefusalsMax
    ? Number(text)
    : options.refuse(`--refused-requests must be a whole number from 1 to ${most.alertRefusalsMax}, or none`);

function readEmails(options: ParsedOptions): string[] | null | undefined {
  const texts = options.texts("email");
  const [only] = texts;
  if (only === undefined) return undefined;
  if (texts.length === 1 && only === "admins") return null;
  if (texts.length === 1 && only === "none") return [];
  if (texts.length > most.alertEmailsMax) return options.refuse(`use --email at most ${most.alertEmailsMax} times`);
  return texts.map((text) => email().safeParse(text).data ?? options.refuse("--email must be an email address"));
}

/** The refusal does not repeat the address, which may hold a secret. */
function readWebhook(options: ParsedOptions): string | null | undefined {
  const text = options.text("webhook");
  if (text === undefined || text === "none") return text === undefined ? undefined : null;
  const problem = text.length > most.webhookUrlLengthMax ? "is too long" : webhookUrlProblem(text);
  return problem === undefined ? text : options.refuse(`--webhook ${problem}`);
}
