// The keys whose secret a removed member has seen.
import type { DataOf } from "../../api.ts";
import { Button, ButtonLink, Dialog, DialogActions } from "../../components/index.ts";
import { useWorkspace } from "../../workspace.tsx";
import type { Member } from "./member.ts";

interface KeysToRotateProps {
  readonly member: Member;
  readonly keys: DataOf<"deleteMember">["keys"];
  readonly onClose: () => void;
}

export function KeysToRotate({ member, keys, onClose }: KeysToRotateProps) {
  const { id } = useWorkspace();
  return (
    <Dialog
      open
      isPersistent
      onOpenChange={onClose}
      title="Member removed"
      description={
        keys.length === 1
          ? `Rotate this API key. ${member.name} created or rotated it, and may still have its secret.`
          : `Rotate these API keys. ${member.name} created or rotated them, and may still have their secrets.`
      }
    >
      <ul aria-label="API keys to rotate" className="grid gap-2">
        {keys.map((key) => (
          <li key={key.id} className="flex flex-wrap items-baseline gap-x-2">
            <bdi className="min-w-0 break-words">{key.name}</bdi>
            <code className="text-quiet text-xs">{key.secret_start}…</code>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        <ButtonLink href={`/w/${id}/keys`} variant="primary">
          Go to API access
        </ButtonLink>
      </DialogActions>
    </Dialog>
  );
}
