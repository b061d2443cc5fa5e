// The dialog that confirms a change of somebody's account.
import type { ReactNode } from "react";
import { type RowOf, useConsoleMutation } from "../../api.ts";
import { ConfirmDialog, toast } from "../../components/index.ts";

interface Text {
  readonly operation: string;
  readonly title: (name: string) => string;
  readonly confirm: string;
  readonly done: string;
  readonly explanation: ReactNode;
}

const texts = {
  disable: {
    operation: "postInstancePersonDeactivation",
    title: (name) => `Disable ${name}?`,
    confirm: "Disable account",
    done: "Account disabled",
    explanation:
      "They’ll be signed out everywhere, their access tokens will be revoked, and they can’t sign in again until you enable the account. API keys belong to workspaces and keep working. Rotate any keys whose secret this person may have.",
  },
  enable: {
    operation: "postInstancePersonActivation",
    title: (name) => `Enable ${name}?`,
    confirm: "Enable account",
    done: "Account enabled",
    explanation: "They can sign in again, with the same roles as before. Revoked access tokens stay revoked.",
  },
  signOut: {
    operation: "deleteInstancePersonAccess",
    title: (name) => `Sign ${name} out everywhere?`,
    confirm: "Sign out everywhere",
    done: "Signed out everywhere",
    explanation:
      "All their sessions will end, and all their access tokens will be revoked. They can sign in again right away.",
  },
  dropFactors: {
    operation: "deleteInstancePersonFactors",
    title: (name) => `Reset two-factor authentication for ${name}?`,
    confirm: "Reset two-factor authentication",
    done: "Two-factor authentication reset",
    explanation:
      "Their authenticator app, recovery codes, and passkeys will stop working. They’ll sign in with only their password until they set up two-factor authentication again. Make sure the request really comes from them.",
  },
  revokeOperator: {
    operation: "deleteInstancePersonOperator",
    title: (name) => `Revoke ${name}’s operator rights?`,
    confirm: "Revoke operator rights",
    done: "Operator rights revoked",
    explanation: "They can no longer manage this instance. They keep their roles in workspaces.",
  },
} as const satisfies Record<string, Text>;

export type PersonChange = keyof typeof texts;

interface ChangePersonProps {
  readonly account: RowOf<"getInstancePeople">;
  readonly change: PersonChange;
  readonly onClose: () => void;
}

export function ChangePerson({ account, change, onClose }: ChangePersonProps) {
  const { operation, title, confirm, done, explanation } = texts[change];
  const mutation = useConsoleMutation(operation, {
    query: { personId: account.id },
    onSuccess: () => {
      toast(done);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={title(account.name)}
      confirmLabel={confirm}
      isBusy={mutation.isPending}
      error={mutation.error}
      onConfirm={() => mutation.mutate({})}
    >
      <p className="break-words">{account.email}</p>
      <p>{explanation}</p>
    </ConfirmDialog>
  );
}
