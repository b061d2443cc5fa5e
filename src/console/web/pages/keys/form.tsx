// The windows in which a key is made, and in which its name and teams are changed.
import { type ReactNode, useId, useState } from "react";
import { useChange, useConsole } from "../../api.ts";
import { Button, Dialog, DialogActions, FormError, Loaded, TextField, toast } from "../../parts/index.ts";
import { useWorkspace } from "../../workspace.tsx";
import type { ApiKey, KeyTeams, KeyWithSecret, Team } from "./key.ts";
import { TeamsField } from "./teams.tsx";

export function MakeKey({ onClose, onMade }: { onClose: () => void; onMade: (made: KeyWithSecret) => void }) {
  const make = useChange("postKey", { onDone: onMade });
  return (
    <KeyDialog
      title="Make a key"
      description="Name it after the program that will use it, so that you know later what stops when you deactivate it."
      onClose={onClose}
    >
      {(teams, mayAll) => (
        <KeyForm
          {...{ teams, mayAll, onClose }}
          start={{ name: "", teams: mayAll ? "all" : teams.slice(0, teams.length === 1 ? 1 : 0).map(({ id }) => id) }}
          sendLabel="Make key"
          isBusy={make.isPending}
          error={make.error}
          onSend={(name, keyTeams) => make.mutate({ body: { name, teams: toBody(keyTeams) } })}
        />
      )}
    </KeyDialog>
  );
}

export function ChangeKey({ about, onClose }: { about: ApiKey; onClose: () => void }) {
  const change = useChange("putKey", {
    query: { keyId: about.id },
    onDone: () => {
      toast("Key changed, from its next call on");
      onClose();
    },
  });
  return (
    <KeyDialog title="Rename or change teams" description="Both act on the key's next call." onClose={onClose}>
      {(teams, mayAll) => (
        <KeyForm
          {...{ teams, mayAll, onClose }}
          start={{ name: about.name, teams: about.is_all_teams ? "all" : about.team_permissions }}
          sendLabel="Save"
          isBusy={change.isPending}
          error={change.error}
          onSend={(name, keyTeams) => change.mutate({ body: { name, teams: toBody(keyTeams) } })}
        />
      )}
    </KeyDialog>
  );
}

const toBody = (teams: KeyTeams): "all" | string[] => (teams === "all" ? "all" : [...teams]);

function KeyDialog({
  title,
  description,
  onClose,
  children,
}: {
  title: string;
  description: string;
  onClose: () => void;
  children: (teams: readonly Team[], mayAll: boolean) => ReactNode;
}) {
  const { role } = useWorkspace();
  const mayAll = role === "owner" || role === "admin";
  const teams = useConsole("getTeams");
  return (
    <Dialog open onOpenChange={onClose} title={title} description={description}>
      <Loaded of={teams}>
        {({ data }) =>
          children(
            data.filter((team) => mayAll || team.own_role === "admin"),
            mayAll,
          )
        }
      </Loaded>
    </Dialog>
  );
}

interface KeyFormProps {
  readonly teams: readonly Team[];
  readonly mayAll: boolean;
  readonly start: { readonly name: string; readonly teams: KeyTeams };
  readonly sendLabel: string;
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly onSend: (name: string, teams: KeyTeams) => void;
  readonly onClose: () => void;
}

function KeyForm({ teams, mayAll, start, sendLabel, isBusy, error, onSend, onClose }: KeyFormProps) {
  const form = useId();
  const [name, setName] = useState(start.name);
  const [reach, setReach] = useState(start.teams);
  const [isTried, setIsTried] = useState(false);
  const isNameless = name.trim() === "";
  const isNowhere = reach !== "all" && reach.length === 0;
  const send = () => {
    setIsTried(true);
    if (!isBusy && !isNameless && !isNowhere) onSend(name, reach);
  };
  return (
    <>
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
          placeholder="Build server"
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={isTried && isNameless ? "Give it a name." : undefined}
        />
        <TeamsField value={reach} onChange={setReach} teams={teams} mayAll={mayAll} />
        <FormError error={error ?? (isTried && isNowhere ? "Choose at least one team." : null)} />
      </form>
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" type="submit" form={form} isBusy={isBusy}>
          {sendLabel}
        </Button>
      </DialogActions>
    </>
  );
}
