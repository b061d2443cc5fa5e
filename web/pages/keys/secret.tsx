// Shows the secret of a key once, with a sample request.
import { CodeBlock, formatMoment, Notice, SecretDialog } from "../../components/index.ts";
import type { KeyWithSecret } from "./key.ts";

export function KeySecretDialog({
  apiKey,
  isNew,
  onClose,
}: {
  apiKey: KeyWithSecret;
  /** False after a rotation. */
  isNew: boolean;
  onClose: () => void;
}) {
  // Without a team, or with a key that can only read, nothing can be created.
  const createsSnippet = !apiKey.curl.includes("/tags?");
  return (
    <SecretDialog
      title={isNew ? "Your new API key" : "Your new secret"}
      secret={apiKey.secret}
      closeLabel={`I’ve saved my ${isNew ? "key" : "secret"}`}
      onClose={onClose}
    >
      <CodeBlock label="Sample request" text={apiKey.curl} />
      <p className="text-quiet -mt-2 text-[0.8125rem]">
        {createsSnippet
          ? "Paste it into a terminal to create a snippet titled “Hello”. It costs 1 unit."
          : "Paste it into a terminal to check that the key works. It looks for a tag that doesn’t exist, so it costs no units."}
        {!createsSnippet && apiKey.scope !== "read" && " To create snippets, create a team first."}
      </p>
      {!isNew && (
        <Notice>
          {apiKey.previous_secret_until === null
            ? "The old secret no longer works."
            : `The old secret works until ${formatMoment(apiKey.previous_secret_until)}.`}
        </Notice>
      )}
      {apiKey.status === "inactive" && (
        <Notice tone="warn">This key is inactive. Activate it before you use it.</Notice>
      )}
    </SecretDialog>
  );
}
