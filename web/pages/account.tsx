// The person's own account.

import { PageHeader } from "../components/index.ts";
import { usePerson } from "../workspace.tsx";
import { DeletionCard } from "./account/deletion.tsx";
import { NameCard, PasswordCard } from "./account/identity.tsx";
import { PasskeysCard } from "./account/passkeys.tsx";
import { SecondFactorCard } from "./account/second-factor.tsx";
import { SecurityLogCard } from "./account/security-log.tsx";
import { SessionsCard } from "./account/sessions.tsx";
import { TokensCard } from "./account/tokens.tsx";
import { VerificationCard } from "./account/verification.tsx";

export default function Account() {
  const { email, has_password, needs_verification } = usePerson();
  return (
    <>
      <PageHeader title="Account" topic="account" description={`Signed in as ${email}.`} />
      <div className="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-5">
        {needs_verification && <VerificationCard />}
        <NameCard />
        {has_password && <PasswordCard />}
        <SecondFactorCard />
        <PasskeysCard />
        <SessionsCard />
        <TokensCard />
        <SecurityLogCard />
        <DeletionCard />
      </div>
    </>
  );
}
