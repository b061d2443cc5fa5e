// The operator's page: all workspaces of the instance.
import { useState } from "react";
import { Link } from "wouter";
import { useConsolePages } from "../api.ts";
import {
  Badge,
  Button,
  type Column,
  count,
  EmptyState,
  hasNothing,
  Icon,
  Menu,
  PageHeader,
  SearchedList,
  Time,
  useSearch,
} from "../components/index.ts";
import { MakeWorkspace } from "./workspaces/make.tsx";
import { Subscription, type Workspace } from "./workspaces/subscription.tsx";

type Opened = { readonly window: "make" } | { readonly window: "subscription"; readonly about: Workspace };

export default function Workspaces() {
  const search = useSearch();
  const workspaces = useConsolePages("getWorkspaces", { query: { search: search.words } });
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const make = (
    <Button variant="primary" onClick={() => setOpened({ window: "make" })}>
      <Icon name="plus" className="size-4" />
      Make a workspace
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Workspaces"
        description="The customers of this instance. Each has its own keys, snippets, quota and invoices."
        actions={!hasNothing(workspaces, search) && make}
      />
      <SearchedList
        noun="workspace"
        placeholder="Search by name"
        search={search}
        pages={workspaces}
        columns={columnsOf(setOpened)}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon="workspaces" title="Make the first workspace" action={make}>
            Keys, snippets and members belong to one.
          </EmptyState>
        }
      />
      {opened?.window === "make" && <MakeWorkspace onClose={close} />}
      {opened?.window === "subscription" && <Subscription about={opened.about} onClose={close} />}
    </>
  );
}

const columnsOf = (open: (opened: Opened) => void): readonly Column<Workspace>[] => [
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
    cell: ({ subscription }) => (
      <Badge tone={subscription === "active" ? "good" : "warn"}>
        {subscription === "active" ? "Active" : "Inactive"}
      </Badge>
    ),
  },
  {
    id: "allowance",
    head: "Units a month",
    align: "end",
    cell: ({ monthly_requests }) => count(monthly_requests),
  },
  { id: "created", head: "Made", cell: ({ created_at }) => <Time at={created_at} part="day" /> },
  {
    id: "id",
    head: "Id",
    isWideOnly: true,
    cell: ({ id }) => <code className="text-xs whitespace-nowrap">{id}</code>,
  },
  {
    id: "actions",
    head: "Actions",
    isActions: true,
    cell: (about) => (
      <Menu
        label={`Actions for ${about.name}`}
        items={[
          { label: "Open", href: `/w/${about.id}/overview` },
          { label: "Change subscription", onSelect: () => open({ window: "subscription", about }) },
        ]}
      />
    ),
  },
];
