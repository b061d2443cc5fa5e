// The person's data: an export of everything that is stored about them, and the end of their account.
import { useState } from "react";
import { useConsoleMutation } from "../../api.ts";
import { accountExportPath } from "../../call.ts";
import { Button, Card, FormDialog, TextField } from "../../components/index.ts";
import { confirmed } from "../../confirmation.ts";
import { usePerson, useSession } from "../../workspace.tsx";

export function DeletionCard() {
  const { confirmed_until } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  const download = async () => {
    if (await confirmed(confirmed_until)) location.assign(accountExportPath);
  };
  return (
    <Card title="Your data" description="Export everything stored about you as a JSON file, or delete your account.">
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void download()}>Export your data</Button>
        <Button variant="danger" onClick={() => setIsOpen(true)}>
          Delete account
        </Button>
      </div>
      {isOpen && <DeleteDialog onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { email } = usePerson();
  const [typed, setTyped] = useState("");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const isRight = typed.trim().toLowerCase() === email;
  const remove = useConsoleMutation("deletePerson", { onSuccess: () => location.assign("/console/sign-in") });
  const submit = () => {
    setIsSubmitted(true);
    if (isRight) remove.mutate({ body: { email } });
  };
  return (
    <FormDialog
      title="Delete your account?"
      description="You can’t undo this. You’ll lose access to all workspaces immediately."
      submitLabel="Delete account"
      tone="danger"
      noValidate
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        Your sessions, access tokens, two-factor authentication, and passkeys will be removed, and the pending
        invitations that you sent will be revoked. Snippets that you wrote will stay in their teams, and logs will still
        show what you did, under a pseudonym. They keep your IP addresses for 90 days. Owners of the workspaces that you
        managed get an email.
      </p>
      <TextField
        label="Enter your email address to confirm"
        type="email"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={isSubmitted && !isRight ? `Enter ${email}.` : undefined}
      />
    </FormDialog>
  );
}
