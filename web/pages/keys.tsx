// API access: the keys of a workspace, and all that can be done with them.
import { useState } from "react";
import { useChange, useConsole, useConsolePages } from "../api.ts";
import {
  Badge,
  Button,
  type Column,
  count,
  EmptyState,
  hasNothing,
  Icon,
  Menu,
  type MenuItem,
  moment,
  Notice,
  PageHeader,
  SearchedList,
  Time,
  toast,
  useSearch,
} from "../components/index.ts";
import { useWorkspace } from "../workspace.tsx";
import { DeactivateKey, DeleteKey } from "./keys/end.tsx";
import { ChangeKey, MakeKey } from "./keys/form.tsx";
import type { ApiKey, KeyWithSecret } from "./keys/key.ts";
import { RotateKey } from "./keys/rotate.tsx";
import { SecretOnce } from "./keys/secret.tsx";
import { TeamsOfKey } from "./keys/teams.tsx";

/** The window that is open, and the key that it is about. */
type Opened =
  | { readonly window: "make" }
  | { readonly window: "change" | "rotate" | "deactivate" | "delete"; readonly about: ApiKey }
  | { readonly window: "secret"; readonly about: KeyWithSecret; readonly isNew: boolean };

export default function Keys() {
  const workspace = useWorkspace();
  const search = useSearch(withoutSecret);
  const keys = useConsolePages("getKeys", { query: { search: search.words } });
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const mayMake = workspace.may("keys.manage");
  const make = mayMake && (
    <Button variant="primary" onClick={() => setOpened({ window: "make" })}>
      <Icon name="plus" className="size-4" />
      Make a key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API access"
        description="A key lets a program call the interface in the name of this workspace. Whoever has its secret has its access."
        actions={!hasNothing(keys, search) && make}
      />
      {workspace.subscription === "inactive" && (
        <div className="mb-4">
          <Notice tone="warn">The subscription is inactive: calls are refused whichever key they show.</Notice>
        </div>
      )}
      <SearchedList
        noun="key"
        placeholder="Search by name, or by the start of a secret"
        hint="Names are searched anywhere, secrets from their beginning."
        search={search}
        pages={keys}
        columns={useColumns(setOpened)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon="key" title={mayMake ? "Make your first key" : "No keys yet"} action={make}>
            {mayMake
              ? "You get a secret and a command that makes a first call with it, ready to paste."
              : "There is no key that is limited to your teams. Who administers them can make one."}
          </EmptyState>
        }
      />
      {opened?.window === "make" && (
        <MakeKey onClose={close} onMade={(about) => setOpened({ window: "secret", about, isNew: true })} />
      )}
      {opened?.window === "change" && <ChangeKey about={opened.about} onClose={close} />}
      {opened?.window === "rotate" && (
        <RotateKey
          about={opened.about}
          onClose={close}
          onRotated={(about) => setOpened({ window: "secret", about, isNew: false })}
        />
      )}
      {opened?.window === "deactivate" && <DeactivateKey about={opened.about} onClose={close} />}
      {opened?.window === "delete" && <DeleteKey about={opened.about} onClose={close} />}
      {opened?.window === "secret" && <SecretOnce about={opened.about} isNew={opened.isNew} onClose={close} />}
    </>
  );
}

/** A secret is found by its start; the rest of it goes nowhere. */
const withoutSecret = (typed: string): string => (typed.startsWith("cpl_") ? typed.slice(0, 8) : typed);

function useColumns(open: (opened: Opened) => void): readonly Column<ApiKey>[] {
  const teams = useConsole("getTeams").data?.data;
  const activate = useChange("postKeyActivation", {
    onDone: (key) => toast(`${key.name} works again, from its next call on`),
  });
  const actionsOf = (about: ApiKey): readonly (MenuItem | "line")[] => [
    { label: "Rename or change teams", onSelect: () => open({ window: "change", about }) },
    { label: "Rotate secret", onSelect: () => open({ window: "rotate", about }) },
    "line",
    about.status === "active"
      ? { label: "Deactivate", onSelect: () => open({ window: "deactivate", about }) }
      : {
          label: "Activate",
          onSelect: () =>
            activate.mutate({ query: { keyId: about.id } }, { onError: (error) => toast(error.message, "danger") }),
        },
    {
      label: about.status === "active" ? "Delete (deactivate first)" : "Delete",
      tone: "danger",
      isDisabled: about.status === "active",
      onSelect: () => open({ window: "delete", about }),
    },
  ];
  return [
    { id: "name", head: "Name and secret", isTitle: true, className: "min-w-44", cell: nameOf },
    { id: "status", head: "Status", className: "min-w-40", cell: statusOf },
    {
      id: "teams",
      head: "Teams",
      className: "min-w-32 max-w-48",
      cell: (key) => <TeamsOfKey about={key} teams={teams} />,
    },
    { id: "created", head: "Created", className: "max-w-44", cell: createdOf },
    {
      id: "used",
      head: "Last used",
      cell: (key) => (key.last_used_at === null ? "Never" : <Time at={key.last_used_at} part="relative" />),
    },
    { id: "calls", head: "Calls, 30 days", align: "end", cell: (key) => count(key.calls_30_days) },
    {
      id: "actions",
      head: "Actions",
      isActions: true,
      cell: (key) => key.is_managed && <Menu label={`Actions for ${key.name}`} items={actionsOf(key)} />,
    },
  ];
}

const nameOf = ({ name, secret_start }: ApiKey) => (
  <>
    <bdi className="line-clamp-2 wrap-anywhere" title={name}>
      {name}
    </bdi>
    <code className="text-quiet block text-[0.8125rem] font-normal">{secret_start}…</code>
  </>
);

const statusOf = ({ status, deactivated_at, previous_secret_until }: ApiKey) => (
  <span className="grid justify-items-start gap-1">
    <Badge tone={status === "active" ? "good" : "neutral"}>{status === "active" ? "Active" : "Inactive"}</Badge>
    {deactivated_at !== null && (
      <span className="text-quiet text-xs">
        since <Time at={deactivated_at} part="relative" />
      </span>
    )}
    {previous_secret_until !== null && (
      <span className="text-quiet text-xs">Old secret works until {moment(previous_secret_until)}</span>
    )}
  </span>
);

const createdOf = ({ created_at, created_by }: ApiKey) => (
  <>
    <Time at={created_at} part="day" />
    <span className="text-quiet block truncate text-xs" title={created_by ?? undefined}>
      {created_by === null ? (
        "command line"
      ) : (
        <>
          by <bdi>{created_by}</bdi>
        </>
      )}
    </span>
  </>
);
