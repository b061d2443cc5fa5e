// The settings of a workspace: its name, its alerts, the ids that programs need, and its subscription.
import { useState } from "react";
import { useConsoleMutation, useConsoleQuery } from "../api.ts";
import {
  Badge,
  Button,
  Card,
  CopyButton,
  DescriptionList,
  Form,
  FormError,
  formatCount,
  Loaded,
  NameField,
  PageHeader,
  Time,
  toast,
} from "../components/index.ts";
import { limits } from "../limits.ts";
import { useSession, useWorkspace } from "../workspace.tsx";
import { AlertsCard } from "./workspaces/alerts.tsx";
import { DeleteWorkspaceCard } from "./workspaces/deletion.tsx";
import { SignInPolicyCard } from "./workspaces/sign-in-policy.tsx";
import { StorageCard } from "./workspaces/storage.tsx";
import { SubscriptionDialog, type Workspace } from "./workspaces/subscription.tsx";
import { WorkspaceTokensCard } from "./workspaces/tokens.tsx";
import { WebhookCard } from "./workspaces/webhook.tsx";

export default function Settings() {
  const workspace = useConsoleQuery("getWorkspace");
  const { may } = useWorkspace();
  return (
    <>
      <PageHeader title="Settings" topic="settings" />
      <Loaded query={workspace}>
        {({ data }) => (
          <div className="grid min-w-0 gap-6">
            <NameCard workspace={data} />
            <SubscriptionCard workspace={data} />
            <StorageCard />
            <AlertsCard />
            <WebhookCard />
            {may("policy.manage") && <SignInPolicyCard />}
            {may("tokens.manage") && <WorkspaceTokensCard />}
            <IdsCard workspace={data} />
            {may("deletion.manage") && <DeleteWorkspaceCard />}
          </div>
        )}
      </Loaded>
    </>
  );
}

function NameCard({ workspace }: { workspace: Workspace }) {
  const { is_billing_on } = useSession();
  const [name, setName] = useState(workspace.name);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const rename = useConsoleMutation("putWorkspace", { onSuccess: () => toast("Workspace renamed") });
  const isNameMissing = name.trim() === "";
  const submit = () => {
    setIsSubmitted(true);
    if (!isNameMissing && name !== workspace.name) rename.mutate({ body: { name } });
  };
  return (
    <Card
      title="Name"
      description={
        is_billing_on ? "Shown to members, on invoices, and in invitations." : "Shown to members and in invitations."
      }
    >
      <Form noValidate className="max-w-xl" isBusy={rename.isPending} onSubmit={submit}>
        <NameField
          label="Workspace name"
          maxLength={limits.workspaceNameLengthMax}
          value={name}
          onChange={setName}
          isMissing={isSubmitted && isNameMissing}
        />
        <FormError error={rename.error} />
        <div>
          <Button type="submit" variant="primary" isBusy={rename.isPending} disabled={name === workspace.name}>
            Save name
          </Button>
        </div>
      </Form>
    </Card>
  );
}

function SubscriptionCard({ workspace }: { workspace: Workspace }) {
  const { may } = useWorkspace();
  const [isOpen, setIsOpen] = useState(false);
  const mayChange = may("subscription.change");
  return (
    <Card
      title="Subscription"
      {...(!mayChange && { description: "Only the operator of this service can change the subscription." })}
      actions={
        mayChange && (
          <Button size="small" onClick={() => setIsOpen(true)}>
            Change subscription
          </Button>
        )
      }
    >
      <DescriptionList
        items={[
          ["Status", <SubscriptionState key="state" workspace={workspace} />],
          ["Monthly allowance", `${formatCount(workspace.monthly_requests)} units`],
          ["Workspace created", <Time key="created" at={workspace.created_at} />],
        ]}
      />
      {isOpen && <SubscriptionDialog workspace={workspace} onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

const SubscriptionState = ({ workspace }: { workspace: Workspace }) =>
  workspace.subscription === "active" ? (
    <Badge tone="good">Active</Badge>
  ) : (
    <>
      <Badge tone="warn">Inactive</Badge> API requests are refused.
    </>
  );

function IdsCard({ workspace }: { workspace: Workspace }) {
  const teams = useConsoleQuery("getTeams");
  return (
    <Card title="IDs" description="Use these IDs to refer to the workspace and its teams in API requests.">
      <Loaded query={teams}>
        {({ data }) => (
          <ul className="divide-line -my-2 divide-y">
            <Id kind="Workspace" name={workspace.name} id={workspace.id} />
            {data.map((team) => (
              <Id key={team.id} kind="Team" name={team.name} id={team.id} />
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

const Id = ({ kind, name, id }: { kind: string; name: string; id: string }) => (
  // On a phone the id has a line of its own, so that it does not break.
  <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 py-2 sm:grid-cols-[minmax(0,1fr)_auto_auto] sm:gap-x-2">
    <span className="min-w-0">
      <span className="text-quiet block text-xs">{kind}</span>
      <bdi className="block truncate" title={name}>
        {name}
      </bdi>
    </span>
    <code className="order-last col-span-2 min-w-0 text-xs break-all sm:order-none sm:col-span-1">{id}</code>
    <CopyButton text={id} label="Copy" variant="quiet" />
  </li>
);
