// The dialogs that change the role of a member and remove one.
import { useState } from "react";
import { useLocation } from "wouter";
import { type DataOf, queryClient, useConsoleMutation } from "../../api.ts";
import { ConfirmDialog, FormDialog, pluralize, quote, RadioGroup, toast } from "../../components/index.ts";
import { useWorkspace } from "../../workspace.tsx";
import { KeysToRotate } from "./keys-to-rotate.tsx";
import { type Member, type Role, roleNames, roleOptionsFor } from "./member.ts";

interface MemberDialogProps {
  readonly member: Member;
  readonly onClose: () => void;
}

export function ChangeRole({ member, onClose }: MemberDialogProps) {
  const workspace = useWorkspace();
  const [role, setRole] = useState<Role>(member.role);
  const change = useConsoleMutation("putMember", {
    query: { personId: member.person_id },
    onSuccess: (changed) => {
      toast([`Role changed to ${roleNames[role].toLowerCase()}`, ...revokedPart(changed)].join(" · "));
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Change role for ${member.name}`}
      submitLabel="Save role"
      isBusy={change.isPending}
      error={change.error}
      onSubmit={() => (role === member.role ? onClose() : change.mutate({ body: { role } }))}
      onClose={onClose}
    >
      <RadioGroup
        legend="Workspace role"
        name="role"
        value={role}
        onChange={setRole}
        options={roleOptionsFor(workspace.may("owners.manage"))}
      />
    </FormDialog>
  );
}

const revokedPart = ({ invitations_revoked: count }: { readonly invitations_revoked: number }): string[] =>
  count > 0 ? [`${pluralize(count, "invitation")} revoked`] : [];

export function RemoveMember({ member, isSelf, onClose }: MemberDialogProps & { isSelf: boolean }) {
  /** With keys to rotate. */
  const [removed, setRemoved] = useState<DataOf<"deleteMember">>();
  const { id, name } = useWorkspace();
  const [, navigate] = useLocation();
  const remove = useConsoleMutation("deleteMember", {
    query: { personId: member.person_id },
    // A person who left may no longer read the workspace: refreshing its data would only be refused.
    ...(isSelf && { invalidates: [] }),
    onSuccess: async (answer) => {
      if (!isSelf && answer.keys.length > 0) return setRemoved(answer);
      toast([isSelf ? "You left the workspace" : "Member removed", ...revokedPart(answer)].join(" · "));
      onClose();
      if (!isSelf) return;
      await queryClient.invalidateQueries({ queryKey: ["getSession"] });
      navigate("/");
    },
  });
  if (removed)
    return (
      <KeysToRotate
        title="Member removed"
        ended={revokedPart(removed)}
        name={member.name}
        keys={removed.keys}
        href={`/w/${id}/keys`}
        onClose={onClose}
      />
    );
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isSelf ? `Leave ${quote(name)}?` : `Remove ${member.name}?`}
      confirmLabel={isSelf ? "Leave workspace" : "Remove member"}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({})}
    >
      {isSelf ? (
        <p>
          You’ll lose access to this workspace immediately, and your access tokens for it and the invitations you sent
          will be revoked. To rejoin, you’ll need a new invitation.
        </p>
      ) : (
        <p>
          <bdi>{member.name}</bdi> ({member.email}) will lose access to this workspace and its teams immediately. Their
          access tokens for it and the invitations they sent will be revoked.
        </p>
      )}
      <p>
        API keys belong to the workspace and keep working.{" "}
        {isSelf
          ? "Ask someone else to rotate the ones that you created or rotated."
          : "Next, you’ll see any active keys that this member created or rotated, so that you can rotate them."}
      </p>
    </ConfirmDialog>
  );
}
