// Settings: the workspace's name, the ids that programs need, and its subscription.
import { useId, useState } from "react";
import { useChange, useConsole } from "../api.ts";
import {
  Badge,
  Button,
  Card,
  CopyButton,
  count,
  Facts,
  FormError,
  Loaded,
  PageHeader,
  TextField,
  Time,
  toast,
} from "../components/index.ts";
import { limits } from "../limits.ts";
import { useWorkspace } from "../workspace.tsx";
import { Subscription, type Workspace } from "./workspaces/subscription.tsx";

export default function Settings() {
  const workspace = useConsole("getWorkspace");
  return (
    <>
      <PageHeader title="Settings" />
      <Loaded of={workspace}>
        {({ data }) => (
          <div className="grid min-w-0 gap-6">
            <Name about={data} />
            <SubscriptionCard about={data} />
            <Ids about={data} />
          </div>
        )}
      </Loaded>
    </>
  );
}

function Name({ about }: { about: Workspace }) {
  const form = useId();
  const [name, setName] = useState(about.name);
  const [isTried, setIsTried] = useState(false);
  const rename = useChange("putWorkspace", { onDone: () => toast("Workspace renamed") });
  const isNameless = name.trim() === "";
  return (
    <Card title="Name" description="Shown to its members, on invoices and in invitations.">
      <form
        id={form}
        noValidate
        className="grid max-w-xl min-w-0 gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          setIsTried(true);
          if (!rename.isPending && !isNameless && name !== about.name) rename.mutate({ body: { name } });
        }}
      >
        <TextField
          label="Workspace name"
          autoComplete="off"
          maxLength={limits.workspaceNameLengthMax}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={isTried && isNameless ? "Give it a name." : undefined}
        />
        <FormError error={rename.error} />
        <div>
          <Button type="submit" variant="primary" isBusy={rename.isPending} disabled={name === about.name}>
            Save name
          </Button>
        </div>
      </form>
    </Card>
  );
}

function SubscriptionCard({ about }: { about: Workspace }) {
  const workspace = useWorkspace();
  const [isOpen, setIsOpen] = useState(false);
  const mayChange = workspace.may("subscription.change");
  return (
    <Card
      title="Subscription"
      {...(!mayChange && { description: "The operator of this instance changes it." })}
      actions={
        mayChange && (
          <Button size="small" onClick={() => setIsOpen(true)}>
            Change subscription
          </Button>
        )
      }
    >
      <Facts
        items={[
          ["State", <State key="state" about={about} />],
          ["Monthly allowance", `${count(about.monthly_requests)} units`],
          ["Made", <Time key="made" at={about.created_at} />],
        ]}
      />
      {isOpen && <Subscription about={about} onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

const State = ({ about }: { about: Workspace }) =>
  about.subscription === "active" ? (
    <Badge tone="good">Active</Badge>
  ) : (
    <>
      <Badge tone="warn">Inactive</Badge> Every call with its keys is refused.
    </>
  );

function Ids({ about }: { about: Workspace }) {
  const teams = useConsole("getTeams");
  return (
    <Card title="Ids" description="For programs: calls name the team that something belongs to by its id.">
      <Loaded of={teams}>
        {({ data }) => (
          <ul className="divide-line -my-2 divide-y">
            <Id kind="Workspace" name={about.name} id={about.id} />
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
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
    <span className="min-w-0 flex-1 basis-48">
      <span className="text-quiet block text-xs">{kind}</span>
      <bdi className="block truncate" title={name}>
        {name}
      </bdi>
    </span>
    <span className="flex min-w-0 items-center gap-2">
      <code className="min-w-0 text-xs break-all">{id}</code>
      <CopyButton text={id} label="Copy" variant="quiet" />
    </span>
  </li>
);
