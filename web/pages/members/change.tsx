// The windows in which a member gets another role, and is removed.
import { useState } from "react";
import { useLocation } from "wouter";
import { client, useChange } from "../../api.ts";
import { Choices, ConfirmDialog, FormDialog, quoted, toast } from "../../components/index.ts";
import { useWorkspace } from "../../workspace.tsx";
import { type Member, type Role, roleName, rolesFor } from "./member.ts";

interface ChangeProps {
  readonly about: Member;
  readonly onClose: () => void;
}

export function ChangeRole({ about, onClose }: ChangeProps) {
  const workspace = useWorkspace();
  const [role, setRole] = useState<Role>(about.role);
  const change = useChange("putMember", {
    query: { personId: about.person_id },
    onDone: () => {
      toast(`Role changed to ${roleName[role].toLowerCase()}, from the next call on`);
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Change the role of ${quoted(about.name)}`}
      sendLabel="Save role"
      isBusy={change.isPending}
      error={change.error}
      onSend={() => (role === about.role ? onClose() : change.mutate({ body: { role } }))}
      onClose={onClose}
    >
      <Choices
        legend="Role in this workspace"
        name="role"
        value={role}
        onChange={setRole}
        options={rolesFor(workspace.may("owners.manage"))}
      />
    </FormDialog>
  );
}

export function RemoveMember({ about, isOneself, onClose }: ChangeProps & { isOneself: boolean }) {
  const { name } = useWorkspace();
  const [, go] = useLocation();
  const remove = useChange("deleteMember", {
    query: { personId: about.person_id },
    // Who has gone sees nothing of the workspace any more: reading all of it again would only be refused.
    ...(isOneself && { outdates: [] }),
    onDone: async () => {
      toast(isOneself ? "You left the workspace" : "Member removed");
      onClose();
      if (!isOneself) return;
      await client.invalidateQueries({ queryKey: ["getSession"] });
      go("/");
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isOneself ? `Leave ${quoted(name)}?` : `Remove ${quoted(about.name)}?`}
      confirmLabel={isOneself ? "Leave workspace" : "Remove member"}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({})}
    >
      {isOneself ? (
        <p>
          You lose access to this workspace at once, and your access tokens for it end. Only an invitation brings you
          back.
        </p>
      ) : (
        <p>
          <bdi>{about.name}</bdi> ({about.email}) loses access to this workspace at once, is taken out of its teams, and
          their access tokens for it end.
        </p>
      )}
      <p>API keys stay: they belong to the workspace. Rotate those whose secrets are known outside.</p>
    </ConfirmDialog>
  );
}
