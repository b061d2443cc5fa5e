// Attempts to deliver alerts to the webhooks of workspaces, by what became of them.
import { Counter, type Registry } from "prom-client";
import { attemptOutcomes, type DeliveryObserver } from "../../metering/alerts/deliveries.ts";

export function observeWebhooks(registry: Registry): DeliveryObserver {
  const attempts = new Counter({
    name: "commonplace_webhook_attempts_total",
    help: "Attempts to deliver an alert to the webhook of a workspace, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  // Prometheus sees no increase in a series that begins with its first event.
  for (const outcome of attemptOutcomes) attempts.inc({ outcome }, 0);
  return { attempted: (outcome) => attempts.inc({ outcome }) };
}
