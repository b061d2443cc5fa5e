// The dialogs that create a key, and change its name, teams, and limits.
import { useState } from "react";
import { useConsoleMutation, useConsoleQuery } from "../../api.ts";
import { FormDialog, Loaded, NameField, toast } from "../../components/index.ts";
import { limits } from "../../limits.ts";
import { useWorkspace } from "../../workspace.tsx";
import type { ApiKey, KeyTeams, KeyWithSecret } from "./key.ts";
import { areLimitsValid, changedLimits, hasLimits, LimitsFields, typedLimitsOf } from "./limits.tsx";
import { TeamsField } from "./teams.tsx";

export function CreateKey({ onClose, onCreated }: { onClose: () => void; onCreated: (apiKey: KeyWithSecret) => void }) {
  const create = useConsoleMutation("postKey", { onSuccess: onCreated });
  return (
    <KeyForm
      title="Create API key"
      description="Name it after the program that uses it. If you deactivate the key later, you’ll know what stops working."
      submitLabel="Create key"
      change={create}
      onSubmit={({ name, teams, limits }) => create.mutate({ body: { name, teams, ...limits } })}
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
      title="Edit key"
      description="Changes apply immediately."
      submitLabel="Save"
      change={change}
      onSubmit={({ name, teams, limits }) => {
        // Only what was changed: a new name alone does not ask for the password.
        const areTeamsChanged = JSON.stringify(teams) !== JSON.stringify(teamsOf(apiKey));
        const body = { ...(name !== apiKey.name && { name }), ...(areTeamsChanged && { teams }), ...limits };
        if (Object.keys(body).length === 0) onClose();
        else change.mutate({ body });
      }}
      onClose={onClose}
    />
  );
}

const teamsOf = ({ is_all_teams, team_permissions }: ApiKey): KeyTeams => (is_all_teams ? "all" : team_permissions);

interface KeyFormProps {
  /** Undefined for a new key. */
  readonly apiKey?: ApiKey;
  readonly title: string;
  readonly description: string;
  readonly submitLabel: string;
  readonly change: { readonly isPending: boolean; readonly error: unknown };
  /** `limits` has only those that were changed. */
  readonly onSubmit: (typed: { name: string; teams: KeyTeams; limits: ReturnType<typeof changedLimits> }) => void;
  readonly onClose: () => void;
}

function KeyForm({ apiKey, change, onSubmit, ...dialogProps }: KeyFormProps) {
  const { role } = useWorkspace();
  const mayUseAllTeams = role === "owner" || role === "admin";
  const teams = useConsoleQuery("getTeams");
  const manageable = teams.data?.data.filter((team) => mayUseAllTeams || team.own_role === "admin") ?? [];
  const [name, setName] = useState(apiKey?.name ?? "");
  const [selectedTeams, setSelectedTeams] = useState<KeyTeams | undefined>(apiKey && teamsOf(apiKey));
  const keyTeams =
    selectedTeams ?? (mayUseAllTeams ? "all" : manageable.length === 1 ? manageable.map(({ id }) => id) : []);
  const [initialLimits] = useState(() => typedLimitsOf(apiKey));
  const [typedLimits, setTypedLimits] = useState(initialLimits);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const isNameMissing = name.trim() === "";
  const isTeamMissing = keyTeams !== "all" && keyTeams.length === 0;
  const submit = () => {
    setIsSubmitted(true);
    if (isNameMissing || isTeamMissing || !areLimitsValid(typedLimits)) return;
    onSubmit({ name, teams: keyTeams, limits: changedLimits(initialLimits, typedLimits) });
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
      <LimitsFields value={typedLimits} onChange={setTypedLimits} isOpen={hasLimits(initialLimits)} />
    </FormDialog>
  );
}
