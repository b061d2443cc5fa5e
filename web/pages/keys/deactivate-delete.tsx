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
      toast("Key deactivated. It no longer works.");
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
      <p>The key will stop working immediately. You can activate it again at any time.</p>
      {apiKey.previous_secret_until !== null && (
        <p>
          This includes the old secret, which would otherwise work until {formatMoment(apiKey.previous_secret_until)}.
        </p>
      )}
      <p>
        {apiKey.last_used_at === null ? (
          "This key has never been used."
        ) : (
          <>
            Last used <Time at={apiKey.last_used_at} part="relative" />; {pluralize(apiKey.calls_30_days, "request")} in
            the last 30 days.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}

/** Within a day, people notice that a program still uses a deactivated key. */
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
      <p>You can’t undo this. The key’s secrets will never work again. Its usage history is kept.</p>
      {deactivatedAt !== null && !isEarly && (
        <p>
          Deactivated {formatRelative(deactivatedAt)} ({formatMoment(deactivatedAt)}).
        </p>
      )}
      {deactivatedAt !== null && isEarly && (
        <Notice tone="warn">
          Deactivated {formatRelative(deactivatedAt)} ({formatMoment(deactivatedAt)}). We recommend waiting 24 hours: if
          something still uses this key, you’ll notice and can activate it again.
        </Notice>
      )}
    </ConfirmDialog>
  );
}
