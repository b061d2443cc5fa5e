// The windows that ask before a key is switched off, and before it is deleted for good.
import { useChange } from "../../api.ts";
import { ConfirmDialog, fromNow, moment, Notice, plural, quoted, Time, toast } from "../../components/index.ts";
import type { ApiKey } from "./key.ts";

interface EndProps {
  readonly about: ApiKey;
  readonly onClose: () => void;
}

export function DeactivateKey({ about, onClose }: EndProps) {
  const deactivate = useChange("postKeyDeactivation", {
    query: { keyId: about.id },
    onDone: () => {
      toast("Key deactivated: its next call is refused");
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Deactivate ${quoted(about.name)}?`}
      confirmLabel="Deactivate key"
      isBusy={deactivate.isPending}
      error={deactivate.error}
      onConfirm={() => deactivate.mutate({})}
    >
      <p>The next call with this key is refused. You can activate it again at any time.</p>
      {about.previous_secret_until !== null && (
        <p>That goes for the old secret as well, which would work until {moment(about.previous_secret_until)}.</p>
      )}
      <p>
        {about.last_used_at === null ? (
          "It was never used."
        ) : (
          <>
            Last used <Time at={about.last_used_at} part="relative" />; {plural(about.calls_30_days, "call")} in the
            last 30 days.
          </>
        )}
      </p>
    </ConfirmDialog>
  );
}

/** Whoever still uses a deactivated key is noticed within a day. */
const recommendedMilliseconds = 24 * 60 * 60 * 1_000;

export function DeleteKey({ about, onClose }: EndProps) {
  const remove = useChange("deleteKey", {
    query: { keyId: about.id },
    onDone: () => {
      toast("Key deleted");
      onClose();
    },
  });
  const { deactivated_at: since } = about;
  const isEarly = since !== null && Date.now() - Date.parse(since) < recommendedMilliseconds;
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${quoted(about.name)}?`}
      confirmLabel={isEarly ? "Delete anyway" : "Delete key"}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({})}
    >
      <p>This can not be undone: no secret of this key will ever work again. Its usage stays in the books.</p>
      {since !== null && !isEarly && (
        <p>
          It was deactivated {fromNow(since)}, on {moment(since)}.
        </p>
      )}
      {since !== null && isEarly && (
        <Notice tone="warn">
          It was deactivated {fromNow(since)}, on {moment(since)}. Better wait 24 hours: whoever still uses it is
          noticed while you can activate it again.
        </Notice>
      )}
    </ConfirmDialog>
  );
}
