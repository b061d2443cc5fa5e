// The windows in which a key is made, and in which its name and teams are changed.
import { useState } from "react";
import { useChange, useConsole } from "../../api.ts";
import { FormDialog, Loaded, NameField, toast } from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { useWorkspace } from "../../workspace.tsx";
import type { ApiKey, KeyTeams, KeyWithSecret } from "./key.ts";
import { TeamsField } from "./teams.tsx";

export function MakeKey({ onClose, onMade }: { onClose: () => void; onMade: (made: KeyWithSecret) => void }) {
  const make = useChange("postKey", { onDone: onMade });
  return (
    <KeyForm
      title="Make a key"
      description="Name it after the program that will use it, so that you know later what stops when you deactivate it."
      sendLabel="Make key"
      change={make}
      onSend={(body) => make.mutate({ body })}
      onClose={onClose}
    />
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
    <KeyForm
      about={about}
      title="Rename or change teams"
      description="Both act on the key's next call."
      sendLabel="Save"
      change={change}
      onSend={(body) => change.mutate({ body })}
      onClose={onClose}
    />
  );
}

interface KeyFormProps {
  /** Without it a new key. */
  readonly about?: ApiKey;
  readonly title: string;
  readonly description: string;
  readonly sendLabel: string;
  readonly change: { readonly isPending: boolean; readonly error: unknown };
  readonly onSend: (body: { name: string; teams: KeyTeams }) => void;
  readonly onClose: () => void;
}

function KeyForm({ about, change, onSend, ...window }: KeyFormProps) {
  const { role } = useWorkspace();
  const mayAll = role === "owner" || role === "admin";
  const teams = useConsole("getTeams");
  const own = teams.data?.data.filter((team) => mayAll || team.own_role === "admin") ?? [];
  const [name, setName] = useState(about?.name ?? "");
  const [chosen, setChosen] = useState<KeyTeams | undefined>(about?.is_all_teams ? "all" : about?.team_permissions);
  const reach = chosen ?? (mayAll ? "all" : own.length === 1 ? own.map(({ id }) => id) : []);
  const [isTried, setIsTried] = useState(false);
  const isNameless = name.trim() === "";
  const isNowhere = reach !== "all" && reach.length === 0;
  const send = () => {
    setIsTried(true);
    if (!isNameless && !isNowhere) onSend({ name, teams: reach });
  };
  return (
    <FormDialog
      {...window}
      isBusy={change.isPending}
      error={change.error ?? (isTried && isNowhere ? "Choose at least one team." : null)}
      onSend={send}
    >
      <NameField
        placeholder="Build server"
        maxLength={limits.keyNameLengthMax}
        value={name}
        onChange={setName}
        isMissing={isTried && isNameless}
      />
      <Loaded of={teams}>{() => <TeamsField value={reach} onChange={setChosen} teams={own} mayAll={mayAll} />}</Loaded>
    </FormDialog>
  );
}
