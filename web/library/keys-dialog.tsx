// The dialog that lists the keys which work on the open page.
import { Link, useRoute } from "wouter";
import { defaultWorkspace } from "../address.ts";
import { Dialog } from "../components/dialog.tsx";
import { Checkbox } from "../components/field.tsx";
import { useStore } from "../store.ts";
import { useMembership, useSession } from "../workspace.tsx";
import { KeyCap } from "./key-cap.tsx";
import { keyRows } from "./keys.ts";
import { areSingleKeysOn, setSingleKeys } from "./use-keys.ts";

export default function KeysDialog({ onClose }: { onClose: () => void }) {
  const { memberships } = useSession();
  const workspace = useMembership() ?? defaultWorkspace(memberships);
  const [isLibrary] = useRoute("/w/:workspaceId/library");
  const isOn = useStore(areSingleKeysOn);
  const rows = keyRows.filter(
    ({ needs, group }) =>
      (isLibrary || group === "General") && (needs === undefined || workspace?.actions.includes(needs)),
  );
  const groups = Map.groupBy(rows, ({ group }) => group);
  return (
    <Dialog open onOpenChange={onClose} title="Keyboard shortcuts" size={isLibrary ? "wide" : "small"}>
      <div className={isLibrary ? "gap-x-10 sm:columns-2" : undefined}>
        {[...groups].map(([group, inGroup]) => (
          <section key={group} aria-label={group} className="mb-4 break-inside-avoid">
            {isLibrary && <h3 className="text-quiet pb-0.5 text-xs font-medium">{group}</h3>}
            <dl className="divide-line divide-y">
              {inGroup.map(({ act, label, keys }) => (
                <div key={act} className="flex items-center justify-between gap-4 py-1">
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
        {!isLibrary && workspace?.actions.includes("library.read") && (
          <p className="text-quiet">
            The{" "}
            <Link href={`/w/${workspace.workspace_id}/library`} onClick={onClose} className="text-accent underline">
              library
            </Link>{" "}
            has more shortcuts. Press <KeyCap of="?" /> there to see them.
          </p>
        )}
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
