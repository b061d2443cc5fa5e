// Personal access tokens: what a program does with one's own rights.
import { useState } from "react";
import { type DataOf, useChange, useConsole } from "../../api.ts";
import {
  Badge,
  Button,
  Card,
  ConfirmDialog,
  DataTable,
  EmptyState,
  Menu,
  Time,
  toast,
} from "../../components/index.ts";
import { useSession } from "../../workspace.tsx";
import { MakeToken } from "./make-token.tsx";

type Token = DataOf<"getTokens">[number];

export function TokensCard() {
  const { memberships } = useSession();
  const tokens = useConsole("getTokens");
  const [isMaking, setIsMaking] = useState(false);
  const [ending, setEnding] = useState<Token | undefined>();
  const end = useChange("deleteToken", {
    onDone: () => {
      setEnding(undefined);
      toast("Access token ended");
    },
  });
  const canMake = memberships.some(({ role }) => role !== null);
  return (
    <Card
      title="Personal access tokens"
      description="For scripts that call the console’s operations with your rights in one workspace. For the snippet API itself, make an API key."
      isFlush
      actions={canMake && <Button onClick={() => setIsMaking(true)}>Make a token</Button>}
    >
      <DataTable
        label="Your access tokens"
        rows={tokens.data?.data}
        rowKey={({ id }) => id}
        error={tokens.error}
        onRetry={() => void tokens.refetch()}
        empty={<EmptyState icon="key" title="No access tokens" />}
        columns={[
          {
            id: "name",
            head: "Name",
            isTitle: true,
            cell: ({ name, secret_start }) => (
              <span className="grid min-w-0">
                <span className="break-words">{name}</span>
                <code className="text-quiet font-mono text-xs font-normal">{secret_start}…</code>
              </span>
            ),
          },
          {
            id: "workspace",
            head: "Workspace",
            className: "max-w-56",
            cell: ({ workspace_name }) => <span className="break-words">{workspace_name}</span>,
          },
          {
            id: "may",
            head: "May",
            cell: ({ may_write }) => (may_write ? <Badge tone="warn">Read and write</Badge> : <Badge>Read</Badge>),
          },
          {
            id: "used",
            head: "Last used",
            cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} part="relative" /> : "Never"),
          },
          { id: "until", head: "Ends", cell: ({ expires_at }) => <Time at={expires_at} part="day" /> },
          {
            id: "actions",
            head: "Actions",
            isActions: true,
            cell: (row) => (
              <Menu
                label={`Actions for ${row.name}`}
                items={[{ label: "End token", tone: "danger", onSelect: () => setEnding(row) }]}
              />
            ),
          },
        ]}
      />
      {isMaking && <MakeToken onEnd={() => setIsMaking(false)} />}
      <ConfirmDialog
        open={ending !== undefined}
        onOpenChange={() => setEnding(undefined)}
        title={`End ${ending?.name ?? "the token"}?`}
        confirmLabel="End token"
        isBusy={end.isPending}
        error={end.error}
        onConfirm={() => ending && end.mutate({ query: { id: ending.id } })}
      >
        <p>The next call with it is refused. A token that was ended can not be used again.</p>
      </ConfirmDialog>
    </Card>
  );
}
