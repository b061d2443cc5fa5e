// The dialog that gives a key a new secret.
import { useState } from "react";
import { useConsoleMutation } from "../../api.ts";
import { FormDialog, formatMoment, Notice, quote, RadioGroup } from "../../components/index.ts";
import { dayMilliseconds, hourMilliseconds } from "../../time.ts";
import type { ApiKey, KeyWithSecret } from "./key.ts";

const overlaps = [
  { value: "now", label: "Stops working now", milliseconds: 0 },
  { value: "1h", label: "Works for 1 more hour", milliseconds: hourMilliseconds },
  { value: "24h", label: "Works for 24 more hours", milliseconds: dayMilliseconds },
  { value: "7d", label: "Works for 7 more days", milliseconds: 7 * dayMilliseconds },
] as const;
type Overlap = (typeof overlaps)[number]["value"];

export function RotateKey({
  apiKey,
  onClose,
  onRotated,
}: {
  apiKey: ApiKey;
  onClose: () => void;
  onRotated: (apiKey: KeyWithSecret) => void;
}) {
  const [overlap, setOverlap] = useState<Overlap>("24h");
  const [openedAt] = useState(Date.now);
  const rotate = useConsoleMutation("postKeyRotation", { query: { keyId: apiKey.id }, onSuccess: onRotated });
  return (
    <FormDialog
      title={`Rotate the secret for ${quote(apiKey.name)}?`}
      description="You’ll get a new secret. The key’s teams, usage, and rate limit don’t change."
      submitLabel="Rotate secret"
      isBusy={rotate.isPending}
      error={rotate.error}
      onSubmit={() => rotate.mutate({ body: { overlap } })}
      onClose={onClose}
    >
      <RadioGroup
        legend="Old secret"
        name="overlap"
        value={overlap}
        onChange={setOverlap}
        options={overlaps.map(({ value, label, milliseconds }) => ({
          value,
          label,
          hint:
            milliseconds === 0
              ? "Choose this if the secret may have leaked."
              : `The old secret stops working on ${formatMoment(new Date(openedAt + milliseconds).toISOString())}.`,
        }))}
      />
      {apiKey.previous_secret_until !== null && (
        <Notice tone="warn">
          An earlier secret still works until {formatMoment(apiKey.previous_secret_until)}. If you rotate again, it
          stops working immediately.
        </Notice>
      )}
      {apiKey.status === "inactive" && (
        <Notice>This key is inactive. Its secrets don’t work until you activate it.</Notice>
      )}
    </FormDialog>
  );
}
