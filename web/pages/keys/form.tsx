// The dialogs that create a key, and change its name and teams.
import { useState } from "react";
import { useConsoleMutation, useConsoleQuery } from "../../api.ts";
import { FormDialog, Loaded, NameField, toast } from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { useWorkspace } from "../../workspace.tsx";
import type { ApiKey, KeyTeams, KeyWithSecret } from "./key.ts";
import { TeamsField } from "./teams.tsx";

export function CreateKey({ onClose, onCreated }: { onClose: () => void; onCreated: (apiKey: KeyWithSecret) => void }) {
  const create = useConsoleMutation("postKey", { onSuccess: onCreated });
  return (
    <KeyForm
      title="Create API key"
      description="Name it after the program that uses it. If you deactivate the key later, you’ll know what stops working."
      submitLabel="Create key"
      change={create}
      onSubmit={(body) => create.mutate({ body })}
      onClose={onClose}
    />
  );
}

export function ChangeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const change = useConsoleMutation("putKey", {
    query: { keyId: apiKey.id },
    onSuccess: () => {
      toast("Key updated");
      onClose();
    },
  });
  return (
    <KeyForm
      apiKey={apiKey}
      title="Edit name and teams"
      description="Changes apply immediately."
      submitLabel="Save"
      change={change}
      onSubmit={(body) => change.mutate({ body })}
      onClose={onClose}
    />
  );
}

interface KeyFormProps {
  /** Undefined for a new key. */
  readonly apiKey?: ApiKey;
  readonly title: string;
  readonly description: string;
  readonly submitLabel: string;
  readonly change: { readonly isPending: boolean; readonly error: unknown };
  readonly onSubmit: (body: { name: string; teams: KeyTeams }) => void;
  readonly onClose: () => void;
}

function KeyForm({ apiKey, change, onSubmit, ...dialogProps }: KeyFormProps) {
  const { role } = useWorkspace();
  const mayUseAllTeams = role === "owner" || role === "admin";
  const teams = useConsoleQuery("getTeams");
  const manageable = teams.data?.data.filter((team) => mayUseAllTeams || team.own_role === "admin") ?? [];
  const [name, setName] = useState(apiKey?.name ?? "");
  const [selectedTeams, setSelectedTeams] = useState<KeyTeams | undefined>(
    apiKey?.is_all_teams ? "all" : apiKey?.team_permissions,
  );
  const keyTeams =
    selectedTeams ?? (mayUseAllTeams ? "all" : manageable.length === 1 ? manageable.map(({ id }) => id) : []);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const isNameMissing = name.trim() === "";
  const isTeamMissing = keyTeams !== "all" && keyTeams.length === 0;
  const submit = () => {
    setIsSubmitted(true);
    if (!isNameMissing && !isTeamMissing) onSubmit({ name, teams: keyTeams });
  };
  return (
    <FormDialog
      {...dialogProps}
      isBusy={change.isPending}
      error={change.error ?? (isSubmitted && isTeamMissing ? "Select at least one team." : null)}
      onSubmit={submit}
    >
      <NameField
        placeholder="Build server"
        maxLength={limits.keyNameLengthMax}
        value={name}
        onChange={setName}
        isMissing={isSubmitted && isNameMissing}
      />
      <Loaded query={teams}>
        {() => (
          <TeamsField value={keyTeams} onChange={setSelectedTeams} teams={manageable} mayUseAllTeams={mayUseAllTeams} />
        )}
      </Loaded>
    </FormDialog>
  );
}
