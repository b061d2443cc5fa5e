// The operator's page: all workspaces of the instance.
import { useState } from "react";
import { Link } from "wouter";
import { useConsolePages } from "../api.ts";
import {
  Badge,
  type Column,
  CreateButton,
  EmptyState,
  formatCount,
  hasNoRows,
  Menu,
  PageHeader,
  SearchableList,
  Time,
  useSearch,
} from "../components/index.ts";
import { CreateWorkspace } from "./workspaces/create.tsx";
import { SubscriptionDialog, type Workspace } from "./workspaces/subscription.tsx";

type OpenDialog = { readonly kind: "create" } | { readonly kind: "subscription"; readonly workspace: Workspace };

export default function Workspaces() {
  const search = useSearch();
  const workspaces = useConsolePages("getWorkspaces", { query: { search: search.term } });
  const [dialog, setDialog] = useState<OpenDialog>();
  const close = () => setDialog(undefined);
  const createButton = <CreateButton onClick={() => setDialog({ kind: "create" })}>Create workspace</CreateButton>;
  return (
    <>
      <PageHeader
        title="Workspaces"
        topic="workspaces"
        description="All workspaces on this instance. Each has its own members, snippets, API keys, and balance."
        actions={!hasNoRows(workspaces, search) && createButton}
      />
      <SearchableList
        noun="workspace"
        placeholder="Search by name"
        search={search}
        pages={workspaces}
        columns={columnsOf(setDialog)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon="workspaces" title="Create your first workspace" action={createButton}>
            API keys, snippets, and members belong to a workspace.
          </EmptyState>
        }
      />
      {dialog?.kind === "create" && <CreateWorkspace onClose={close} />}
      {dialog?.kind === "subscription" && <SubscriptionDialog workspace={dialog.workspace} onClose={close} />}
    </>
  );
}

const columnsOf = (open: (dialog: OpenDialog) => void): readonly Column<Workspace>[] => [
  {
    id: "name",
    head: "Name",
    isTitle: true,
    cell: ({ id, name }) => (
      <Link href={`/w/${id}/overview`} className="link line-clamp-2 break-words" title={name}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  {
    id: "subscription",
    head: "Subscription",
    cell: ({ subscription, deleted_at }) =>
      deleted_at ? (
        <Badge tone="danger">Deleted</Badge>
      ) : (
        <Badge tone={subscription === "active" ? "good" : "warn"}>
          {subscription === "active" ? "Active" : "Inactive"}
        </Badge>
      ),
  },
  {
    id: "allowance",
    head: "Monthly allowance",
    align: "end",
    cell: ({ monthly_requests }) => formatCount(monthly_requests),
  },
  { id: "created", head: "Created", cell: ({ created_at }) => <Time at={created_at} part="day" /> },
  {
    id: "id",
    head: "ID",
    isHiddenOnPhone: true,
    cell: ({ id }) => <code className="text-xs whitespace-nowrap">{id}</code>,
  },
  {
    id: "actions",
    head: "Actions",
    isActions: true,
    cell: (workspace) => (
      <Menu
        label={`Actions for ${workspace.name}`}
        items={[
          { label: "Open", href: `/w/${workspace.id}/overview` },
          { label: "Change subscription", onSelect: () => open({ kind: "subscription", workspace }) },
        ]}
      />
    ),
  },
];
