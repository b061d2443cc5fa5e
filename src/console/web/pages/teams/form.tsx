// The window in which a team is made, or named anew and shown to others.
import { useId, useState } from "react";
import { useChange } from "../../api.ts";
import { Button, Choices, Dialog, DialogActions, FormError, TextField, toast } from "../../parts/index.ts";
import { type Team, type Visibility, visibilities } from "./team.ts";

/** @param about undefined for a new team */
export function TeamForm({ about, onClose }: { about: Team | undefined; onClose: () => void }) {
  const form = useId();
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
    if (isPending || isNameless) return;
    if (about) change.mutate({ query: { teamId: about.id }, body: { name, visibility } });
    else make.mutate({ body: { name, visibility } });
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={about ? "Name and visibility" : "Make a team"}
      {...(!about && { description: "Snippets, folders and tags belong to a team. Keys reach all teams, or some." })}
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
          placeholder="Support"
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={isTried && isNameless ? "Give it a name." : undefined}
        />
        <Choices
          legend="Who sees it"
          name="visibility"
          value={visibility}
          onChange={setVisibility}
          options={visibilities}
        />
        <FormError error={error} />
      </form>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" form={form} isBusy={isPending}>
          {about ? "Save" : "Make team"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
