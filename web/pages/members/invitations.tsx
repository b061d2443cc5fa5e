// Invitations that are not accepted yet.
import { useState } from "react";
import { useConsoleMutation, useConsoleQuery } from "../../api.ts";
import {
  Badge,
  Card,
  type Column,
  ConfirmDialog,
  DataTable,
  EmptyState,
  Menu,
  type MenuItem,
  Time,
  toast,
} from "../../components/index.ts";
import { useWorkspace } from "../../workspace.tsx";
import { type Invitation, roleNames } from "./member.ts";

export function Invitations({ onInviteAgain }: { onInviteAgain: (invitation: Invitation) => void }) {
  const workspace = useWorkspace();
  const invitations = useConsoleQuery("getInvitations");
  const [revoking, setRevoking] = useState<Invitation>();
  const rows = invitations.data?.data;
  if (rows?.length === 0) return null;
  const mayChange = ({ role }: Invitation) => role !== "owner" || workspace.may("owners.manage");
  const actionsOf = (invitation: Invitation): readonly MenuItem[] => [
    { label: "Invite again", onSelect: () => onInviteAgain(invitation) },
    { label: "Withdraw", tone: "danger", onSelect: () => setRevoking(invitation) },
  ];
  const columns: readonly Column<Invitation>[] = [
    {
      id: "email",
      head: "Address",
      isTitle: true,
      cell: ({ email }) => (
        <bdi className="break-all" title={email}>
          {email}
        </bdi>
      ),
    },
    { id: "role", head: "Role", cell: ({ role }) => roleNames[role] },
    {
      id: "by",
      head: "Invited by",
      className: "max-w-48",
      cell: ({ invited_by }) => <bdi className="line-clamp-2 break-words">{invited_by ?? "Somebody who has gone"}</bdi>,
    },
    { id: "at", head: "Invited", cell: ({ created_at }) => <Time at={created_at} part="relative" /> },
    { id: "until", head: "Link works until", cell: renderExpiry },
    {
      id: "actions",
      head: "Actions",
      isActions: true,
      cell: (invitation) =>
        mayChange(invitation) && <Menu label={`Actions for ${invitation.email}`} items={actionsOf(invitation)} />,
    },
  ];
  return (
    <div className="mt-6">
      <Card title="Open invitations" description="Each link works once." isFlush>
        <DataTable
          label="Invited people"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          error={invitations.error}
          onRetry={() => void invitations.refetch()}
          empty={<EmptyState title="Nobody is invited" />}
        />
      </Card>
      {revoking && <RevokeDialog invitation={revoking} onClose={() => setRevoking(undefined)} />}
    </div>
  );
}

const renderExpiry = ({ expires_at }: Invitation) =>
  Date.parse(expires_at) > Date.now() ? <Time at={expires_at} /> : <Badge tone="warn">Expired</Badge>;

function RevokeDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const withdraw = useConsoleMutation("deleteInvitation", {
    query: { invitationId: invitation.id },
    invalidates: ["getInvitations", "getAuditLog"],
    onSuccess: () => {
      toast("Invitation withdrawn");
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Withdraw the invitation?"
      confirmLabel="Withdraw invitation"
      isBusy={withdraw.isPending}
      error={withdraw.error}
      onConfirm={() => withdraw.mutate({})}
    >
      <p>
        The link for <span className="break-all">{invitation.email}</span> stops working at once.
      </p>
    </ConfirmDialog>
  );
}
