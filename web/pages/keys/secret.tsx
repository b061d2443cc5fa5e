// The one time that a secret is shown. It is not closed by accident: Escape and a click beside it only ask.
import { useEffect, useState } from "react";
import { useForgetting } from "../../api.ts";
import { Button, CodeBlock, Dialog, DialogActions, moment, Notice } from "../../components/index.ts";
import type { KeyWithSecret } from "./key.ts";

export function SecretOnce({
  about,
  isNew,
  onClose,
}: {
  about: KeyWithSecret;
  /** False after a rotation. */
  isNew: boolean;
  onClose: () => void;
}) {
  const [isAsking, setIsAsking] = useState(false);
  useForgetting();
  useEffect(() => {
    const ask = (event: KeyboardEvent) => {
      if (event.key === "Escape") setIsAsking(true);
    };
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener("keydown", ask);
    window.addEventListener("beforeunload", stay);
    return () => {
      document.removeEventListener("keydown", ask);
      window.removeEventListener("beforeunload", stay);
    };
  }, []);
  return (
    <Dialog
      open
      isKept
      onOpenChange={() => setIsAsking(true)}
      title={isNew ? "Your new key" : "Your new secret"}
      description="Store the secret now, where your program reads its secrets. It is shown this once, and nobody can look it up."
    >
      <CodeBlock label="Secret" text={about.secret} />
      <CodeBlock label="A first call, to paste into a terminal" text={about.curl} />
      <p className="text-quiet -mt-2 text-[0.8125rem]">It makes a snippet named Hello and costs 1 unit.</p>
      {!isNew && (
        <Notice>
          {about.previous_secret_until === null
            ? "The old secret is refused from now on."
            : `The old secret works until ${moment(about.previous_secret_until)}.`}
        </Notice>
      )}
      {about.status === "inactive" && <Notice tone="warn">The key is inactive: activate it before you use it.</Notice>}
      <div role="alert" className="empty:hidden">
        {isAsking && (
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
