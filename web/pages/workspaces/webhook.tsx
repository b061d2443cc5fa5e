// The webhook that receives alerts: its address, its secret, and its last deliveries.
import { useState } from "react";
import { useConsoleMutation, useConsoleQuery } from "../../api.ts";
import {
  Badge,
  Button,
  Card,
  ConfirmDialog,
  DescriptionList,
  EmptyState,
  FormDialog,
  formatMoment,
  Loaded,
  Menu,
  Notice,
  SecretDialog,
  TextField,
  Time,
  toast,
  toastError,
} from "../../components/index.ts";
import { limits } from "../../limits.ts";
import type { Alerts } from "./alerts.tsx";
import { DeliveriesTable } from "./deliveries.tsx";

type Step = "address" | "rotate" | "remove";

export function WebhookCard() {
  const alerts = useConsoleQuery("getAlerts");
  const webhook = alerts.data?.data.webhook;
  const [step, setStep] = useState<Step>();
  const [secret, setSecret] = useState<string>();
  const test = useConsoleMutation("postAlertsTest", { onSuccess: () => toast("Test alert queued") });
  const close = (newSecret?: string | null) => {
    setStep(undefined);
    if (newSecret) setSecret(newSecret);
  };
  return (
    <Card
      title="Webhook"
      description="Sends each alert to an HTTPS address as signed JSON."
      isFlush
      actions={
        webhook && (
          <>
            <Button
              size="small"
              isBusy={test.isPending}
              onClick={() => test.mutate({}, { onError: (error) => toastError(error) })}
            >
              Send test alert
            </Button>
            <Menu
              label="Actions for the webhook"
              items={[
                { label: "Change address", onSelect: () => setStep("address") },
                { label: "Rotate secret", onSelect: () => setStep("rotate") },
                "separator",
                { label: "Remove webhook", tone: "danger", onSelect: () => setStep("remove") },
              ]}
            />
          </>
        )
      }
    >
      <Loaded query={alerts}>
        {({ data }) => (
          <>
            {data.webhook ? (
              <div className="px-4 pb-4 sm:px-5">
                <WebhookState webhook={data.webhook} />
              </div>
            ) : (
              <EmptyState
                title="No webhook yet"
                action={
                  <Button size="small" onClick={() => setStep("address")}>
                    Add webhook
                  </Button>
                }
              >
                Add one to receive alerts in your own systems.
              </EmptyState>
            )}
            {(data.webhook || data.deliveries.length > 0) && (
              <DeliveriesTable deliveries={data.deliveries} canSend={data.webhook !== null} />
            )}
            {step === "address" && <AddressDialog current={data.webhook?.url} onClose={close} />}
          </>
        )}
      </Loaded>
      {step === "rotate" && <RotateDialog onClose={close} />}
      {step === "remove" && <RemoveDialog onClose={close} />}
      {secret !== undefined && (
        <SecretDialog
          title="Your webhook secret"
          secret={secret}
          closeLabel="I’ve saved my secret"
          onClose={() => setSecret(undefined)}
        >
          <p className="text-quiet -mt-2 text-[0.8125rem]">
            Use it to verify the <code>webhook-signature</code> header of each request.
          </p>
          {webhook?.former_secret_until && (
            <Notice>The old secret stays valid until {formatMoment(webhook.former_secret_until)}.</Notice>
          )}
        </SecretDialog>
      )}
    </Card>
  );
}

const WebhookState = ({ webhook }: { webhook: NonNullable<Alerts["webhook"]> }) => (
  <DescriptionList
    items={[
      [
        "Address",
        <code key="address" className="text-xs break-all">
          {webhook.url}
        </code>,
      ],
      [
        "Secret",
        <span key="secret" className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <code className="text-xs">{webhook.secret_start}…</code>
          {webhook.former_secret_until && (
            <Badge tone="warn">
              Old secret valid until <Time at={webhook.former_secret_until} />
            </Badge>
          )}
        </span>,
      ],
    ]}
  />
);

type OnClose = (newSecret?: string | null) => void;

function AddressDialog({ current, onClose }: { current: string | undefined; onClose: OnClose }) {
  const [url, setUrl] = useState(current ?? "");
  const change = useConsoleMutation("putAlerts", {
    onSuccess: ({ secret }) => {
      toast(current === undefined ? "Webhook added" : "Webhook changed");
      onClose(secret);
    },
  });
  return (
    <FormDialog
      title={current === undefined ? "Add webhook" : "Change webhook"}
      description={
        current === undefined
          ? "You’ll get a secret to verify that requests come from this service."
          : "The new address gets a new secret. Alerts still waiting to be sent to the old address won’t be sent."
      }
      submitLabel={current === undefined ? "Add webhook" : "Save address"}
      isBusy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate({ body: { webhookUrl: url.trim() } })}
      onClose={() => onClose()}
    >
      <TextField
        label="Address"
        type="url"
        required
        autoComplete="off"
        spellCheck={false}
        placeholder="https://hooks.example.com/commonplace"
        maxLength={limits.webhookUrlLengthMax}
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
    </FormDialog>
  );
}

function RotateDialog({ onClose }: { onClose: OnClose }) {
  const rotate = useConsoleMutation("postAlertsSecret", { onSuccess: ({ secret }) => onClose(secret) });
  return (
    <ConfirmDialog
      open
      onOpenChange={() => onClose()}
      title="Rotate the secret?"
      confirmLabel="Rotate secret"
      tone="primary"
      isBusy={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate({})}
    >
      <p>For {limits.webhookOverlapHours} hours, each request is signed with both the old and the new secret.</p>
    </ConfirmDialog>
  );
}

function RemoveDialog({ onClose }: { onClose: OnClose }) {
  const remove = useConsoleMutation("putAlerts", {
    onSuccess: () => {
      toast("Webhook removed");
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={() => onClose()}
      title="Remove the webhook?"
      confirmLabel="Remove webhook"
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ body: { webhookUrl: null } })}
    >
      <p>The webhook will stop receiving alerts, and its secret will be deleted.</p>
    </ConfirmDialog>
  );
}
