// The dialog that confirms a change of somebody's account.
import { type ReactNode, useState } from "react";
import { type DataOf, type RowOf, useConsoleMutation } from "../../api.ts";
import { ConfirmDialog, pluralize, toast } from "../../components/index.ts";
import { KeysToRotate } from "../members/keys-to-rotate.tsx";

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
      "They’ll be signed out everywhere, their access tokens and the invitations they sent will be revoked, and they can’t sign in again until you enable the account. API keys belong to workspaces and keep working. Next, you’ll see any active ones that this person created or rotated.",
  },
  enable: {
    operation: "postInstancePersonActivation",
    title: (name) => `Enable ${name}?`,
    confirm: "Enable account",
    done: "Account enabled",
    explanation:
      "They can sign in again, with the same roles as before. Revoked access tokens and invitations stay revoked.",
  },
  signOut: {
    operation: "deleteInstancePersonAccess",
    title: (name) => `Sign ${name} out everywhere?`,
    confirm: "Sign out everywhere",
    done: "Signed out everywhere",
    explanation:
      "All their sessions will end, and all their access tokens and the invitations they sent will be revoked. They can sign in again right away. API keys belong to workspaces and keep working. Next, you’ll see any active ones that this person created or rotated.",
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
    explanation:
      "They can no longer manage this instance. They keep their roles in workspaces. Invitations that they could send only as an operator will be revoked.",
  },
} as const satisfies Record<string, Text>;

export type PersonChange = keyof typeof texts;

type Stopped = DataOf<"postInstancePersonDeactivation">;

const endedParts = ({ sessions, tokens, invitations }: Stopped["ended"]): string[] => [
  ...(sessions > 0 ? [`${pluralize(sessions, "session")} ended`] : []),
  ...(tokens > 0 ? [`${pluralize(tokens, "access token")} revoked`] : []),
  ...(invitations > 0 ? [`${pluralize(invitations, "invitation")} revoked`] : []),
];

interface ChangePersonProps {
  readonly account: RowOf<"getInstancePeople">;
  readonly change: PersonChange;
  readonly onClose: () => void;
}

export function ChangePerson({ account, change, onClose }: ChangePersonProps) {
  const { operation, title, confirm, done, explanation } = texts[change];
  /** With keys to rotate. */
  const [stopped, setStopped] = useState<Stopped>();
  const mutation = useConsoleMutation(operation, {
    query: { personId: account.id },
    onSuccess: (changed) => {
      if ("keys" in changed && changed.keys.length > 0) return setStopped(changed);
      toast([done, ...("ended" in changed ? endedParts(changed.ended) : [])].join(" · "));
      onClose();
    },
  });
  if (stopped)
    return (
      <KeysToRotate
        title={done}
        ended={endedParts(stopped.ended)}
        name={account.name}
        keys={stopped.keys}
        onClose={onClose}
      />
    );
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
