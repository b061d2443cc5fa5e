// Deleting a workspace on its settings page, and what its address shows until it is removed.
import { useState } from "react";
import { downloadPath, useConsoleMutation } from "../../api.ts";
import {
  Button,
  Card,
  EmptyState,
  FormDialog,
  FormError,
  PageHeader,
  quote,
  TextField,
  Time,
  toast,
} from "../../components/index.ts";
import { confirmed } from "../../confirmation.ts";
import { limits } from "../../limits.ts";
import { type Membership, usePerson, useSession, useWorkspace } from "../../workspace.tsx";

export function DeleteWorkspaceCard() {
  const { id } = useWorkspace();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card
      title="Delete workspace"
      description={`API keys stop working immediately. An owner can restore the workspace within ${limits.graceDays} days. After that, everything in it is removed.`}
    >
      <div className="flex flex-wrap gap-2">
        <ExportButton workspaceId={id} />
        <Button variant="danger" onClick={() => setIsOpen(true)}>
          Delete workspace
        </Button>
      </div>
      {isOpen && <DeleteDialog onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

/** Downloads everything in a workspace, after the password was confirmed. */
function ExportButton({ workspaceId }: { workspaceId: string }) {
  const { confirmed_until } = useSession();
  const download = async () => {
    if (await confirmed(confirmed_until)) location.assign(downloadPath("getWorkspaceExport", workspaceId));
  };
  return <Button onClick={() => void download()}>Export workspace</Button>;
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { name } = useWorkspace();
  const { is_billing_on } = useSession();
  const [typed, setTyped] = useState("");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const isRight = typed.trim() === name;
  const remove = useConsoleMutation("deleteWorkspace", {
    onSuccess: () => {
      toast("Workspace deleted");
      onClose();
    },
  });
  const submit = () => {
    setIsSubmitted(true);
    if (isRight) remove.mutate({ body: { name } });
  };
  return (
    <FormDialog
      title={`Delete ${quote(name)}?`}
      description={`Its API keys will stop working, and nobody will be able to use it in the console. You have ${limits.graceDays} days to restore it.`}
      submitLabel="Delete workspace"
      tone="danger"
      noValidate
      isBusy={remove.isPending}
      error={remove.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {is_billing_on
          ? "After that, all snippets, members, usage, and invoices will be removed. Export the workspace first, and download the invoices that you need."
          : "After that, all snippets, members, and usage will be removed. Export the workspace first if you need a copy."}
      </p>
      <TextField
        label="Enter the name of the workspace to confirm"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        error={isSubmitted && !isRight ? `Enter ${quote(name)}.` : undefined}
      />
    </FormDialog>
  );
}

/** In place of the pages of a deleted workspace. */
export function DeletedWorkspace({
  membership: { workspace_id, workspace_name, role, removal_at },
}: {
  membership: Membership;
}) {
  const restore = useConsoleMutation("postWorkspaceRestoration", { onSuccess: () => toast("Workspace restored") });
  const { is_operator } = usePerson();
  const isOwner = role === "owner";
  const canRestore = isOwner || is_operator;
  return (
    <>
      <PageHeader title={workspace_name} topic="deletedWorkspace" />
      <EmptyState
        icon="trash"
        title="This workspace was deleted"
        action={
          canRestore && (
            <div className="grid gap-3">
              <div className="flex flex-wrap justify-center gap-2">
                <Button variant="primary" isBusy={restore.isPending} onClick={() => restore.mutate({})}>
                  Restore workspace
                </Button>
                {isOwner && <ExportButton workspaceId={workspace_id} />}
              </div>
              <FormError error={restore.error} />
            </div>
          )
        }
      >
        Everything in it will be removed on <Time at={removal_at ?? ""} part="day" />.{" "}
        {isOwner
          ? "Until then, you can restore or export it."
          : canRestore
            ? "Until then, you or an owner can restore it."
            : "Until then, an owner can restore it."}
      </EmptyState>
    </>
  );
}
