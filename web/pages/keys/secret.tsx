// Shows a secret once. Escape asks for confirmation, so that the dialog is not closed by accident.
import { useEffect, useState } from "react";
import { useForgetSecrets } from "../../api.ts";
import { Button, CodeBlock, Dialog, DialogActions, formatMoment, Notice } from "../../components/index.ts";
import type { KeyWithSecret } from "./key.ts";

export function SecretDialog({
  apiKey,
  isNew,
  onClose,
}: {
  apiKey: KeyWithSecret;
  /** False after a rotation. */
  isNew: boolean;
  onClose: () => void;
}) {
  const [isConfirming, setIsConfirming] = useState(false);
  // Without a team, or with a key that can only read, nothing can be created.
  const createsSnippet = !apiKey.curl.includes("/tags?");
  useForgetSecrets();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Escape") setIsConfirming(true);
    };
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener("keydown", onKeyDown);
    window.addEventListener("beforeunload", preventUnload);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      window.removeEventListener("beforeunload", preventUnload);
    };
  }, []);
  return (
    <Dialog
      open
      isPersistent
      onOpenChange={() => setIsConfirming(true)}
      title={isNew ? "Your new API key" : "Your new secret"}
      description="Copy the secret and store it somewhere safe. You won’t be able to see it again."
    >
      <CodeBlock label="Secret" text={apiKey.secret} />
      <CodeBlock label="Sample request" text={apiKey.curl} />
      <p className="text-quiet -mt-2 text-[0.8125rem]">
        {createsSnippet
          ? "Paste it into a terminal to create a snippet titled “Hello”. It costs 1 unit."
          : "Paste it into a terminal to check that the key works. It looks for a tag that doesn’t exist, so it costs no units."}
        {!createsSnippet && apiKey.scope !== "read" && " To create snippets, create a team first."}
      </p>
      {!isNew && (
        <Notice>
          {apiKey.previous_secret_until === null
            ? "The old secret no longer works."
            : `The old secret works until ${formatMoment(apiKey.previous_secret_until)}.`}
        </Notice>
      )}
      {apiKey.status === "inactive" && (
        <Notice tone="warn">This key is inactive. Activate it before you use it.</Notice>
      )}
      <div role="alert" className="empty:hidden">
        {isConfirming && (
          <Notice tone="warn">Have you saved the secret? You can’t see it again after you close this dialog.</Notice>
        )}
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I’ve saved my {isNew ? "key" : "secret"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
