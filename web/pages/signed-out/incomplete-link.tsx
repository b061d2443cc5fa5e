// The page of a link whose token is missing.
import { ButtonLink } from "../../components/index.ts";
import { SignedOutPage } from "./signed-out-page.tsx";

export const IncompleteLink = () => (
  <SignedOutPage
    title="This link is incomplete"
    lead="Copy the whole link from the email or terminal and open it again."
  >
    <ButtonLink href="/sign-in">Go to sign-in</ButtonLink>
  </SignedOutPage>
);
