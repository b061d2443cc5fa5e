// The window in which the operator makes a workspace.
import { useId, useState } from "react";
import { useLocation } from "wouter";
import { client, useChange } from "../../api.ts";
import { Button, Dialog, DialogActions, FormError, TextField, toast } from "../../parts/index.ts";

export function MakeWorkspace({ onClose }: { onClose: () => void }) {
  const form = useId();
  const [, go] = useLocation();
  const [name, setName] = useState("");
  const [teamName, setTeamName] = useState("");
  const [isTried, setIsTried] = useState(false);
  const make = useChange("postWorkspace", {
    outdates: ["getWorkspaces"],
    onDone: async ({ id }) => {
      toast("Workspace made");
      // The way there opens with the session that knows of it.
      await client.invalidateQueries({ queryKey: ["getSession"] });
      onClose();
      go(`/w/${id}/overview`);
    },
  });
  const [isNameless, isTeamless] = [name.trim() === "", teamName.trim() === ""];
  const send = () => {
    setIsTried(true);
    if (!make.isPending && !isNameless && !isTeamless) make.mutate({ body: { name, teamName } });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Make a workspace"
      description="One for each customer: its keys, snippets, quota and invoices are its own. You are its first owner; invite another and leave, if it is not yours."
    >
      <form
        id={form}
        noValidate
        className="grid min-w-0 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <TextField
          label="Name"
          placeholder="Acme"
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={isTried && isNameless ? "Give it a name." : undefined}
        />
        <TextField
          label="First team"
          placeholder="Support"
          hint="Snippets belong to a team."
          autoComplete="off"
          maxLength={100}
          value={teamName}
          onChange={(event) => setTeamName(event.target.value)}
          error={isTried && isTeamless ? "Give the team a name." : undefined}
        />
        <FormError error={make.error} />
      </form>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" form={form} isBusy={make.isPending}>
          Make workspace
        </Button>
      </DialogActions>
    </Dialog>
  );
}
