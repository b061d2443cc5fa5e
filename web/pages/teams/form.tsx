// The window in which a team is made, or named anew and shown to others.
import { useState } from "react";
import { useChange } from "../../api.ts";
import { Choices, FormDialog, NameField, toast } from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { type Team, type Visibility, visibilities } from "./team.ts";

/** @param about undefined for a new team */
export function TeamForm({ about, onClose }: { about: Team | undefined; onClose: () => void }) {
  const [name, setName] = useState(about?.name ?? "");
  const [visibility, setVisibility] = useState<Visibility>(about?.visibility ?? "internal");
  const [isTried, setIsTried] = useState(false);
  const done = (text: string) => () => {
    toast(text);
    onClose();
  };
  const make = useChange("postTeam", { onDone: done("Team made") });
  const change = useChange("putTeam", { onDone: done("Team changed") });
  const { isPending, error } = about ? change : make;
  const isNameless = name.trim() === "";
  const send = () => {
    setIsTried(true);
    if (isNameless) return;
    if (about) change.mutate({ query: { teamId: about.id }, body: { name, visibility } });
    else make.mutate({ body: { name, visibility } });
  };
  return (
    <FormDialog
      title={about ? "Name and visibility" : "Make a team"}
      description={about ? undefined : "Snippets, folders and tags belong to a team. Keys reach all teams, or some."}
      sendLabel={about ? "Save" : "Make team"}
      isBusy={isPending}
      error={error}
      onSend={send}
      onClose={onClose}
    >
      <NameField
        placeholder="Support"
        maxLength={limits.teamNameLengthMax}
        value={name}
        onChange={setName}
        isMissing={isTried && isNameless}
      />
      <Choices
        legend="Who sees it"
        name="visibility"
        value={visibility}
        onChange={setVisibility}
        options={visibilities}
      />
    </FormDialog>
  );
}
