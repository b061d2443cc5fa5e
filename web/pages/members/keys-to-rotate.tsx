// The keys whose secret a person has seen who left, or whose account was stopped.
import { Button, ButtonLink, Dialog, DialogActions, quote } from "../../components/index.ts";

interface KeysToRotateProps {
  /** What was done. */
  readonly title: string;
  /** What ended with it, such as “1 invitation revoked”. */
  readonly ended: readonly string[];
  readonly name: string;
  readonly keys: readonly {
    readonly id: string;
    readonly name: string;
    readonly secret_start: string;
    readonly workspace_name?: string;
  }[];
  /** The page where the keys can be rotated; undefined for an operator, who cannot rotate them. */
  readonly href?: string;
  readonly onClose: () => void;
}

export function KeysToRotate({ title, ended, name, keys, href, onClose }: KeysToRotateProps) {
  const [these, them, secrets] =
    keys.length === 1
      ? (["this API key", "it", "its secret"] as const)
      : (["these API keys", "them", "their secrets"] as const);
  const advice = href === undefined ? `Ask the owners of the workspace to rotate ${these}.` : `Rotate ${these}.`;
  return (
    <Dialog
      open
      isPersistent
      onOpenChange={onClose}
      title={title}
      description={`${advice} ${name} created or rotated ${them}, and may still have ${secrets}.`}
    >
      {ended.length > 0 && <p>{ended.join(", ")}.</p>}
      <ul aria-label="API keys to rotate" className="grid gap-2">
        {keys.map((key) => (
          <li key={key.id} className="flex flex-wrap items-baseline gap-x-2">
            <bdi className="min-w-0 break-words">{key.name}</bdi>
            <code className="text-quiet text-xs">{key.secret_start}…</code>
            {key.workspace_name !== undefined && (
              <span className="text-quiet min-w-0 break-words">in {quote(key.workspace_name)}</span>
            )}
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button {...(href === undefined && { variant: "primary" })} onClick={onClose}>
          Close
        </Button>
        {href !== undefined && (
          <ButtonLink href={href} variant="primary">
            Go to API access
          </ButtonLink>
        )}
      </DialogActions>
    </Dialog>
  );
}
