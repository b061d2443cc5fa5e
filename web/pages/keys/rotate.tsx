// The window in which a key gets a new secret.
import { useState } from "react";
import { useChange } from "../../api.ts";
import { Choices, FormDialog, moment, Notice, quoted } from "../../components/index.ts";
import type { ApiKey, KeyWithSecret } from "./key.ts";

const hour = 60 * 60 * 1_000;
const overlaps = [
  { value: "now", label: "Ends now", milliseconds: 0 },
  { value: "1h", label: "Works for 1 more hour", milliseconds: hour },
  { value: "24h", label: "Works for 24 more hours", milliseconds: 24 * hour },
  { value: "7d", label: "Works for 7 more days", milliseconds: 7 * 24 * hour },
] as const;
type Overlap = (typeof overlaps)[number]["value"];

export function RotateKey({
  about,
  onClose,
  onRotated,
}: {
  about: ApiKey;
  onClose: () => void;
  onRotated: (rotated: KeyWithSecret) => void;
}) {
  const [overlap, setOverlap] = useState<Overlap>("24h");
  const [openedAt] = useState(Date.now);
  const rotate = useChange("postKeyRotation", { query: { keyId: about.id }, onDone: onRotated });
  return (
    <FormDialog
      title={`Rotate the secret of ${quoted(about.name)}`}
      description="The key stays the same, with its teams, its usage and its rate limit. You get its new secret at once."
      sendLabel="Rotate secret"
      isBusy={rotate.isPending}
      error={rotate.error}
      onSend={() => rotate.mutate({ body: { overlap } })}
      onClose={onClose}
    >
      <Choices
        legend="The old secret"
        name="overlap"
        value={overlap}
        onChange={setOverlap}
        options={overlaps.map(({ value, label, milliseconds }) => ({
          value,
          label,
          hint:
            milliseconds === 0
              ? "The next call with it is refused. For a secret that somebody else may know."
              : `Until ${moment(new Date(openedAt + milliseconds).toISOString())}. Both secrets work until then.`,
        }))}
      />
      {about.previous_secret_until !== null && (
        <Notice tone="warn">
          An older secret works until {moment(about.previous_secret_until)}. Rotating again ends that one at once.
        </Notice>
      )}
      {about.status === "inactive" && (
        <Notice>The key is inactive and stays so: no secret of it works before you activate it.</Notice>
      )}
    </FormDialog>
  );
}
