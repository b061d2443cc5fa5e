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
    { label: "Revoke", tone: "danger", onSelect: () => setRevoking(invitation) },
  ];
  const columns: readonly Column<Invitation>[] = [
    {
      id: "email",
      head: "Email",
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
      cell: ({ invited_by }) => <bdi className="line-clamp-2 break-words">{invited_by ?? "Former member"}</bdi>,
    },
    {
      id: "at",
      head: "Invited",
      cell: ({ created_at }) => (
        <Time at={created_at} part="relative" className="inline-block first-letter:uppercase" />
      ),
    },
    { id: "until", head: "Expires", cell: renderExpiry },
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
      <Card title="Pending invitations" description="Each link works once." isFlush>
        <DataTable
          label="List of pending invitations"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          error={invitations.error}
          onRetry={() => void invitations.refetch()}
          empty={<EmptyState title="No pending invitations" />}
        />
      </Card>
      {revoking && <RevokeDialog invitation={revoking} onClose={() => setRevoking(undefined)} />}
    </div>
  );
}

const renderExpiry = ({ expires_at }: Invitation) =>
  Date.parse(expires_at) > Date.now() ? <Time at={expires_at} /> : <Badge tone="warn">Expired</Badge>;

function RevokeDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const revoke = useConsoleMutation("deleteInvitation", {
    query: { invitationId: invitation.id },
    invalidates: ["getInvitations", "getAuditLog"],
    onSuccess: () => {
      toast("Invitation revoked");
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Revoke invitation?"
      confirmLabel="Revoke invitation"
      isBusy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate({})}
    >
      <p>
        The link for <span className="break-all">{invitation.email}</span> will stop working immediately.
      </p>
    </ConfirmDialog>
  );
}
