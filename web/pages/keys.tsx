// The API keys of a workspace: list, create, edit, rotate, deactivate, delete.
import { useState } from "react";
import { useConsoleMutation, useConsolePages, useConsoleQuery } from "../api.ts";
import {
  Badge,
  type Column,
  CreateButton,
  EmptyState,
  formatCount,
  formatMoment,
  hasNoRows,
  Menu,
  type MenuItem,
  PageHeader,
  quote,
  SearchableList,
  Time,
  toast,
  toastError,
  useSearch,
} from "../components/index.ts";
import { useWorkspace } from "../workspace.tsx";
import { DeactivateKey, DeleteKey } from "./keys/deactivate-delete.tsx";
import { ChangeKey, CreateKey } from "./keys/form.tsx";
import type { ApiKey, KeyWithSecret } from "./keys/key.ts";
import { ExpiryOfKey, isExpired, LimitsOfKey } from "./keys/limits.tsx";
import { RotateKey } from "./keys/rotate.tsx";
import { KeySecretDialog } from "./keys/secret.tsx";
import { TeamsOfKey } from "./keys/teams.tsx";

/** The open dialog and its key. */
type OpenDialog =
  | { readonly kind: "create" }
  | { readonly kind: "change" | "rotate" | "deactivate" | "delete"; readonly apiKey: ApiKey }
  | { readonly kind: "secret"; readonly apiKey: KeyWithSecret; readonly isNew: boolean };

export default function Keys() {
  const workspace = useWorkspace();
  const search = useSearch(toSearchTerm);
  const keys = useConsolePages("getKeys", { query: { search: search.term } });
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const mayCreate = workspace.may("keys.manage");
  const createButton = mayCreate && (
    <CreateButton onClick={() => setDialog({ kind: "create" })}>Create API key</CreateButton>
  );
  return (
    <>
      <PageHeader
        title="API access"
        topic="keys"
        description="API keys let your programs call the API on behalf of this workspace. Anyone who has a key’s secret can use the key."
        actions={!hasNoRows(keys, search) && createButton}
      />
      <SearchableList
        noun="key"
        placeholder="Search by name or secret prefix"
        hint="Enter any part of a name, or the first characters of a secret."
        search={search}
        pages={keys}
        columns={useColumns(setDialog)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState
            icon="key"
            title={mayCreate ? "Create your first API key" : "No API keys yet"}
            action={createButton}
          >
            {mayCreate
              ? "You’ll get a secret and a sample request to paste into a terminal."
              : workspace.role === null
                ? "This workspace has no API keys yet. Its owners, admins, and team admins can create them."
                : "Your teams have no API keys of their own yet. Ask a team admin to create one."}
          </EmptyState>
        }
      />
      {dialog?.kind === "create" && (
        <CreateKey onClose={close} onCreated={(apiKey) => setDialog({ kind: "secret", apiKey, isNew: true })} />
      )}
      {dialog?.kind === "change" && <ChangeKey apiKey={dialog.apiKey} onClose={close} />}
      {dialog?.kind === "rotate" && (
        <RotateKey
          apiKey={dialog.apiKey}
          onClose={close}
          onRotated={(apiKey) => setDialog({ kind: "secret", apiKey, isNew: false })}
        />
      )}
      {dialog?.kind === "deactivate" && <DeactivateKey apiKey={dialog.apiKey} onClose={close} />}
      {dialog?.kind === "delete" && <DeleteKey apiKey={dialog.apiKey} onClose={close} />}
      {dialog?.kind === "secret" && <KeySecretDialog apiKey={dialog.apiKey} isNew={dialog.isNew} onClose={close} />}
    </>
  );
}

/** A pasted secret is searched by its start; the rest of it is not sent. */
const toSearchTerm = (typed: string): string => (typed.startsWith("cpl_") ? typed.slice(0, 8) : typed);

function useColumns(open: (dialog: OpenDialog) => void): readonly Column<ApiKey>[] {
  const teams = useConsoleQuery("getTeams").data?.data;
  const activate = useConsoleMutation("postKeyActivation", {
    onSuccess: (key) => toast(`${quote(key.name)} is active again`),
  });
  const actionsOf = (apiKey: ApiKey): readonly (MenuItem | "separator")[] => [
    { label: "Edit key", onSelect: () => open({ kind: "change", apiKey }) },
    { label: "Rotate secret", onSelect: () => open({ kind: "rotate", apiKey }) },
    "separator",
    apiKey.status === "active"
      ? { label: "Deactivate", onSelect: () => open({ kind: "deactivate", apiKey }) }
      : {
          label: "Activate",
          onSelect: () => activate.mutate({ query: { keyId: apiKey.id } }, { onError: toastError }),
        },
    {
      label: apiKey.status === "active" ? "Delete (deactivate first)" : "Delete",
      tone: "danger",
      isDisabled: apiKey.status === "active",
      onSelect: () => open({ kind: "delete", apiKey }),
    },
  ];
  return [
    { id: "name", head: "Name and secret", isTitle: true, className: "min-w-44", cell: renderName },
    { id: "status", head: "Status", className: "min-w-40", cell: renderStatus },
    {
      id: "teams",
      head: "Access",
      className: "min-w-32 max-w-52",
      cell: (key) => (
        <span className="grid min-w-0 gap-1">
          <TeamsOfKey apiKey={key} teams={teams} />
          <LimitsOfKey apiKey={key} />
        </span>
      ),
    },
    { id: "created", head: "Created", className: "max-w-44", cell: renderCreated },
    {
      id: "used",
      head: "Last used",
      cell: (key) =>
        key.last_used_at === null ? (
          "Never"
        ) : (
          <Time at={key.last_used_at} part="relative" className="inline-block first-letter:uppercase" />
        ),
    },
    { id: "calls", head: "Requests (30\u00a0days)", align: "end", cell: (key) => formatCount(key.calls_30_days) },
    {
      id: "actions",
      head: "Actions",
      isActions: true,
      cell: (key) => key.is_managed && <Menu label={`Actions for ${key.name}`} items={actionsOf(key)} />,
    },
  ];
}

const renderName = ({ name, secret_start }: ApiKey) => (
  <>
    <bdi className="line-clamp-2 wrap-anywhere" title={name}>
      {name}
    </bdi>
    <code className="text-quiet block text-[0.8125rem] font-normal">{secret_start}…</code>
  </>
);

const renderStatus = (apiKey: ApiKey) => (
  <span className="grid justify-items-start gap-1">
    {apiKey.status === "inactive" && <Badge tone="neutral">Inactive</Badge>}
    {apiKey.status === "active" && !isExpired(apiKey) && <Badge tone="good">Active</Badge>}
    <ExpiryOfKey apiKey={apiKey} />
    {apiKey.deactivated_at !== null && (
      <span className="text-quiet text-xs">
        Deactivated <Time at={apiKey.deactivated_at} part="relative" />
      </span>
    )}
    {apiKey.previous_secret_until !== null && (
      <span className="text-quiet text-xs">Old secret works until {formatMoment(apiKey.previous_secret_until)}</span>
    )}
  </span>
);

const renderCreated = ({ created_at, created_by }: ApiKey) => (
  <>
    <Time at={created_at} part="day" />
    <span className="text-quiet block truncate text-xs" title={created_by ?? undefined}>
      {created_by === null ? (
        "from the command line"
      ) : (
        <>
          by <bdi>{created_by}</bdi>
        </>
      )}
    </span>
  </>
);
