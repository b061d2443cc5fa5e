// The dialog in which the operator creates a workspace.
import { useState } from "react";
import { useLocation } from "wouter";
import { queryClient, useConsoleMutation } from "../../api.ts";
import { FormDialog, NameField, toast } from "../../components/index.ts";
import { limits } from "../../limits.ts";

export function CreateWorkspace({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const [name, setName] = useState("");
  const [teamName, setTeamName] = useState("");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const create = useConsoleMutation("postWorkspace", {
    invalidates: ["getWorkspaces"],
    onSuccess: async ({ id }) => {
      toast("Workspace created");
      // The new workspace opens only with a session that includes it.
      await queryClient.invalidateQueries({ queryKey: ["getSession"] });
      onClose();
      navigate(`/w/${id}/overview`);
    },
  });
  const [isNameMissing, isTeamNameMissing] = [name.trim() === "", teamName.trim() === ""];
  const submit = () => {
    setIsSubmitted(true);
    if (!isNameMissing && !isTeamNameMissing) create.mutate({ body: { name, teamName } });
  };
  return (
    <FormDialog
      title="Create workspace"
      description="Each workspace has its own members, snippets, API keys, and balance. You’ll be its first owner. To hand it over, invite another owner, then leave."
      submitLabel="Create workspace"
      isBusy={create.isPending}
      error={create.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameField
        placeholder="Acme"
        maxLength={limits.workspaceNameLengthMax}
        value={name}
        onChange={setName}
        isMissing={isSubmitted && isNameMissing}
      />
      <NameField
        label="First team"
        placeholder="Support"
        hint="Snippets belong to a team."
        maxLength={limits.teamNameLengthMax}
        value={teamName}
        onChange={setTeamName}
        isMissing={isSubmitted && isTeamNameMissing}
      />
    </FormDialog>
  );
}
