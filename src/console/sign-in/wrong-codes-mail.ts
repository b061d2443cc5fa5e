// The email to the owner of an account whose codes somebody guesses.
import { guessesMax } from "../../accounts/sign-in/code-guesses.ts";
import type { Mail } from "../../platform/mail/outbox.ts";

export function wrongCodesMail(recipient: string, guesses: number, clientAddress: string, origin: string): Mail {
  const next =
    guesses < guessesMax
      ? "Each additional incorrect code makes the wait before the next try longer."
      : "Codes from your app are no longer accepted until you sign in with a recovery code.";
  return {
    recipient,
    subject: `${guesses} incorrect codes were entered for your Commonplace account`,
    body: `Hello,

Someone entered ${guesses} incorrect two-factor codes in a row for your Commonplace account. The last one came from ${clientAddress}.

${next} Passkeys and recovery codes work as before.

If this was not you, someone knows your password. Change it now:
${origin}/console/account

If you entered the codes yourself, check that your phone's clock is correct.
`,
  };
}
