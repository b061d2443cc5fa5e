// Personal access tokens: programs use them with the permissions of the person.
import { useState } from "react";
import { type DataOf, useConsoleMutation, useConsoleQuery } from "../../api.ts";
import {
  Button,
  Card,
  ConfirmDialog,
  DataTable,
  EmptyState,
  Menu,
  quote,
  Time,
  toast,
} from "../../components/index.ts";
import { useSession } from "../../workspace.tsx";
import { CreateToken } from "./create-token.tsx";
import { ScopesText } from "./scopes.tsx";

type Token = DataOf<"getTokens">[number];

export function TokensCard() {
  const { memberships, person } = useSession();
  const tokens = useConsoleQuery("getTokens");
  const [isCreating, setIsCreating] = useState(false);
  const [revoking, setRevoking] = useState<Token | undefined>();
  const revoke = useConsoleMutation("deleteToken", {
    onSuccess: () => {
      setRevoking(undefined);
      toast("Access token revoked");
    },
  });
  const canCreate = memberships.some(({ role }) => role !== null);
  return (
    <Card
      title="Personal access tokens"
      description="For scripts that use the console API with your permissions in one workspace. For the snippet API, create an API key instead."
      isFlush
      actions={canCreate && <Button onClick={() => setIsCreating(true)}>Create token</Button>}
    >
      {person.tokens_pause_at && (tokens.data?.data.length ?? 0) > 0 && (
        <p className="text-quiet px-5 pb-4">
          Your tokens work until <Time at={person.tokens_pause_at} part="day" />. To extend this, sign in again with
          single sign-on.
        </p>
      )}
      <DataTable
        label="Your access tokens"
        rows={tokens.data?.data}
        rowKey={({ id }) => id}
        error={tokens.error}
        onRetry={() => void tokens.refetch()}
        empty={<EmptyState icon="key" title="No access tokens yet" />}
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
            head: "Access",
            className: "max-w-64",
            cell: ({ scopes }) => <ScopesText scopes={scopes} />,
          },
          {
            id: "used",
            head: "Last used",
            cell: ({ last_used_at }) =>
              last_used_at ? (
                <Time at={last_used_at} part="relative" className="inline-block first-letter:uppercase" />
              ) : (
                "Never"
              ),
          },
          { id: "until", head: "Expires", cell: ({ expires_at }) => <Time at={expires_at} part="day" /> },
          {
            id: "actions",
            head: "Actions",
            isActions: true,
            cell: (row) => (
              <Menu
                label={`Actions for ${row.name}`}
                items={[{ label: "Revoke", tone: "danger", onSelect: () => setRevoking(row) }]}
              />
            ),
          },
        ]}
      />
      {isCreating && <CreateToken onClose={() => setIsCreating(false)} />}
      <ConfirmDialog
        open={revoking !== undefined}
        onOpenChange={() => setRevoking(undefined)}
        title={`Revoke ${revoking ? quote(revoking.name) : "the token"}?`}
        confirmLabel="Revoke token"
        isBusy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoking && revoke.mutate({ query: { id: revoking.id } })}
      >
        <p>The token will stop working immediately. You can’t undo this.</p>
      </ConfirmDialog>
    </Card>
  );
}
