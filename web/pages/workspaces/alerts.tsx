// Which alerts the workspace sends by email and webhook, and the dialog to change that.
import { useId, useState } from "react";
import { type DataOf, useConsoleMutation, useConsoleQuery } from "../../api.ts";
import {
  Button,
  Card,
  Checkbox,
  DescriptionList,
  FormDialog,
  formatCount,
  Loaded,
  RadioGroup,
  TextareaField,
  TextField,
  toast,
} from "../../components/index.ts";
import { limits } from "../../limits.ts";

export type Alerts = DataOf<"getAlerts">;

export function AlertsCard() {
  const alerts = useConsoleQuery("getAlerts");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card
      title="Alerts"
      description={`${alerts.data?.data.has_mail === false ? "Sent to a webhook, if you add one." : "Sent by email, and to a webhook if you add one."} Alert conditions are checked once a minute.`}
      actions={
        alerts.data && (
          <Button size="small" onClick={() => setIsOpen(true)}>
            Change alerts
          </Button>
        )
      }
    >
      <Loaded query={alerts}>
        {({ data }) => (
          <>
            <DescriptionList
              items={[
                ["Units", data.is_quota_on ? "When 80% or 100% of the month’s units have been used" : "Off"],
                ["API keys", data.is_expiry_on ? "14 days and 3 days before a key expires" : "Off"],
                [
                  "Refused requests",
                  data.is_refusals_on
                    ? `When more than ${formatCount(data.refusals_max)} requests made with one key are refused within 10 minutes`
                    : "Off",
                ],
                ["Email", <Recipients key="email" alerts={data} />],
              ]}
            />
            {isOpen && <AlertsDialog alerts={data} onClose={() => setIsOpen(false)} />}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function Recipients({ alerts: { emails, has_mail } }: { alerts: Alerts }) {
  if (!has_mail) return "Not set up on this service";
  if (emails === null) return "Owners and admins";
  return emails.length === 0 ? "Off" : <bdi className="wrap-anywhere">{emails.join(", ")}</bdi>;
}

type Recipient = "admins" | "others" | "none";

function AlertsDialog({ alerts, onClose }: { alerts: Alerts; onClose: () => void }) {
  const id = useId();
  const [isQuotaOn, setIsQuotaOn] = useState(alerts.is_quota_on);
  const [isExpiryOn, setIsExpiryOn] = useState(alerts.is_expiry_on);
  const [isRefusalsOn, setIsRefusalsOn] = useState(alerts.is_refusals_on);
  const [refusals, setRefusals] = useState(formatCount(alerts.refusals_max));
  const [recipient, setRecipient] = useState<Recipient>(
    alerts.emails === null ? "admins" : alerts.emails.length > 0 ? "others" : "none",
  );
  const [addresses, setAddresses] = useState(alerts.emails?.join("\n") ?? "");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const change = useConsoleMutation("putAlerts", {
    onSuccess: () => {
      toast("Alerts changed");
      onClose();
    },
  });
  const refusalsMax = /^[\d, ]{1,12}$/.test(refusals) ? Number(refusals.replaceAll(/[, ]/g, "")) : Number.NaN;
  const isMaxInvalid = isRefusalsOn && !(refusalsMax >= 1 && refusalsMax <= limits.alertRefusalsMax);
  const others = addresses
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const isAddressMissing = recipient === "others" && others.length === 0;
  const submit = () => {
    setIsSubmitted(true);
    if (isMaxInvalid || isAddressMissing) return;
    const emails = { admins: null, others, none: [] }[recipient];
    const body = { isQuotaOn, isExpiryOn, isRefusalsOn, emails };
    change.mutate({ body: isRefusalsOn ? { ...body, refusalsMax } : body });
  };
  return (
    <FormDialog
      title="Change alerts"
      submitLabel="Save alerts"
      isBusy={change.isPending}
      error={change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <fieldset className="min-w-0">
        <legend className="mb-1 font-medium">Alerts</legend>
        <Checkbox
          label="80% or 100% of the month’s units have been used"
          checked={isQuotaOn}
          onChange={(event) => setIsQuotaOn(event.target.checked)}
        />
        <Checkbox
          label="An API key is about to expire"
          hint="14 days before, and again 3 days before."
          checked={isExpiryOn}
          onChange={(event) => setIsExpiryOn(event.target.checked)}
        />
        <Checkbox
          label="An API key has many refused requests"
          hint="At most one alert per key per hour."
          checked={isRefusalsOn}
          onChange={(event) => setIsRefusalsOn(event.target.checked)}
        />
      </fieldset>
      {isRefusalsOn && (
        <TextField
          label="Refused requests within 10 minutes"
          inputMode="numeric"
          autoComplete="off"
          hint="You get an alert when a key exceeds this number."
          value={refusals}
          onChange={(event) => setRefusals(event.target.value)}
          error={
            isSubmitted && isMaxInvalid
              ? `Enter a whole number from 1 to ${formatCount(limits.alertRefusalsMax)}.`
              : undefined
          }
        />
      )}
      {alerts.has_mail && (
        <RadioGroup
          legend="Email"
          name={`${id}-recipient`}
          value={recipient}
          onChange={setRecipient}
          options={[
            { value: "admins", label: "Owners and admins" },
            { value: "others", label: "Other addresses" },
            { value: "none", label: "No email" },
          ]}
        />
      )}
      {alerts.has_mail && recipient === "others" && (
        <TextareaField
          label="Addresses"
          rows={2}
          spellCheck={false}
          autoComplete="off"
          placeholder="ops@example.com"
          hint={`One per line, at most ${limits.alertEmailsMax}.`}
          value={addresses}
          onChange={(event) => setAddresses(event.target.value)}
          error={isSubmitted && isAddressMissing ? "Enter at least one address." : undefined}
        />
      )}
    </FormDialog>
  );
}
