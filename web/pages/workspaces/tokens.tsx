// All access tokens of a workspace, for its owners.
import { useState } from "react";
import { type DataOf, useConsoleMutation, useConsoleQuery } from "../../api.ts";
import { Card, ConfirmDialog, DataTable, EmptyState, Menu, quote, Time, toast } from "../../components/index.ts";
import { ScopesText } from "../account/scopes.tsx";

type Token = DataOf<"getWorkspaceTokens">[number];

export function WorkspaceTokensCard() {
  const tokens = useConsoleQuery("getWorkspaceTokens");
  const [revoking, setRevoking] = useState<Token>();
  const revoke = useConsoleMutation("deleteWorkspaceToken", {
    onSuccess: () => {
      setRevoking(undefined);
      toast("Access token revoked");
    },
  });
  return (
    <Card
      title="Access tokens"
      description="All members’ personal access tokens for this workspace. Members create them on their account page."
      isFlush
    >
      <DataTable
        label="Access tokens for this workspace"
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
                <bdi className="break-words">{name}</bdi>
                <code className="text-quiet font-mono text-xs font-normal">{secret_start}…</code>
              </span>
            ),
          },
          {
            id: "owner",
            head: "Owner",
            className: "max-w-48",
            cell: ({ person_name, person_email }) => (
              <bdi className="block truncate" title={person_email}>
                {person_name}
              </bdi>
            ),
          },
          {
            id: "access",
            head: "Access",
            className: "max-w-56",
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
      <ConfirmDialog
        open={revoking !== undefined}
        onOpenChange={() => setRevoking(undefined)}
        title={`Revoke ${revoking ? quote(revoking.name) : "the token"}?`}
        confirmLabel="Revoke token"
        isBusy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoking && revoke.mutate({ query: { tokenId: revoking.id } })}
      >
        <p>
          This token belongs to <bdi>{revoking?.person_name}</bdi>. Programs that use it will lose access immediately.
          You can’t undo this.
        </p>
      </ConfirmDialog>
    </Card>
  );
}
