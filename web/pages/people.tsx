// The operator's page: everyone with an account on this instance.
import { useState } from "react";
import { type RowOf, useConsolePages } from "../api.ts";
import {
  Badge,
  type Column,
  EmptyState,
  formatCount,
  Menu,
  type MenuItem,
  PageHeader,
  SearchableList,
  Time,
  useSearch,
} from "../components/index.ts";
import { usePerson } from "../workspace.tsx";
import { ChangePerson, type PersonChange } from "./people/change.tsx";

type Account = RowOf<"getInstancePeople">;

interface OpenDialog {
  readonly account: Account;
  readonly change: PersonChange;
}

export default function People() {
  const search = useSearch();
  const people = useConsolePages("getInstancePeople", { query: { search: search.term } });
  const [dialog, setDialog] = useState<OpenDialog>();
  const { id: ownId } = usePerson();
  return (
    <>
      <PageHeader
        title="People"
        topic="people"
        description="Everyone with an account on this instance. Changes apply immediately, in all workspaces."
      />
      <SearchableList
        noun="account"
        placeholder="Search by name or email"
        search={search}
        pages={people}
        columns={columnsOf(ownId, setDialog)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon="members" title="No people yet">
            People appear here once they accept an invitation.
          </EmptyState>
        }
      />
      {dialog && <ChangePerson {...dialog} onClose={() => setDialog(undefined)} />}
    </>
  );
}

const columnsOf = (ownId: string, open: (dialog: OpenDialog) => void): readonly Column<Account>[] => [
  {
    id: "name",
    head: "Name",
    isTitle: true,
    cell: (account) => (
      <>
        <span className="flex flex-wrap items-center gap-x-2">
          <bdi className="line-clamp-2 break-words" title={account.name}>
            {account.name}
          </bdi>
          {account.id === ownId && <Badge tone="accent">You</Badge>}
          {account.is_operator && <Badge>Operator</Badge>}
        </span>
        <span className="text-quiet block truncate text-xs font-normal" title={account.email}>
          {account.email}
        </span>
      </>
    ),
  },
  {
    id: "status",
    head: "Status",
    cell: ({ disabled_at }) =>
      disabled_at === null ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Disabled</Badge>,
  },
  {
    id: "second",
    head: "Two-factor",
    cell: ({ has_second_factor }) => (has_second_factor ? <Badge tone="good">On</Badge> : "Off"),
  },
  { id: "workspaces", head: "Workspaces", align: "end", cell: ({ workspaces }) => formatCount(workspaces) },
  {
    id: "seen",
    head: "Last seen",
    cell: ({ last_seen_at }) =>
      last_seen_at === null ? (
        "Never"
      ) : (
        <Time at={last_seen_at} part="relative" className="inline-block first-letter:uppercase" />
      ),
  },
  {
    id: "actions",
    head: "Actions",
    isActions: true,
    cell: (account) =>
      account.id !== ownId && (
        <Menu label={`Actions for ${account.name}`} items={actionsOf(account, (change) => open({ account, change }))} />
      ),
  },
];

const actionsOf = (account: Account, open: (change: PersonChange) => void): readonly MenuItem[] => [
  { label: "Sign out everywhere", onSelect: () => open("signOut") },
  ...(account.has_second_factor
    ? [{ label: "Reset two-factor authentication", onSelect: () => open("dropFactors") }]
    : []),
  ...(account.is_operator ? [{ label: "Revoke operator rights", onSelect: () => open("revokeOperator") }] : []),
  account.disabled_at === null
    ? { label: "Disable account", tone: "danger", onSelect: () => open("disable") }
    : { label: "Enable account", onSelect: () => open("enable") },
];
