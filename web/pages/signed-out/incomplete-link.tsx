// The page of a link whose token is missing.
import { ButtonLink } from "../../components/index.ts";
import { SignedOutPage } from "./signed-out-page.tsx";

export const IncompleteLink = () => (
  <SignedOutPage
    title="The link is not complete"
    lead="Open it again as it was given to you: from the mail, or from the terminal."
  >
    <ButtonLink href="/sign-in">To the sign-in page</ButtonLink>
  </SignedOutPage>
);
