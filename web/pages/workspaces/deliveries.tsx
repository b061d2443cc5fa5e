// The last deliveries to the webhook.
import { type ReactNode, useState } from "react";
import { useConsoleMutation, useConsoleQuery } from "../../api.ts";
import { Badge, Button, DataTable, EmptyState, Time, toast, toastError } from "../../components/index.ts";
import type { Alerts } from "./alerts.tsx";

type Delivery = Alerts["deliveries"][number];

const typeNames: Readonly<Record<Delivery["type"], string>> = {
  "quota.reached": "Units used",
  "key.expiring": "API key expiring",
  "key.refused": "Refused requests",
  test: "Test",
};

const failures: Readonly<Record<NonNullable<Delivery["last_failure"]>, string>> = {
  host_not_found: "Host not found",
  private_address: "Host is on a private network",
  certificate: "Certificate not trusted",
  connection: "Connection failed",
  timeout: "No response within 10 seconds",
  no_response: "Connection closed without a response",
  no_webhook: "Address was changed or removed",
};

export function DeliveriesTable({ deliveries, canSend }: { deliveries: readonly Delivery[]; canSend: boolean }) {
  const [sendingId, setSendingId] = useState<string>();
  const send = useConsoleMutation("postAlertsDelivery", { onSuccess: () => toast("Alert queued") });
  return (
    <div className="border-line border-t">
      {deliveries.some(({ state }) => state === "waiting") && <Poll />}
      <DataTable
        label="Recent deliveries"
        rows={deliveries}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No deliveries yet">Send a test alert to check that the webhook works.</EmptyState>}
        columns={[
          { id: "type", head: "Alert", isTitle: true, cell: ({ type }) => typeNames[type] },
          { id: "created", head: "Created", cell: ({ created_at }) => <Time at={created_at} /> },
          { id: "state", head: "Delivery", cell: (row) => <DeliveryState delivery={row} /> },
          { id: "tries", head: "Attempts", align: "end", cell: ({ tries }) => tries },
          {
            id: "actions",
            head: "Actions",
            isActions: true,
            cell: ({ id, state }) =>
              canSend &&
              state !== "waiting" && (
                <Button
                  size="small"
                  variant="quiet"
                  isBusy={send.isPending && sendingId === id}
                  onClick={() => {
                    setSendingId(id);
                    send.mutate({ query: { deliveryId: id } }, { onError: (error) => toastError(error) });
                  }}
                >
                  Send again
                </Button>
              ),
          },
        ]}
      />
    </div>
  );
}

/** Reads the deliveries again while one of them waits. */
function Poll() {
  useConsoleQuery("getAlerts", { refetchSeconds: 5 });
  return null;
}

function DeliveryState({ delivery }: { delivery: Delivery }) {
  const { state, tries, last_status, last_failure, next_try_at } = delivery;
  const outcome = last_failure === null ? last_status !== null && `Status ${last_status}` : failures[last_failure];
  return (
    <span className="grid justify-items-start gap-0.5">
      {state === "delivered" && <Badge tone="good">Delivered</Badge>}
      {state === "failed" && <Badge tone="danger">Failed</Badge>}
      {state === "waiting" && <Badge tone={tries > 0 ? "warn" : "neutral"}>{tries > 0 ? "Retrying" : "Waiting"}</Badge>}
      {outcome && <Small>{outcome}</Small>}
      {state === "waiting" && tries > 0 && next_try_at !== null && (
        <Small>
          Next attempt <Time at={next_try_at} part="until" />
        </Small>
      )}
    </span>
  );
}

const Small = ({ children }: { children: ReactNode }) => <span className="text-quiet text-xs">{children}</span>;
