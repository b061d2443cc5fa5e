// Which sign-ins the workspace accepts, and the dialog in which its owners change that.
import { useState } from "react";
import { type DataOf, useConsoleMutation, useConsoleQuery } from "../../api.ts";
import { Button, Card, FormDialog, formatCount, Loaded, pluralize, RadioGroup, toast } from "../../components/index.ts";

type PolicyRecord = DataOf<"getSignInPolicy">;
type Policy = PolicyRecord["policy"];

const policyTexts: Readonly<Record<Policy, string>> = {
  any: "Members can sign in with any method.",
  second_factor: "Members need two-factor authentication or a passkey.",
  single_sign_on: "Members must use single sign-on.",
  second_factor_or_single_sign_on: "Members need two-factor authentication, a passkey, or single sign-on.",
};

export function SignInPolicyCard() {
  const policy = useConsoleQuery("getSignInPolicy");
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card
      title="Sign-in policy"
      description="Applies to everyone who opens this workspace in the console, and to access tokens. API keys are not affected."
      actions={
        policy.data && (
          <Button size="small" onClick={() => setIsOpen(true)}>
            Change policy
          </Button>
        )
      }
    >
      <Loaded query={policy}>
        {({ data }) => (
          <>
            <p>{policyTexts[data.policy]}</p>
            {isOpen && <PolicyDialog record={data} onClose={() => setIsOpen(false)} />}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function PolicyDialog({ record, onClose }: { record: PolicyRecord; onClose: () => void }) {
  const [policy, setPolicy] = useState(record.policy);
  const provider = useConsoleQuery("getSignIn").data?.data.open_id;
  const change = useConsoleMutation("putSignInPolicy", {
    onSuccess: () => {
      toast("Sign-in policy changed");
      onClose();
    },
  });
  const { members, members_without_second_factor, members_without_single_sign_on, members_without_either } = record;
  const options = [
    { value: "any", label: "Any method", hint: "A password is enough." },
    {
      value: "second_factor",
      label: "Two-factor authentication",
      hint: `A passkey, or a password with a code. ${unready(members_without_second_factor, members, "neither")}`,
    },
    {
      value: "second_factor_or_single_sign_on",
      label: "Two-factor authentication or single sign-on",
      hint: provider
        ? `For workspaces where not everyone signs in with ${provider}. ${unready(members_without_either, members, "neither")}`
        : "Single sign-on is not set up on this service.",
    },
    {
      value: "single_sign_on",
      label: "Single sign-on only",
      hint: provider
        ? `Members sign in with ${provider}. ${unready(members_without_single_sign_on, members, "never done so")}`
        : "Single sign-on is not set up on this service.",
    },
  ] as const;
  return (
    <FormDialog
      title="Change sign-in policy"
      description="Takes effect immediately. Members who don’t meet the policy are told what they need to set up."
      submitLabel="Save policy"
      isBusy={change.isPending}
      error={change.error}
      onSubmit={() => change.mutate({ body: { policy } })}
      onClose={onClose}
    >
      <RadioGroup legend="Sign-in method" name="policy" value={policy} onChange={setPolicy} options={options} />
    </FormDialog>
  );
}

/** @param lack what follows “have” */
const unready = (count: number, members: number, lack: string): string =>
  count === 0
    ? "All members are ready."
    : `${formatCount(count)} of ${pluralize(members, "member")} ${count === 1 ? "has" : "have"} ${lack}.`;
