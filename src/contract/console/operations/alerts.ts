// Alerts of a workspace by email and webhook.
import { z } from "zod";
import { array, atLeastOneField, boolean, count, id, object, text, timestamp } from "../../fields.ts";
import { objectBody } from "../../operation.ts";
import { alertTypes, deliveryFailures, deliveryStates, webhookUrlProblem } from "../alerts.ts";
import { email, idQuery, optionalTimestamp, wholeNumber, workspaceQuery } from "../fields.ts";
import { consoleLimits as most } from "../limits.ts";
import type { ConsoleOperation } from "../operation.ts";
import { defaultsOf, ofWorkspace } from "./defaults.ts";

const webhook = z
  .strictObject({
    url: z.string(),
    secret_start: z.string().meta({ description: "The prefix and the first 4 characters of the secret." }),
    former_secret_until: optionalTimestamp().meta({
      description: "Until then, deliveries are also signed with the previous secret.",
    }),
  })
  .meta({ id: "Webhook" });

const delivery = z
  .strictObject({
    id: id(),
    type: z.enum(alertTypes),
    state: z.enum(deliveryStates),
    tries: count(),
    created_at: timestamp(),
    last_try_at: optionalTimestamp(),
    next_try_at: optionalTimestamp().meta({ description: "Null if there will be no further attempt." }),
    last_status: z.int().nullable().meta({ description: "The status of the last response." }),
    last_failure: z.enum(deliveryFailures).nullable().meta({ description: "Why there was no response." }),
  })
  .meta({ id: "WebhookDelivery" });

const alerts = z
  .strictObject({
    is_quota_on: z.boolean(),
    is_expiry_on: z.boolean(),
    is_refusals_on: z.boolean(),
    refusals_max: count().meta({
      description: "An alert is sent when a key has more refused requests than this within 10 minutes.",
    }),
    emails: z.array(z.string()).nullable().meta({ description: "Null: the owners and admins of the workspace." }),
    has_mail: z.boolean().meta({ description: "False if this service sends no email." }),
    webhook: webhook.nullable(),
    deliveries: z.array(delivery).meta({ description: `The latest ${most.deliveriesShown} deliveries, newest first.` }),
  })
  .meta({ id: "Alerts" });

const alertsWithSecret = alerts
  .extend({ secret: z.string().nullable().meta({ description: "The new secret of the webhook, if there is one." }) })
  .meta({ id: "AlertsWithSecret" });

const url = () =>
  text(1, most.webhookUrlLengthMax).superRefine((value, context) => {
    const message = webhookUrlProblem(value);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });

const { read, change } = defaultsOf("Alerts");

export const alertOperations = {
  getAlerts: {
    ...read,
    ...ofWorkspace,
    path: "/alerts",
    summary: "Get the alert settings of a workspace and the latest deliveries to its webhook",
    access: "workspace.change",
    isForTokens: false,
    data: alerts,
  },
  putAlerts: {
    ...change,
    ...ofWorkspace,
    method: "PUT",
    path: "/alerts",
    summary: "Change the alert settings of a workspace",
    description: "Changing the webhook's address creates a new secret, which is returned once.",
    access: "workspace.change",
    // Alerts can leave the workspace.
    confirmation: "always",
    isForTokens: false,
    body: objectBody(
      atLeastOneField(
        object({
          isQuotaOn: boolean().optional(),
          isExpiryOn: boolean().optional(),
          isRefusalsOn: boolean().optional(),
          refusalsMax: wholeNumber(1, most.alertRefusalsMax).optional(),
          emails: array(email(), 0, most.alertEmailsMax)
            .nullable()
            .optional()
            .meta({ description: "Null: the owners and admins. Empty: no email." }),
          webhookUrl: url().nullable().optional().meta({ description: "Null: no webhook." }),
        }),
      ),
    ),
    data: alertsWithSecret,
  },
  postAlertsSecret: {
    ...change,
    ...ofWorkspace,
    method: "POST",
    path: "/alerts/secret",
    summary: "Rotate the secret of the webhook. The new secret is returned once",
    description: `For ${most.webhookOverlapHours} hours, deliveries are signed with both secrets.`,
    access: "workspace.change",
    confirmation: "always",
    isForTokens: false,
    data: alertsWithSecret,
  },
  postAlertsTest: {
    ...change,
    ...ofWorkspace,
    method: "POST",
    path: "/alerts/test",
    summary: "Send a test alert to the webhook. It is sent once, without retries",
    access: "workspace.change",
    confirmation: "never",
    isForTokens: false,
    data: alerts,
  },
  postAlertsDelivery: {
    ...change,
    query: { ...workspaceQuery, deliveryId: idQuery("deliveryId", "The ID of the delivery.") },
    method: "POST",
    path: "/alerts/delivery",
    summary: "Send a delivery to the webhook again, with the same ID",
    access: "workspace.change",
    confirmation: "never",
    isForTokens: false,
    data: alerts,
  },
} as const satisfies Record<string, ConsoleOperation>;
