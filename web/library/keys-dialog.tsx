// The dialog that lists the keys.

import { Dialog } from "../components/dialog.tsx";
import { Checkbox } from "../components/field.tsx";
import { useStore } from "../store.ts";
import { useWorkspace } from "../workspace.tsx";
import { KeyCap } from "./key-cap.tsx";
import { keyRows } from "./keys.ts";
import { areSingleKeysOn, setSingleKeys } from "./use-keys.ts";

export function KeysDialog({ onClose }: { onClose: () => void }) {
  const { may } = useWorkspace();
  const isOn = useStore(areSingleKeysOn);
  const rows = keyRows.filter(({ needs }) => needs === undefined || may(needs));
  const groups = Map.groupBy(rows, ({ group }) => group);
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts" size="wide">
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        {[...groups].map(([group, inGroup]) => (
          <section key={group} aria-label={group} className="grid content-start gap-1">
            <h3 className="text-quiet text-xs font-medium">{group}</h3>
            <dl className="divide-line divide-y">
              {inGroup.map(({ act, label, keys }) => (
                <div key={act} className="flex items-center justify-between gap-4 py-1.5">
                  <dt>{label}</dt>
                  <dd className="flex shrink-0 items-center gap-1.5">
                    {keys.map((key, index) => (
                      <span key={key} className="inline-flex items-center gap-1.5">
                        {index > 0 && <span className="text-quiet text-xs">or</span>}
                        <KeyCap of={key} />
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="border-line border-t pt-3">
        <Checkbox
          label="Use single-key shortcuts"
          hint="Turn this off if voice input or another program triggers them by accident."
          checked={isOn}
          onChange={(event) => setSingleKeys(event.target.checked)}
        />
      </div>
    </Dialog>
  );
}
