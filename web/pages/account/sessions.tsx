// The person's sessions.
import { useState } from "react";
import { browserName } from "../../../src/contract/console/user-agent.ts";
import { useConsoleMutation, useConsoleQuery } from "../../api.ts";
import {
  Badge,
  Button,
  Card,
  ConfirmDialog,
  DataTable,
  EmptyState,
  Time,
  toast,
  toastError,
} from "../../components/index.ts";

export function SessionsCard() {
  const sessions = useConsoleQuery("getSessions");
  const rows = sessions.data?.data;
  const [isEndingAll, setIsEndingAll] = useState(false);
  const end = useConsoleMutation("deleteSession", { onSuccess: () => toast("Session ended") });
  const endOthers = useConsoleMutation("deleteSessions", {
    onSuccess: ({ message }) => {
      setIsEndingAll(false);
      toast(message);
    },
  });
  return (
    <Card
      title="Sessions"
      description="Where you’re signed in. Ending a session takes effect immediately."
      isFlush
      actions={
        rows &&
        rows.length > 1 && (
          <Button size="small" onClick={() => setIsEndingAll(true)}>
            Sign out other sessions
          </Button>
        )
      }
    >
      <DataTable
        label="Your sessions"
        rows={rows}
        rowKey={({ id }) => id}
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
        empty={<EmptyState icon="device" title="No sessions" />}
        columns={[
          {
            id: "browser",
            head: "Browser",
            isTitle: true,
            cell: ({ user_agent, is_this }) => (
              <span className="flex flex-wrap items-center gap-2">
                <span className="min-w-0 break-words" title={user_agent ?? undefined}>
                  {browserName(user_agent)}
                </span>
                {is_this && <Badge tone="accent">This session</Badge>}
              </span>
            ),
          },
          {
            id: "address",
            head: "IP address",
            cell: ({ client_address }) => <span className="break-all">{client_address ?? "Unknown"}</span>,
          },
          { id: "since", head: "Signed in", cell: ({ created_at }) => <Time at={created_at} /> },
          { id: "until", head: "Expires", isHiddenOnPhone: true, cell: ({ ends_at }) => <Time at={ends_at} /> },
          {
            id: "actions",
            head: "Actions",
            isActions: true,
            cell: ({ id, is_this, user_agent }) =>
              is_this ? null : (
                <Button
                  size="small"
                  variant="quiet"
                  aria-label={`Sign out ${browserName(user_agent)}`}
                  isBusy={end.isPending && end.variables.query?.id === id}
                  onClick={() => end.mutate({ query: { id } }, { onError: toastError })}
                >
                  Sign out
                </Button>
              ),
          },
        ]}
      />
      <ConfirmDialog
        open={isEndingAll}
        onOpenChange={setIsEndingAll}
        title="Sign out all other sessions?"
        confirmLabel="Sign out other sessions"
        isBusy={endOthers.isPending}
        error={endOthers.error}
        onConfirm={() => endOthers.mutate({})}
      >
        <p>You’ll stay signed in here and have to sign in again everywhere else.</p>
      </ConfirmDialog>
    </Card>
  );
}
