// The check of the webhooks that workspaces have set: whether they accept their alerts.
import type { DeliveryFailure } from "../../contract/console/alerts.ts";
import { type FailingWebhook, listFailingWebhooks } from "../../metering/alerts/deliveries.ts";
import { formatMoment } from "../format.ts";
import { type Check, listSome, ok, warning } from "./check.ts";
import type { StoredData } from "./stored-data.ts";

export const webhookChecks: readonly Check<StoredData>[] = [
  {
    name: "webhooks",
    question: "Do the webhooks of workspaces accept their alerts?",
    remedy:
      "Tell an owner of the workspace. The workspace's settings page shows each delivery. If no webhook can be reached, check this machine's DNS settings and firewall.",
    examine: async ({ read }) => {
      const failing = await read(listFailingWebhooks);
      return failing.length > 0
        ? warning(listSome(failing.map(describe)))
        : ok("none has been failing for an hour or more");
    },
  },
];

const describe = ({ workspace, host, since, status, failure }: FailingWebhook): string =>
  `the webhook of workspace ${workspace.name} (${workspace.id}) at ${host} has not accepted any alerts since ${formatMoment(since)}: ${describeOutcome(status, failure)}`;

const failureReasons: Readonly<Record<DeliveryFailure, string>> = {
  host_not_found: "the host was not found",
  private_address: "the address is not public",
  certificate: "the certificate is not trusted",
  connection: "no connection",
  timeout: "no response in time",
  no_response: "no response",
  no_webhook: "the address was changed or removed",
};

/** What became of an attempt: its status, or why it got none. */
export const describeOutcome = (status: number | null, failure: DeliveryFailure | null): string =>
  failure === null ? `status ${status}` : failureReasons[failure];
