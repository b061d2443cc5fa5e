// The sign-in page of an instance without an administrator: nobody can sign in yet.
import { CodeBlock } from "../../components/index.ts";
import { SignedOutPage } from "./signed-out-page.tsx";

export const SetupPending = () => (
  <SignedOutPage title="Finish setup" lead="This service has no operator yet.">
    <p>
      Open the setup link to create the operator account. The service printed the link in the terminal when it started,
      or saved it to a file and printed the file’s path.
    </p>
    <p className="text-quiet">
      If the link has expired, restart the service to get a new one. You can also create the account with this command
      on the server, using your email address:
    </p>
    <CodeBlock label="Command" text="./commonplace person create --email ADDRESS --operator" />
  </SignedOutPage>
);
