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
      title={isNew ? "Your new key" : "Your new secret"}
      description="Store the secret now, where your program reads its secrets. It is shown this once, and nobody can look it up."
    >
      <CodeBlock label="Secret" text={apiKey.secret} />
      <CodeBlock label="A first call, to paste into a terminal" text={apiKey.curl} />
      <p className="text-quiet -mt-2 text-[0.8125rem]">It makes a snippet named Hello and costs 1 unit.</p>
      {!isNew && (
        <Notice>
          {apiKey.previous_secret_until === null
            ? "The old secret is refused from now on."
            : `The old secret works until ${formatMoment(apiKey.previous_secret_until)}.`}
        </Notice>
      )}
      {apiKey.status === "inactive" && <Notice tone="warn">The key is inactive: activate it before you use it.</Notice>}
      <div role="alert" className="empty:hidden">
        {isConfirming && (
          <Notice tone="warn">Is the secret stored? Once this window is closed, it can not be shown again.</Notice>
        )}
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          I have stored it
        </Button>
      </DialogActions>
    </Dialog>
  );
}
