// The message of a refusal, as the ledger records it.
import { redactSecrets } from "../platform/secrets/secrets.ts";

const recordedMessageLengthMax = 300;

/**
 * A message as the ledger records it. It may repeat the name of a field as the client sent it: of any length, and with characters that a
 * database does not store.
 */
export const recordable = (message: string): string =>
  // Redacted before it is cut: half a key would not be recognized.
  redactSecrets(message)
    .slice(0, recordedMessageLengthMax)
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, "\ufffd");
