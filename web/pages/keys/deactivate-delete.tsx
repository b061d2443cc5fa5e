// The dialogs that deactivate and delete a key.
import { useConsoleMutation } from "../../api.ts";
import {
  ConfirmDialog,
  formatMoment,
  formatRelative,
  Notice,
  pluralize,
  quote,
  Time,
  toast,
} from "../../components/index.ts";
import { dayMilliseconds } from "../../time.ts";
import type { ApiKey } from "./key.ts";

interface KeyDialogProps {
  readonly apiKey: ApiKey;
  readonly onClose: () => void;
}

export function DeactivateKey({ apiKey, onClose }: KeyDialogProps) {
  const deactivate = useConsoleMutation("postKeyDeactivation", {
    query: { keyId: apiKey.id },
    onSuccess: () => {
      toast("Key deactivated: its next call is refused");
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Deactivate ${quote(apiKey.name)}?`}
      confirmLabel="Deactivate key"
      isBusy={deactivate.isPending}
      error={deactivate.error}
      onConfirm={() => deactivate.mutate({})}
    >
      <p>The next call with this key is refused. You can activate it again at any time.</p>
      {apiKey.previous_secret_until !== null && (
        <p>
          That goes for the old secret as well, which would work until {formatMoment(apiKey.previous_secret_until)}.
        </p>
      )}
      <p>
        {apiKey.last_used_at === null ? (
          "It was never used."
        ) : (
          <>
            Last used <Time at={apiKey.last_used_at} part="relative" />; {pluralize(apiKey.calls_30_days, "call")} in
            the last 30 days.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}

/** Within a day, a program that still uses a deactivated key is noticed. */
const recommendedWaitMilliseconds = dayMilliseconds;

export function DeleteKey({ apiKey, onClose }: KeyDialogProps) {
  const remove = useConsoleMutation("deleteKey", {
    query: { keyId: apiKey.id },
    onSuccess: () => {
      toast("Key deleted");
      onClose();
    },
  });
  const { deactivated_at: deactivatedAt } = apiKey;
  const isEarly = deactivatedAt !== null && Date.now() - Date.parse(deactivatedAt) < recommendedWaitMilliseconds;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${quote(apiKey.name)}?`}
      confirmLabel={isEarly ? "Delete anyway" : "Delete key"}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({})}
    >
      <p>This can not be undone: no secret of this key will ever work again. Its usage stays in the books.</p>
      {deactivatedAt !== null && !isEarly && (
        <p>
          It was deactivated {formatRelative(deactivatedAt)}, on {formatMoment(deactivatedAt)}.
        </p>
      )}
      {deactivatedAt !== null && isEarly && (
        <Notice tone="warn">
          It was deactivated {formatRelative(deactivatedAt)}, on {formatMoment(deactivatedAt)}. Better wait 24 hours:
          whoever still uses it is noticed while you can activate it again.
        </Notice>
      )}
    </ConfirmDialog>
  );
}
