// The window in which the operator makes a workspace.
import { useState } from "react";
import { useLocation } from "wouter";
import { client, useChange } from "../../api.ts";
import { FormDialog, NameField, toast } from "../../components/index.ts";
import { limits } from "../../limits.ts";

export function MakeWorkspace({ onClose }: { onClose: () => void }) {
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
    if (!isNameless && !isTeamless) make.mutate({ body: { name, teamName } });
  };
  return (
    <FormDialog
      title="Make a workspace"
      description="One for each customer: its keys, snippets, quota and invoices are its own. You are its first owner; invite another and leave, if it is not yours."
      sendLabel="Make workspace"
      isBusy={make.isPending}
      error={make.error}
      onSend={send}
      onClose={onClose}
    >
      <NameField
        placeholder="Acme"
        maxLength={limits.workspaceNameLengthMax}
        value={name}
        onChange={setName}
        isMissing={isTried && isNameless}
      />
      <NameField
        label="First team"
        placeholder="Support"
        hint="Snippets belong to a team."
        maxLength={limits.teamNameLengthMax}
        value={teamName}
        onChange={setTeamName}
        isMissing={isTried && isTeamless}
      />
    </FormDialog>
  );
}
