// The dialog that creates a team, or changes its name and visibility.
import { useState } from "react";
import { useConsoleMutation } from "../../api.ts";
import { FormDialog, NameField, RadioGroup, toast } from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { type Team, type Visibility, visibilityOptions } from "./team.ts";

/** @param team undefined for a new team */
export function TeamForm({ team, onClose }: { team: Team | undefined; onClose: () => void }) {
  const [name, setName] = useState(team?.name ?? "");
  const [visibility, setVisibility] = useState<Visibility>(team?.visibility ?? "internal");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const done = (text: string) => () => {
    toast(text);
    onClose();
  };
  const create = useConsoleMutation("postTeam", { onSuccess: done("Team created") });
  const change = useConsoleMutation("putTeam", { onSuccess: done("Team updated") });
  const { isPending, error } = team ? change : create;
  const isNameMissing = name.trim() === "";
  const submit = () => {
    setIsSubmitted(true);
    if (isNameMissing) return;
    if (team) change.mutate({ query: { teamId: team.id }, body: { name, visibility } });
    else create.mutate({ body: { name, visibility } });
  };
  return (
    <FormDialog
      title={team ? "Edit team" : "Create team"}
      description={
        team
          ? undefined
          : "Snippets, folders, and tags belong to a team. API keys can access all teams or selected ones."
      }
      submitLabel={team ? "Save team" : "Create team"}
      isBusy={isPending}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameField
        placeholder="Support"
        maxLength={limits.teamNameLengthMax}
        value={name}
        onChange={setName}
        isMissing={isSubmitted && isNameMissing}
      />
      <RadioGroup
        legend="Visibility"
        name="visibility"
        value={visibility}
        onChange={setVisibility}
        options={visibilityOptions}
      />
    </FormDialog>
  );
}
