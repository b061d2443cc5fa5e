// Shows a secret once. Escape asks for confirmation, so that the dialog is not closed by accident.
import { type ReactNode, useEffect, useState } from "react";
import { useForgetSecrets } from "../api.ts";
import { Button } from "./button.tsx";
import { CodeBlock } from "./copy.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { Notice } from "./layout.tsx";

export function SecretDialog({
  title,
  secret,
  closeLabel,
  onClose,
  children,
}: {
  title: string;
  secret: string;
  closeLabel: string;
  onClose: () => void;
  children?: ReactNode;
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
      title={title}
      description="Copy the secret and store it somewhere safe. You won’t be able to see it again."
    >
      <CodeBlock label="Secret" text={secret} />
      {children}
      <div role="alert" className="empty:hidden">
        {isConfirming && (
          <Notice tone="warn">Have you saved the secret? You can’t see it again after you close this dialog.</Notice>
        )}
      </div>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          {closeLabel}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
